"""Whatever is sent to a POST: Stripe's error shape or what was asked for, never a 5xx."""

from hypothesis import given, settings
from hypothesis import strategies as st

from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.form import parse
from fakestripe.resources.endpoint import Post
from fakestripe.resources.routes import ROUTES

NAMES = st.sampled_from(
    [
        *("amount", "currency", "source", "customer", "capture", "description", "metadata[a]"),
        *("metadata", "metadata[a][b]", "shipping[name]", "shipping[address][line1]", "expand[]"),
        *("statement_descriptor", "receipt_email", "foo", "a[", "]", "", "application_fee"),
        *("confirm", "payment_method", "payment_method_data[type]", "capture_method", "reason"),
        *("payment_method_data[card][token]", "off_session", "payment_method_types[]", "card"),
        *("card[number]", "card[exp_month]", "card[exp_year]", "card[token]", "source[number]"),
        *("type", "charge", "payment_intent", "amount_to_capture", "cancellation_reason", "id"),
        *("billing_details[name]", "email", "default_source", "fraud_details[user_report]"),
    ]
)
TEXTS = st.sampled_from(
    [
        *("2000", "usd", "tok_visa", "tok_chargeDeclined", "true", "false", "", "x" * 600, "-1"),
        *("%00", "%FF", "¤", "card", "4242424242424242", "8", "2040", "manual", "duplicate"),
        *("pm_card_visa", "pm_card_visa_chargeDeclined", "pm_card_authenticationRequired"),
        *("customer", "latest_charge", "off_session"),
    ]
)
MADE = {
    "charges": ("/v1/charges", "amount=2000&currency=usd&source=tok_visa&capture=false"),
    "refunds": ("/v1/refunds", "charge={charges}"),
    "customers": ("/v1/customers", "source=tok_visa"),
    "payment_methods": ("/v1/payment_methods/pm_card_visa/attach", "customer={customers}"),
    "payment_intents": ("/v1/payment_intents", "amount=2000&currency=usd"),
}
"""One object of every kind that a path may name, each made with those before it."""
VALUES = (
    TEXTS | st.sampled_from([f"{{{kind}}}" for kind in MADE]) | st.text("{}[]=%é 0", max_size=8)
)
FORMS = st.lists(st.tuples(NAMES, VALUES), max_size=8).map(
    lambda pairs: "&".join(f"{name}={value}" for name, value in pairs)
)
POSTS = [route.pattern for route in ROUTES if isinstance(route, Post)]
KEYS = st.sampled_from([None, "K1", "", "é", "k" * 300])


def path_of(pattern: str, made: dict[str, str]) -> str:
    kind = pattern.split("/")[2]
    return pattern.replace("{id}", made.get(kind, "x")).replace("{part}", made["refunds"])


@settings(derandomize=True, deadline=None, max_examples=200)
@given(FORMS | st.text(), st.sampled_from(POSTS), KEYS, st.sampled_from(["strict", "any"]))
def test_every_post_is_answered_as_stripe_would(account_of, form, pattern, key, customers):
    account = account_of(customers=customers)
    made: dict[str, str] = {}
    for kind, (path, asked) in MADE.items():
        made[kind] = account.post(asked.format_map(made), path=path).json["id"]
    for kind, name in made.items():
        form = form.replace(f"{{{kind}}}", name)
    before = live(account)
    answer = account.post(form.encode("utf-8", "surrogatepass"), key, path=path_of(pattern, made))

    assert answer.status in (200, 400, 402, 404)
    assert account.bank.journal.bugs == []
    if answer.status == 200:
        assert pattern != "/v1/charges" or asked_for(form, answer.json)
    else:
        assert {"message", "type"} <= set(answer.json["error"])
        assert live(account) == before


def live(account) -> list[str]:
    return [charge.id for charge in account.charges if charge.status != "failed"]


def asked_for(form: str, made: dict) -> bool:
    try:
        tree = parse(form.encode())
    except StripeError:
        return False
    return str(made["amount"]) == str(int(tree["amount"]))
