"""How a test ends: a failure is explained, and one that passed without proving anything fails.

What is complained of is decided in ``server/control/closing.py``.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import pytest

from fakestripe.pytest_plugin.serving import failure

if TYPE_CHECKING:
    from fakestripe.server.control.control import Control

UNSUPPORTED: Final = "fakestripe_unsupported"
"""The user property that carries unsupported endpoints to the summary, from workers too."""

CONTROLS: Final = pytest.StashKey[list["Control"]]()
PASSED: Final = pytest.StashKey[bool]()


def explain(item: pytest.Item, known: str) -> None:
    """Add the verdict to the report of a failed test that does not hold it yet."""
    for control in item.stash.get(CONTROLS, []):
        text = control.explained()
        if text is not None and text not in known:
            item.add_report_section("call", "fakestripe", text)


def end(item: pytest.Item, controls: Sequence["Control"]) -> None:
    """Fail a test that passed without proving what it seems to; name what is not supported."""
    from fakestripe.server.control import closing  # noqa: PLC0415

    found: list[str] = []
    for control in controls:
        ended = control.ended()
        item.user_properties += [(UNSUPPORTED, each) for each in closing.unsupported(ended)]
        if item.stash.get(PASSED, False):
            found += closing.complaints(ended, control.url)
        else:
            found += closing.bugs(ended)
    if found:
        raise failure("\n\n".join(found))
