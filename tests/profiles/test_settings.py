"""What a profile sets takes effect on the account that uses it, and ends with it."""

import pytest

from fakestripe.bank import Bank
from fakestripe.bank.ids import Ids
from fakestripe.bank.journal import Journal
from fakestripe.faults.rules import FAULT_FREE
from fakestripe.profiles import parse
from fakestripe.protocol.declared import Webhook
from fakestripe.server.account import Account

NOON = 1_700_000_000.0


@pytest.fixture
def account():
    journal = Journal(lambda: 0.0)
    return Account(Bank("acct_test", wall=lambda: NOON, journal=journal), "strict")


def using(account, settings):
    account.use(parse(f"name: s\nsettings: {{{settings}}}\n", "s.yaml"))
    return account.bank


def test_keys_are_kept_as_long_as_the_profile_says(account):
    assert using(account, "key_retention: 48h").idempotency.retention == 172_800.0


def test_the_store_of_keys_is_as_slow_as_the_profile_says(account):
    assert using(account, "cache_write_window: 250ms").idempotency.write_window == 0.25


def test_the_clock_starts_where_the_profile_says(account):
    assert using(account, "clock: {start: 2026-01-31}").clock.now() == 1_769_817_600.0


def test_a_frozen_clock_stands_still(account):
    clock = using(account, "clock: {frozen: true}").clock

    assert clock.now() == NOON
    clock.advance(5.0)
    assert clock.now() == NOON + 5.0


def test_customers_are_who_the_profile_says(account):
    assert using(account, "customers: any").ledger.customers == "any"


def test_webhooks_are_told_as_the_profile_says(account):
    url, mine = "http://127.0.0.1:8000/a", "http://127.0.0.1:8000/b"
    using(account, f"webhooks: [{{url: '{url}'}}]")
    account.webhook(Webhook(url=mine))
    given = (
        f"{{url: '{url}', enabled_events: [charge.*], secret: whsec_x, copies: 3, api_version: v}}"
    )
    using(account, f"webhooks: [{given}]")
    first, second = account.webhooks

    assert (first.url, first.enabled_events, first.secret) == (url, ("charge.*",), "whsec_x")
    assert (first.copies, second.url, second.copies) == (3, mine, 1)
    assert (first.api_version, second.api_version) == ("v", None)
    assert [first.wants(kind) for kind in ("charge.succeeded", "refund.created")] == [True, False]


def test_the_ids_are_of_the_seed_that_the_profile_says(account):
    other = Bank("acct_test", wall=lambda: NOON, journal=Journal(lambda: 0.0), seed=7)

    bank = using(account, "seed: 7")

    assert bank.ids is bank.ledger.ids
    assert bank.ids.request() == other.ids.request() != Ids("acct_test", 0).request()


def test_the_next_profile_begins_from_the_defaults(account):
    using(account, "key_retention: 48h, cache_write_window: 1s, customers: any")
    account.use(FAULT_FREE)

    bank = account.bank
    assert (bank.idempotency.retention, bank.idempotency.write_window) == (86_400.0, 0.0)
    assert bank.ledger.customers == "strict"


def test_intents_and_selector_stand_in_the_journal(account):
    text = "name: s\noperation: metadata.order_id\nintents: [{operation: ord_1, amount: 2000}]\n"
    account.use(parse(text, "s.yaml"))

    lines = {line["kind"]: line for line in account.bank.journal.events}
    assert lines["header"]["selector"] == "metadata.order_id"
    assert lines["intent"]["operation"] == "ord_1"
    assert lines["profile"]["name"] == "s"
