"""The model under a spend cap: the correct are not blamed for it, and nobody is comforted by it.

Every kind of client meets every fault with a vault key, the caps turning with them: nothing at
all, one payment, all but one, all that is due, and a tenth more. The truth is known.
"""

import pytest
from faults import FAULTS
from kinds import KINDS
from test_model import blamed_wrongly as blamed_without_a_cap
from test_model import comforted_wrongly as comforted_without_a_cap
from test_model import overlooked as overlooked_without_a_cap
from test_model import tellable as tellable_without_a_cap
from trial import DECLARED, MODES, orders_of, tried

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
            if (row + column) % len(CAPS) == place:
                yield name, fault, MODES[(row * 2 + column // len(CAPS)) % len(MODES)]


def tellable(trial):
    """Whether anything that the verdict was told tells this client's orders apart."""
    by_customer = trial.kind.customers and trial.mode in DECLARED
    return tellable_without_a_cap(trial) and not by_customer


def stopped(trial):
    """Whether a cap stopped an order, as far as anybody can tell what became of it."""
    truth, mode = trial.truth, trial.mode
    if mode == "plain" or not tellable(trial) or trial.kind.name.startswith("submits twice"):
        return bool(truth.stopped)
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
