"""Updating a charge: what it says changes, what it moved does not (facts 4.1)."""

import pytest

CHARGE = "amount=2000&currency=usd&source=tok_visa&metadata[a]=1&metadata[b]=2"
ONCE = "{} can only be set if it has not already been set on the Charge."


@pytest.fixture
def charge(account) -> str:
    """A charge with some metadata."""
    return account.post(CHARGE).json["id"]


def update(account, charge: str, form: str, key: str | None = None):
    return account.post(form, key, path=f"/v1/charges/{charge}")


def test_what_is_given_changes_and_the_rest_stays(account, charge):
    before = account.get(f"/v1/charges/{charge}").json
    after = update(
        account,
        charge,
        "description=d&receipt_email=a@b.c&fraud_details[user_report]=safe&shipping[name]=N"
        "&shipping[address][line1]=1",
    ).json

    assert after == before | {
        "description": "d",
        "receipt_email": "a@b.c",
        "fraud_details": {"user_report": "safe"},
        "shipping": after["shipping"],
    }
    assert after["shipping"]["name"] == "N"
    assert account.get(f"/v1/charges/{charge}").json == after
    assert update(account, charge, "description=&shipping=").json == after | {
        "description": None,
        "shipping": None,
    }


@pytest.mark.parametrize(
    ("form", "metadata"),
    [
        ("metadata[c]=3", {"a": "1", "b": "2", "c": "3"}),
        ("metadata[a]=9", {"a": "9", "b": "2"}),
        ("metadata[a]=&metadata[c]=3", {"b": "2", "c": "3"}),
        ("metadata[a]=&metadata[b]=", {}),
        ("metadata=", {}),
    ],
)
def test_metadata_is_merged(account, charge, form, metadata):
    assert update(account, charge, form).json["metadata"] == metadata


def test_metadata_is_limited_after_it_is_merged(account, charge):
    form = "&".join(f"metadata[k{number}]=1" for number in range(49))
    refused = update(account, charge, form)

    assert refused.error["message"] == "Metadata can have up to 50 keys, but you've set 51"
    assert account.get(f"/v1/charges/{charge}").json["metadata"] == {"a": "1", "b": "2"}


@pytest.mark.parametrize("name", ["customer", "transfer_group"])
def test_some_things_are_set_once(account_of, name):
    account = account_of(customers="any")
    charge = account.post(CHARGE).json["id"]
    first = update(account, charge, f"{name}=cus_1").json
    same = update(account, charge, f"{name}=cus_1")
    other = update(account, charge, f"{name}=cus_2", "K1")

    assert (first[name], same.status) == ("cus_1", 200)
    assert (other.status, other.error["message"]) == (400, ONCE.format(name))
    assert other.stored_under("K1")
    assert [c["id"] for c in account.get("/v1/charges", f"{name}=cus_1").json["data"]] == [charge]


@pytest.mark.parametrize(
    ("form", "message", "param"),
    [
        ("customer=cus_x", "No such customer: 'cus_x'", "customer"),
        ("amount=1", "Received unknown parameter: amount", "amount"),
        ("fraud_details=", "Missing required param: fraud_details.", "fraud_details"),
        (
            "fraud_details[user_report]=maybe",
            "Invalid fraud_details[user_report]: must be one of fraudulent or safe",
            "fraud_details[user_report]",
        ),
    ],
)
def test_what_is_no_update_is_refused(account, charge, form, message, param):
    refused = update(account, charge, form, "K1")

    assert (refused.status, refused.error["message"]) == (400, message)
    assert refused.error["param"] == param
    assert refused.executed_nothing("K1")


def test_an_unknown_charge_is_a_404(account):
    refused = update(account, "ch_x", "description=d", "K1")

    assert (refused.status, refused.error["param"]) == (404, "id")
    assert refused.executed_nothing("K1")


def test_an_update_moves_no_money(account, charge):
    update(account, charge, "description=d", "K1")
    attempt = account.bank.journal.attempts[-1]

    assert (attempt.moved, attempt.step, attempt.ids) == (None, None, (charge,))
