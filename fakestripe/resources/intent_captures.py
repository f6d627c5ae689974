"""Capturing what an intent has authorised: all of it, or a part, and the rest is released."""

from typing import Final

from msgspec import Struct, structs

from fakestripe.bank.change import Change, EventDraft, Write
from fakestripe.protocol.attempt import Moved
from fakestripe.protocol.params import Params, Readers
from fakestripe.resources import charges, refund_object
from fakestripe.resources.captures import Capture, captured_charge
from fakestripe.resources.charge_object import CAPTURE_WINDOW, Charge
from fakestripe.resources.currencies import read_amount
from fakestripe.resources.descriptors import read_descriptor
from fakestripe.resources.desk import Desk
from fakestripe.resources.intent_object import PaymentIntent, ids_of, written
from fakestripe.resources.intent_states import check_capturable, refusal
from fakestripe.resources.metadata import merged
from fakestripe.resources.payment_intents import find
from fakestripe.resources.refund_object import new_refund


class CaptureIntent(Struct, frozen=True, gc=False):
    """What ``POST /v1/payment_intents/:id/capture`` asks for."""

    amount_to_capture: int | None = None
    metadata: dict[str, str] | None = None
    statement_descriptor: str | None = None
    statement_descriptor_suffix: str | None = None


_CAPTURE: Final[Readers] = {
    "amount_to_capture": read_amount,
    "metadata": Params.metadata,
    "statement_descriptor": read_descriptor,
    "statement_descriptor_suffix": read_descriptor,
}
_NOT_EMULATED: Final = frozenset(
    {
        "amount_details",
        "application_fee_amount",
        "final_capture",
        "hooks",
        "payment_details",
        "transfer_data",
    }
)


def read_capture(params: Params) -> CaptureIntent:
    """Read the parameters of a capture."""
    params.only(_CAPTURE.keys(), refused=_NOT_EMULATED)
    return CaptureIntent(**params.given(_CAPTURE))


def check_capture(desk: Desk, _: CaptureIntent) -> None:
    """Refuse an unknown intent."""
    find(desk.ledger, desk.name)


def make_capture(desk: Desk, command: CaptureIntent) -> Change:
    """Return the change that captures the charge of an intent."""
    intent = find(desk.ledger, desk.name)
    check_capturable(intent)
    charge = charges.find(desk.ledger, intent.latest_charge or "")
    amount = intent.amount if command.amount_to_capture is None else command.amount_to_capture
    _check(desk, intent, charge, amount)
    terms = Capture(
        statement_descriptor=command.statement_descriptor,
        statement_descriptor_suffix=command.statement_descriptor_suffix,
    )
    captured = captured_charge(desk, charge, terms, amount)
    released = charge.amount - amount
    rest = (refund_object.written(new_refund(desk, charge, released)),) if released else ()
    paid = _paid(intent, command, amount)
    return Change(
        writes=(*rest, Write("charge", charge.id, captured), written(paid)),
        answer=paid,
        moved=_moved(intent, captured, amount),
        ids=ids_of(paid),
        events=(
            EventDraft("charge.captured", captured, charge),
            EventDraft("payment_intent.succeeded", paid),
        ),
    )


def _check(desk: Desk, intent: PaymentIntent, charge: Charge, amount: int) -> None:
    """Refuse what is too much or too late; Stripe's words for the second are unknown [G]."""
    if amount > charge.amount:
        raise refusal(
            intent,
            "The payment could not be captured because the requested capture amount is greater "
            "than the amount you can capture for this charge. Contact us via "
            "https://support.stripe.com/contact/ for help.",
            code="amount_too_large",
        )
    if desk.now > charge.created + CAPTURE_WINDOW:
        raise refusal(
            intent,
            f"Charge {charge.id} has expired and can no longer be captured.",
            code="charge_expired_for_capture",
        )


def _paid(intent: PaymentIntent, command: CaptureIntent, amount: int) -> PaymentIntent:
    given = command.metadata
    return structs.replace(
        intent,
        amount_capturable=0,
        amount_received=amount,
        metadata=intent.metadata if given is None else merged(intent.metadata, given),
        status="succeeded",
    )


def _moved(intent: PaymentIntent, charge: Charge, amount: int) -> Moved:
    return Moved(
        kind="capture",
        id=charge.id,
        amount=amount,
        currency=charge.currency,
        charge=charge.id,
        customer=charge.customer,
        payment_intent=intent.id,
    )
