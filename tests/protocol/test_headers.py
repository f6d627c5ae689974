"""What request headers must say (stripe-facts 1.1, 2.2, 2.3)."""

import base64

import pytest

from fakestripe.protocol import headers
from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.request import Request

NO_KEY = (
    "You did not provide an API key. You need to provide your API key in the Authorization "
    "header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See "
    "https://stripe.com/docs/api#authentication for details, or we can help at "
    "https://support.stripe.com/."
)
LIVE = (
    "This is fakestripe, and it refuses live keys: sk_live_************cdef. Use a key that "
    "begins with sk_test_; nothing was charged."
)
PUBLISHABLE = (
    "This API call cannot be made with a publishable API key. Please use a secret API key. You "
    "can find a list of your API keys at https://dashboard.stripe.com/account/apikeys."
)
BODY = "The request body must be sent as application/x-www-form-urlencoded; JSON and other bodies"


def request(body: bytes = b"a=1", **given: str) -> Request:
    named = {name.replace("_", "-"): value for name, value in given.items()}
    return Request("POST", "/v1/charges", "", named, body, 1, 1, "")


@pytest.mark.parametrize("size", [1, 255])
def test_a_key_of_one_to_255_characters_is_a_key(size):
    assert headers.key_in(request(idempotency_key="k" * size)) == "k" * size
    assert headers.refused_idempotency_key("k" * size) is None


@pytest.mark.parametrize(
    ("sent", "size"), [("", 0), ("   ", 0), ("k" * 256, 256), ("é" * 256, 256)]
)
def test_an_empty_key_and_a_long_one_are_refused(sent, size):
    key = headers.key_in(request(idempotency_key=sent))
    error = headers.refused_idempotency_key(key)

    assert (error.status, error.type, error.recorded) == (400, "invalid_request_error", False)
    assert str(error) == (
        "Invalid Idempotency-Key: it must be 1 to 255 characters long, but you passed in a value "
        f"that is {size} characters."
    )


@pytest.mark.parametrize("key", ["a\r\nX: y", "a\nb", "a\0b", "a\tb", "a\x7fb"])
def test_a_key_that_no_answer_could_echo_is_refused(key):
    error = headers.refused_idempotency_key(key)

    assert str(error) == "Invalid Idempotency-Key: it must not hold control characters."


def test_no_key_is_no_empty_key():
    assert headers.key_in(request()) is None


def test_spaces_around_a_key_are_none_of_it():
    assert headers.key_in(request(idempotency_key=" K1\t")) == "K1"


@pytest.mark.parametrize(
    "version", ["2026-10-28.endive", "2020-08-27", "2023-10-16; risk_in_requirements_beta=v1"]
)
def test_a_version_is_echoed_whole(version):
    assert headers.version_of(request(stripe_version=version)) == version


def test_without_a_version_the_newest_is_used():
    assert headers.version_of(request()) == "2026-10-28.endive"


@pytest.mark.parametrize("version", ["", "latest", "2026-10-28.endive\r\nX: y", "2026-1-1"])
def test_an_invalid_version_is_refused(version):
    with pytest.raises(StripeError) as refused:
        headers.version_of(request(stripe_version=version))

    assert refused.value.status == 400
    assert str(refused.value) == f"Invalid Stripe API version: {version}"


@pytest.mark.parametrize(
    "kind",
    ["application/x-www-form-urlencoded", "Application/X-WWW-Form-Urlencoded; charset=utf-8"],
)
def test_a_form_is_a_form(kind):
    headers.check_content_type(request(content_type=kind))


@pytest.mark.parametrize(
    "kind", ["application/json", "text/plain", "multipart/form-data; boundary=x", ""]
)
def test_another_content_type_is_named(kind):
    with pytest.raises(StripeError) as refused:
        headers.check_content_type(request(content_type=kind))

    assert refused.value.status == 400
    assert str(refused.value) == f"Invalid content type: {kind}. {BODY} are not parsed."


def test_a_body_without_a_type_is_a_form_and_no_body_needs_no_type():
    headers.check_content_type(request())
    headers.check_content_type(request(b"", content_type="application/json"))


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ("Bearer sk_test_x", "sk_test_x"),
        ("bearer  sk_test_x ", "sk_test_x"),
        ("Basic " + base64.b64encode(b"sk_test_x:").decode(), "sk_test_x"),
        ("basic " + base64.b64encode(b"sk_test_x:secret").decode(), "sk_test_x"),
        ("Basic " + base64.b64encode(b":").decode(), None),
        ("Basic !!!", None),
        ("Basic " + base64.b64encode(b"\xff\xff").decode(), None),
        ("Basic é", None),
        ("Bearer", None),
        ("Bearer ", None),
        ("Digest sk_test_x", None),
        ("", None),
    ],
)
def test_the_api_key_is_bearer_or_basic(given, key):
    assert headers.bearer(request(authorization=given)) == key


def test_without_authorization_there_is_no_api_key():
    assert headers.bearer(request()) is None


@pytest.mark.parametrize("key", ["sk_test_x", "rk_test_x", "vk_test_x", "sk_test_" + "a" * 99])
def test_test_keys_are_taken(key):
    assert headers.refused_key(key) is None


@pytest.mark.parametrize(
    ("key", "status", "message"),
    [
        (None, 401, NO_KEY),
        ("foo", 401, "Invalid API Key provided: ***"),
        ("sk_test_", 401, "Invalid API Key provided: sk_test_"),
        ("a_long_unknown_key", 401, "Invalid API Key provided: **************_key"),
        (
            "sk_live_0123456789abcdef",
            401,
            LIVE,
        ),
        (
            "pk_test_0123456789",
            403,
            PUBLISHABLE,
        ),
    ],
)
def test_other_keys_are_refused_in_front(key, status, message):
    error = headers.refused_key(key)

    assert (error.status, error.front, str(error)) == (status, True, message)
    challenge = ("WWW-Authenticate", 'Bearer realm="Stripe"')
    assert error.headers == ((challenge,) if status == 401 else (("X-Robots-Tag", "none"),))


@pytest.mark.parametrize(
    ("key", "masked"),
    [
        ("sk_test_0123456789abcdef", "sk_test_************cdef"),
        ("rk_test_012345678", "rk_test_*****5678"),
        ("sk_test_01234567", "sk_test_********"),
        ("", ""),
    ],
)
def test_a_key_is_never_shown_whole(key, masked):
    assert headers.mask(key) == masked


def test_an_unknown_url_says_how_urls_are_meant():
    error = headers.unknown_url(request())

    assert (error.status, error.code, error.unsupported) == (404, None, True)
    assert error.headers == (("Fakestripe-Unsupported", "POST /v1/charges"),)
    assert str(error) == (
        "Unrecognized request URL (POST: /v1/charges). If you are trying to list objects, remove "
        "the trailing slash. If you are trying to retrieve an object, make sure you passed a "
        "valid (non-empty) identifier in your code. Please see https://stripe.com/docs or we can "
        "help at https://support.stripe.com/."
    )
