"""D16: pages and cursors over 13 charges, and reconcilers that read them well or badly."""

import pytest

from fakestripe.faults.kinds import Reset
from fakestripe.faults.rules import Profile, Rule, When
from fakestripe.verdict import judge, records_of

FORM = "amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_{}"
LOST = Profile("lost", (Rule("lost#0", "committed", (Reset(),), when=When(nth=(1,))),))


@pytest.fixture
def made(account) -> dict[int, str]:
    """13 charges, 1 the oldest; the answer to its request was lost."""
    account.profile = LOST
    account.begin(FORM.format(1), "K1").to_the_end()
    for number in range(2, 14):
        account.elapsed += 1
        account.post(FORM.format(number), f"k{number}order")
    return dict(enumerate([charge.id for charge in account.charges], 1))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("limit=4", ([13, 12, 11, 10], True)),
        ("limit=4&starting_after={7}", ([6, 5, 4, 3], True)),
        ("limit=4&ending_before={6}", ([10, 9, 8, 7], True)),
        ("", ([13, 12, 11, 10, 9, 8, 7, 6, 5, 4], True)),
        ("starting_after={4}", ([3, 2, 1], False)),
        ("starting_after={7}&ending_before={6}", 400),
        ("limit=0", 400),
        ("limit=101", 400),
        ("starting_after=ch_unknown", 400),
        ("ending_before=ch_unknown", 400),
    ],
)
def test_d16_pages(account, made, query, expected):
    for number, charge in made.items():
        query = query.replace(f"{{{number}}}", charge)
    answer = account.get("/v1/charges", query)

    if expected == 400:
        assert (answer.status, answer.error["type"]) == (400, "invalid_request_error")
    else:
        numbers = {charge: number for number, charge in made.items()}
        page = answer.json
        assert ([numbers[c["id"]] for c in page["data"]], page["has_more"]) == expected


def reconcile(account, pages: int) -> bool:
    """Look for the charge of order 1 on so many pages; return whether it is there."""
    query = ""
    for _ in range(pages):
        account.elapsed += 1
        page = account.get("/v1/charges", query).json
        if any(charge["metadata"]["order_id"] == "ord_1" for charge in page["data"]):
            return True
        query = f"starting_after={page['data'][-1]['id']}"
    return False


def verdict_of(account):
    account.elapsed += 1
    account.bank.place()
    verdict = judge(records_of(account.bank.journal))
    return next(each for each in verdict.operations if each.operation == "op_1")


def test_d16_a_reader_of_one_page_charges_again(account, made):
    account.bank.journal.note("intent", {"operation": "op_1", "match": {"params": ORDER_1}})
    found = reconcile(account, 1)
    account.post(FORM.format(1), "another")
    verdict = verdict_of(account)

    assert not found
    assert verdict.verdict == "duplicate"
    assert verdict.charges == (made[1], account.charges[-1].id)


def test_d16_a_reader_of_all_pages_finds_it(account, made):
    account.bank.journal.note("intent", {"operation": "op_1", "match": {"params": ORDER_1}})
    found = reconcile(account, 2)

    assert found
    assert verdict_of(account).verdict == "clean"


def test_d16_a_reader_that_never_ends_proves_nothing(account, made):
    """The run is bounded from outside; what it did meanwhile is in the journal."""
    account.bank.journal.note("intent", {"operation": "op_1", "match": {"params": ORDER_1}})
    account.bank.journal.note("header", {"mode": "check", "client_exits": [None]})
    for _ in range(50):
        account.elapsed += 1
        assert account.get("/v1/charges").json["has_more"]
    verdict = verdict_of(account)
    reads = [each for each in account.bank.journal.attempts if each.method == "GET"]

    assert (verdict.verdict, verdict.reasons, len(reads)) == ("inconclusive", ("client_hung",), 50)


ORDER_1 = {"metadata.order_id": "ord_1"}
