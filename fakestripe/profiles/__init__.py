"""Profiles: what a test author writes, as values. Every mistake in one is a ``ProfileError``."""

from fakestripe.faults.line import line_of
from fakestripe.faults.rules import FAULT_FREE, Profile
from fakestripe.profiles.library import library, load_profile, names
from fakestripe.profiles.load import parse
from fakestripe.profiles.problems import Problem, ProfileError

__all__ = [
    "FAULT_FREE",
    "Problem",
    "Profile",
    "ProfileError",
    "library",
    "line_of",
    "load_profile",
    "names",
    "parse",
]
