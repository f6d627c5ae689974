"""What a restricted key may do: none, read or write, for each resource, by Stripe's names.

One row of Stripe's dashboard is one permission: charges and refunds share theirs. A GET reads,
everything else writes, and who may write may read. A path that no row is about is nobody's to
refuse here: nothing is served there.
"""

from difflib import get_close_matches
from typing import Final, Literal, TypeAlias

from msgspec import Struct

Right: TypeAlias = Literal["none", "read", "write"]
RIGHTS: Final[tuple[Right, ...]] = ("none", "read", "write")


class Resource(Struct, frozen=True):
    """One row: its word here, its title in the dashboard, and the stem of its permissions."""

    word: str
    title: str
    stem: str


CHARGES: Final = Resource("charges", "Charges and Refunds", "charge")
RESOURCES: Final[dict[str, Resource]] = {
    "charges": CHARGES,
    "refunds": CHARGES,
    "customers": Resource("customers", "Customers", "customer"),
    "payment_intents": Resource("payment_intents", "PaymentIntents", "payment_intent"),
    "payment_methods": Resource("payment_methods", "PaymentMethods", "payment_method"),
    "tokens": Resource("tokens", "Tokens", "token"),
    "events": Resource("events", "Events", "event"),
    "balance": Resource("balance", "Balance", "balance"),
    "balance_transactions": Resource(
        "balance_transactions", "Balance transaction sources", "balance_transaction_source"
    ),
}
"""The first part of a path to its row."""
WORDS: Final = tuple(dict.fromkeys(row.word for row in RESOURCES.values()))
_FIRST: Final = 2
"""Where in a path the resource stands: ``/v1/charges``."""
_PART: Final = 4
"""Where what belongs to it stands: ``/v1/charges/ch_1/refunds``."""


class Lacking(Struct, frozen=True):
    """The permission that a key would need, as Stripe words it."""

    title: str
    name: str


def resource_of(path: str) -> Resource | None:
    """Return the row that a path is about, or None; a customer's payment methods are of theirs."""
    parts = path.split("/")
    named = parts[_FIRST] if len(parts) > _FIRST else ""
    part = parts[_PART] if len(parts) > _PART else ""
    return RESOURCES.get(part if part in RESOURCES else named)


def lacking(rights: dict[str, Right], method: str, path: str) -> Lacking | None:
    """Return what a key with these rights lacks for a request; None where it may pass.

    A path that no row is about lacks nothing here: that nothing is served there is for others to
    say.
    """
    row = resource_of(path)
    if row is None:
        return None
    needed: Right = "read" if method in ("GET", "HEAD") else "write"
    if RIGHTS.index(rights.get(row.word, "none")) >= RIGHTS.index(needed):
        return None
    return Lacking(f"{row.title} {needed.title()}", f"{row.stem}_{needed}")


def unknown(word: str) -> str:
    """Return what to say of a word that is no resource."""
    if word in RESOURCES:
        return f"{word} stand under {RESOURCES[word].word}, as in Stripe's dashboard"
    near = get_close_matches(word, WORDS, 1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    return f"{word} is no resource{hint}; there are: {', '.join(WORDS)}"
