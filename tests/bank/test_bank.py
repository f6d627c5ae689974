"""The bank: money and memory move together."""

from fakestripe.bank import Bank
from fakestripe.bank.change import Change, EventDraft, Write
from fakestripe.bank.events import Event
from fakestripe.bank.idempotency import Answer, Record
from fakestripe.bank.journal import Journal
from fakestripe.protocol.attempt import opened
from fakestripe.protocol.request import Request


def bank(**settings) -> Bank:
    journal = Journal(lambda: 0.0)
    return Bank("acct_1000000000000000", wall=lambda: 1000.0, journal=journal, **settings)


def test_a_commit_writes_the_ledger_and_settles_the_key():
    account = bank()
    claim = account.idempotency.claim(Record("K1", "/v1/charges", b"f", 1000.0, "req_1", 1))
    answer = Answer(200, "x", ("ch_1",))
    account.commit(Change((Write("charge", "ch_1", "x"),), "x"), claim, answer)
    again = account.idempotency.claim(Record("K1", "/v1/charges", b"f", 1000.0, "req_2", 2))

    assert account.ledger.get("charge", "ch_1") == "x"
    assert (again.move, again.record.answer) == ("replay", answer)


def test_a_commit_notes_what_it_tells_with_the_request_that_asked():
    account = bank()
    claim = account.idempotency.claim(Record("K1", "/v1/charges", b"f", 999.0, "req_1", 1))
    draft = EventDraft("charge.succeeded", "x")
    account.commit(Change(answer="x", events=(draft,)), claim, Answer(200, "x"))

    assert account.ledger.events.events == [
        Event("charge.succeeded", "x", None, 1000.0, "req_1", "K1")
    ]


def test_a_commit_is_seen_when_the_write_window_of_the_accounts_clock_has_passed():
    account = bank()
    account.idempotency.write_window = 60.0
    claim = account.idempotency.claim(Record("K1", "/v1/charges", b"f", 1000.0, "req_1", 1))
    account.commit(Change(), claim, Answer(200, "x"))

    assert claim.record.visible_from == 1060.0


def test_arrivals_are_placed_when_the_journal_is_read():
    """Where no fault asks for it, nobody pays for it before."""
    account = bank()
    arrived = opened(
        Request("POST", "/v1/charges", "", {}, b"amount=1", 1, 1, ""),
        arrival=1,
        account="acct_1",
        at=1000.0,
        step="create",
    )
    account.journal.open(arrived)

    assert (arrived.operation, arrived.attempt) == (None, 0)
    assert [line["operation"] for line in account.lines()] == ["op_1"]

    account.place()

    assert (arrived.operation, arrived.attempt) == ("op_1", 1)


def test_an_account_has_its_settings():
    account = bank(customers="any", seed=3)

    assert account.ledger.lenient
    assert account.idempotency.retention == 86_400.0
    assert account.ids.short("cus") == bank(seed=3).ids.short("cus") != bank().ids.short("cus")


def test_a_bank_that_has_made_no_id_may_be_seeded_anew():
    account = bank()
    account.reseed(3)

    assert account.ledger.ids.short("cus") == bank(seed=3).ids.short("cus")
    assert account.ids is account.ledger.ids
