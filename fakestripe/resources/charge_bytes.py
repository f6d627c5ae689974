"""The bytes of a charge, from a template: what charges differ in is filled in, the rest stands.

A charge is 3 kB of JSON of which a dozen values change; to write and indent it anew took a
quarter of the time of a POST. A template belongs to all values that are not filled in, so that
it never speaks for a charge it does not fit; the tests hold its bytes to those of ``encode``.
"""

import re
from functools import lru_cache
from operator import itemgetter
from types import NoneType
from typing import Any, Final, TypeAlias, get_type_hints

from msgspec import Struct, json, structs

from fakestripe.protocol.errors import encode
from fakestripe.resources.charge_object import Charge
from fakestripe.resources.sources import Card, Empty

Kind: TypeAlias = tuple[Any, ...]
MOST: Final = 256
"""How many templates are kept; beyond that they are made anew."""

FILLED: Final = (
    "id",
    "amount",
    "amount_captured",
    "balance_transaction",
    "created",
    "customer",
    "description",
    "metadata",
    "payment_intent",
    "payment_method",
    "receipt_url",
    "transfer_group",
)
_PARTS: Final = ("payment_method_details", "source")
_MARKS: Final = tuple(f"<fakestripe:{number}>" for number in range(len(FILLED) + 4))
PIECES: Final = len(_MARKS) + 1
_PLACE: Final = re.compile(r'"<fakestripe:[0-9]+>"')


def _others(struct: type[Struct], *filled: str) -> "itemgetter[tuple[Any, ...]]":
    """Return a getter of the fields that are neither filled in nor the same for all.

    It takes them from the tuple of all: msgspec makes that faster than twenty names are found.
    """
    hints = get_type_hints(struct)
    fixed = {name for name in struct.__struct_fields__ if hints[name] in (NoneType, Empty)}
    names = enumerate(struct.__struct_fields__)
    return itemgetter(*(place for place, name in names if name not in {*fixed, *filled}))


_of_charge: Final = _others(Charge, *FILLED, *_PARTS)
_of_card: Final = _others(Card, "id", "customer")
_digits: Final = lru_cache(maxsize=1024)(str)
"""Amounts come again, four times in one charge, and a second has many charges."""
_written: Final[list[tuple[Charge, bytes] | None]] = [None] * MOST
_templates: dict[Kind, list[str]] = {}
_latest: Final[list[Any]] = [None, []]
"""The kind of the charge before, and its template: to compare is cheaper than to hash."""


def charge_bytes(charge: Charge) -> bytes:
    """Return exactly what ``encode(charge)`` returns, for the last few charges from memory.

    A retry comes soon after what it retries.
    """
    slot = hash(charge.id) % MOST
    known = _written[slot]
    if known is not None and known[0] is charge:
        return known[1]
    written = _fresh(charge)
    _written[slot] = (charge, written)
    return written


def _fresh(charge: Charge) -> bytes:
    source, card = charge.source, charge.payment_method_details.card
    if source is None or source.name is not None:
        return encode(charge)  # of a payment intent, or of a card that few charges share
    kind = (
        _of_charge(structs.astuple(charge)),
        _of_card(structs.astuple(source)),
        card.authorization_code,
        card.capture_before,
    )
    t = _latest[1] if kind == _latest[0] else _found(kind, charge, source)
    if len(t) != PIECES:
        return encode(charge)  # somebody's text reads like a mark
    null, over = "null", card.overcapture
    return (  # in the order of the text, which is that of the fields
        f'{t[0]}"{charge.id}"'
        f"{t[1]}{_digits(charge.amount)}{t[2]}{_digits(charge.amount_captured)}"
        f"{t[3]}{_made(charge.balance_transaction)}"
        f"{t[4]}{_digits(charge.created)}"
        f"{t[5]}{null if charge.customer is None else _quoted(charge.customer)}"
        f"{t[6]}{null if charge.description is None else _quoted(charge.description)}"
        f"{t[7]}{_metadata(charge)}"
        f"{t[8]}{null if charge.payment_intent is None else _quoted(charge.payment_intent)}"
        f"{t[9]}{_made(charge.payment_method)}"
        f"{t[10]}{_digits(card.amount_authorized)}{t[11]}{_digits(over.maximum_amount_capturable)}"
        f"{t[12]}{_made(charge.receipt_url)}"
        f'{t[13]}"{source.id}"'
        f"{t[14]}{null if source.customer is None else _quoted(source.customer)}"
        f"{t[15]}{null if charge.transfer_group is None else _quoted(charge.transfer_group)}"
        f"{t[16]}"
    ).encode()


def _made(value: str | None) -> str:
    """Return a string of our own making, or null: there is nothing to escape in it."""
    return "null" if value is None else f'"{value}"'


def _quoted(value: str) -> str:
    """Return somebody's string as JSON."""
    return json.encode(value).decode()


def _found(kind: Kind, charge: Charge, source: Card) -> list[str]:
    """Return the template of a kind, and let the next charge try it first."""
    template = _templates.get(kind)
    if template is None:
        if len(_templates) >= MOST:
            _templates.clear()
        template = _templates[kind] = _template(charge, source)
    _latest[:] = [kind, template]
    return template


def _metadata(charge: Charge) -> str:
    """Return the metadata as JSON, indented as what it stands in."""
    metadata = charge.metadata
    if not isinstance(metadata, dict) or not metadata:
        return "{}"
    pairs = ""
    for key, value in metadata.items():
        pairs += f",\n    {_quoted(key)}: {_quoted(value)}"
    return f"{{{pairs[1:]}\n  }}"


def _template(charge: Charge, source: Card) -> list[str]:
    """Return the text of a charge in pieces; between them are the places to be filled in."""
    details = charge.payment_method_details
    *top, source_id, source_customer, authorized, capturable = _MARKS
    over = structs.replace(details.card.overcapture, maximum_amount_capturable=capturable)
    marked = structs.replace(
        charge,
        **dict(zip(FILLED, top, strict=True)),
        source=structs.replace(source, id=source_id, customer=source_customer),
        payment_method_details=structs.replace(
            details,
            card=structs.replace(details.card, amount_authorized=authorized, overcapture=over),
        ),
    )
    return _PLACE.split(encode(marked).decode())
