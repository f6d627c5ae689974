"""Payment intents by stripe-python, unmodified, over real sockets: the API, and lost answers."""

from typing import Any

import pytest
import stripe

from fakestripe.faults.kinds import Reset
from fakestripe.faults.rules import Match, Profile, Rule, When

UNEXPECTED = "payment_intent_unexpected_state"


@pytest.fixture
def client(fakestripe):
    """A client that retries twice, with the same key."""
    return stripe.StripeClient(
        fakestripe.api_key, base_addresses={"api": fakestripe.url}, max_network_retries=2
    )


@pytest.fixture
def hasty(fakestripe):
    """A client that never retries by itself."""
    return stripe.StripeClient(
        fakestripe.api_key, base_addresses={"api": fakestripe.url}, max_network_retries=0
    )


def terms(**more: Any) -> Any:
    """What an intent of these tests is about."""
    return {"amount": 2000, "currency": "usd", "metadata": {"order_id": "ord_1"}, **more}


VISA = {"payment_method": "pm_card_visa", "confirm": True}


def fired(fakestripe) -> list[tuple[str, str]]:
    """Return the paths at which rules fired, and the rules."""
    attempts = [line for line in fakestripe.journal if line["kind"] == "attempt"]
    return [(line["path"], rule) for line in attempts for rule in line["rules"]]


class TestTheApi:
    """What the SDK reads is what Stripe would have sent."""

    @pytest.fixture(autouse=True)
    def _looks(self, fakestripe):
        yield
        assert fakestripe.charges is not None

    def test_an_intent_is_created_confirmed_and_read_back(self, client):
        created = client.v1.payment_intents.create(terms(payment_method="pm_card_visa"))
        paid = client.v1.payment_intents.confirm(
            created.id, {"expand": ["latest_charge", "payment_method"]}
        )
        read = client.v1.payment_intents.retrieve(created.id)

        assert (created.status, paid.status, read.status) == (
            "requires_confirmation",
            "succeeded",
            "succeeded",
        )
        assert paid.latest_charge.payment_intent == created.id
        assert paid.payment_method.card.last4 == "4242"
        assert read.latest_charge == paid.latest_charge.id
        assert read.client_secret == created.client_secret

    def test_a_decline_is_a_card_error_with_its_intent(self, client):
        with pytest.raises(stripe.CardError) as declined:
            client.v1.payment_intents.create(
                terms(payment_method="pm_card_chargeDeclinedExpiredCard", confirm=True)
            )
        error = declined.value.error

        assert (declined.value.code, error.decline_code, declined.value.param) == (
            "expired_card",
            "expired_card",
            "exp_month",
        )
        assert error.payment_intent.status == "requires_payment_method"
        assert error.payment_intent.latest_charge == error.charge
        assert error.payment_intent.last_payment_error.message == "Your card has expired."
        assert error.payment_method.card.last4 == "0069"

    def test_a_hold_is_captured_in_part_and_another_let_go(self, client):
        def hold() -> Any:
            return client.v1.payment_intents.create(terms(capture_method="manual", **VISA))

        one, other = hold(), hold()
        captured = client.v1.payment_intents.capture(one.id, {"amount_to_capture": 1500})
        canceled = client.v1.payment_intents.cancel(
            other.id, {"cancellation_reason": "requested_by_customer"}
        )

        assert (one.status, one.amount_capturable) == ("requires_capture", 2000)
        assert (captured.status, captured.amount_received) == ("succeeded", 1500)
        assert (canceled.status, canceled.cancellation_reason) == (
            "canceled",
            "requested_by_customer",
        )

    def test_authentication_is_asked_for_and_declined_off_session(self, client):
        card = {"payment_method": "pm_card_authenticationRequired", "confirm": True}
        waiting = client.v1.payment_intents.create(terms(**card))

        assert (waiting.status, waiting.next_action.type) == ("requires_action", "use_stripe_sdk")
        with pytest.raises(stripe.CardError) as declined:
            client.v1.payment_intents.create(terms(off_session=True, **card))
        assert declined.value.code == "authentication_required"

    def test_a_saved_card_pays_again(self, client):
        token = client.v1.tokens.create(
            {"card": {"number": "4242424242424242", "exp_month": 8, "exp_year": 2040}}
        )
        customer = client.v1.customers.create({"email": "a@b.c"})
        method = client.v1.payment_methods.create({"type": "card", "card": {"token": token.id}})
        client.v1.payment_methods.attach(method.id, {"customer": customer.id})
        pay = {"customer": customer.id, "payment_method": method.id, "confirm": True}
        paid = [client.v1.payment_intents.create(terms(**pay)) for _ in range(2)]
        listed = client.v1.customers.payment_methods.list(customer.id)
        client.v1.payment_methods.detach(method.id)

        assert [intent.status for intent in paid] == ["succeeded", "succeeded"]
        assert [kept.id for kept in listed.data] == [method.id]
        with pytest.raises(stripe.InvalidRequestError, match="It may not be used again"):
            client.v1.payment_methods.attach(method.id, {"customer": customer.id})

    def test_pages_are_turned_by_the_sdk(self, client):
        made = [client.v1.payment_intents.create(terms()).id for _ in range(5)]
        page = client.v1.payment_intents.list({"limit": 2})

        assert [intent.id for intent in page.auto_paging_iter()] == made[::-1]

    def test_an_intent_is_updated(self, client):
        intent = client.v1.payment_intents.create(terms())
        updated = client.v1.payment_intents.update(
            intent.id, {"amount": 3000, "metadata": {"order_id": ""}}
        )

        assert (updated.amount, updated.metadata.to_dict()) == (3000, {})


class TestLostAnswers:
    """The answer is lost after the commit; what the client does then decides."""

    @pytest.fixture(autouse=True)
    def _lost(self, fakestripe):
        fakestripe.use("reset-after-commit")

    def test_only_what_moves_money_loses_its_answer(self, fakestripe, client):
        with fakestripe.paying("ord_1", 2000):
            intent = client.v1.payment_intents.create(terms())
            client.v1.payment_intents.confirm(intent.id, {"payment_method": "pm_card_visa"})

        assert fired(fakestripe) == [
            (f"/v1/payment_intents/{intent.id}/confirm", "reset-after-commit#0")
        ]
        fakestripe.assert_clean()
        assert len(fakestripe.charges) == 1

    def test_a_creation_that_confirms_loses_it_too(self, fakestripe, client):
        with fakestripe.paying("ord_1", 2000):
            client.v1.payment_intents.create(terms(**VISA))

        assert fired(fakestripe) == [("/v1/payment_intents", "reset-after-commit#0")]
        fakestripe.assert_clean()
        assert len(fakestripe.charges) == 1

    def test_a_confirmation_under_a_new_key_is_refused_not_charged(self, fakestripe, hasty):
        """The intent guards itself; its refusal tells the client that it was paid."""
        fakestripe.intend("ord_1", 2000)
        intent = hasty.v1.payment_intents.create(terms(payment_method="pm_card_visa"))
        with pytest.raises(stripe.APIConnectionError):
            hasty.v1.payment_intents.confirm(intent.id)
        with pytest.raises(stripe.InvalidRequestError) as refused:
            hasty.v1.payment_intents.confirm(intent.id)
        told = refused.value.error.payment_intent
        fakestripe.outcome("ord_1", "paid", told.latest_charge)
        verdict = fakestripe.verdict()

        assert (refused.value.http_status, refused.value.code) == (400, UNEXPECTED)
        assert told.status == "succeeded"
        assert [charge["id"] for charge in fakestripe.charges] == [told.latest_charge]
        assert (verdict.word, verdict.reasons) == ("clean", ())

    def test_two_intents_for_one_order_are_a_duplicate(self, fakestripe, hasty):
        fakestripe.intend("ord_1", 2000)
        with pytest.raises(stripe.APIConnectionError):
            hasty.v1.payment_intents.create(terms(**VISA))
        hasty.v1.payment_intents.create(terms(**VISA))
        fakestripe.outcome("ord_1", "paid")
        verdict = fakestripe.verdict()
        (operation,) = verdict.operations

        assert verdict.word == "duplicate"
        assert operation.operation == "ord_1"
        assert list(operation.charges) == [charge["id"] for charge in fakestripe.charges]
        assert operation.cause == "fresh_key_per_attempt"

    def test_an_intent_made_anew_and_confirmed_beside_the_first_is_a_duplicate(
        self, fakestripe, hasty
    ):
        fakestripe.intend("ord_1", 2000)
        for _ in range(2):
            intent = hasty.v1.payment_intents.create(terms(payment_method="pm_card_visa"))
            try:
                hasty.v1.payment_intents.confirm(intent.id)
            except stripe.APIConnectionError:
                continue
        fakestripe.outcome("ord_1", "paid")

        assert fakestripe.verdict().word == "duplicate"
        assert len(fakestripe.charges) == 2

    def test_a_capture_that_is_tried_again_captures_once(self, fakestripe, client):
        fakestripe.intend("ord_1", 2000)
        held = client.v1.payment_intents.create(terms(capture_method="manual", **VISA))
        captured = client.v1.payment_intents.capture(held.id)
        fakestripe.outcome("ord_1", "paid", held.latest_charge)

        assert captured.amount_received == 2000
        assert [path for path, _ in fired(fakestripe)] == [
            "/v1/payment_intents",
            f"/v1/payment_intents/{held.id}/capture",
        ]
        fakestripe.assert_clean()


def test_an_intent_made_anew_and_not_confirmed_endangers_nobody(fakestripe, hasty):
    """Two intents, of which one was confirmed: no other fault would have charged the first."""
    lost = Rule("lost", "committed", (Reset(),), Match(any=True), When(nth=(1,)))
    fakestripe.use(Profile("lost-creation", (lost,)))
    fakestripe.intend("ord_1", 2000)
    with pytest.raises(stripe.APIConnectionError):
        hasty.v1.payment_intents.create(terms())
    intent = hasty.v1.payment_intents.create(terms())
    hasty.v1.payment_intents.confirm(intent.id, {"payment_method": "pm_card_visa"})
    fakestripe.outcome("ord_1", "paid")
    verdict = fakestripe.verdict()
    (operation,) = verdict.operations

    assert (verdict.word, operation.hazard) == ("clean", None)
