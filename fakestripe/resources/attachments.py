"""Attaching payment methods to customers, detaching them, and the lists of a customer's.

A method that was charged without a customer, or was detached, may not be used again: its id
stands in the collection ``spent`` (stripe-facts 3.2).
"""

from typing import Final

from msgspec import Struct, structs

from fakestripe.bank.change import Change, EventDraft, Write
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.errors import StripeError, invalid_request
from fakestripe.protocol.params import NONE, Params
from fakestripe.resources import listing
from fakestripe.resources.customers import Customer, writes_of
from fakestripe.resources.desk import Desk
from fakestripe.resources.method_object import PaymentMethod, asked, card_behind
from fakestripe.resources.payment_methods import KIND, NOUN, check_known, find
from fakestripe.resources.presented import check_attachable
from fakestripe.resources.sources import no_such

SPENT: Final = "spent"
_LIST: Final = listing.CURSOR | {"type", "customer"}
NOT_FILTERED: Final = frozenset({"allow_redisplay", "customer_account"})


class Attachment(Struct, frozen=True, gc=False):
    """What ``POST /v1/payment_methods/:id/attach`` asks for."""

    customer: str


def read_attach(params: Params) -> Attachment:
    """Read the customer to attach to."""
    params.only(frozenset({"customer"}), refused=frozenset({"customer_account"}))
    customer = params.text("customer")
    if customer is None:
        text = "Must provide customer or customer_account."
        raise invalid_request(text, code="parameter_missing")
    return Attachment(customer)


def check_attach(desk: Desk, command: Attachment) -> None:
    """Refuse an unknown payment method and an unknown customer."""
    check_known(desk.ledger, desk.name, status=404)
    if desk.ledger.get("customer", command.customer) is None and not desk.ledger.lenient:
        raise no_such("customer", command.customer, param="customer")


def make_attach(desk: Desk, command: Attachment) -> Change:
    """Return the change that attaches; where it is attached already, nothing changes."""
    check_attach(desk, command)
    method, customer = find(desk, desk.name, status=404), command.customer
    if method.customer == customer:
        return Change(answer=method)
    if method.customer is not None:
        text = "The payment method you provided has already been attached to a customer."
        raise StripeError(400, text, recorded=True)
    check_unspent(desk.ledger, method.id)
    check_attachable(card_behind(method))
    attached = structs.replace(asked(method), customer=customer)
    return Change(
        writes=(*unseen_customer(desk, customer), written(attached)),
        answer=attached,
        events=(EventDraft("payment_method.attached", attached),),
    )


def written(method: PaymentMethod) -> Write:
    """Return the write of a payment method, in the list of its customer where it has one."""
    groups = () if method.customer is None else (method.customer,)
    return Write(KIND, method.id, method, groups)


def unseen_customer(desk: Desk, customer_id: str | None) -> tuple[Write, ...]:
    """Return the write of a customer that a lenient account has not seen yet."""
    if customer_id is None or desk.ledger.get("customer", customer_id) is not None:
        return ()
    return writes_of(Customer(id=customer_id, created=desk.second), None)


def check_unspent(ledger: Ledger, method_id: str) -> None:
    """Refuse a payment method that may not be used again: recorded."""
    if ledger.get(SPENT, method_id) is not None:
        raise StripeError(
            400,
            "The provided PaymentMethod was previously used with a PaymentIntent without Customer "
            "attachment, shared with a connected account without Customer attachment, or was "
            "detached from a Customer. It may not be used again. To use a PaymentMethod multiple "
            "times, you must attach it to a Customer first.",
            recorded=True,
        )


def spend(method_id: str) -> Write:
    """Return the write after which a payment method may not be used again."""
    return Write(SPENT, method_id, value=True)


def read_detach(params: Params) -> None:
    """Refuse any parameter."""
    params.only(NONE)


def check_detach(desk: Desk, _: None) -> None:
    """Refuse an unknown payment method."""
    check_known(desk.ledger, desk.name, status=404)


def make_detach(desk: Desk, _: None) -> Change:
    """Return the change that detaches a payment method, for good."""
    method = find(desk, desk.name, status=404)
    if method.customer is None:
        text = (
            "The payment method you provided is not attached to a customer so detachment is "
            "impossible."
        )
        raise StripeError(400, text, recorded=True)
    detached, writes = left(method)
    told = EventDraft("payment_method.detached", detached, method)
    return Change(writes=writes, answer=detached, events=(told,))


def left(method: PaymentMethod) -> tuple[PaymentMethod, tuple[Write, ...]]:
    """Return an attached method after it left its customer, and the writes of that."""
    alone = structs.replace(method, customer=None)
    write = Write(KIND, method.id, alone, leaves=(method.customer or "",))
    return alone, (write, spend(method.id))


def left_alone(ledger: Ledger, customer_id: str) -> tuple[Write, ...]:
    """Return the writes by which all methods leave a customer that is deleted."""
    methods = ledger.collection(KIND)
    return tuple(w for each in methods.at(methods.places(customer_id)) for w in left(each)[1])


def list_methods(desk: Desk, params: Params) -> listing.Page:
    """Answer ``GET /v1/payment_methods``: those of the customer, without one none."""
    params.only(_LIST, refused=NOT_FILTERED)
    customer = params.text("customer")
    if customer is not None and desk.ledger.get("customer", customer) is None:
        raise no_such("customer", customer, param="customer")
    return _page(desk, params, customer or "", "/v1/payment_methods")


def list_of_customer(desk: Desk, params: Params) -> listing.Page:
    """Answer ``GET /v1/customers/:id/payment_methods``."""
    params.only(_LIST - {"customer"}, refused=NOT_FILTERED)
    if desk.ledger.get("customer", desk.name) is None:
        raise no_such("customer", desk.name, param="id", status=404)
    return _page(desk, params, desk.name, f"/v1/customers/{desk.name}/payment_methods")


def _page(desk: Desk, params: Params, customer: str, url: str) -> listing.Page:
    """Return a page; of another type than card a customer has none."""
    cursor, kind = listing.read_cursor(params), params.text("type")
    group = customer if kind in (None, "card") else ""
    methods = desk.ledger.collection(KIND)
    return listing.page(methods, cursor, url=url, noun=NOUN, group=group)
