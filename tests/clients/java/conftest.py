"""The billing services in Java: built once, or the reason why they cannot be.

On a CI machine (CI=true) a missing JDK or Maven is a failure: a skip would hide all of them.
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NoReturn

import pytest

sys.path.append(str(Path(__file__).parent))

from checking import check
from services import FLAGS, Services  # the line above finds it
from toolchain import Unavailable


@pytest.fixture(scope="session")
def services(unavailable: Callable[[str], NoReturn]) -> Services:
    """Return what starts a service, by its system and form."""
    try:
        return Services.built()
    except Unavailable as reason:
        unavailable(str(reason))


@pytest.fixture
def words(services: Services, tmp_path: Path) -> Callable[..., dict[str, tuple[Any, ...]]]:
    """Return a function to the word and the causes of a service, by profile; all must strike."""

    def words(system: str, form: str, profiles: Iterable[str]) -> dict[str, tuple[Any, ...]]:
        found = check(
            services.command(system, form), tmp_path, profiles=profiles, flags=(*FLAGS, "--jobs=2")
        )
        assert found.idle() == set()
        return {run.profile: (run.verdict, run.causes) for run in found.runs.values()}

    return words
