"""The routes: method and pattern to the functions that answer, and whether money moves.

``step`` names the step of a payment that a POST is; without one it belongs to no operation.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from fakestripe.bank.change import Change
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.params import Params
from fakestripe.resources import charges, customers


class Route(Struct, frozen=True):
    """One endpoint. ``read``/``check``/``make`` serve a POST, ``show`` a GET."""

    method: str
    pattern: str
    step: str | None = None
    read: Callable[[Params], Any] | None = None
    check: Callable[[Ledger, Any, str | None], None] | None = None
    make: Callable[[Ledger, Any, float, str | None], Change] | None = None
    show: Callable[[Ledger, Params, str | None], Any] | None = None

    @property
    def moves(self) -> bool:
        """Whether the route is a step of a payment or refund."""
        return self.step is not None


def _nothing_asked(params: Params) -> None:
    params.finish()


ROUTES: Final = (
    Route(
        "POST",
        "/v1/charges",
        step="create",
        read=charges.read_create,
        check=lambda ledger, command, _: charges.check_create(ledger, command),
        make=lambda ledger, command, now, _: charges.make_create(ledger, command, now),
    ),
    Route(
        "GET",
        "/v1/charges",
        show=lambda ledger, params, _: charges.list_charges(ledger, params),
    ),
    Route(
        "GET",
        "/v1/charges/{id}",
        show=lambda ledger, params, name: (params.finish(), charges.show(ledger, name or ""))[1],
    ),
    Route(
        "POST",
        "/v1/charges/{id}/capture",
        step="capture",
        read=charges.read_capture,
        check=lambda ledger, _, name: _known_charge(ledger, name),
        make=lambda ledger, command, now, name: charges.make_capture(
            ledger, command, now, name or ""
        ),
    ),
    Route(
        "POST",
        "/v1/customers",
        read=customers.read_create,
        check=lambda ledger, command, _: customers.check_create(ledger, command),
        make=lambda ledger, command, now, _: customers.make_create(ledger, command, now),
    ),
    Route(
        "GET",
        "/v1/customers/{id}",
        show=lambda ledger, params, name: (params.finish(), customers.show(ledger, name or ""))[1],
    ),
)

_EXACT: Final = {
    (route.method, route.pattern): route for route in ROUTES if "{" not in route.pattern
}
_SHAPED: Final = {
    (route.method, tuple(route.pattern.split("/"))): route
    for route in ROUTES
    if "{" in route.pattern
}


def _known_charge(ledger: Ledger, name: str | None) -> None:
    charges.show(ledger, name or "", param="charge")


class Found(Struct, frozen=True, gc=False):
    """A route, and the id that the path names."""

    route: Route
    name: str | None = None


def find(method: str, path: str) -> Found | None:
    """Return the route of a request, or None for an unknown URL."""
    exact = _EXACT.get((method, path))
    if exact is not None:
        return Found(exact)
    parts = path.split("/")
    for index in range(len(parts) - 1, 2, -1):
        shape = (*parts[:index], "{id}", *parts[index + 1 :])
        shaped = _SHAPED.get((method, shape))
        if shaped is not None and parts[index]:
            return Found(shaped, parts[index])
    return None
