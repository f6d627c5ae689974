"""Filters of the list of charges: each by itself, all together, whatever the clock did."""

import pytest

FORM = "amount=2000&currency=usd&source=tok_visa"
START = 1_785_715_411


@pytest.fixture
def ten(account):
    """Ten charges, a second apart, from ``START`` on; even ones are of one transfer group."""
    made = []
    for number in range(10):
        form = f"{FORM}&transfer_group=g" if number % 2 == 0 else FORM
        made.append(account.post(form).json["id"])
        account.now += 1
    return made


def seconds(account, query: str) -> tuple[list[int], bool]:
    page = account.get("/v1/charges", query).json
    return [charge["created"] - START for charge in page["data"]], page["has_more"]


@pytest.mark.parametrize(
    ("query", "found", "more"),
    [
        (f"created={START + 3}", [3], False),
        (f"created={START + 30}", [], False),
        (f"created[gte]={START + 7}", [9, 8, 7], False),
        (f"created[gt]={START + 7}", [9, 8], False),
        (f"created[lt]={START + 2}", [1, 0], False),
        (f"created[lte]={START + 2}", [2, 1, 0], False),
        (f"created[gt]={START + 2}&created[lte]={START + 5}", [5, 4, 3], False),
        (f"created[gt]={START + 5}&created[gte]={START + 2}", [9, 8, 7, 6], False),
        (f"created[gt]={START + 5}&created[lt]={START + 2}", [], False),
        (f"created[gte]={START + 2}&limit=3", [9, 8, 7], True),
        (f"created[lte]={START + 6}&limit=3", [6, 5, 4], True),
        ("transfer_group=g&limit=2", [8, 6], True),
        ("transfer_group=g", [8, 6, 4, 2, 0], False),
        ("transfer_group=none", [], False),
        (f"transfer_group=g&created[lt]={START + 5}", [4, 2, 0], False),
    ],
)
def test_a_filter_shows_what_fits_it(account, ten, query, found, more):
    assert seconds(account, query) == (found, more)


def test_a_cursor_works_within_a_filter(account, ten):
    assert seconds(account, f"transfer_group=g&starting_after={ten[7]}")[0] == [6, 4, 2, 0]
    assert seconds(account, f"created[gte]={START + 3}&ending_before={ten[5]}")[0] == [9, 8, 7, 6]
    assert seconds(account, f"created[lt]={START + 3}&starting_after={ten[8]}")[0] == [2, 1, 0]


def test_a_clock_that_went_back_hides_nothing(account, ten):
    """The order of creation is kept, and the filter still tells by the time that charges carry."""
    account.bank.clock.advance(-8)
    account.post(FORM)

    assert seconds(account, "limit=1") == ([2], True)
    assert seconds(account, f"created[gte]={START + 1}&created[lte]={START + 3}")[0] == [
        2,
        3,
        2,
        1,
    ]


def test_all_filters_must_hold(account_of):
    account = account_of(customers="any")
    both = "amount=2000&currency=usd&customer=cus_1&transfer_group=g"
    wanted = account.post(both).json["id"]
    account.post(both.replace("cus_1", "cus_2"))
    account.post(both.replace("&transfer_group=g", ""))
    page = account.get("/v1/charges", "customer=cus_1&transfer_group=g").json

    assert [charge["id"] for charge in page["data"]] == [wanted]


def test_a_group_of_more_than_a_hundred_is_refused(account):
    for _ in range(101):
        account.post(f"{FORM}&transfer_group=g")
    refused = account.get("/v1/charges", "transfer_group=g")

    assert refused.status == 400
    assert refused.error["message"] == "Too many charges with transfer group: g"


@pytest.mark.parametrize(
    ("query", "message", "param"),
    [
        ("created=", "Invalid integer: ", "created"),
        ("created=soon", "Invalid integer: soon", "created"),
        ("created[gte]=1.5", "Invalid integer: 1.5", "created[gte]"),
        ("created[since]=1", "Received unknown parameter: created[since]", "created[since]"),
        ("customer=cus_x", "No such customer: 'cus_x'", "customer"),
        ("payment_intent=pi_x", "No such payment_intent: 'pi_x'", "payment_intent"),
        ("foo=1", "Received unknown parameter: foo", "foo"),
    ],
)
def test_a_filter_that_is_none_is_refused(account, query, message, param):
    refused = account.get("/v1/charges", query)

    assert (refused.status, refused.error["message"], refused.error["param"]) == (
        400,
        message,
        param,
    )
