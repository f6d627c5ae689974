"""Charges, refunds, customers, balance and events by stripe-python, over real sockets."""

from typing import Any

import pytest
import stripe

from fakestripe.faults.kinds import Reset
from fakestripe.faults.rules import Match, Profile, Rule, When


@pytest.fixture
def client(fakestripe):
    """A client that retries twice, with the same key."""
    return stripe.StripeClient(
        fakestripe.api_key, base_addresses={"api": fakestripe.url}, max_network_retries=2
    )


@pytest.fixture
def plain(fakestripe, monkeypatch):
    """The module style, pointed at the server."""
    monkeypatch.setattr(stripe, "api_base", fakestripe.url)
    monkeypatch.setattr(stripe, "api_key", fakestripe.api_key)


@pytest.fixture(autouse=True)
def _looks(fakestripe):
    """A test that asks for no verdict looks at the ledger, and so means what it does."""
    yield
    assert fakestripe.charges is not None


def charge(client, **more: Any) -> stripe.Charge:
    terms: Any = {"amount": 2000, "currency": "usd", "source": "tok_visa", **more}
    return client.v1.charges.create(terms)


class TestCharges:
    def test_a_charge_is_created_updated_captured_and_read_back(self, client):
        held = charge(client, capture=False, metadata={"a": "1"})
        client.v1.charges.update(held.id, {"description": "Tea", "metadata": {"b": "2"}})
        client.v1.charges.capture(held.id, {"amount": 1500})
        read = client.v1.charges.retrieve(held.id, {"expand": ["balance_transaction", "refunds"]})

        assert (read.captured, read.amount_captured, read.amount_refunded) == (True, 1500, 500)
        assert (read.description, read.metadata.to_dict()) == ("Tea", {"a": "1", "b": "2"})
        assert (read.balance_transaction.amount, read.balance_transaction.fee) == (1500, 74)
        assert [refund.amount for refund in read.refunds.data] == [500]

    def test_pages_are_turned_by_the_sdk(self, client):
        made = [charge(client).id for _ in range(23)]
        pages = client.v1.charges.list({"limit": 5})
        walked = [each.id for each in pages.auto_paging_iter()]
        back = client.v1.charges.list({"limit": 5, "ending_before": made[0]})

        assert walked == made[::-1]
        assert [each.id for each in back.auto_paging_iter()] == made[1:]

    def test_lists_are_filtered(self, client):
        group = [charge(client, transfer_group="g").id for _ in range(3)]
        charge(client)
        since = client.v1.charges.retrieve(group[0]).created

        assert [c.id for c in client.v1.charges.list({"transfer_group": "g"})] == group[::-1]
        assert len(client.v1.charges.list({"created": {"gte": since, "lt": since + 60}})) == 4
        assert len(client.v1.charges.list({"created": {"lt": since}})) == 0

    def test_a_search_is_refused_loudly(self, client):
        with pytest.raises(stripe.InvalidRequestError, match="Unrecognized request URL"):
            client.v1.charges.search({"query": "amount>1"})

    @pytest.mark.parametrize(
        ("terms", "kind", "code", "param"),
        [
            ({"source": "tok_chargeDeclined"}, stripe.CardError, "card_declined", None),
            ({"source": "tok_x"}, stripe.InvalidRequestError, "resource_missing", "source"),
            ({"amount": 1}, stripe.InvalidRequestError, "amount_too_small", "amount"),
            ({"expand": ["foo"]}, stripe.InvalidRequestError, None, None),
            ({"foo": "bar"}, stripe.InvalidRequestError, "parameter_unknown", "foo"),
        ],
    )
    def test_errors_are_the_sdk_s_own(self, client, terms, kind, code, param):
        with pytest.raises(kind) as raised:
            charge(client, **terms)
        error = raised.value

        assert (error.code, getattr(error, "param", None)) == (code, param)
        assert error.request_id.startswith("req_")
        assert error.error.type == (
            "card_error" if kind is stripe.CardError else "invalid_request_error"
        )

    def test_who_may_not_call_is_told_so(self, fakestripe):
        def with_key(key: str, **more: Any) -> stripe.StripeClient:
            return stripe.StripeClient(key, base_addresses={"api": fakestripe.url}, **more)

        with pytest.raises(stripe.AuthenticationError):
            charge(with_key("sk_test_"))
        with pytest.raises(stripe.PermissionError) as publishable:
            charge(with_key("pk_test_x"))
        with pytest.raises(stripe.PermissionError) as stranger:
            charge(with_key(fakestripe.api_key, stripe_account="nobody"))

        assert publishable.value.error.code == "secret_key_required"
        assert stranger.value.error.code == "account_invalid"

    def test_a_connected_account_has_its_own(self, client):
        made = client.v1.charges.create(
            {"amount": 2000, "currency": "usd", "source": "tok_visa"},
            {"stripe_account": "acct_1"},
        )

        assert [c.id for c in client.v1.charges.list({}, {"stripe_account": "acct_1"})] == [
            made.id
        ]
        assert len(client.v1.charges.list()) == 0
        assert made.last_response.headers["stripe-account"] == "acct_1"

    def test_the_module_style_does_the_same(self, plain):
        made = stripe.Charge.create(amount=2000, currency="usd", source="tok_visa")
        stripe.Charge.modify(made.id, description="Tea")
        refund = stripe.Refund.create(charge=made.id, amount=500)
        made.refresh()

        assert (made.description, made.amount_refunded) == ("Tea", 500)
        assert stripe.Refund.retrieve(refund.id).charge == made.id
        assert [event.type for event in stripe.Event.list(type="charge.*")] == [
            "charge.refunded",
            "charge.updated",
            "charge.succeeded",
        ]


class TestRefunds:
    def test_refunds_add_up_and_are_listed(self, client):
        paid = charge(client)
        first = client.v1.refunds.create({"charge": paid.id, "amount": 500, "reason": "duplicate"})
        second = client.v1.refunds.create({"charge": paid.id, "expand": ["charge"]})
        client.v1.refunds.update(first.id, {"metadata": {"note": "x"}})
        listed = client.v1.refunds.list({"charge": paid.id, "limit": 1})

        assert (second.amount, second.charge.refunded) == (1500, True)
        assert [each.id for each in listed.auto_paging_iter()] == [second.id, first.id]
        assert client.v1.refunds.retrieve(first.id).metadata.to_dict() == {"note": "x"}

    def test_what_cannot_be_refunded_says_why(self, client):
        paid = charge(client)
        with pytest.raises(stripe.InvalidRequestError) as beyond:
            client.v1.refunds.create({"charge": paid.id, "amount": 2100})
        client.v1.refunds.create({"charge": paid.id})
        with pytest.raises(stripe.InvalidRequestError) as again:
            client.v1.refunds.create({"charge": paid.id})

        assert beyond.value.user_message == (
            "Refund amount ($21.00) is greater than charge amount ($20.00)"
        )
        assert again.value.code == "charge_already_refunded"

    def test_a_refund_of_an_intent_finds_its_charge(self, client):
        intent = client.v1.payment_intents.create(
            {"amount": 2000, "currency": "usd", "payment_method": "pm_card_visa", "confirm": True}
        )
        refund = client.v1.refunds.create({"payment_intent": intent.id, "amount": 700})

        assert (refund.charge, refund.payment_intent) == (intent.latest_charge, intent.id)
        assert [r.id for r in client.v1.refunds.list({"payment_intent": intent.id})] == [refund.id]

    def test_a_lost_answer_is_replayed_and_paid_out_once(self, client, fakestripe):
        paid = charge(client)
        match = Match(method="POST", path="/v1/refunds")
        lost = Rule("lost#0", "committed", (Reset(),), match, When(attempt=(1,)))
        fakestripe.use(Profile("lost", (lost,)))
        refund = client.v1.refunds.create({"charge": paid.id, "amount": 500})
        [found] = [e for e in fakestripe.verdict().operations if "refund" in e.operation]

        assert client.v1.charges.retrieve(paid.id).amount_refunded == 500
        assert refund.last_response.headers["idempotent-replayed"] == "true"
        assert (found.verdict, found.charges) == ("clean", (refund.id,))

    def test_another_key_for_the_retry_is_paid_out_twice(self, client, fakestripe):
        paid = charge(client)
        match = Match(method="POST", path="/v1/refunds")
        lost = Rule("lost#0", "committed", (Reset(),), match, When(attempt=(1,)))
        fakestripe.use(Profile("lost", (lost,)))
        hasty = stripe.StripeClient(fakestripe.api_key, base_addresses={"api": fakestripe.url})
        with pytest.raises(stripe.APIConnectionError):
            hasty.v1.refunds.create({"charge": paid.id, "amount": 500})
        hasty.v1.refunds.create({"charge": paid.id, "amount": 500})
        [found] = [e for e in fakestripe.verdict().operations if "refund" in e.operation]

        assert (found.verdict, found.cause) == ("duplicate", "fresh_key_per_attempt")
        assert {name[:3] for name in found.charges} == {"re_"}


class TestCustomers:
    def test_a_customer_lives_and_goes(self, client):
        made = client.v1.customers.create({"email": "a@example.com", "source": "tok_visa"})
        client.v1.customers.update(made.id, {"name": "Ann", "metadata": {"a": "1"}})
        paid = client.v1.charges.create({"amount": 2000, "currency": "usd", "customer": made.id})
        found = client.v1.customers.list({"email": "a@example.com", "expand": ["data.sources"]})
        gone = client.v1.customers.delete(made.id)
        read = client.v1.customers.retrieve(made.id)
        kept = client.v1.charges.retrieve(paid.id, {"expand": ["customer"]})

        assert [(c.name, len(c.sources.data)) for c in found] == [("Ann", 1)]
        assert (gone.deleted, read.deleted, kept.customer.deleted) == (True, True, True)
        assert len(client.v1.customers.list()) == 0
        with pytest.raises(stripe.InvalidRequestError, match="No such customer"):
            client.v1.customers.update(made.id, {"name": "Bob"})

    def test_cards_come_and_go(self, plain):
        made = stripe.Customer.create(source="tok_visa")
        card = stripe.Customer.create_source(made.id, source="tok_amex")
        listed = stripe.Customer.list_sources(made.id, object="card")
        gone = stripe.Customer.delete_source(made.id, made.default_source)

        assert [each.last4 for each in listed.auto_paging_iter()] == ["0005", "4242"]
        assert (gone.deleted, stripe.Customer.retrieve(made.id).default_source) == (True, card.id)

    def test_people_are_there_and_pay(self, client, fakestripe):
        someone = fakestripe.customers(3)[1]
        page = client.v1.customers.list({"email": someone["email"]})
        paid = client.v1.charges.create(
            {"amount": 2000, "currency": "usd", "customer": page.data[0].id}
        )

        assert (paid.source.name, paid.status) == (someone["name"], "succeeded")


class TestMoney:
    def test_the_balance_adds_up(self, client, fakestripe):
        paid = charge(client)
        client.v1.refunds.create({"charge": paid.id, "amount": 500})
        pending = client.v1.balance.retrieve().pending[0].amount
        moved = client.v1.balance_transactions.list({"expand": ["data.source"]})
        fakestripe.clock.advance("168h")
        balance = client.v1.balance.retrieve()

        assert (pending, balance.available[0].amount, balance.pending[0].amount) == (1412, 1412, 0)
        assert [(t.type, t.net, t.source.object) for t in moved] == [
            ("refund", -500, "refund"),
            ("charge", 1912, "charge"),
        ]
        assert client.v1.balance_transactions.retrieve(moved.data[0].id).status == "available"


class TestEvents:
    def test_events_are_typed_and_retrieved(self, client):
        paid = charge(client)
        client.v1.charges.update(paid.id, {"description": "Tea"})
        listed = client.v1.events.list({"types": ["charge.succeeded", "charge.updated"]})
        updated = client.v1.events.retrieve(listed.data[0].id)

        assert [event.type for event in listed] == ["charge.updated", "charge.succeeded"]
        assert isinstance(updated.data.object, stripe.Charge)
        assert updated.data.previous_attributes.to_dict() == {"description": None}
        assert listed.data[1].request.id == paid.last_response.request_id
