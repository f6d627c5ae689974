"""What a request says of its payment that another purchase would not say.

By whom and how a payment is made tells nothing, nor does a count or the time of sending. What is
taken for a name too easily blames two purchases; what is not leaves a doubt.
"""

from typing import Final

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.operation import Flat, flat_of, id_in
from fakestripe.verdict.keys import is_stamp

BASICS: Final = frozenset(
    {
        "amount",
        "currency",
        "source",
        "customer",
        "payment_method",
        "confirm",
        "capture",
        "capture_method",
        "confirmation_method",
        "payment_method_types",
        "allowed_payment_method_types",
        "automatic_payment_methods",
        "payment_method_options",
        "payment_method_data",
        "setup_future_usage",
        "off_session",
        "error_on_requires_action",
        "use_stripe_sdk",
        "return_url",
        "mandate",
        "mandate_data",
        "receipt_email",
        "shipping",
        "statement_descriptor",
        "expand",
    }
)
"""Parameters that two purchases may well share, with all that is below them."""
SMALL: Final = 2
"""Digits of a number that says nothing by itself: a count of tries, of items."""


def _names(value: str, at: float) -> bool:
    """Return whether a value can name a payment: the time of sending, or a count, names many."""
    return not (value.isdigit() and len(value) <= SMALL) and not is_stamp(value, at)


def telling(attempt: Attempt) -> set[tuple[str, str]]:
    """Return what a request says of its payment that another purchase would not say."""
    flat: Flat = flat_of(attempt)
    beyond = {(n, v) for n, v in flat.items() if n.partition(".")[0] not in BASICS}
    named = {(n, v) for n, v in beyond if _names(v, attempt.at)}
    about = id_in(attempt.path)
    return named | ({("", about)} if about is not None else set())
