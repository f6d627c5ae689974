"""A refund paid out twice is a duplicate like any other, whatever the route and whoever asks."""

import pytest

from fakestripe.faults.kinds import Reset
from fakestripe.faults.rules import Match, Profile, Rule, When
from fakestripe.verdict import judge, records_of

CHARGE = "amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_1"
LOST = Rule(
    "lost#0",
    "committed",
    (Reset(),),
    Match(method="POST", path="/v1/*refund*"),
    When(attempt=(1,)),
)


@pytest.fixture
def charge(account) -> str:
    """A charge of 20 dollars, before the answers to refunds get lost."""
    made = account.post(CHARGE, "C1").json["id"]
    account.elapsed += 1
    account.profile = Profile("lost", (LOST,))
    return made


def twice(account, path: str, form: str, *keys: str | None):
    """Ask for a refund, lose the answer, and ask again; return the answer and the verdict."""
    account.begin(form, keys[0], path=path).to_the_end()
    account.elapsed += 1
    answer = account.post(form, keys[1], path=path)
    account.elapsed += 1
    account.bank.place()
    verdict = judge(records_of(account.bank.journal))
    return answer, next(each for each in verdict.operations if "(refund)" in each.operation)


@pytest.mark.parametrize(
    "path", ["/v1/refunds", "/v1/charges/{}/refunds", "/v1/charges/{}/refund"]
)
@pytest.mark.parametrize(
    ("keys", "cause"), [(("a7f", "k2x"), "fresh_key_per_attempt"), ((None, None), "no_key")]
)
def test_a_refund_under_two_keys_is_paid_out_twice(account, charge, path, keys, cause):
    form = f"charge={charge}&amount=500" if path == "/v1/refunds" else "amount=500"
    _, found = twice(account, path.format(charge), form, *keys)
    refunds = account.get("/v1/refunds").json["data"]

    assert (found.verdict, found.cause) == ("duplicate", cause)
    assert list(found.charges) == [each["id"] for each in reversed(refunds)]
    assert {name[:3] for name in found.charges} == {"re_"}
    assert account.get(f"/v1/charges/{charge}").json["amount_refunded"] == 1000


def test_a_refund_under_one_key_is_paid_out_once(account, charge):
    answer, found = twice(account, "/v1/refunds", f"charge={charge}&amount=500", "K", "K")

    assert answer.headers["Idempotent-Replayed"] == "true"
    assert (found.verdict, list(found.charges)) == ("clean", [answer.json["id"]])
    assert account.get(f"/v1/charges/{charge}").json["amount_refunded"] == 500


def test_a_whole_refund_guards_itself(account, charge):
    """The second one is refused, and says so: no money, but nobody was told of the first."""
    answer, found = twice(account, "/v1/refunds", f"charge={charge}", "a7f", "k2x")

    assert answer.error["code"] == "charge_already_refunded"
    assert found.verdict == "inconclusive"
    assert len(found.charges) == 1


def test_a_refund_does_not_double_its_charge(account, charge):
    twice(account, "/v1/refunds", f"charge={charge}&amount=500", "a7f", "k2x")
    verdict = judge(records_of(account.bank.journal))
    paid = [each for each in verdict.operations if "(refund)" not in each.operation]

    assert [list(each.charges) for each in paid] == [[charge]]
    assert verdict.word == "duplicate"
