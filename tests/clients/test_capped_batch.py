"""A runaway billing job, and the cap that stops it: 500 customers, three replicas, a key per try.

The cap is the total that is due and a tenth more. Real processes, in lockstep where replicas race,
so that every number is exact.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from checking import DIRECT

from fakestripe.faults.kinds import Barrier, Reset
from fakestripe.faults.rules import Profile, Rule, When
from fakestripe.verdict import report

BATCH = Path(__file__).parent / "programs" / "batch.py"
CUSTOMERS = 500
AMOUNT = 2000
CAP = "11000.00"
LET_THROUGH = 550
RACE = Rule(name="race#0", at="received", do=(Barrier(3, timeout=30.0, by="operation"),))
LOST = Rule(name="lost#0", at="committed", do=(Reset(),), when=When(attempt=(1,)))


@pytest.fixture
def customers(fakestripe, tmp_path):
    """Five hundred customers, each of whom is to pay once."""
    people = [person["id"] for person in fakestripe.customers(CUSTOMERS)]
    for person in people:
        fakestripe.intend(person, amount=AMOUNT, customer=person)
    (tmp_path / "customers").write_text("\n".join(people), "utf-8")
    return people


@pytest.fixture
def replicas(fakestripe, customers, tmp_path):
    """Run the job three times at once, each with its own part of the customers, and tries."""
    here = {"STRIPE_API_BASE": fakestripe.url, "CUSTOMERS": str(tmp_path / "customers")}

    def run(parts, tries, cap=CAP):
        here["STRIPE_API_KEY"] = fakestripe.key(daily_usd_cap=cap)
        jobs = [
            subprocess.Popen(
                (sys.executable, str(BATCH), *map(str, part), str(tries)),
                env={**os.environ, **DIRECT, **here},
            )
            for part in parts
        ]
        assert [job.wait(timeout=120) for job in jobs] == [0] * len(parts)

    return run


def test_replicas_that_race_pay_thrice_until_the_cap_stops_them(fakestripe, customers, replicas):
    """183 customers are charged three times, the 184th once: then nothing more is let through."""
    fakestripe.use(Profile(name="race", rules=(RACE,)))
    replicas([(0, CUSTOMERS)] * 3, tries=1)

    found = fakestripe.verdict()
    (cap,) = found.caps
    words = [one.verdict for one in found.operations]
    assert (found.word, found.attempts, found.charges) == ("duplicate", 1500, LET_THROUGH)
    assert [words.count(word) for word in ("duplicate", "cap_exceeded")] == [183, 316]
    assert (cap.let_through, cap.let_through_usd_cents) == (LET_THROUGH, 1_100_000)
    assert (len(cap.duplicates), cap.stopped, cap.would_have_doubled) == (366, 950, 2)
    assert cap.stopped_operations == tuple(customers[183:])
    assert [one.operation for one in cap.duplicates] == [c for c in customers[:183] for _ in "BC"]
    assert (cap.stop.arrival, cap.stop.operation, cap.stop.final) == (550, customers[183], True)
    assert (cap.stop.before_usd_cents, cap.stop.spent_usd_cents) == (1_100_000, 1_102_000)


def test_answers_that_are_lost_are_paid_twice_until_the_cap_stops_them(fakestripe, replicas):
    """Each replica has its own customers, and asks for every lost answer under a new key."""
    fakestripe.use(Profile(name="lost", rules=(LOST,)))
    replicas([(0, 167), (167, 334), (334, CUSTOMERS)], tries=3)

    found = fakestripe.verdict()
    (cap,) = found.caps
    paid = sum(len(one.charges) > 0 for one in found.operations)
    assert (found.word, found.charges, cap.let_through) == ("duplicate", LET_THROUGH, LET_THROUGH)
    assert len(cap.duplicates) == LET_THROUGH - paid
    assert paid in (275, 276)
    assert cap.stop.final
    assert cap.stop.before_usd_cents == 1_100_000
    assert {one.cause for one in found.operations if one.verdict == "duplicate"} == {
        "fresh_key_per_attempt"
    }


def test_the_text_names_the_duplicates_and_the_point_at_which_the_cap_stopped(
    fakestripe, customers, replicas
):
    fakestripe.use(Profile(name="race", rules=(RACE,)))
    replicas([(0, CUSTOMERS)] * 3, tries=1)
    found = fakestripe.verdict()
    told = " ".join(report.text(found).split())
    (cap,) = found.caps
    named = ", ".join(f"{one.charge} of {one.operation}" for one in cap.duplicates[:5])

    assert "let 550 charges through (11000.00 of 11000.00 USD), 366 of them duplicates" in told
    assert "it stopped 950 charges of 317 operations, 2 of them for what was paid already" in told
    assert f"it let these duplicates through: {named} and 361 more." in told
    assert f"it stopped the run at arrival 550 ({customers[183]})" in told


def test_a_job_that_runs_against_its_cap_is_a_storm(fakestripe, customers, replicas):
    """One customer is charged, the next one is tried twenty times."""
    replicas([(0, 2)], tries=20, cap="20.00")

    found = fakestripe.verdict()
    storm = next(each for each in found.warnings if each.kind == "storm")
    assert [one.verdict for one in found.operations].count("cap_exceeded") == 1
    assert (storm.operation, storm.attempts) == (customers[1], 20)
    assert storm.told.startswith("20 attempts at POST /v1/charges, 20 of them refused by a spend")
