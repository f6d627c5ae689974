"""Expansion: objects in place of their ids, on every method and in lists (stripe-facts 6).

What a path may name is a table, so a wrong one is refused before anything is executed; objects
are looked up when an answer is shown. A path has at most four levels, the ``data`` of a list
counted. An error names the path as far as it was understood [L].
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from msgspec import to_builtins

from fakestripe.protocol.errors import StripeError, invalid_request
from fakestripe.protocol.form import Parameters
from fakestripe.resources import balance_transactions, customer_sources, listing, refund_lists
from fakestripe.resources.customers import DELETED
from fakestripe.resources.desk import Desk

Paths: TypeAlias = dict[str, "Paths"]
"""What to expand, level by level."""
Lists: TypeAlias = dict[str, tuple[str, Callable[[Desk, str], Any]]]
DEEPEST: Final = 4

_CHARGE: Final = {
    "application": "",
    "application_fee": "",
    "balance_transaction": "balance_transaction",
    "customer": "customer",
    "dispute": "",
    "failure_balance_transaction": "balance_transaction",
    "on_behalf_of": "",
    "payment_intent": "payment_intent",
    "review": "",
    "source_transfer": "",
    "transfer": "",
}
_REFUND: Final = {
    "balance_transaction": "balance_transaction",
    "charge": "charge",
    "customer": "customer",
    "failure_balance_transaction": "balance_transaction",
    "payment_intent": "payment_intent",
    "payment_method": "payment_method",
    "source_transfer_reversal": "",
    "transfer_reversal": "",
}
EXPANDABLE: Final[dict[str, dict[str, str]]] = {
    "charge": _CHARGE,
    "refund": _REFUND,
    "movement": _CHARGE | _REFUND,
    "customer": {
        "cash_balance": "",
        "default_source": "card",
        "discount": "",
        "test_clock": "",
    },
    "invoice_settings": {"default_payment_method": "payment_method"},
    "balance_transaction": {"source": "movement"},
    "card": {"customer": "customer"},
    "event": {},
    "payment_intent": {
        "application": "",
        "customer": "customer",
        "latest_charge": "charge",
        "on_behalf_of": "",
        "payment_method": "payment_method",
        "review": "",
        "source": "card",
    },
    "payment_method": {"customer": "customer"},
}
"""By kind: the properties that may hold an id, and of what; "" is never anything but null."""

INSIDE: Final[dict[str, dict[str, str]]] = {
    "customer": {"invoice_settings": "invoice_settings"},
    "charge": {"transfer_data": "transfer_data"},
    "payment_intent": {"transfer_data": "transfer_data"},
    **{f"{kind} list": {"data": kind} for kind in (*EXPANDABLE, "subscription", "tax_id")},
}
"""By kind: the properties through which a path may lead, and to what."""


def _none(customer_id: str, of: str) -> listing.Page:
    """Return the list of what a customer never has here."""
    return listing.Page("list", [], has_more=False, url=f"/v1/customers/{customer_id}/{of}")


_OF_CHARGE: Final[Lists] = {"refunds": ("refund", refund_lists.of_charge)}
LISTS: Final[dict[str, Lists]] = {
    "charge": _OF_CHARGE,
    "movement": _OF_CHARGE,
    "customer": {
        "sources": ("card", customer_sources.of_customer),
        "subscriptions": ("subscription", lambda _, name: _none(name, "subscriptions")),
        "tax_ids": ("tax_id", lambda _, name: _none(name, "tax_ids")),
    },
}
"""By kind: lists that are left out unless asked for, what they are of, and what makes them."""

FINDERS: Final[dict[str, Callable[[Desk, str], Any]]] = {
    "balance_transaction": balance_transactions.find,
    "customer": lambda desk, name: (
        desk.ledger.get("customer", name) or desk.ledger.get(DELETED, name)
    ),
    "movement": lambda desk, name: (
        desk.ledger.get("charge", name) or desk.ledger.get("refund", name)
    ),
}
"""By kind: what finds an object of it, where it is not one of the ledger's own kinds."""


def read(parameters: Parameters, shows: str) -> Paths:
    """Read ``expand`` for an answer of a kind; raises a 400 for what cannot be expanded."""
    given = parameters["expand"]
    if given == "":
        return {}
    if not isinstance(given, list):
        raise invalid_request("Invalid array", param="expand")
    paths: Paths = {}
    for path in given:
        if not isinstance(path, str):
            raise invalid_request("Invalid string: {...}", param="expand")
        names = path.split(".") if path else []
        _check(names, shows)
        level = paths
        for name in names:
            level = level.setdefault(name, {})
    return paths


def _check(names: list[str], shows: str) -> None:
    if len(names) > DEEPEST:
        raise invalid_request(
            f"You cannot expand more than {DEEPEST} levels of a property. "
            f"Property: {'.'.join(names)}",
            code="property_expansion_max_depth",
        )
    kind, ends = shows, True
    for depth, name in enumerate(names, 1):
        inside = INSIDE.get(kind, {}).get(name)
        reached = inside if inside is not None else _reached(kind, name)
        if reached is None:
            raise _cannot(names[:depth], is_list=depth == 1 and kind.endswith(" list"))
        ends = inside is None or name == "data"
        kind = reached
    if not ends:
        raise _cannot(names, is_list=False)


def _reached(kind: str, name: str) -> str | None:
    """Return what stands where a property is expanded, or None for one that cannot be."""
    listed = LISTS.get(kind, {}).get(name)
    return EXPANDABLE.get(kind, {}).get(name) if listed is None else f"{listed[0]} list"


def _cannot(names: list[str], *, is_list: bool) -> StripeError:
    path = ".".join(names)
    hint = f" You may want to try expanding 'data.{path}' instead." if is_list else ""
    return invalid_request(f"This property cannot be expanded ({path}).{hint}")


def expanded(desk: Desk, value: Any, paths: Paths) -> dict[str, Any]:
    """Return an object, or a page of them, with objects in place of the ids that paths lead to."""
    whole: dict[str, Any] = to_builtins(value)
    _fill(desk, whole, whole["object"], paths)
    return whole


def _fill(desk: Desk, node: dict[str, Any], kind: str, paths: Paths) -> None:
    if node.get("deleted"):
        return
    for name, below in paths.items():
        stands = _standing(desk, node, kind, name)
        if stands is not None:
            node[name] = stands
        for each in stands if isinstance(stands, list) else [stands]:
            if isinstance(each, dict):
                _fill(desk, each, each.get("object", name), below)


def _standing(desk: Desk, node: dict[str, Any], kind: str, name: str) -> Any:
    """Return what stands at a property once it is expanded; an unknown id stays one."""
    listed = LISTS.get(kind, {}).get(name)
    if listed is not None:
        return to_builtins(listed[1](desk, node["id"]))
    value = node.get(name)
    wanted = EXPANDABLE.get(kind, {}).get(name)
    if not wanted or not isinstance(value, str):
        return value
    finder = FINDERS.get(wanted)
    found = desk.ledger.get(wanted, value) if finder is None else finder(desk, value)
    return value if found is None else to_builtins(found)
