"""Which functions answer which URL."""

import pytest

from fakestripe.resources import (
    captures,
    charge_lists,
    charges,
    customer_updates,
    customers,
    refund_lists,
    refunds,
)
from fakestripe.resources.endpoint import Get
from fakestripe.resources.routes import ROUTES, find


@pytest.mark.parametrize(
    ("method", "path", "handler", "ids", "step"),
    [
        ("POST", "/v1/charges", charges.make_create, ("", ""), "create"),
        ("GET", "/v1/charges", charge_lists.list_charges, ("", ""), None),
        ("GET", "/v1/charges/ch_1", charges.show, ("ch_1", ""), None),
        ("POST", "/v1/charges/ch_1/capture", captures.make_capture, ("ch_1", ""), "capture"),
        (
            "POST",
            "/v1/charges/ch_1/refunds",
            refunds.make_create,
            ("ch_1", ""),
            "refund",
        ),
        ("POST", "/v1/refunds", refunds.make_create, ("", ""), "refund"),
        (
            "GET",
            "/v1/charges/ch_1/refunds/re_1",
            refund_lists.show,
            ("ch_1", "re_1"),
            None,
        ),
        ("POST", "/v1/customers", customers.make_create, ("", ""), None),
        ("GET", "/v1/customers/cus_1", customers.show, ("cus_1", ""), None),
        ("DELETE", "/v1/customers/cus_1", customer_updates.make_delete, ("cus_1", ""), None),
    ],
)
def test_a_url_has_a_handler(method, path, handler, ids, step):
    found = find(method, path)

    assert (found.name, found.part, found.step) == (*ids, step)
    assert (found.route.show if isinstance(found.route, Get) else found.route.make) is handler


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", ""),
        ("GET", "/v1"),
        ("GET", "/v1/"),
        ("GET", "/v1/charges/"),
        ("PUT", "/v1/charges"),
        ("DELETE", "/v1/charges/ch_1"),
        ("POST", "/v1/charges/search"),
        ("POST", "/v1/charges/ch_1/refunds/"),
        ("DELETE", "/v1/charges/ch_1/refunds/re_1"),
        ("POST", "/v1/charges//capture"),
        ("GET", "/v1/charges/ch_1/capture"),
        ("POST", "/v1/charges/ch_1/capture/"),
        ("GET", "/v1/charges/{id}/x"),
        ("GET", "/v2/charges"),
        ("GET", "/v1/charges/search"),
    ],
)
def test_other_urls_are_unknown(method, path):
    assert find(method, path) is None


def test_every_route_is_found_by_its_own_pattern():
    for route in ROUTES:
        method = type(route).__name__.upper()
        path = route.pattern.replace("{id}", "x").replace("{part}", "y")

        assert find(method, path).route is route
