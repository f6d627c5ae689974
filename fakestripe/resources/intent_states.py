"""What an intent's status forbids, in Stripe's words (stripe-facts 3.2): recorded refusals.

Every such error shows the whole intent, so whoever retried a confirmation whose answer was lost
learns from the refusal that the intent has succeeded, and by which charge. The words for
confirming and updating in other statuses are from third-party reports [L].
"""

from typing import Final

from fakestripe.protocol.errors import StripeError
from fakestripe.resources.intent_object import CONFIRMABLE, PaymentIntent, ids_of

UNEXPECTED: Final = "payment_intent_unexpected_state"
CANCELABLE: Final = (
    "requires_payment_method",
    "requires_capture",
    "requires_confirmation",
    "requires_action",
    "processing",
)
"""In Stripe's order; ``processing`` is named there and never reached here."""


def refusal(
    intent: PaymentIntent, message: str, *, code: str | None = UNEXPECTED, param: str | None = None
) -> StripeError:
    """Return a recorded refusal that shows the whole intent."""
    return StripeError(
        400,
        message,
        code=code,
        param=param,
        recorded=True,
        ids=ids_of(intent),
        payment_intent=intent,
    )


def _only(statuses: tuple[str, ...], deed: str) -> str:
    listed = ", ".join(statuses)
    return f"Only a PaymentIntent with one of the following statuses may be {deed}: {listed}."


def check_confirmable(intent: PaymentIntent) -> None:
    """Refuse to confirm an intent that has been paid or canceled."""
    if intent.status == "succeeded":
        raise refusal(
            intent,
            "You cannot confirm this PaymentIntent because it has already succeeded after being "
            "previously confirmed.",
        )
    if intent.status not in CONFIRMABLE:
        raise refusal(
            intent,
            f"You cannot confirm this PaymentIntent because it has a status of {intent.status}. "
            f"{_only(CONFIRMABLE, 'confirmed')}",
        )


def check_capturable(intent: PaymentIntent) -> None:
    """Refuse to capture what was captured, or never authorised."""
    if intent.status == "succeeded":
        text = "This PaymentIntent could not be captured because it has already been captured."
        raise refusal(intent, text)
    if intent.status != "requires_capture":
        raise refusal(
            intent,
            f"This PaymentIntent could not be captured because it has a status of {intent.status}."
            f" {_only(('requires_capture',), 'captured')}",
        )


def check_cancelable(intent: PaymentIntent) -> None:
    """Refuse to cancel what was paid or canceled."""
    if intent.status not in CANCELABLE:
        raise refusal(
            intent,
            f"You cannot cancel this PaymentIntent because it has a status of {intent.status}. "
            f"{_only(CANCELABLE, 'canceled')}",
        )


def check_changeable(intent: PaymentIntent, name: str) -> None:
    """Refuse to change what was authorised."""
    if intent.status not in CONFIRMABLE:
        raise refusal(
            intent,
            f"This PaymentIntent's {name} could not be updated because it has a status of "
            f"{intent.status}. You may only update the {name} of a PaymentIntent with one of the "
            f"following statuses: {', '.join(CONFIRMABLE)}.",
            param=name,
        )


def missing_method(intent: PaymentIntent) -> StripeError:
    """Return the refusal of an intent that nothing says how to pay."""
    if intent.customer is None:
        way = (
            "You can either update the PaymentIntent with a payment method and then confirm it "
            "again, or confirm it again directly with a payment method or ConfirmationToken."
        )
    else:
        way = (
            f"To confirm the PaymentIntent with {intent.customer}, specify a payment method "
            "attached to this customer along with the customer ID."
        )
    text = f"You cannot confirm this PaymentIntent because it's missing a payment method. {way}"
    return refusal(intent, text)
