"""Pages: newest first, from either side, at a cost that does not grow (stripe-facts 6)."""

import pytest

VALUE, INTEGER = "This value must be", "parameter_invalid_integer"
ONE = "You may only specify one of these parameters: ending_before, starting_after."
FORM = "amount=2000&currency=usd&source=tok_visa"


@pytest.fixture
def thirteen(account):
    """13 charges, 1 the oldest."""
    return {number: account.post(FORM).json["id"] for number in range(1, 14)}


def page(account, made, query: str) -> tuple[list[int], bool]:
    number = {charge: number for number, charge in made.items()}
    listed = account.get("/v1/charges", query).json
    return [number[charge["id"]] for charge in listed["data"]], listed["has_more"]


@pytest.mark.parametrize(
    ("query", "numbers", "more"),
    [
        ("limit=4", [13, 12, 11, 10], True),
        ("limit=4&starting_after={7}", [6, 5, 4, 3], True),
        ("limit=4&starting_after={5}", [4, 3, 2, 1], False),
        ("limit=4&starting_after={1}", [], False),
        ("limit=4&ending_before={6}", [10, 9, 8, 7], True),
        ("limit=4&ending_before={9}", [13, 12, 11, 10], False),
        ("limit=4&ending_before={13}", [], False),
        ("", [13, 12, 11, 10, 9, 8, 7, 6, 5, 4], True),
        ("limit=13", list(range(13, 0, -1)), False),
        ("limit=100", list(range(13, 0, -1)), False),
    ],
)
def test_pages_are_newest_first_whatever_the_cursor(account, thirteen, query, numbers, more):
    marked = query
    for number, charge in thirteen.items():
        marked = marked.replace(f"{{{number}}}", charge)

    assert page(account, thirteen, marked) == (numbers, more)


def test_equal_seconds_keep_the_order_of_creation(account, thirteen):
    assert {charge.created for charge in account.charges} == {int(account.now)}
    assert page(account, thirteen, "limit=3")[0] == [13, 12, 11]


def test_a_list_is_a_list(account, thirteen):
    listed = account.get("/v1/charges", "limit=1")

    assert list(listed.json) == ["object", "data", "has_more", "url"]
    assert (listed.json["object"], listed.json["url"]) == ("list", "/v1/charges")
    assert account.get(f"/v1/charges/{thirteen[13]}").json == listed.json["data"][0]


def test_an_empty_list_is_empty(account):
    assert account.get("/v1/charges").body == (
        b'{\n  "object": "list",\n  "data": [],\n  "has_more": false,\n  "url": "/v1/charges"\n}'
    )


@pytest.mark.parametrize(
    ("query", "message", "param", "code"),
    [
        ("limit=0", f"{VALUE} greater than or equal to 1.", "limit", INTEGER),
        ("limit=101", f"{VALUE} less than or equal to 100", "limit", INTEGER),
        ("limit=ten", "Invalid integer: ten", "limit", INTEGER),
        ("starting_after=a&ending_before=b", ONE, "ending_before", "parameters_exclusive"),
        ("starting_after=ch_x", "No such charge: 'ch_x'", "starting_after", "resource_missing"),
        ("ending_before=ch_x", "No such charge: 'ch_x'", "ending_before", "resource_missing"),
    ],
)
def test_an_impossible_page_is_refused(account, query, message, param, code):
    answer = account.get("/v1/charges", query)

    assert (answer.status, answer.error["message"]) == (400, message)
    assert (answer.error["param"], answer.error["code"]) == (param, code)


def test_a_customers_charges_are_a_list_of_their_own(account_of):
    account = account_of(customers="any")
    made = {}
    for number in range(1, 7):
        owner = "cus_even" if number % 2 == 0 else "cus_odd"
        made[number] = account.post(f"amount=2000&currency=usd&customer={owner}").json["id"]

    assert page(account, made, "customer=cus_even") == ([6, 4, 2], False)
    assert page(account, made, "customer=cus_odd&limit=2") == ([5, 3], True)
    assert page(account, made, f"customer=cus_odd&starting_after={made[4]}") == ([3, 1], False)
    assert page(account, made, f"customer=cus_odd&ending_before={made[2]}") == ([5, 3], False)
    assert page(account, made, "customer=cus_none") == ([], False)


def test_a_page_reads_no_more_than_is_on_it(account):
    """Counted, not timed: whatever the length of the list, a page looks at its own items."""

    class Counting(dict):
        read = 0

        def __getitem__(self, key):
            Counting.read += 1
            return super().__getitem__(key)

    charges = account.bank.ledger.collection("charge")
    first = account.post(FORM).json["id"]
    for _ in range(200):
        account.post(FORM)
    charges.by_id = Counting(charges.by_id)
    account.get("/v1/charges", "limit=3")
    account.get("/v1/charges", f"limit=3&ending_before={first}")

    assert Counting.read == 6
