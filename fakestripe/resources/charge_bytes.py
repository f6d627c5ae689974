"""The bytes of a charge, from a template: what charges differ in is filled in, the rest stands.

A charge is 3 kB of JSON of which a dozen values change; to write and indent it anew took a
quarter of the time of a POST. A template belongs to all values that are not filled in, so that
it never speaks for a charge it does not fit; the tests hold its bytes to those of ``encode``.
"""

import re
from operator import attrgetter
from types import NoneType
from typing import Any, Final, TypeAlias, get_type_hints

from msgspec import Struct, json, structs

from fakestripe.protocol.errors import encode
from fakestripe.resources.charge_object import Charge
from fakestripe.resources.sources import EMPTY, Card, Empty

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
PIECES: Final = 2 * len(_MARKS) + 1
_PLACE: Final = re.compile(r'("<fakestripe:[0-9]+>")')


def _others(struct: type[Struct], *filled: str) -> "attrgetter[tuple[Any, ...]]":
    """Return a getter of the fields that are neither filled in nor the same for all."""
    hints = get_type_hints(struct)
    fixed = {name for name in struct.__struct_fields__ if hints[name] in (NoneType, Empty)}
    return attrgetter(*(n for n in struct.__struct_fields__ if n not in {*fixed, *filled}))


_of_charge: Final = _others(Charge, *FILLED, *_PARTS)
_of_card: Final = _others(Card, "id", "customer")
_of_details: Final = attrgetter("authorization_code", "capture_before")
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
    kind = (_of_charge(charge), _of_card(source), _of_details(card))
    template = _latest[1] if kind == _latest[0] else _found(kind, charge, source)
    if len(template) != PIECES:
        return encode(charge)  # somebody's text reads like a mark
    pieces = template.copy()
    pieces[1::2] = (  # in the order of the text, which is that of the fields
        f'"{charge.id}"',
        str(charge.amount),
        str(charge.amount_captured),
        _made(charge.balance_transaction),
        str(charge.created),
        _text(charge.customer),
        _text(charge.description),
        _metadata(charge),
        _made(charge.payment_intent),
        _made(charge.payment_method),
        str(card.amount_authorized),
        str(card.overcapture.maximum_amount_capturable),
        _made(charge.receipt_url),
        f'"{source.id}"',
        _text(source.customer),
        _text(charge.transfer_group),
    )
    return "".join(pieces).encode()


def _made(value: str | None) -> str:
    """Return a string of our own making, or null: there is nothing to escape in it."""
    return "null" if value is None else f'"{value}"'


def _text(value: str | None) -> str:
    """Return somebody's string, or null, as JSON."""
    return "null" if value is None else json.encode(value).decode()


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
    if charge.metadata is EMPTY:
        return "{}"
    return encode(charge.metadata).replace(b"\n", b"\n  ").decode()


def _template(charge: Charge, source: Card) -> list[str]:
    """Return the text of a charge in pieces, every second one a place to be filled in."""
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
