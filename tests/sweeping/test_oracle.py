"""The differential oracle: two multisets of charges, and when it contradicts a verdict."""

from collections import Counter

import pytest

from fakestripe.sweeping.oracle import Compared, compared

ORDER_1 = (2000, "usd", (("metadata.order_id", "ord_1"),))
ORDER_2 = (2000, "usd", (("metadata.order_id", "ord_2"),))
FEE = (50, "usd", ())
SAME, MORE, LESS = Compared(), Compared(((2000, "usd"),)), Compared((), ((2000, "usd"),))


@pytest.mark.parametrize(
    ("plain", "run", "difference"),
    [
        ([ORDER_1, ORDER_2], [ORDER_2, ORDER_1], SAME),
        ([ORDER_1], [ORDER_1, ORDER_1], MORE),
        ([ORDER_1, ORDER_2], [ORDER_1], LESS),
        ([ORDER_1], [FEE], Compared(((50, "usd"),), ((2000, "usd"),))),
        ([ORDER_1], [ORDER_2], Compared(drifted=True)),
    ],
)
def test_charges_are_compared_as_multisets(plain, run, difference):
    assert compared(Counter(plain), Counter(run)) == difference


@pytest.mark.parametrize(
    ("difference", "agrees", "disagrees"),
    [
        (SAME, ("clean", "orphan", "inconclusive", "undercharged"), ("duplicate", "missing")),
        (MORE, ("duplicate", "overcharged", "inconclusive"), ("clean", "orphan", "unpaid")),
        (LESS, ("unpaid", "missing", "cap_exceeded", "inconclusive"), ("clean", "duplicate")),
        (Compared(drifted=True), ("clean",), ("duplicate",)),
    ],
)
def test_a_verdict_is_contradicted_by_charges_that_say_otherwise(difference, agrees, disagrees):
    assert [word for word in agrees if difference.disagrees(word)] == []
    assert [word for word in disagrees if not difference.disagrees(word)] == []


def test_a_difference_is_told_in_money():
    both = compared(Counter([ORDER_1, ORDER_2]), Counter([FEE, FEE]))

    assert both.words == "2 more of 50 usd and 2 fewer of 2000 usd"
    assert SAME.words == "none"
    assert Compared(drifted=True).words == "none in money, but in parameters"
