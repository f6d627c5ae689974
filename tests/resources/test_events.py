"""Events: one a change of state, with who asked; a replay and a refusal make none (facts 8)."""

import pytest

CHARGE = "amount=2000&currency=usd&source=tok_visa"


def types(account, query: str = "limit=100") -> list[str]:
    """The types of all events, oldest first."""
    return [each["type"] for each in account.get("/v1/events", query).json["data"]][::-1]


def newest(account) -> dict:
    return account.get("/v1/events", "limit=1").json["data"][0]


def test_an_event_tells_what_happened_and_who_asked(account):
    made = account.post(f"{CHARGE}&metadata[a]=b", "K1")
    event = newest(account)

    assert event == {
        "id": event["id"],
        "object": "event",
        "api_version": "2026-10-28.endive",
        "created": int(account.now),
        "data": {"object": made.json},
        "livemode": False,
        "pending_webhooks": 0,
        "request": {"id": made.headers["Request-Id"], "idempotency_key": "K1"},
        "type": "charge.succeeded",
    }
    assert event["id"][:21] == f"evt_{made.json['id'][3:20]}"
    assert account.get(f"/v1/events/{event['id']}").json == event


def test_every_change_of_state_is_told_once(account):
    charge = account.post(CHARGE).json["id"]
    account.post(CHARGE.replace("tok_visa", "tok_chargeDeclined"))
    held = account.post(f"{CHARGE}&capture=false").json["id"]
    account.post("", path=f"/v1/charges/{held}/capture")
    account.post("description=d", path=f"/v1/charges/{charge}")
    back = account.post(f"charge={charge}", path="/v1/refunds").json["id"]
    account.post("metadata[a]=b", path=f"/v1/refunds/{back}")
    account.post("", path="/v1/customers")

    assert types(account) == [
        "charge.succeeded",
        "charge.failed",
        "charge.succeeded",
        "charge.captured",
        "charge.updated",
        "refund.created",
        "charge.refunded",
        "refund.updated",
        "charge.refund.updated",
        "customer.created",
    ]


def test_what_changes_nothing_is_not_told(account):
    made = account.post(CHARGE, "K1").json["id"]
    back = account.post(f"charge={made}&amount=5", path="/v1/refunds").json["id"]
    before = types(account)
    account.post(CHARGE, "K1")
    account.post(f"{CHARGE}&description=x", "K1")
    account.post("amount=abc", path="/v1/charges")
    account.post("amount=5000", path=f"/v1/charges/{made}/refunds")
    account.post("metadata[a]=", path=f"/v1/charges/{made}")
    account.post("", path=f"/v1/charges/{made}")
    account.post("metadata=", path=f"/v1/refunds/{back}")
    account.post("", path=f"/v1/refunds/{back}")
    account.get(f"/v1/charges/{made}")

    assert types(account) == before


def test_an_update_tells_how_it_was_before(account):
    made = account.post(f"{CHARGE}&metadata[a]=1&metadata[b]=2").json["id"]
    account.post("description=d&metadata[a]=3&metadata[c]=4", path=f"/v1/charges/{made}")

    assert newest(account)["data"]["previous_attributes"] == {
        "description": None,
        "metadata": {"a": "1", "c": None},
    }


def test_an_event_holds_the_object_as_it_was_then(account):
    made = account.post(CHARGE).json
    account.post(f"charge={made['id']}", path="/v1/refunds")
    events = account.get("/v1/events").json["data"]

    assert events[-1]["data"]["object"] == made
    assert events[0]["data"]["object"]["refunded"] is True
    assert events[0]["data"]["previous_attributes"] == {"amount_refunded": 0, "refunded": False}


def test_a_keyless_request_is_told_with_the_key_that_the_server_made(account):
    made = account.post(CHARGE)

    assert newest(account)["request"]["idempotency_key"] == made.headers["Idempotency-Key"]


def test_ids_are_stable_and_differ(account, account_of):
    other = account_of()
    for each in (account, other):
        for _ in range(3):
            each.post(CHARGE)
        each.post("", path="/v1/customers")
    ids = [[e["id"] for e in each.get("/v1/events").json["data"]] for each in (account, other)]

    assert ids[0] == ids[1]
    assert len(set(ids[0])) == 4
    assert {len(name) for name in ids[0]} == {len("evt_") + 24}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("type=charge.failed", ["charge.failed"]),
        ("type=charge.*", ["charge.succeeded", "charge.failed", "charge.refunded"]),
        ("type=*", ["charge.succeeded", "charge.failed", "refund.created", "charge.refunded"]),
        ("types[]=charge.failed&types[]=refund.created", ["charge.failed", "refund.created"]),
        ("types[0]=charge.*&limit=2", ["charge.failed", "charge.refunded"]),
        ("type=customer.created", []),
        ("created[lt]=5", []),
        ("types=", ["charge.succeeded", "charge.failed", "refund.created", "charge.refunded"]),
    ],
)
def test_events_are_listed_by_type(account, query, found):
    made = account.post(CHARGE).json["id"]
    account.post(CHARGE.replace("tok_visa", "tok_chargeDeclined"))
    account.post("amount=5", path=f"/v1/charges/{made}/refunds")

    assert types(account, query) == found


def test_a_cursor_works_across_types(account):
    for _ in range(3):
        account.post(CHARGE)
        account.post("", path="/v1/customers")
    listed = account.get("/v1/events", "type=c*").json["data"]
    middle = listed[2]["id"]
    older = account.get("/v1/events", f"type=c*&starting_after={middle}&limit=2").json
    newer = account.get("/v1/events", f"type=c*&ending_before={middle}&limit=1").json

    assert [e["id"] for e in older["data"]] == [e["id"] for e in listed[3:5]]
    assert [e["id"] for e in newer["data"]] == [listed[1]["id"]]
    assert older["has_more"] is newer["has_more"] is True


@pytest.mark.parametrize(
    ("path", "query", "status", "message"),
    [
        ("/v1/events/evt_x", "", 404, "No such event: 'evt_x'"),
        ("/v1/events", "starting_after=evt_x", 400, "No such event: 'evt_x'"),
        ("/v1/events", "types=charge.failed", 400, "Invalid array"),
        ("/v1/events", "types[][a]=b", 400, "Invalid string: {...}"),
        ("/v1/events", "&".join(["types[]=a"] * 21), 400, "You may specify up to 20 types."),
        (
            "/v1/events",
            "type=a&types[]=b",
            400,
            "You may only specify one of these parameters: type, types.",
        ),
        (
            "/v1/events",
            "expand[]=data.request",
            400,
            "This property cannot be expanded (data.request).",
        ),
    ],
)
def test_what_cannot_be_shown_is_refused(account, path, query, status, message):
    refused = account.get(path, query)

    assert (refused.status, refused.error["message"]) == (status, message)


def test_whether_they_were_delivered_is_not_known(account):
    refused = account.get("/v1/events", "delivery_success=true")

    assert refused.headers["Fakestripe-Unsupported"] == "delivery_success"


def test_a_reader_of_events_is_told_of_the_charges_in_them(account):
    made = account.post(CHARGE).json["id"]
    account.get("/v1/events")
    account.get("/v1/balance_transactions")

    assert [attempt.ids for attempt in account.bank.journal.attempts[-2:]] == [(made,), (made,)]
