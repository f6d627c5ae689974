"""Clients by chance: the correct are never blamed, the faulty are never comforted.

Every client is drawn from a seed of a fixed table, and so is its profile; the truth is known.
``FAKESTRIPE_CHANCE=5000`` draws as many of each instead of 200.
"""

import os
from random import Random

import chance
import pytest
from trial import LEARNT, MODES, judged, taught

from fakestripe.faults import kinds
from fakestripe.verdict import exit_status
from fakestripe.verdict.words import REASONS, is_red

NUMBER = int(os.environ.get("FAKESTRIPE_CHANCE", "200"))
FIRST = int(os.environ.get("FAKESTRIPE_CHANCE_FROM", "1"))
SEEDS = range(FIRST, FIRST + NUMBER)


def tried(kind, profile, mode):
    return judged(kind, profile, mode, taught(kind, mode) if mode in LEARNT else None)


def is_bare(trial):
    """Whether anything is inconclusive without a reason that has a remedy, or red with one."""
    said = [trial.verdict, *trial.verdict.operations]
    words = [getattr(one, "word", None) or one.verdict for one in said]
    return any(
        (word == "inconclusive") != bool(one.reasons) or not set(one.reasons) <= REASONS.keys()
        for word, one in zip(words, said, strict=True)
    )


def blame(trial):
    """Return what a correct client is blamed for."""
    truth = trial.truth
    for one in trial.verdict.operations:
        made_by_client = "server_made" not in one.flags
        if one.verdict == "missing" or (one.verdict == "duplicate" and made_by_client):
            return one.operation, one.verdict
        if one.hazard is not None and not truth.server_made:
            return one.operation, f"hazard {one.hazard}"
    return None if truth.red or not is_red(trial.verdict.word) else trial.verdict.word


@pytest.mark.parametrize("mode", MODES)
def test_a_correct_client_is_never_blamed(mode):
    found = []
    for seed in SEEDS[MODES.index(mode) :: len(MODES)]:
        drawn = Random(seed)
        kind = chance.correct(drawn)
        server = drawn.random() < 0.1
        swaps = kind.refunds is None and kind.captures is None
        profile = chance.profile(drawn, swaps=swaps, server=server)
        trial, _ = tried(kind, profile, mode)
        if blame(trial) is not None or is_bare(trial):
            found.append((seed, kind.name, blame(trial)))

    assert found == []


def lost_and_repeated(world):
    """Whether an answer was lost after its commit, and the client came back under another key."""
    attempts = [a for bank in world.banks.values() for a in bank.journal.attempts]
    attempts.sort(key=lambda attempt: attempt.arrival)
    for place, first in enumerate(attempts):
        moved = first.moved
        if moved is None or moved.kind not in ("charge", "refund") or first.delivery == "intact":
            continue
        payment, key = world.payment_of.get(first.arrival), (first.account, first.idempotency_key)
        for again in attempts[place + 1 :]:
            same = again.step == first.step and world.payment_of.get(again.arrival) == payment
            other = key != (again.account, again.idempotency_key) or key[1] is None
            if same and other and again.started_s >= (first.left_s or first.ended_s or 0.0):
                return True
    return False


def drawn_faulty(wrong, seed):
    """Draw profiles for a client until one loses an answer that it comes back for."""
    for turn in range(200):
        drawn = Random(seed * 1000 + turn)
        kind, profile = chance.faulty(drawn, wrong), chance.losing(drawn)
        mode = MODES[seed % len(MODES)]
        trial, world = tried(kind, profile, mode)
        if lost_and_repeated(world):
            return trial
    raise AssertionError(f"{wrong}: no profile of so many made it come back ({seed})")


@pytest.mark.parametrize("wrong", chance.WRONGS)
def test_a_faulty_client_is_never_comforted(wrong):
    found = []
    for seed in SEEDS[list(chance.WRONGS).index(wrong) :: len(chance.WRONGS)]:
        trial = drawn_faulty(wrong, seed)
        if trial.verdict.word == "clean" or exit_status(trial.verdict, ["clean"]) == 0:
            found.append((seed, trial.mode, trial.kind.orders, trial.verdict.word))

    assert found == []


def test_chance_draws_every_fault_that_the_core_can_perform():
    """Those before a request is read need sockets: they are not drawn."""
    assert chance.MAKE.keys() == kinds.LEGAL.keys() - {"refuse", "blackhole"}
