"""The routes: method and pattern to the functions that answer, and whether money moves.

A POST that is a ``step`` of a payment names it; without one it belongs to no operation. A URL
that is known with another method is as unknown as any: Stripe answers 404, never 405 [L].
"""

from typing import Final, TypeAlias

from fakestripe.resources import (
    attachments,
    balance,
    balance_transactions,
    captures,
    charge_lists,
    charge_updates,
    charges,
    customer_lists,
    customer_sources,
    customer_updates,
    customers,
    events,
    intent_cancels,
    intent_captures,
    intent_confirms,
    intent_updates,
    payment_intents,
    payment_methods,
    refund_lists,
    refunds,
    tokens,
)
from fakestripe.resources.endpoint import Delete, Endpoint, Found, Get, Post

ROUTES: Final = (
    Post(
        "/v1/charges",
        charges.read_create,
        charges.check_create,
        charges.make_create,
        step="create",
        shows="charge",
        spends=charges.spends,
    ),
    Get("/v1/charges", charge_lists.list_charges, shows="charge list"),
    Get("/v1/charges/{id}", charges.show, shows="charge"),
    Post(
        "/v1/charges/{id}",
        charge_updates.read_update,
        charge_updates.check_update,
        charge_updates.make_update,
        shows="charge",
    ),
    Post(
        "/v1/charges/{id}/capture",
        captures.read_capture,
        captures.check_capture,
        captures.make_capture,
        step="capture",
        shows="charge",
    ),
    Post(
        "/v1/charges/{id}/refund",
        refunds.read_of_charge,
        refunds.check_create,
        refunds.make_on_charge,
        step="refund",
        shows="charge",
    ),
    Post(
        "/v1/charges/{id}/refunds",
        refunds.read_of_charge,
        refunds.check_create,
        refunds.make_create,
        step="refund",
        shows="refund",
    ),
    Get("/v1/charges/{id}/refunds", refund_lists.list_of_charge, shows="refund list"),
    Get("/v1/charges/{id}/refunds/{part}", refund_lists.show, shows="refund"),
    Post(
        "/v1/charges/{id}/refunds/{part}",
        refund_lists.read_update,
        refund_lists.check_update,
        refund_lists.make_update,
        shows="refund",
    ),
    Post(
        "/v1/refunds",
        refunds.read_create,
        refunds.check_create,
        refunds.make_create,
        step="refund",
        shows="refund",
    ),
    Get("/v1/refunds", refund_lists.list_refunds, shows="refund list"),
    Get("/v1/refunds/{id}", refund_lists.show, shows="refund"),
    Post(
        "/v1/refunds/{id}",
        refund_lists.read_update,
        refund_lists.check_update,
        refund_lists.make_update,
        shows="refund",
    ),
    Get("/v1/balance", balance.show),
    Get(
        "/v1/balance_transactions",
        balance_transactions.list_transactions,
        shows="balance_transaction list",
    ),
    Get(
        "/v1/balance_transactions/{id}",
        balance_transactions.show,
        shows="balance_transaction",
    ),
    Get("/v1/events", events.list_events, shows="event list"),
    Get("/v1/events/{id}", events.show, shows="event"),
    Post(
        "/v1/customers",
        customers.read_create,
        customers.check_create,
        customers.make_create,
        shows="customer",
    ),
    Get("/v1/customers", customer_lists.list_customers, shows="customer list"),
    Get("/v1/customers/{id}", customers.show, shows="customer"),
    Post(
        "/v1/customers/{id}",
        customer_updates.read_update,
        customer_updates.check_update,
        customer_updates.make_update,
        shows="customer",
    ),
    Delete(
        "/v1/customers/{id}",
        customer_updates.read_delete,
        customer_updates.check_delete,
        customer_updates.make_delete,
    ),
    Post(
        "/v1/customers/{id}/sources",
        customer_sources.read_add,
        customer_sources.check_add,
        customer_sources.make_add,
        shows="card",
    ),
    Get("/v1/customers/{id}/sources", customer_sources.list_sources, shows="card list"),
    Get("/v1/customers/{id}/sources/{part}", customer_sources.show, shows="card"),
    Delete(
        "/v1/customers/{id}/sources/{part}",
        customer_sources.read_remove,
        customer_sources.check_remove,
        customer_sources.make_remove,
    ),
    Post("/v1/tokens", tokens.read_create, tokens.check_create, tokens.make_create),
    Get("/v1/tokens/{id}", tokens.show),
    Post(
        "/v1/payment_methods",
        payment_methods.read_create,
        payment_methods.check_create,
        payment_methods.make_create,
        shows="payment_method",
    ),
    Get("/v1/payment_methods", attachments.list_methods, shows="payment_method list"),
    Get("/v1/payment_methods/{id}", payment_methods.show, shows="payment_method"),
    Post(
        "/v1/payment_methods/{id}/attach",
        attachments.read_attach,
        attachments.check_attach,
        attachments.make_attach,
        shows="payment_method",
    ),
    Post(
        "/v1/payment_methods/{id}/detach",
        attachments.read_detach,
        attachments.check_detach,
        attachments.make_detach,
        shows="payment_method",
    ),
    Get(
        "/v1/customers/{id}/payment_methods",
        attachments.list_of_customer,
        shows="payment_method list",
    ),
    Post(
        "/v1/payment_intents",
        payment_intents.read_create,
        payment_intents.check_create,
        payment_intents.make_create,
        step="create",
        moves=payment_intents.moves_money,
        shows="payment_intent",
        spends=payment_intents.spends,
    ),
    Get("/v1/payment_intents", payment_intents.list_intents, shows="payment_intent list"),
    Get("/v1/payment_intents/{id}", payment_intents.show, shows="payment_intent"),
    Post(
        "/v1/payment_intents/{id}",
        intent_updates.read_update,
        intent_updates.check_update,
        intent_updates.make_update,
        shows="payment_intent",
    ),
    Post(
        "/v1/payment_intents/{id}/confirm",
        intent_confirms.read_confirm,
        intent_confirms.check_confirm,
        intent_confirms.make_confirm,
        step="confirm",
        shows="payment_intent",
        spends=intent_confirms.spends,
    ),
    Post(
        "/v1/payment_intents/{id}/capture",
        intent_captures.read_capture,
        intent_captures.check_capture,
        intent_captures.make_capture,
        step="capture",
        shows="payment_intent",
    ),
    Post(
        "/v1/payment_intents/{id}/cancel",
        intent_cancels.read_cancel,
        intent_cancels.check_cancel,
        intent_cancels.make_cancel,
        shows="payment_intent",
    ),
)


PLAIN: Final = tuple(dict.fromkeys(r.pattern for r in ROUTES if "{" not in r.pattern))
"""The paths that name no object."""


Shape: TypeAlias = tuple[str, ...]
_METHODS: Final = {Post: "POST", Get: "GET", Delete: "DELETE"}
_SHAPES: Final[dict[tuple[str, Shape], Endpoint]] = {
    (_METHODS[type(route)], tuple(route.pattern.split("/"))): route for route in ROUTES
}
_EXACT: Final = {
    (method, "/".join(shape)): Found(route)
    for (method, shape), route in _SHAPES.items()
    if "{id}" not in shape
}


def find(method: str, path: str) -> Found | None:
    """Return the route of a request, or None for an unknown URL."""
    exact = _EXACT.get((method, path))
    if exact is not None:
        return exact
    parts = path.split("/")
    if len(parts) <= _ID or parts[_ID] in NO_IDS:
        return None
    shaped = _SHAPES.get((method, (*parts[:_ID], "{id}", *parts[_ID + 1 :])))
    if shaped is not None:
        return Found(shaped, parts[_ID])
    if len(parts) <= _PART or not parts[_PART]:
        return None
    rest = ("{id}", parts[_ID + 1], "{part}", *parts[_PART + 1 :])
    shaped = _SHAPES.get((method, (*parts[:_ID], *rest)))
    return None if shaped is None else Found(shaped, parts[_ID], parts[_PART])


_ID: Final = 3
"""Where in a path an id stands: ``/v1/charges/{id}/capture``."""
_PART: Final = 5
"""Where the id of a part stands: ``/v1/charges/{id}/refunds/{part}``."""
NO_IDS: Final = frozenset({"", "search"})
"""What stands there and is none; a search that finds nothing would invite a second charge."""
