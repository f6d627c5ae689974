"""Whatever is sent to a POST: Stripe's error shape or a charge that was asked for, never a 5xx."""

from hypothesis import given, settings
from hypothesis import strategies as st

from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.form import parse

NAMES = st.sampled_from(
    [
        *("amount", "currency", "source", "customer", "capture", "description", "metadata[a]"),
        *("metadata", "metadata[a][b]", "shipping[name]", "shipping[address][line1]", "expand[]"),
        *("statement_descriptor", "receipt_email", "foo", "a[", "]", "", "application_fee"),
    ]
)
VALUES = st.sampled_from(
    [
        "2000",
        "usd",
        "tok_visa",
        "tok_chargeDeclined",
        "true",
        "",
        "x" * 600,
        "-1",
        "%00",
        "%FF",
        "¤",
    ]
) | st.text(max_size=8)
PATHS = st.sampled_from(["/v1/charges", "/v1/customers", "/v1/charges/ch_x/capture"])
FORMS = st.lists(st.tuples(NAMES, VALUES), max_size=8).map(
    lambda pairs: "&".join(f"{name}={value}" for name, value in pairs)
)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(FORMS | st.text(), PATHS, st.sampled_from([None, "K1", "", "é", "k" * 300]))
def test_every_post_is_answered_as_stripe_would(account_of, form, path, key):
    account = account_of()
    answer = account.post(form.encode("utf-8", "surrogatepass"), key, path=path)

    assert answer.status in (200, 400, 402, 404)
    assert account.bank.journal.bugs == []
    if answer.status == 200:
        assert asked_for(form, answer.json)
    else:
        assert {"message", "type"} <= set(answer.json["error"])
        assert answer.status == 402 or account.charges == []


def asked_for(form: str, made: dict) -> bool:
    try:
        tree = parse(form.encode())
    except StripeError:
        return False
    return made["object"] == "customer" or str(made["amount"]) == str(int(tree["amount"]))
