"""Capturing a charge that was only authorised (stripe-facts 4.5)."""

from typing import Final

from msgspec import Struct, structs

from fakestripe.bank.change import Change, EventDraft, Write
from fakestripe.bank.ids import family_of
from fakestripe.protocol.attempt import Moved
from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.params import Params, Readers
from fakestripe.resources.charge_object import CAPTURE_WINDOW, Charge, taken
from fakestripe.resources.charges import CONNECT, find
from fakestripe.resources.currencies import read_amount, shown
from fakestripe.resources.descriptors import calculated, read_descriptor
from fakestripe.resources.desk import Desk
from fakestripe.resources.refund_object import new_refund, written


class Capture(Struct, frozen=True, gc=False):
    """What ``POST /v1/charges/:id/capture`` asks for."""

    amount: int | None = None
    receipt_email: str | None = None
    statement_descriptor: str | None = None
    statement_descriptor_suffix: str | None = None
    transfer_group: str | None = None


_CAPTURE: Final[Readers] = {
    "amount": read_amount,
    "receipt_email": Params.unsettable,
    "statement_descriptor": read_descriptor,
    "statement_descriptor_suffix": read_descriptor,
    "transfer_group": Params.text,
}


def read_capture(params: Params) -> Capture:
    """Read the parameters of a capture."""
    params.only(_CAPTURE.keys(), refused=CONNECT)
    return Capture(**params.given(_CAPTURE))


def check_capture(desk: Desk, _: Capture) -> None:
    """Refuse an unknown charge."""
    find(desk.ledger, desk.name, param="charge")


def make_capture(desk: Desk, command: Capture) -> Change:
    """Return the change that captures: what is not captured of the amount is refunded."""
    charge = find(desk.ledger, desk.name, param="charge")
    if charge.payment_intent is not None:
        raise _refusal(  # [G] else the intent would not know of it
            f"Charge {charge.id} was created by a PaymentIntent. To capture it, capture the "
            f"PaymentIntent {charge.payment_intent} instead."
        )
    amount = charge.amount if command.amount is None else command.amount
    _check_state(charge, amount, desk.now)
    captured = captured_charge(desk, charge, command, amount)
    released = charge.amount - amount
    rest = (written(new_refund(desk, charge, released)),) if released else ()
    moved = Moved(
        kind="capture",
        id=charge.id,
        amount=amount,
        currency=charge.currency,
        charge=charge.id,
        customer=charge.customer,
    )
    return Change(
        writes=(*rest, Write("charge", charge.id, captured)),
        answer=captured,
        moved=moved,
        ids=(charge.id,),
        events=(EventDraft("charge.captured", captured, charge),),
    )


def captured_charge(desk: Desk, charge: Charge, command: Capture, amount: int) -> Charge:
    """Return a charge of which an amount was captured; the rest of it is released."""
    descriptor = command.statement_descriptor or charge.statement_descriptor
    suffix = command.statement_descriptor_suffix or charge.statement_descriptor_suffix
    return structs.replace(
        charge,
        amount_captured=amount,
        amount_refunded=charge.amount - amount,
        balance_transaction=desk.ledger.ids.of_payment("txn", family_of(charge.id)),
        calculated_statement_descriptor=calculated(descriptor, suffix),
        captured=True,
        payment_method_details=taken(charge.payment_method_details),
        receipt_email=command.receipt_email or charge.receipt_email,
        statement_descriptor=descriptor,
        statement_descriptor_suffix=suffix,
        transfer_group=command.transfer_group or charge.transfer_group,
    )


def _check_state(charge: Charge, amount: int, now: float) -> None:
    """Refuse what the charge's state does not allow; the last three texts are unknown [G]."""
    if charge.captured:
        raise _refusal(
            f"Charge {charge.id} has already been captured.", code="charge_already_captured"
        )
    if charge.refunded:
        already = f"Charge {charge.id} has already been refunded."
        raise _refusal(already, code="charge_already_refunded")
    if charge.status == "failed":
        raise _refusal(f"Charge {charge.id} failed and cannot be captured.")
    if now > charge.created + CAPTURE_WINDOW:
        raise _refusal(
            f"Charge {charge.id} has expired and can no longer be captured.",
            code="charge_expired_for_capture",
        )
    if amount > charge.amount:
        asked, held = shown(amount, charge.currency), shown(charge.amount, charge.currency)
        raise _refusal(
            f"Capture amount ({asked}) is greater than charge amount ({held})", param="amount"
        )


def _refusal(message: str, *, code: str | None = None, param: str | None = None) -> StripeError:
    return StripeError(400, message, code=code, param=param, recorded=True)
