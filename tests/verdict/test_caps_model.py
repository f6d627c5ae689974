"""The model under a spend cap: the correct are not blamed for it, and nobody is comforted by it.

Every kind of client meets every fault with a vault key, the caps turning with them: nothing at
all, one payment, all but one, all that is due, and a tenth more. The truth is known.
``FAKESTRIPE_MODEL=all`` runs every combination.
"""

from random import Random

import chance
import pytest
from faults import FAULTS
from kinds import KINDS
from test_chance import SEEDS, blame, is_bare, lost_and_repeated
from test_model import WHOLE
from test_model import blamed_wrongly as blamed_without_a_cap
from test_model import comforted_wrongly as comforted_without_a_cap
from test_model import overlooked as overlooked_without_a_cap
from test_model import tellable as tellable_without_a_cap
from trial import DECLARED, LEARNT, MODES, judged, orders_of, taught, tried

from fakestripe.verdict import exit_status
from fakestripe.verdict.words import ORDER, is_red

CAPS = {
    "nothing": lambda total, least: least - 1,
    "one": lambda total, least: least,
    "all but one": lambda total, least: total - 1,
    "all": lambda total, least: total,
    "a tenth more": lambda total, least: total * 11 // 10,
}


def cap_of(kind, name):
    amounts = [order.amount for order in orders_of(kind, 3)]
    return CAPS[name](sum(amounts), min(amounts))


def combinations(cap):
    place = list(CAPS).index(cap)
    for row, name in enumerate(KINDS):
        for column, fault in enumerate(FAULTS):
            turn = (row + column) % (2 * len(CAPS))
            mode = (row * 2 + column // len(CAPS)) % len(MODES)
            modes = MODES if WHOLE else MODES[mode : mode + 1] * (turn == place)
            yield from ((name, fault, told) for told in modes)


def tellable(trial):
    """Whether anything that the verdict was told tells this client's orders apart."""
    by_customer = trial.kind.customers and trial.mode in DECLARED
    return tellable_without_a_cap(trial) and not by_customer


def stopped(trial):
    """Whether a cap stopped an order, as far as anybody can tell what became of it."""
    truth, mode = trial.truth, trial.mode
    if mode == "plain" or not tellable(trial) or trial.kind.name.startswith("submits twice"):
        return truth.refused
    if mode == "silent":
        return any(not truth.charges.get(name) for name in truth.stopped)
    return truth.capped


def blamed_wrongly(trial):
    """Return the word that blames a client which did nothing of the kind."""
    if trial.verdict.word == "cap_exceeded":
        return None if stopped(trial) else "cap_exceeded"
    return blamed_without_a_cap(trial)


def comforted_wrongly(trial):
    """Return the word that lets a client pass; one that submits twice half believes itself."""
    twice = trial.kind.name.startswith("submits twice") and trial.mode == "silent"
    return None if twice else comforted_without_a_cap(trial)


def overlooked(trial):
    """Return the word that hides a duplicate; a cap may leave as many charges as were meant."""
    red = is_red(trial.verdict.word)
    return None if red and not tellable(trial) else overlooked_without_a_cap(trial)


def softened(trial):
    """Return the word that hides that a cap stopped something, where the operations tell it."""
    word, truth = trial.verdict.word, trial.truth
    if not truth.capped or not tellable(trial) or trial.kind.name.startswith("submits twice"):
        return None
    return word if ORDER[word] > ORDER["inconclusive"] else None


@pytest.mark.parametrize("cap", CAPS)
def test_under_a_cap_no_false_blame_and_no_false_comfort(cap):
    wrong = []
    for name, fault, mode in combinations(cap):
        trial = tried(name, fault, mode, cap=cap_of(KINDS[name], cap))
        judges = (blamed_wrongly, comforted_wrongly, overlooked, softened)
        found = [judge(trial) for judge in judges]
        wrong += [(name, fault, mode, each) for each in found if each is not None]

    assert wrong == []


def drawn(kind, profile, mode, cap):
    """Run a client that chance has drawn under a cap; return the trial and its world."""
    lesson = taught(kind, mode) if mode in LEARNT else None
    return judged(kind, profile, mode, lesson, cap=cap_of(kind, cap))


@pytest.mark.parametrize("mode", MODES)
def test_a_correct_client_is_never_blamed_for_a_cap(mode):
    found = []
    for seed in SEEDS[MODES.index(mode) :: len(MODES)]:
        dice = Random(seed)
        kind, cap = chance.correct(dice), dice.choice(sorted(CAPS))
        swaps = kind.refunds is None and kind.captures is None
        trial, _ = drawn(kind, chance.profile(dice, swaps=swaps), mode, cap)
        told = None if trial.verdict.word == "cap_exceeded" and stopped(trial) else blame(trial)
        if told is not None or is_bare(trial):
            found.append((seed, cap, kind.name, told))

    assert found == []


def drawn_faulty(wrong, seed):
    """Draw profiles and caps for a client until it comes back for an answer that it lost."""
    for turn in range(200):
        dice = Random(seed * 1000 + turn)
        kind, profile = chance.faulty(dice, wrong), chance.losing(dice)
        cap, mode = dice.choice(sorted(CAPS)), MODES[seed % len(MODES)]
        trial, world = drawn(kind, profile, mode, cap)
        if lost_and_repeated(world):
            return trial
    raise AssertionError(f"{wrong}: no profile of so many made it come back ({seed})")


@pytest.mark.parametrize("wrong", chance.WRONGS)
def test_a_faulty_client_is_never_comforted_by_a_cap(wrong):
    found = []
    for seed in SEEDS[list(chance.WRONGS).index(wrong) :: len(chance.WRONGS)]:
        trial = drawn_faulty(wrong, seed)
        if exit_status(trial.verdict, ["clean"]) == 0:
            found.append((seed, trial.mode, trial.kind.orders, trial.verdict.word))

    assert found == []
