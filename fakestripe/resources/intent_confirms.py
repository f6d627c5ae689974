"""Confirming an intent that exists: ``POST /v1/payment_intents/:id/confirm``."""

from typing import Any, Final

from msgspec import Struct, structs

from fakestripe.bank.change import Change
from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.params import Params
from fakestripe.resources.confirming import Confirmation, confirmed
from fakestripe.resources.desk import Desk
from fakestripe.resources.endpoint import Price
from fakestripe.resources.intent_object import CONFIRMABLE, PaymentIntent
from fakestripe.resources.intent_states import check_confirmable, missing_method
from fakestripe.resources.intent_terms import (
    CONFIRMING,
    MEANS,
    NOT_EMULATED,
    SHARED,
    read_confirmation,
    replaced,
)
from fakestripe.resources.means import Choice, Means, check_usable, chosen, default, shown_with
from fakestripe.resources.payment_intents import check_choice, find

_CONFIRM: Final = frozenset({*CONFIRMING, *MEANS, *SHARED, "client_secret"})


class Confirm(Struct, frozen=True, gc=False):
    """How to confirm, and what to change of the intent before."""

    confirmation: Confirmation
    terms: dict[str, Any]


def read_confirm(params: Params) -> Confirm:
    """Read the parameters of a confirmation."""
    params.only(_CONFIRM, refused=NOT_EMULATED)
    return Confirm(read_confirmation(params), replaced(params.given(SHARED)))


def check_confirm(desk: Desk, command: Confirm) -> None:
    """Refuse an unknown intent, and unknown means."""
    find(desk.ledger, desk.name)
    check_choice(desk.ledger, command.confirmation.choice)


def spends(desk: Desk, _: Confirm) -> Price | None:
    """Return what a confirmation charges: what its intent is about, unless it is paid, or over."""
    intent = find(desk.ledger, desk.name)
    return (intent.amount, intent.currency) if intent.status in CONFIRMABLE else None


def make_confirm(desk: Desk, command: Confirm) -> Change:
    """Return the change that confirms; what is refused changes nothing."""
    check_confirm(desk, command)
    intent = find(desk.ledger, desk.name)
    check_confirmable(intent)
    means = _means(desk, intent, command.confirmation.choice)
    changed = structs.replace(intent, **command.terms)
    return confirmed(desk, changed, means, command.confirmation)


def _means(desk: Desk, intent: PaymentIntent, choice: Choice) -> Means:
    """Return what an intent is paid with; raises the refusals that show the intent."""
    asked = choice if choice != Choice() else Choice(intent.payment_method)
    means = chosen(desk, asked, intent.customer) or default(desk, intent.customer)
    if means is None:
        raise missing_method(intent)
    try:
        check_usable(desk, means, intent.customer)
    except StripeError as refused:
        raise shown_with(intent, refused) from refused
    return means
