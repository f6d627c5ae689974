"""Twelve careless programs are caught, each for its own cause; their remedied twins are not."""

import sys
from pathlib import Path

import pytest
from causes import CARELESS
from checking import check

from fakestripe.profiles import library

SEEDS = Path(__file__).parent / "seeds"
ON_REUSED = {"stale-keep-alive", "reset-on-reused-connection"}
EDGE = {"listen", "accept"}
AT_THE_PORT = {each.name for each in library() if EDGE & {rule.at for rule in each.rules}}
"""Profiles that strike before there is a request: nobody can say whom they struck."""
OF_EVENTS = {each.name for each in library() if not each.rules}
"""Profiles that strike what a receiver is told, and these programs have none."""
IDLE = ON_REUSED | AT_THE_PORT | OF_EVENTS | {"replica-race"}
"""Profiles that need a kept connection or replicas, which not every program has."""
QUICK = ("--max-hang", "2s", "--jobs", "4")


def checked(name, twin, folder, profiles=()):
    """``BILLING_STORE`` is where the replicas of a run meet."""
    replicas = ("--replicas", str(CARELESS[name].replicas))
    return check(
        [sys.executable, str(SEEDS / f"{name}_{twin}.py")],
        folder,
        profiles=profiles,
        flags=(*QUICK, *replicas),
        environment={"BILLING_STORE": str(folder)},
    )


@pytest.mark.parametrize("name", CARELESS)
def test_a_careless_program_charges_twice_and_is_blamed_for_its_own_cause(name, tmp_path):
    careless = CARELESS[name]

    found = checked(name, "unsafe", tmp_path, careless.profiles)

    blamed = {run.profile: (run.verdict, run.causes) for run in found.runs.values()}
    assert blamed == dict.fromkeys(careless.profiles, ("duplicate", (careless.cause,)))
    assert found.exit == 1


@pytest.mark.parametrize("name", CARELESS)
def test_its_remedied_twin_gets_only_expected_words_under_every_profile(name, tmp_path):
    found = checked(name, "remedied", tmp_path)

    assert found.unexpected() == {}
    assert found.idle() <= IDLE
    assert found.exit == 0
