"""Balance and its transactions: what money brings, costs, and when it is there (facts 8)."""

import pytest

CHARGE = "amount=2000&currency=usd&source=tok_visa"
SECOND, SIXTH_MIDNIGHT = 1_785_715_411, 1_786_233_600


def transaction(account, form: str = CHARGE) -> dict:
    name = account.post(form).json["balance_transaction"]
    return account.get(f"/v1/balance_transactions/{name}").json


def funds(account) -> tuple[dict[str, int], dict[str, int]]:
    shown = account.get("/v1/balance").json
    return tuple({f["currency"]: f["amount"] for f in shown[w]} for w in ("available", "pending"))


def test_a_charge_brings_its_amount_less_the_fee(account):
    charge = account.post(f"{CHARGE}&description=Tea").json
    name = charge["balance_transaction"]

    assert account.get(f"/v1/balance_transactions/{name}").json == {
        "id": name,
        "object": "balance_transaction",
        "amount": 2000,
        "available_on": SIXTH_MIDNIGHT,
        "balance_type": "payments",
        "created": SECOND,
        "currency": "usd",
        "description": "Tea",
        "exchange_rate": None,
        "fee": 88,
        "fee_details": [
            {
                "amount": 88,
                "application": None,
                "currency": "usd",
                "description": "Stripe processing fees",
                "type": "stripe_fee",
            }
        ],
        "net": 1912,
        "reporting_category": "charge",
        "source": charge["id"],
        "status": "pending",
        "type": "charge",
    }


@pytest.mark.parametrize(("amount", "fee"), [(50, 31), (1000, 59), (1017, 59), (1018, 60)])
def test_the_fee_is_rounded(account, amount, fee):
    assert transaction(account, CHARGE.replace("2000", str(amount)))["fee"] == fee


def test_a_refund_takes_its_amount_and_returns_no_fee(account):
    charge = account.post(f"{CHARGE}&description=Tea").json["id"]
    made = account.post(f"charge={charge}&amount=500", path="/v1/refunds").json
    taken = account.get(f"/v1/balance_transactions/{made['balance_transaction']}").json

    assert (taken["amount"], taken["fee"], taken["fee_details"], taken["net"]) == (
        -500,
        0,
        [],
        -500,
    )
    assert (taken["type"], taken["reporting_category"]) == ("refund", "refund")
    assert (taken["source"], taken["description"]) == (made["id"], "REFUND FOR CHARGE (Tea)")
    assert funds(account) == ({"usd": 0}, {"usd": 1412})


def test_only_what_is_captured_brings_money(account):
    account.post(CHARGE.replace("tok_visa", "tok_chargeDeclined"))
    held = account.post(f"{CHARGE}&capture=false").json

    assert held["balance_transaction"] is None
    assert account.get("/v1/balance_transactions").json["data"] == []

    account.now += 5
    captured = account.post("amount=500", path=f"/v1/charges/{held['id']}/capture").json
    [brought] = account.get("/v1/balance_transactions").json["data"]

    assert brought["id"] == captured["balance_transaction"]
    assert (brought["amount"], brought["created"]) == (500, SECOND + 5)


def test_a_hold_that_is_let_go_moves_nothing(account):
    held = account.post(f"{CHARGE}&capture=false").json["id"]
    account.post(f"charge={held}", path="/v1/refunds")

    assert account.get("/v1/balance_transactions").json["data"] == []
    assert funds(account) == ({"usd": 0}, {"usd": 0})


def test_money_is_pending_until_it_is_available(account):
    name = transaction(account)["id"]
    account.post(CHARGE.replace("usd", "eur"))
    account.bank.clock.set(SIXTH_MIDNIGHT - 1, frozen=True)
    before = account.get(f"/v1/balance_transactions/{name}").json["status"]

    assert funds(account) == ({"usd": 0}, {"usd": 1912, "eur": 1912})

    account.bank.clock.set(SIXTH_MIDNIGHT, frozen=True)
    after = account.get(f"/v1/balance_transactions/{name}").json["status"]

    assert funds(account) == ({"usd": 1912, "eur": 1912}, {"usd": 0})
    assert (before, after) == ("pending", "available")


def test_money_of_one_test_card_is_available_at_once(account):
    made = transaction(account, CHARGE.replace("tok_visa", "tok_bypassPending"))

    assert (made["available_on"], made["status"]) == (SECOND - SECOND % 86_400, "available")
    assert funds(account) == ({"usd": 1912}, {"usd": 0})


def test_the_balance_is_an_object_of_its_own(account):
    assert account.get("/v1/balance").json == {
        "object": "balance",
        "available": [{"amount": 0, "currency": "usd", "source_types": {"card": 0}}],
        "livemode": False,
        "pending": [{"amount": 0, "currency": "usd", "source_types": {"card": 0}}],
    }


def test_transactions_are_listed_newest_first_by_what_is_asked(account):
    charge = account.post(CHARGE).json
    euros = account.post(CHARGE.replace("usd", "eur")).json
    back = account.post(f"charge={charge['id']}", path="/v1/refunds").json
    made = [each["balance_transaction"] for each in (charge, euros, back)]

    def listed(query: str) -> list[str]:
        shown = account.get("/v1/balance_transactions", query).json
        return [each["id"] for each in shown["data"]]

    assert listed("") == made[::-1]
    assert listed("type=charge") == [made[1], made[0]]
    assert listed("type=charge&currency=USD") == [made[0]]
    assert listed(f"source={back['id']}") == [made[2]]
    assert listed(f"starting_after={made[2]}&limit=1") == [made[1]]
    assert listed("created[gt]=1785715411") == listed("type=payout") == []


def test_a_transaction_is_shown_with_its_source_and_a_charge_with_its_transaction(account):
    charge = account.post(f"{CHARGE}&expand[]=balance_transaction.source").json
    made = charge["balance_transaction"]
    page = account.get("/v1/balance_transactions", "expand[]=data.source.customer").json

    assert (made["fee"], made["source"]["id"]) == (88, charge["id"])
    assert page["data"][0]["source"]["amount"] == 2000


@pytest.mark.parametrize(
    ("path", "query", "status", "message"),
    [
        ("/v1/balance_transactions/txn_x", "", 404, "No such balance transaction: 'txn_x'"),
        ("/v1/balance", "foo=1", 400, "Received unknown parameter: foo"),
        (
            "/v1/balance_transactions",
            "starting_after=txn_x",
            400,
            "No such balance transaction: 'txn_x'",
        ),
        ("/v1/balance", "expand[]=pending", 400, "This property cannot be expanded (pending)."),
    ],
)
def test_what_is_not_there_is_named(account, path, query, status, message):
    refused = account.get(path, query)

    assert (refused.status, refused.error["message"]) == (status, message)


def test_a_filter_by_payout_is_refused_aloud(account):
    refused = account.get("/v1/balance_transactions", "payout=po_1")

    assert refused.headers["Fakestripe-Unsupported"] == "payout"
