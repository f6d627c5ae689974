"""A request as a value."""

import pytest

from fakestripe.protocol.request import Request, readable


def request(method: str, query: str, body: bytes, **headers: str) -> Request:
    return Request(method, "/v1/charges", query, headers, body, 1, 1, "")


@pytest.mark.parametrize(
    ("method", "query", "body", "form"),
    [
        ("GET", "limit=3", b"ignored=1", b"limit=3"),
        ("GET", "", b"ignored=1", b""),
        ("POST", "", b"a=1", b"a=1"),
        ("POST", "a=1", b"a=2", b"a=1&a=2"),
        ("POST", "a=1", b"", b"a=1&"),
        ("GET", "a=\udcff", b"", b"a=\xff"),
    ],
)
def test_parameters_come_by_query_and_a_post_has_those_of_its_body_too(method, query, body, form):
    assert request(method, query, body).form == form


@pytest.mark.parametrize(
    ("given", "read"),
    [("plain", "plain"), ("é", "é"), ("ord-\udce9", "ord-é"), ("\udcff", "ÿ")],
)
def test_a_header_that_is_not_utf_8_is_read_as_latin_1(given, read):
    assert request("GET", "", b"", key=given).header("key") == read
    assert readable(given) == read


def test_an_absent_header_is_none():
    assert request("GET", "", b"").header("key") is None
