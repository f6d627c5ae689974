"""Addresses and shipping: read from nested parameters, shown with every field they have."""

from typing import Final

from msgspec import Struct

from fakestripe.protocol.params import Params, missing


class Address(Struct, frozen=True, gc=False):
    """An address, in Stripe's field order."""

    city: str | None = None
    country: str | None = None
    line1: str | None = None
    line2: str | None = None
    postal_code: str | None = None
    state: str | None = None


class Shipping(Struct, frozen=True, gc=False):
    """Where and to whom something is sent."""

    address: Address
    carrier: str | None
    name: str
    phone: str | None
    tracking_number: str | None


_LINES: Final = frozenset(Address.__struct_fields__)
_SHIPPING: Final = frozenset(Shipping.__struct_fields__)


def read_address(params: Params, name: str, *, line1: bool = False) -> Address | None:
    """Read an address; ``line1`` says whether it must have a first line."""
    given = params.below(name)
    if given is None:
        return None
    given.only(_LINES)
    return Address(
        city=given.unsettable("city"),
        country=given.unsettable("country"),
        line1=given.required_text("line1") if line1 else given.unsettable("line1"),
        line2=given.unsettable("line2"),
        postal_code=given.unsettable("postal_code"),
        state=given.unsettable("state"),
    )


def read_shipping(params: Params, name: str) -> Shipping | None:
    """Read shipping: a name is required, and an address with its first line."""
    given = params.below(name)
    if given is None:
        return None
    given.only(_SHIPPING)
    address, recipient = read_address(given, "address", line1=True), given.required_text("name")
    if address is None:
        raise missing(f"{name}[address]")
    return Shipping(
        address=address,
        carrier=given.unsettable("carrier"),
        name=recipient,
        phone=given.unsettable("phone"),
        tracking_number=given.unsettable("tracking_number"),
    )
