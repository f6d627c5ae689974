"""No false blame, no false comfort: every kind of client against every fault, the truth known.

Each kind meets each fault; what the verdict is told turns with them, so that all pairs come round.
``FAKESTRIPE_MODEL=all`` runs every combination (some minutes).
"""

import os

import pytest
from faults import FAULTS
from kinds import KINDS
from trial import LEARNT, MODES, tried

from fakestripe.verdict import exit_status
from fakestripe.verdict.words import is_red

WHOLE = os.environ.get("FAKESTRIPE_MODEL") == "all"


def combinations():
    for row, name in enumerate(KINDS):
        for column, fault in enumerate(FAULTS):
            turn = (row * 3 + column * 2) % (2 * len(MODES))
            modes = MODES if WHOLE else MODES[turn : turn + 1]
            yield from ((name, fault, mode) for mode in modes)


def tellable(trial):
    """Whether anything on the wire tells this client's orders apart."""
    kind, mode = trial.kind, trial.mode
    if kind.orders == 1 or "named" in kind.name or "stamped" in kind.name.split():
        return True
    random = "ref" in kind.name and "ref-per-attempt" not in kind.name
    return (random and mode not in ("intents", "silent")) or kind.name.split()[1:2] == ["tried"]


def blamed_wrongly(trial):
    """Return the word that blames a client which did nothing of the kind."""
    word, truth = trial.verdict.word, trial.truth
    if trial.kind.name.startswith("submits twice"):
        return None  # charges twice even without a fault: learnt as two payments
    if word == "duplicate" and not truth.duplicate:
        return word
    if (is_red(word) and not truth.red) or (word == "unpaid" and not truth.unpaid):
        return word
    own = [one for one in trial.verdict.operations if "server_made" not in one.flags]
    if trial.kind.safe and any(one.verdict == "duplicate" for one in own):
        return "a duplicate of a safe client's own making"
    if trial.kind.safe and trial.verdict.hazard and not truth.server_made:
        return f"hazard {trial.verdict.hazard}"
    return None


def comforted_wrongly(trial):
    """Return the word that lets a client pass which did wrong, or showed that it would."""
    word, truth, plain = trial.verdict.word, trial.truth, trial.mode == "plain"
    if trial.kind.name.startswith("submits twice") and trial.mode in LEARNT:
        return None  # pays what it was learnt to pay
    unknowable = plain and (truth.missing or trial.kind.replicas > 1 or not tellable(trial))
    if truth.red and word in ("clean", "unpaid") and not unknowable:
        return word
    unsafe = truth.two_keys and not trial.kind.safe and not trial.kind.read_back
    if (
        unsafe
        and not unknowable
        and word == "clean"
        and exit_status(trial.verdict, ["clean"]) == 0
    ):
        return "clean without a hazard"
    return None


def overlooked(trial):
    """Return the word that hides a duplicate where intents or two runs could have shown it."""
    found, kind = trial.verdict, trial.kind
    if not trial.truth.duplicate or found.word == "duplicate" or trial.mode == "plain":
        return None
    if kind.name.startswith("submits twice") or (kind.replicas > 1 and "ref" in kind.name):
        return None
    as_many_as_meant = not tellable(trial)
    seen = is_red(found.word) or "outcome_unknown" in found.reasons
    return None if as_many_as_meant and seen else found.word


@pytest.mark.parametrize("mode", MODES)
def test_no_false_blame_and_no_false_comfort(mode):
    wrong = []
    for name, fault, told in combinations():
        if told == mode:
            trial = tried(name, fault, mode)
            found = [blamed_wrongly(trial), comforted_wrongly(trial), overlooked(trial)]
            wrong += [(name, fault, each) for each in found if each is not None]

    assert wrong == []


def test_every_cause_of_the_model_is_found_where_its_client_is_careless():
    """A kind that knows its own cause is blamed for that one, whenever it is blamed."""
    wrong = []
    for name, kind in KINDS.items():
        if kind.cause is None or kind.parallel or "twin" in name:
            continue
        trial = tried(name, "committed-reset", "intents")
        if trial.truth.duplicate and trial.verdict.cause != kind.cause:
            wrong.append((name, trial.verdict.cause, kind.cause))

    assert wrong == []


def test_a_correct_client_is_clean_wherever_an_answer_was_lost():
    """No comfort is withheld either: a stable key, retried, is clean under every such fault."""
    lost = [fault for fault in FAULTS if fault.startswith(("committed-", "received-", "cut-"))]
    words = {
        fault: tried("stable named", fault, mode).verdict.word
        for fault in lost
        for mode in ("intents", "check")
    }

    assert {fault for fault, word in words.items() if word != "clean"} == {"committed-500"}
