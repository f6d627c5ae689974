"""What is read out of two keys: a counter, a time, a random field, a hash, or nothing."""

import pytest

from fakestripe.verdict import keys

UUIDS = ("0b1e5d0c-62f8-4c3d-9d9e-7f2f9a0c1a11", "5f0d3f55-7a0e-4d3b-8a57-0a6c0f6f3c22")
HEX = ("3e0e88a13e361417ccbc563a07a72c33", "7e4722334e12878bdccd26eb32851497")


@pytest.mark.parametrize(
    ("first", "second", "counted"),
    [
        ("ord_1-1", "ord_1-2", ("1", "2")),
        ("ord_1-9", "ord_1-10", ("9", "10")),
        ("ord_1:attempt:1", "ord_1:attempt:3", ("1", "3")),
        ("ord_1-try1", "ord_1-try2", ("1", "2")),
        ("ord_1-2nd", "ord_1-3nd", ("2", "3")),
        ("ord_1", "ord_1-retry", ("none", "retry")),
        ("ord_1", "ord_1-retry-1", ("none", "retry-1")),
        ("ord_1", "ord_1/2", ("none", "2")),
        ("ord_1-2", "ord_1-1", None),
        ("ord_1-1", "ord_1-99", None),
        ("ord_1-1", "ord_2-2", None),
        ("ord_1-a1", "ord_1-b2", None),
        ("ord_1-a", "ord_1-b", None),
        ("ord_1", "ord_1-green", None),
        ("ord_1-x", "ord_1", None),
        ("1", "one-2", None),
        *((a, b, None) for a, b in (UUIDS, HEX)),
    ],
)
def test_a_counter_goes_up_in_small_steps_and_nothing_else_changes(first, second, counted):
    assert keys.counts(first, second) == counted


@pytest.mark.parametrize(
    ("first", "second", "gap", "told"),
    [
        ("ord_1-1700000000", "ord_1-1700000003", 3.0, ("1700000000", "1700000003")),
        ("1700000000123", "1700000002123", 2.0, ("1700000000123", "1700000002123")),
        ("x-1700000000.123", "x-1700000002.5", 2.0, ("1700000000", "1700000002")),
        ("ord_1-2026-11-30", "ord_1-2026-12-01", 9.0, ("2026-11-30", "2026-12-01")),
        ("a-20261130T200345", "a-20261130T200347", 2.0, ("20261130T200345", "20261130T200347")),
        ("up-123456", "up-125456", 2.0, ("123456", "125456")),
        ("up-123456", "up-123457", 2.0, None),
        ("up-123456", "up-999999", 2.0, None),
        ("ord-1000000001", "ord-9999999999", 2.0, None),
        ("card-1111-22-33", "card-1111-22-34", 2.0, None),
        ("same-1700000000", "same-1700000000", 2.0, None),
        ("ord_1-a", "ord_1-b", 2.0, None),
    ],
)
def test_a_time_fits_the_clock_or_the_gap(first, second, gap, told):
    assert keys.times(first, second, gap) == told


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ("1700000000", True),
        ("1700000000.5", True),
        ("1700000000123", True),
        ("2026-11-30", True),
        ("2026-11-30T20:03:45", True),
        ("1000", False),
        ("9999999999", False),
        ("1111-22-33", False),
        ("ord_1", False),
        ("", False),
        ("\N{ARABIC-INDIC DIGIT ONE}700000000", False),
    ],
)
def test_a_moment_is_a_date_or_an_epoch_of_today(value, is_one):
    assert keys.is_moment(value) == is_one


@pytest.mark.parametrize(
    ("part", "random"),
    [
        (UUIDS[0], True),
        (HEX[0], True),
        ("a1b2c3d4", True),
        ("abcdefghijklmnop", True),
        ("alpha", False),
        ("worker", False),
        ("12345678901234567890", False),
        ("a1b2", False),
        ("", False),
    ],
)
def test_what_looks_random_is_long_and_mixed(part, random):
    assert keys.is_random(part) == random


@pytest.mark.parametrize(("length", "is_one"), [(32, False), (40, True), (64, True), (65, False)])
def test_a_digest_is_told_by_its_length(length, is_one):
    assert keys.is_hash("a" * length) == is_one


def test_a_key_that_has_fewer_fields_has_lost_some():
    assert keys.change("a-b-c", "a") == keys.Change((("b", ""), ("c", "")), 1)
