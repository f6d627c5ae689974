"""Updating an intent: its money and its means until it is authorised, words about it always."""

from typing import Any, Final

from msgspec import Struct, structs

from fakestripe.bank.change import Change, Write
from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.params import Params
from fakestripe.resources.attachments import unseen_customer
from fakestripe.resources.currencies import read_currency
from fakestripe.resources.desk import Desk
from fakestripe.resources.intent_object import PaymentIntent, ids_of, written
from fakestripe.resources.intent_states import check_changeable
from fakestripe.resources.intent_terms import (
    MEANS,
    NOT_EMULATED,
    TERMS,
    check_money,
    read_choice,
    replaced,
)
from fakestripe.resources.means import Choice, check_usable, chosen, shown_with, untouched
from fakestripe.resources.metadata import merged
from fakestripe.resources.payment_intents import check_choice, check_customer, find

ANYTIME: Final = frozenset({"description", "receipt_email", "shipping", "transfer_group"})
"""What may be changed in every status, beside metadata [G]."""
_MONEY: Final = ("amount", "currency")
_UPDATE: Final = frozenset({*TERMS, *MEANS, "amount", "currency", "metadata"})


class UpdateIntent(Struct, frozen=True, gc=False):
    """What ``POST /v1/payment_intents/:id`` asks for; ``terms`` are fields of the intent.

    ``unsets`` says that the payment method is taken away.
    """

    terms: dict[str, Any]
    metadata: dict[str, str] | None
    choice: Choice
    unsets: bool


def read_update(params: Params) -> UpdateIntent:
    """Read what to change."""
    params.only(_UPDATE, refused=NOT_EMULATED)
    given = params.given({"amount": Params.integer, "metadata": Params.metadata})
    metadata = given.pop("metadata", None)
    if params.text("currency") is not None:
        given["currency"] = read_currency(params)
    unset = params.given({"payment_method": Params.unsettable})
    return UpdateIntent(
        terms={**given, **replaced(params.given(TERMS))},
        metadata=metadata,
        choice=read_choice(params),
        unsets=unset == {"payment_method": None},
    )


def check_update(desk: Desk, command: UpdateIntent) -> None:
    """Refuse an unknown intent, an unknown customer or means, and an amount no intent can have."""
    intent = find(desk.ledger, desk.name)
    check_customer(desk.ledger, command.terms.get("customer"))
    check_choice(desk.ledger, command.choice)
    if command.terms.keys() & _MONEY:
        money = {name: command.terms.get(name, getattr(intent, name)) for name in _MONEY}
        check_money(**money)


def make_update(desk: Desk, command: UpdateIntent) -> Change:
    """Return the change that updates an intent; no event tells of it, as at Stripe [L]."""
    check_update(desk, command)
    intent = find(desk.ledger, desk.name)
    for name in _guarded(command):
        check_changeable(intent, name)
    updated = structs.replace(intent, **command.terms, last_payment_error=None)
    if command.metadata is not None:
        updated = structs.replace(updated, metadata=merged(intent.metadata, command.metadata))
    updated, beside = _paid_with(desk, updated, command)
    write = written(updated)
    if intent.customer not in (None, updated.customer):
        write = structs.replace(write, leaves=(intent.customer,))
    customer = unseen_customer(desk, updated.customer)
    return Change(writes=(*customer, *beside, write), answer=updated, ids=ids_of(updated))


def _guarded(command: UpdateIntent) -> tuple[str, ...]:
    """Return the names of what only an intent that is not authorised lets change."""
    means = ("payment_method",) if command.choice != Choice() or command.unsets else ()
    return (*(name for name in command.terms if name not in ANYTIME), *means)


def _paid_with(
    desk: Desk, intent: PaymentIntent, command: UpdateIntent
) -> tuple[PaymentIntent, tuple[Write, ...]]:
    """Return the intent with the means that the request chooses, or without any."""
    means = chosen(desk, command.choice, intent.customer)
    if means is None:
        if not command.unsets:
            return intent, ()
        return _with(intent, None, "requires_payment_method"), ()
    try:
        check_usable(desk, means, intent.customer)
    except StripeError as refused:
        raise shown_with(intent, refused) from refused
    return _with(intent, means.card.id, "requires_confirmation"), untouched(means)


def _with(intent: PaymentIntent, method: str | None, status: str) -> PaymentIntent:
    return structs.replace(intent, payment_method=method, status=status, next_action=None)
