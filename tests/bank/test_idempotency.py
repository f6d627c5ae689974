"""The table of transitions, walked row by row; then what a claim leaves behind."""

import pytest

from fakestripe.bank.idempotency import TRANSITIONS, Answer, Idempotency, Record

DAY = 86_400.0
BOUND = 1_000.0
ANSWER = Answer(200, b"{}")
STATES = {"absent", "in_flight", "unseen", "finished", "expired"}
LIKENESSES = {"same", "other_parameters", "other_endpoint"}


def record(at: float, *, path: str = "/v1/charges", form: bytes = b"f", key: str = "K1") -> Record:
    return Record(key, path, form, at, f"req_{at:.0f}", int(at))


FRESH = {
    "same": {},
    "other_parameters": {"form": b"g"},
    "other_endpoint": {"path": "/v1/customers"},
}


def in_state(state: str) -> tuple[Idempotency, Record | None, float]:
    """Return a memory whose key K1 is in a state, its record, and the time of the next request."""
    memory = Idempotency(DAY)
    if state == "absent":
        return memory, None, BOUND
    memory.write_window = 5.0 if state == "unseen" else 0.0
    bound = memory.claim(record(BOUND)).record
    if state != "in_flight":
        memory.settle(bound, ANSWER, BOUND)
    return memory, bound, BOUND + (DAY if state == "expired" else 1)


def test_the_table_has_a_row_for_every_state_and_likeness():
    assert set(TRANSITIONS) == {(state, like) for state in STATES for like in LIKENESSES}


@pytest.mark.parametrize(("state", "likeness"), TRANSITIONS)
def test_every_row_of_the_table_is_what_a_claim_does(state, likeness):
    memory, bound, now = in_state(state)
    fresh = record(now, **FRESH[likeness])
    claim = memory.claim(fresh)

    assert memory.state(bound, now) == state
    assert (claim.move, claim.state) == (TRANSITIONS[state, likeness], state)
    if claim.move == "execute":
        assert (claim.record, claim.previous) == (fresh, bound)
        assert memory.claim(record(now)).move == "conflict"
    else:
        assert (claim.record, claim.previous) == (bound, None)


@pytest.mark.parametrize(("state", "likeness"), TRANSITIONS)
def test_a_released_claim_leaves_every_state_as_it_was(state, likeness):
    """What does not commit puts back what was there: the key was never used."""
    memory, _, now = in_state(state)
    claim = memory.claim(record(now, **FRESH[likeness]))
    if claim.move == "execute":
        memory.release(claim)

    assert memory.claim(record(now)).state == state


def test_a_settled_claim_is_not_released():
    memory = Idempotency(DAY)
    claim = memory.claim(record(BOUND))
    memory.settle(claim.record, ANSWER, BOUND)
    memory.release(claim)

    assert memory.claim(record(BOUND + 1)).move == "replay"


def test_a_claim_whose_key_was_bound_anew_releases_nothing_of_the_other():
    """Forgotten and taken by another request meanwhile: the late one must not undo it."""
    memory = Idempotency(DAY)
    early = memory.claim(record(BOUND))
    memory.settle(early.record, ANSWER, BOUND)
    memory.forget("K1")
    late = memory.claim(record(BOUND + 1))
    early.record.answer = None
    memory.release(early)

    assert memory.claim(record(BOUND + 2)).record is late.record


def test_keys_do_not_know_each_other():
    memory = Idempotency(DAY)
    memory.claim(record(BOUND, key="K1"))

    assert memory.claim(record(BOUND, key="K2")).move == "execute"


@pytest.mark.parametrize(
    ("age", "move"),
    [(0, "replay"), (DAY - 60, "replay"), (DAY - 0.001, "replay"), (DAY, "execute")],
)
def test_a_key_lives_for_24_hours(age, move):
    memory, _, _ = in_state("finished")

    assert memory.claim(record(BOUND + age)).move == move


def test_retention_is_counted_from_the_request_that_bound_the_key():
    """A slow first request does not prolong it, and one still running never expires."""
    memory = Idempotency(DAY)
    claim = memory.claim(record(BOUND))

    assert memory.claim(record(BOUND + 2 * DAY)).move == "conflict"

    memory.settle(claim.record, ANSWER, BOUND + DAY - 1)

    assert memory.claim(record(BOUND + DAY)).state == "expired"


def test_a_clock_set_back_expires_nothing_and_hides_nothing():
    memory, _, _ = in_state("finished")

    assert memory.claim(record(BOUND - 10)).move == "replay"


def test_a_forgotten_key_is_absent_and_the_next_claim_says_who_forgot_it():
    memory, _, now = in_state("finished")
    memory.forget("K1")
    undone = memory.claim(record(now))
    memory.release(undone)
    claim = memory.claim(record(now))

    assert (undone.forgotten_by, claim.forgotten_by) == ("server_lost_record",) * 2
    assert (claim.state, claim.previous) == ("absent", None)

    memory.settle(claim.record, ANSWER, now)
    memory.expire("K1")

    assert memory.claim(record(now)).forgotten_by is None


def test_what_is_in_flight_or_unknown_cannot_be_forgotten_or_aged():
    memory, bound, now = in_state("in_flight")
    for key in ("K1", "K2"):
        memory.forget(key)
        memory.expire(key)

    assert memory.claim(record(now)).record is bound
    assert bound.created == BOUND


def test_an_aged_key_is_expired_and_names_its_predecessor():
    memory, bound, now = in_state("finished")
    memory.expire("K1")
    claim = memory.claim(record(now))

    assert (claim.move, claim.state, claim.previous) == ("execute", "expired", bound)


def test_a_slow_cache_shows_a_record_only_after_its_window():
    memory, _, now = in_state("unseen")
    early = memory.claim(record(now))

    assert (early.move, early.forgotten_by) == ("execute", "cache_write_window")

    memory.release(early)

    assert memory.claim(record(BOUND + 5)).move == "replay"


def test_an_answer_may_be_put_in_the_place_of_another():
    """A stored 500 takes the place of the true outcome."""
    memory, bound, now = in_state("finished")
    memory.settle(bound, Answer(500, b"sorry"), now)

    assert memory.claim(record(now)).record.answer == Answer(500, b"sorry")
