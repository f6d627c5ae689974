"""The twelve systems of the seeds: what became of each form in each situation is as it is kept.

The whole table takes minutes, so it is run where CI=true; what is kept of it is read everywhere.
"""

import os
from collections.abc import Iterator

import pytest
from claims import README, claims, page
from postgres import Postgres, postgres
from results import Results, differences, kept
from running import Bench, measured
from scenarios import SCENARIOS, outcomes
from systems import ALONE, EXIT, FORMS, SYSTEMS, TOGETHER
from toolchain import Unavailable

from fakestripe import load_profile

pytestmark = pytest.mark.timeout(1800)
"""Seconds for hundreds of JVMs, on a machine that has other things to do as well."""

KEPT = kept()
UNSAFE, REMEDIED = FORMS
WHOLE = os.environ.get("CI") == "true"
LONG = "takes minutes: python tests/clients/java/run.py"
MANY = [name for name in SCENARIOS if name.startswith(("many-", "late-"))]


@pytest.fixture(scope="module")
def server(unavailable) -> Iterator[Postgres]:
    try:
        with postgres() as started:
            yield started
    except Unavailable as reason:
        unavailable(str(reason))


@pytest.fixture(scope="module")
def bench(services, server) -> Bench:
    return Bench(services, server)


@pytest.fixture(scope="module")
def lines(bench) -> dict[str, str]:
    """What came of the scenarios: of all, or of those with many customers."""
    return outcomes(bench, list(SCENARIOS) if WHOLE else MANY)


@pytest.mark.skipif(not WHOLE, reason=LONG)
def test_every_system_is_blamed_as_it_is_kept(bench):
    found = measured(bench, [(system, form) for system in SYSTEMS for form in FORMS], print)

    table = {" ".join(row): cells for row, cells in found.items()}
    assert differences(KEPT, Results(table)) == []
    assert list(table) == list(KEPT.table)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_situation_of_its_own_ends_as_it_is_kept(lines, name):
    if name not in lines:
        pytest.skip(LONG)

    assert lines[name] == KEPT.scenarios[name]


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_unsafe_form_charges_twice(system):
    cells = KEPT.table[f"{system} {UNSAFE}"]

    assert cells[EXIT] == "1"
    assert cells["commit-then-timeout"].startswith("duplicate: ")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_remedied_form_gets_only_what_a_correct_client_may(system):
    cells = KEPT.table[f"{system} {REMEDIED}"]

    unexpected = {
        name: cells[name]
        for name in (*ALONE, *TOGETHER)
        if cells[name].split(":")[0] not in load_profile(name).expect
    }
    assert unexpected == {}
    assert cells[EXIT] == "0"


def test_causes_are_told_apart():
    assert KEPT.table["scheduler unsafe"]["replica-race"] == "duplicate: replicas"
    assert KEPT.table["scheduler unsafe"]["late-commit"] == "duplicate: fresh_key_per_attempt"
    assert KEPT.table["undertow-suffix unsafe"]["late-commit"] == "duplicate: attempt_in_key"


def test_500_customers_on_three_replicas():
    """What the kept lines say, so that nobody keeps others unseen."""
    duplicates = "duplicate (replicas); 1500 charges for 500 payments"
    a_day_later = "duplicate (key_older_than_retention); 1000 charges for 500 payments"
    once = "clean; 500 charges for 500 payments"

    assert {name: KEPT.scenarios[name] for name in MANY} == {
        "many-unsafe": duplicates,
        "many-stable": once,
        "many-guarded": once,
        "late-23h-stable": once,
        "late-25h-stable": a_day_later,
        "late-25h-guarded": once,
    }


def test_what_threads_decide_is_kept_as_all_that_may_be_found():
    before = Results({"row": {"profile": "clean or duplicate"}}, {"scenario": "clean"})

    found = Results({"row": {"profile": "duplicate"}}, {"scenario": "clean"})
    other = Results({"row": {"profile": "missing"}}, {"scenario": "orphan"})
    assert (differences(before, found), before.updated(found)) == ([], before)
    assert differences(before, other) == [
        "row, profile: missing, and kept is clean or duplicate",
        "scenario: orphan, and kept is clean",
    ]
    assert before.updated(other) == other


def test_the_readme_is_what_was_found():
    assert README.read_text(encoding="utf-8") == page(KEPT)


def test_every_scenario_shows_a_claim():
    shown = [name for claim in claims() for name in claim.scenarios]

    assert sorted(shown) == sorted(SCENARIOS)
