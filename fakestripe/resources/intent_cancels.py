"""Canceling an intent; what it holds on a card is let go, and stands as a refund of the charge."""

from typing import Final

from msgspec import Struct, structs

from fakestripe.bank.change import Change, EventDraft, Write
from fakestripe.protocol.attempt import Moved
from fakestripe.protocol.params import Params
from fakestripe.resources import refund_object
from fakestripe.resources.charge_object import Charge
from fakestripe.resources.desk import Desk
from fakestripe.resources.intent_object import PaymentIntent, ids_of, written
from fakestripe.resources.intent_states import check_cancelable
from fakestripe.resources.payment_intents import find

REASONS: Final = ("duplicate", "fraudulent", "requested_by_customer", "abandoned")


class Cancel(Struct, frozen=True, gc=False):
    """What ``POST /v1/payment_intents/:id/cancel`` asks for."""

    reason: str | None = None


def read_cancel(params: Params) -> Cancel:
    """Read why an intent is canceled."""
    params.only(frozenset({"cancellation_reason"}))
    return Cancel(params.choice("cancellation_reason", REASONS))


def check_cancel(desk: Desk, _: Cancel) -> None:
    """Refuse an unknown intent."""
    find(desk.ledger, desk.name)


def make_cancel(desk: Desk, command: Cancel) -> Change:
    """Return the change that cancels an intent which has not been paid."""
    intent = find(desk.ledger, desk.name)
    check_cancelable(intent)
    canceled = structs.replace(
        intent,
        amount_capturable=0,
        canceled_at=desk.second,
        cancellation_reason=command.reason,
        next_action=None,
        status="canceled",
    )
    held = intent.status == "requires_capture"
    return Change(
        writes=(*(_let_go(desk, intent) if held else ()), written(canceled)),
        answer=canceled,
        moved=_moved(intent),
        ids=ids_of(canceled),
        events=(EventDraft("payment_intent.canceled", canceled),),
    )


def _let_go(desk: Desk, intent: PaymentIntent) -> tuple[Write, ...]:
    """Return the writes that release what an intent holds."""
    charge: Charge = desk.ledger.get("charge", intent.latest_charge or "")
    refund = refund_object.new_refund(desk, charge, charge.amount)
    after = refund_object.refunded(charge, charge.amount)
    return (refund_object.written(refund), Write("charge", charge.id, after))


def _moved(intent: PaymentIntent) -> Moved:
    return Moved(
        kind="cancel",
        id=intent.id,
        amount=intent.amount,
        currency=intent.currency,
        charge=intent.latest_charge,
        customer=intent.customer,
        payment_intent=intent.id,
    )
