"""The billing services in Java: built once, or the reason why they cannot be.

On a CI machine (CI=true) a missing JDK or Maven is a failure: a skip would hide all of them.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

sys.path.append(str(Path(__file__).parent))

from services import Services  # the line above finds it
from toolchain import Unavailable


@pytest.fixture(scope="session")
def services(unavailable: Callable[[str], NoReturn]) -> Services:
    """Return what starts a service, by its system and form."""
    try:
        return Services.built()
    except Unavailable as reason:
        unavailable(str(reason))
