"""Refunds: whole, in parts, beyond what is left, of a hold; on every route (facts 3.2, 4.5)."""

import pytest

CHARGE = "amount=2000&currency=usd&source=tok_visa"
ONE = "One of the following params should be provided for this request: payment_intent or charge."
REASON = "Invalid reason: must be one of duplicate, fraudulent, or requested_by_customer"
BOTH = "You may only specify one of these parameters: charge, payment_intent."


@pytest.fixture
def charge(account) -> str:
    """A captured charge of 20 dollars."""
    return account.post(CHARGE).json["id"]


def refund(account, charge: str, form: str = "", key: str | None = None):
    return account.post(f"charge={charge}&{form}", key, path="/v1/refunds")


def of(account, charge: str):
    return account.get(f"/v1/charges/{charge}").json


def test_a_refund_is_of_the_whole_charge_unless_it_says_less(account, charge):
    made = refund(account, charge).json
    after = of(account, charge)

    assert made == {
        "id": made["id"],
        "object": "refund",
        "amount": 2000,
        "balance_transaction": made["balance_transaction"],
        "charge": charge,
        "created": int(account.now),
        "currency": "usd",
        "customer": None,
        "customer_account": None,
        "destination_details": {
            "card": {
                "reference_status": "pending",
                "reference_type": "acquirer_reference_number",
                "type": "refund",
            },
            "type": "card",
        },
        "metadata": {},
        "payment_intent": None,
        "payment_method": after["payment_method"],
        "reason": None,
        "receipt_number": None,
        "source_transfer_reversal": None,
        "status": "succeeded",
        "transfer_reversal": None,
    }
    assert made["id"][:20] == f"re_{charge[3:20]}"
    assert made["balance_transaction"][:21] == f"txn_{charge[3:20]}"
    assert (after["refunded"], after["amount_refunded"], after["captured"]) == (True, 2000, True)
    assert (after["status"], after["amount_captured"]) == ("succeeded", 2000)


def test_parts_add_up_until_nothing_is_left(account, charge):
    first = refund(account, charge, "amount=500&reason=duplicate&metadata[a]=b").json
    beyond = refund(account, charge, "amount=1501", "K1")
    rest = refund(account, charge).json
    again = refund(account, charge, "", "K2")

    assert (first["amount"], first["reason"], first["metadata"]) == (500, "duplicate", {"a": "b"})
    assert beyond.error == {
        "message": "Refund amount ($15.01) is greater than unrefunded amount on charge ($15.00)",
        "param": "amount",
        "type": "invalid_request_error",
    }
    assert beyond.stored_under("K1")
    assert rest["amount"] == 1500
    assert again.error == {
        "code": "charge_already_refunded",
        "message": f"Charge {charge} has already been refunded.",
        "type": "invalid_request_error",
    }
    assert again.stored_under("K2")


def test_more_than_the_charge_is_refused_in_other_words(account, charge):
    refund(account, charge, "amount=500")
    refused = refund(account, charge, "amount=2100")

    assert refused.error["message"] == (
        "Refund amount ($21.00) is greater than charge amount ($20.00)"
    )
    assert of(account, charge)["amount_refunded"] == 500


def test_what_a_refund_moved_is_journalled(account, charge):
    made = refund(account, charge, "amount=500").json["id"]
    attempt = account.bank.journal.attempts[-1]

    assert (attempt.moved.kind, attempt.moved.id, attempt.moved.charge) == ("refund", made, charge)
    assert (attempt.moved.amount, attempt.moved.currency) == (500, "usd")
    assert attempt.ids == (made, charge)
    assert attempt.step == "refund"


def test_a_hold_is_let_go_in_full(account):
    charge = account.post(f"{CHARGE}&capture=false").json["id"]
    partly = refund(account, charge, "amount=500", "K1")
    made = refund(account, charge).json
    after = of(account, charge)
    captured = account.post("", path=f"/v1/charges/{charge}/capture")

    assert partly.error == {
        "message": "You cannot partially refund an uncaptured charge. Instead, capture the charge "
        "for an amount less than the original amount",
        "param": "amount",
        "type": "invalid_request_error",
    }
    assert partly.stored_under("K1")
    assert (made["amount"], made["balance_transaction"]) == (2000, None)
    assert made["destination_details"] == {"card": {"type": "reversal"}, "type": "card"}
    assert (after["captured"], after["refunded"], after["amount_refunded"]) == (False, True, 2000)
    assert captured.error["code"] == "charge_already_refunded"


def test_a_failed_charge_has_nothing_to_refund(account):
    charge = account.post(CHARGE.replace("tok_visa", "tok_chargeDeclined")).error["charge"]
    refused = refund(account, charge, "", "K1")

    assert refused.error["message"] == f"Charge {charge} failed and cannot be refunded."
    assert refused.stored_under("K1")


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("", (400, ONE, None)),
        ("amount=5", (400, ONE, None)),
        ("charge=ch_x&payment_intent=pi_x", (400, BOTH, "charge")),
        ("charge=ch_x", (404, "No such charge: 'ch_x'", "id")),
        ("payment_intent=pi_x", (404, "No such payment_intent: 'pi_x'", "payment_intent")),
        ("charge={}&amount=0", (400, "This value must be greater than or equal to 1.", "amount")),
        ("charge={}&amount=1.5", (400, "Invalid integer: 1.5", "amount")),
        ("charge={}&reason=expired_uncaptured_charge", (400, REASON, "reason")),
        ("charge={}&foo=1", (400, "Received unknown parameter: foo", "foo")),
    ],
)
def test_what_is_no_refund_is_refused_and_not_recorded(account, charge, form, expected):
    refused = account.post(form.format(charge), "K1", path="/v1/refunds")

    assert (refused.status, refused.error["message"], refused.error.get("param")) == expected
    assert refused.executed_nothing("K1")
    assert of(account, charge)["amount_refunded"] == 0


def test_what_connect_adds_is_refused_aloud(account, charge):
    refused = refund(account, charge, "reverse_transfer=true")

    assert (refused.status, refused.headers["Fakestripe-Unsupported"]) == (400, "reverse_transfer")


def test_the_route_below_a_charge_answers_the_refund(account, charge):
    made = account.post("amount=300", path=f"/v1/charges/{charge}/refunds").json
    unknown = account.post("", path="/v1/charges/ch_x/refunds")

    assert (made["object"], made["amount"], made["charge"]) == ("refund", 300, charge)
    assert (unknown.status, unknown.error["message"]) == (404, "No such charge: 'ch_x'")


def test_the_old_route_answers_the_charge(account, charge):
    answered = account.post("amount=300", "K1", path=f"/v1/charges/{charge}/refund")
    attempt = account.bank.journal.attempts[-1]

    assert answered.json == of(account, charge)
    assert (answered.json["object"], answered.json["amount_refunded"]) == ("charge", 300)
    assert (attempt.moved.kind, attempt.moved.amount, attempt.step) == ("refund", 300, "refund")
    assert attempt.ids[1] == charge


def test_refunds_are_retrieved_by_themselves_and_as_part_of_their_charge(account, charge):
    made = refund(account, charge, "amount=300").json
    other = account.post(CHARGE).json["id"]
    alone = account.get(f"/v1/refunds/{made['id']}")
    within = account.get(f"/v1/charges/{charge}/refunds/{made['id']}")
    elsewhere = account.get(f"/v1/charges/{other}/refunds/{made['id']}")

    assert alone.json == within.json == made
    assert (elsewhere.status, elsewhere.error["param"]) == (404, "refund")
    assert account.get("/v1/refunds/re_x").error["message"] == "No such refund: 're_x'"


def test_refunds_are_listed_newest_first_by_what_is_asked(account, charge):
    other = account.post(CHARGE).json["id"]
    made = [refund(account, each, "amount=100").json["id"] for each in (charge, other, charge)]

    def listed(path: str, query: str = "") -> list[str]:
        return [each["id"] for each in account.get(path, query).json["data"]]

    assert listed("/v1/refunds") == made[::-1]
    assert listed("/v1/refunds", f"charge={charge}") == [made[2], made[0]]
    assert listed("/v1/refunds", f"charge={charge}&limit=1&starting_after={made[2]}") == [made[0]]
    assert listed(f"/v1/charges/{charge}/refunds") == [made[2], made[0]]
    assert listed("/v1/refunds", "created[lt]=5") == []
    assert account.get(f"/v1/charges/{charge}/refunds").json["url"] == (
        f"/v1/charges/{charge}/refunds"
    )
    assert account.get("/v1/refunds", "charge=ch_x").error["message"] == "No such charge: 'ch_x'"


def test_only_metadata_of_a_refund_can_change(account, charge):
    made = refund(account, charge, "metadata[a]=1&metadata[b]=2").json["id"]
    changed = account.post("metadata[b]=&metadata[c]=3", path=f"/v1/refunds/{made}").json
    within = account.post("metadata=", path=f"/v1/charges/{charge}/refunds/{made}").json
    same = account.post("", path=f"/v1/refunds/{made}").json

    assert changed["metadata"] == {"a": "1", "c": "3"}
    assert within["metadata"] == same["metadata"] == {}
    assert account.post("amount=1", path=f"/v1/refunds/{made}").error["param"] == "amount"
    assert account.post("", path="/v1/refunds/re_x").status == 404


def test_a_charge_shows_its_refunds_where_it_is_asked_to(account, charge):
    for _ in range(11):
        refund(account, charge, "amount=100")
    shown = account.get(f"/v1/charges/{charge}", "expand[]=refunds.data.balance_transaction").json
    page = shown["refunds"]

    assert "refunds" not in of(account, charge)
    assert [page["object"], len(page["data"]), page["has_more"]] == ["list", 10, True]
    assert page["url"] == f"/v1/charges/{charge}/refunds"
    assert {each["balance_transaction"]["amount"] for each in page["data"]} == {-100}


def test_a_refund_is_answered_with_its_charge_where_it_is_asked_to(account, charge):
    made = refund(account, charge, "amount=300&expand[]=charge.refunds", "K1")

    assert made.json["charge"]["amount_refunded"] == 300
    assert [each["amount"] for each in made.json["charge"]["refunds"]["data"]] == [300]
    assert refund(account, charge, "amount=300&expand[]=charge.refunds", "K1").replays(made)


def test_what_is_not_captured_stands_among_the_refunds(account):
    charge = account.post(f"{CHARGE}&capture=false").json["id"]
    account.post("amount=500", path=f"/v1/charges/{charge}/capture")
    [released] = account.get(f"/v1/charges/{charge}/refunds").json["data"]
    rest = refund(account, charge).json

    assert (released["amount"], released["balance_transaction"]) == (1500, None)
    assert (rest["amount"], of(account, charge)["refunded"]) == (500, True)
