"""How a test begins: what its marker and the ini options ask for, and an empty account."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fakestripe.pytest_plugin.ending import CONTROLS

if TYPE_CHECKING:
    from fakestripe.faults.rules import Profile
    from fakestripe.server.control.control import Control
    from fakestripe.server.control.marked import Place


def marked(test: pytest.Item) -> dict[str, Any]:
    """Return the arguments of a test's marker; raises ``ValueError`` for wrong ones."""
    mark = test.get_closest_marker("fakestripe")
    if mark is None:
        return {}
    from fakestripe.server.control.marked import arguments  # noqa: PLC0415

    return arguments(mark.args, mark.kwargs)


def wanted(request: pytest.FixtureRequest) -> tuple[Any, bool]:
    """Return the profile of this test, and whether it is one of the whole library."""
    param = getattr(request, "param", None)
    if isinstance(param, tuple):
        return param
    given = marked(request.node)
    if "profiles" in given:
        raise ValueError("profiles= makes several tests of one: mark the test function with it")
    return param or given.get("profile"), False


def begin(
    request: pytest.FixtureRequest, control: "Control", profile: Any, customers: "str | int | None"
) -> None:
    """Empty the account and set the profile."""
    from fakestripe.server.control.marked import check_customers  # noqa: PLC0415

    request.node.stash.setdefault(CONTROLS, []).append(control)
    name = "fakestripe_customers"
    if customers is None:
        customers = check_customers(name, request.config.getini(name))
    control.begin(None, check_customers("customers", customers))
    control.load, control.replay = _loader(request), f"pytest '{request.node.nodeid}'"
    if profile is not None:
        control.use(profile)


def _loader(request: pytest.FixtureRequest) -> Callable[..., "Profile"]:
    """Return how this test finds profiles; one of its own that hides another is in the report."""
    place = place_for(request.config, request.path)

    def load(source: "str | Path | Profile") -> "Profile":
        found = place.load(source)
        if found.shadows is not None:
            text = f"{found.source} stands before the built-in {found.shadows}"
            request.node.add_report_section("call", "fakestripe", text)
        return found

    return load


def place_for(config: pytest.Config, test: Path) -> "Place":
    """Return where the profiles of a test are looked for."""
    from fakestripe.server.control.marked import place_of  # noqa: PLC0415

    ini = config.getini
    return place_of(test, config.rootpath, ini("fakestripe_profiles"), ini("fakestripe_max_hang"))
