"""Histories written by hand, and the model beside them, for the tests of the verdict."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent / "model"))

from history import History  # the line above finds it


@pytest.fixture
def history():
    """Write a history: ``history(mode="check", exits=[1])``."""
    return History
