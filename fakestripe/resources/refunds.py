"""Refunds: made of a charge or of a payment intent, on either route (stripe-facts 3.2, 4.5).

What a charge has left to refund is the one truth; a refund beyond it is the endpoint's own
refusal, recorded. The old route ``/v1/charges/:id/refund`` answers the charge [L].
"""

from typing import Any, Final

from msgspec import Struct

from fakestripe.bank.change import Change, EventDraft, Write
from fakestripe.protocol.attempt import Moved
from fakestripe.protocol.errors import StripeError, invalid_request
from fakestripe.protocol.params import Params, Readers
from fakestripe.resources.charge_object import Charge
from fakestripe.resources.charges import find
from fakestripe.resources.currencies import read_amount, shown
from fakestripe.resources.customers import kept
from fakestripe.resources.desk import Desk
from fakestripe.resources.refund_object import Refund, new_refund, refunded, written
from fakestripe.resources.sources import no_such

REASONS: Final = ("duplicate", "fraudulent", "requested_by_customer")


class CreateRefund(Struct, frozen=True, gc=False):
    """What a refund asks for; the charge may also be named by the path."""

    charge: str | None = None
    payment_intent: str | None = None
    amount: int | None = None
    reason: str | None = None
    metadata: dict[str, str] | None = None


def read_reason(params: Params, name: str) -> str | None:
    """Read why money goes back."""
    return params.choice(name, REASONS)


_OF_CHARGE: Final[Readers] = {
    "amount": read_amount,
    "reason": read_reason,
    "metadata": Params.metadata,
}
_CREATE: Final[Readers] = {"charge": Params.text, "payment_intent": Params.text, **_OF_CHARGE}
NOT_EMULATED: Final = frozenset(
    {
        "currency",
        "customer",
        "instructions_email",
        "origin",
        "refund_application_fee",
        "reverse_transfer",
    }
)


def read_create(params: Params) -> CreateRefund:
    """Read the parameters of ``POST /v1/refunds``."""
    params.only(_CREATE.keys(), refused=NOT_EMULATED)
    command = CreateRefund(**params.given(_CREATE))
    if command.charge is None and command.payment_intent is None:
        raise invalid_request(
            "One of the following params should be provided for this request: payment_intent or "
            "charge."
        )
    if command.charge is not None and command.payment_intent is not None:
        raise invalid_request(
            "You may only specify one of these parameters: charge, payment_intent.",
            param="charge",
            code="parameters_exclusive",
        )
    return command


def read_of_charge(params: Params) -> CreateRefund:
    """Read the parameters of a refund whose charge the path names."""
    params.only(_OF_CHARGE.keys(), refused=NOT_EMULATED)
    return CreateRefund(**params.given(_OF_CHARGE))


def check_create(desk: Desk, command: CreateRefund) -> None:
    """Refuse an unknown charge or payment intent."""
    if command.payment_intent is None:
        find(desk.ledger, command.charge or desk.name)
    else:
        _intent(desk, command.payment_intent)


def make_create(desk: Desk, command: CreateRefund) -> Change:
    """Return the change that refunds, and answers the refund."""
    charge = _charge(desk, command)
    refund, after = _refunding(desk, command, charge)
    return _change(refund, charge, after, answer=refund)


def make_on_charge(desk: Desk, command: CreateRefund) -> Change:
    """Return the change that refunds, and answers the charge."""
    charge = _charge(desk, command)
    refund, after = _refunding(desk, command, charge)
    return _change(refund, charge, after, answer=after)


def _refunding(desk: Desk, command: CreateRefund, charge: Charge) -> tuple[Refund, Charge]:
    """Return the refund, and the charge after it."""
    amount = _amount(charge, command.amount)
    metadata = kept(command.metadata)
    refund = new_refund(desk, charge, amount, reason=command.reason, metadata=metadata)
    return refund, refunded(charge, amount)


def _change(refund: Refund, before: Charge, after: Charge, *, answer: Any) -> Change:
    return Change(
        writes=(written(refund), Write("charge", after.id, after)),
        answer=answer,
        moved=Moved(
            kind="refund",
            id=refund.id,
            amount=refund.amount,
            currency=refund.currency,
            charge=after.id,
            customer=after.customer,
            payment_intent=after.payment_intent,
        ),
        ids=(refund.id, after.id),
        events=(
            EventDraft("refund.created", refund),
            EventDraft("charge.refunded", after, before),
        ),
    )


def _charge(desk: Desk, command: CreateRefund) -> Charge:
    """Return the charge to refund, whoever names it."""
    if command.payment_intent is None:
        return find(desk.ledger, command.charge or desk.name)
    intent = _intent(desk, command.payment_intent)
    charge: Charge | None = desk.ledger.get("charge", intent.latest_charge or "")
    if charge is None:
        raise _no_charge(command.payment_intent)
    return charge


def _intent(desk: Desk, name: str) -> Any:
    found = desk.ledger.get("payment_intent", name)
    if found is None:
        raise no_such("payment_intent", name, param="payment_intent", status=404)
    return found


def _amount(charge: Charge, asked: int | None) -> int:
    """Return how much goes back; refuses what the charge's state does not allow."""
    if charge.status == "failed":
        raise (
            _refusal(f"Charge {charge.id} failed and cannot be refunded.")  # [G]
            if charge.payment_intent is None
            else _no_charge(charge.payment_intent)
        )
    if charge.refunded:
        already = f"Charge {charge.id} has already been refunded."
        raise _refusal(already, code="charge_already_refunded")
    if not charge.captured and charge.payment_intent is not None:
        raise _refusal(HELD.format(charge.payment_intent))
    rest = charge.amount - charge.amount_refunded
    amount = rest if asked is None else asked
    if amount > charge.amount:
        raise _beyond(amount, charge.amount, "charge amount", charge.currency)
    if amount > rest:
        raise _beyond(amount, rest, "unrefunded amount on charge", charge.currency)
    if not charge.captured and amount < charge.amount:
        raise _refusal(PARTLY_HELD, param="amount")
    return amount


HELD: Final = (
    "This uncaptured Charge was created by a PaymentIntent ({}). You must cancel the "
    "PaymentIntent to reverse the authorization instead of refunding the Charge directly. For "
    "more information, see https://stripe.com/docs/payments/place-a-hold-on-a-payment-method"
)
"""[L] the text of a careful report."""
PARTLY_HELD: Final = (
    "You cannot partially refund an uncaptured charge. Instead, capture the charge for an amount "
    "less than the original amount"
)


def _beyond(amount: int, limit: int, words: str, currency: str) -> StripeError:
    asked, left = shown(amount, currency), shown(limit, currency)
    return _refusal(f"Refund amount ({asked}) is greater than {words} ({left})", param="amount")


def _no_charge(intent: str) -> StripeError:
    return _refusal(f"This PaymentIntent ({intent}) does not have a successful charge to refund.")


def _refusal(message: str, *, code: str | None = None, param: str | None = None) -> StripeError:
    return StripeError(400, message, code=code, param=param, recorded=True)
