"""Confirming a payment intent: the charge, and what becomes of the intent (stripe-facts 8).

  requires_payment_method ─┬─ confirm ─┬─ paid ──────▶ succeeded, or requires_capture
  requires_confirmation ───┤           ├─ declined ──▶ requires_payment_method, and a 402
  requires_action ─────────┘           └─ asked for ─▶ requires_action: no charge yet

A card that needs authentication asks for it while its holder is there; off session it is
declined, without a charge [L]. A charge of an intent shares the intent's family of ids.
"""

from typing import Final

from msgspec import UNSET, Struct, structs

from fakestripe.bank.change import Change, EventDraft, Write
from fakestripe.bank.ids import family_of
from fakestripe.protocol.errors import DOCS
from fakestripe.resources.cards import AUTHENTICATED, Decline, decline_of, declined
from fakestripe.resources.charge_lists import groups_of
from fakestripe.resources.charge_making import CreateCharge, moved_by, new_charge
from fakestripe.resources.charge_object import Charge
from fakestripe.resources.desk import Desk
from fakestripe.resources.intent_object import (
    NextAction,
    PaymentError,
    PaymentIntent,
    Redirect,
    SdkAction,
    ids_of,
    written,
)
from fakestripe.resources.means import Choice, Means, charged, untouched
from fakestripe.resources.sources import Empty, behind

HOOKS: Final = "https://hooks.stripe.com/redirect/authenticate/"


class Confirmation(Struct, frozen=True, gc=False):
    """How an intent is confirmed: by which means, and whether the card's holder is there."""

    choice: Choice = Choice()
    off_session: bool = False
    error_on_requires_action: bool = False
    return_url: str | None = None
    use_stripe_sdk: bool = False


def confirmed(desk: Desk, intent: PaymentIntent, means: Means, asked: Confirmation) -> Change:
    """Return the change that confirms; whether intent and means allow it was checked before."""
    decline = decline_of(behind(means.card))
    if decline is None:
        means = charged(means, _keeper(intent))
        return _paid(intent, means, _charge_of(desk, intent, means, decline))
    if decline.code != AUTHENTICATED:
        means = charged(means)
        return _failed(intent, means, decline, _charge_of(desk, intent, means, decline))
    if asked.off_session or asked.error_on_requires_action:
        return _failed(intent, means, decline, None)
    return _waits(intent, means, asked)


def _keeper(intent: PaymentIntent) -> str | None:
    """Return the customer to whom a method is attached by being charged."""
    return intent.customer if intent.setup_future_usage else None


def _charge_of(desk: Desk, intent: PaymentIntent, means: Means, decline: Decline | None) -> Charge:
    command = CreateCharge(
        amount=intent.amount,
        currency=intent.currency,
        capture=intent.capture_method != "manual",
        description=intent.description,
        metadata=None if isinstance(intent.metadata, Empty) else intent.metadata,
        receipt_email=intent.receipt_email,
        shipping=intent.shipping,
        statement_descriptor=intent.statement_descriptor,
        statement_descriptor_suffix=intent.statement_descriptor_suffix,
        transfer_group=intent.transfer_group,
    )
    made = new_charge(desk, command, means.card, decline, family_of(intent.id))
    return structs.replace(
        made,
        billing_details=means.billing,
        customer=intent.customer,
        payment_intent=intent.id,
        source=means.card if means.method is None else None,
    )


def _named(intent: PaymentIntent, means: Means) -> PaymentIntent:
    """Return an intent that says what it is paid with."""
    if means.chosen:
        return structs.replace(intent, payment_method=means.card.id)
    return structs.replace(intent, source=means.card.id)


def _paid(intent: PaymentIntent, means: Means, charge: Charge) -> Change:
    paid = structs.replace(
        _named(intent, means),
        status="succeeded" if charge.captured else "requires_capture",
        amount_capturable=0 if charge.captured else charge.amount,
        amount_received=charge.amount_captured,
        last_payment_error=None,
        latest_charge=charge.id,
        next_action=None,
    )
    told = "succeeded" if charge.captured else "amount_capturable_updated"
    return Change(
        writes=(*means.beside, _written(charge), written(paid)),
        answer=paid,
        moved=moved_by(charge),
        ids=ids_of(paid),
        events=(
            EventDraft("charge.succeeded", charge),
            EventDraft(f"payment_intent.{told}", paid),
        ),
    )


def _failed(
    intent: PaymentIntent, means: Means, decline: Decline, charge: Charge | None
) -> Change:
    """Return the change of a decline: the intent waits for another payment method."""
    charge_id = None if charge is None else charge.id
    failed = structs.replace(
        intent,
        status="requires_payment_method",
        last_payment_error=_error_of(decline, means, charge_id),
        latest_charge=charge_id,
        next_action=None,
        payment_method=None,
    )
    events = () if charge is None else (EventDraft("charge.failed", charge),)
    writes = untouched(means) if charge is None else (*means.beside, _written(charge))
    return Change(
        writes=(*writes, written(failed)),
        refusal=declined(
            decline, charge=charge_id, payment_intent=failed, payment_method=means.method
        ),
        moved=None if charge is None else moved_by(charge),
        ids=ids_of(failed),
        events=(*events, EventDraft("payment_intent.payment_failed", failed)),
    )


def _error_of(decline: Decline, means: Means, charge_id: str | None) -> PaymentError:
    return PaymentError(
        advice_code=decline.advice or UNSET,
        charge=charge_id or UNSET,
        code=decline.code,
        decline_code=decline.decline_code,
        doc_url=f"{DOCS}{decline.code.replace('_', '-')}",
        message=decline.message,
        network_advice_code=decline.network_advice or UNSET,
        network_decline_code=decline.network_decline or UNSET,
        param=decline.param or UNSET,
        payment_method=means.method or UNSET,
    )


def _waits(intent: PaymentIntent, means: Means, asked: Confirmation) -> Change:
    """Return the change after which the card's holder has to authenticate."""
    waiting = structs.replace(
        _named(intent, means), status="requires_action", next_action=_action(intent, asked)
    )
    return Change(
        writes=(*untouched(means), written(waiting)),
        answer=waiting,
        ids=ids_of(waiting),
        events=(EventDraft("payment_intent.requires_action", waiting),),
    )


def _action(intent: PaymentIntent, asked: Confirmation) -> NextAction:
    url = f"{HOOKS}{intent.id}"
    if asked.return_url is None or asked.use_stripe_sdk:
        return NextAction(type="use_stripe_sdk", use_stripe_sdk=SdkAction(url))
    return NextAction(type="redirect_to_url", redirect_to_url=Redirect(asked.return_url, url))


def _written(charge: Charge) -> Write:
    return Write("charge", charge.id, charge, groups_of(charge))
