"""Ids: of Stripe's form, the same for a seed, sorted by age (stripe-facts 4.3)."""

from uuid import UUID

import pytest

from fakestripe.bank.ids import Ids, account_id, base62, family_of

ACCOUNT = account_id("sk_test_x")
BASE62 = set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")


@pytest.mark.parametrize(
    ("number", "width", "text"),
    [
        (0, 1, "0"),
        (61, 1, "z"),
        (62, 2, "10"),
        (62, 3, "010"),
        (62**3 - 1, 3, "zzz"),
        (62**3, 3, "000"),
    ],
)
def test_numbers_are_written_in_base_62(number, width, text):
    assert base62(number, width) == text


def test_an_account_is_sixteen_characters_made_of_a_name_that_is_not_kept():
    assert len(ACCOUNT) == len("acct_") + 16
    assert account_id("sk_test_x") == ACCOUNT != account_id("sk_test_y")
    assert "sk_test" not in ACCOUNT
    assert account_id("\udcff").startswith("acct_1")


@pytest.mark.parametrize(
    ("make", "length"),
    [
        (lambda ids: ids.of_payment("ch", ids.family()), 24),
        (lambda ids: ids.of_account("card"), 24),
        (lambda ids: ids.short("cus"), 14),
        (lambda ids: ids.request(), 14),
        (lambda ids: ids.event(0, None), 24),
        (lambda ids: ids.event(7, ids.family()), 24),
    ],
)
def test_ids_have_stripes_length_and_alphabet(make, length):
    _, _, tail = make(Ids(ACCOUNT, 0)).partition("_")

    assert len(tail) == length
    assert set(tail) <= BASE62


def test_all_objects_of_a_payment_share_seventeen_characters():
    ids = Ids(ACCOUNT, 0)
    family = ids.family()
    charge, transaction = (ids.of_payment(prefix, family) for prefix in ("ch", "txn"))

    assert family_of(charge) == family_of(transaction) == family
    assert (len(family), family[0], family[6:16]) == (17, "3", ACCOUNT[-10:])
    assert charge[3:] != transaction[4:]


def test_the_id_of_an_event_is_its_place_and_counts_nothing():
    ids, family = Ids(ACCOUNT, 0), Ids(ACCOUNT, 0).family()
    first, second = ids.event(0, family), ids.event(1, family)

    assert first[:21] == second[:21] == f"evt_{family}"
    assert first < second
    assert ids.event(0, None)[21:] == first[21:]
    assert ids.event(0, None)[4] == "1"
    assert Ids(ACCOUNT, 0).event(0, None) == ids.event(0, None) != Ids(ACCOUNT, 1).event(0, None)
    assert ids.short("cus") == Ids(ACCOUNT, 0).short("cus")


def test_a_seed_decides_all_ids():
    def first(seed: int) -> str:
        return Ids(ACCOUNT, seed).of_account("card")

    assert first(1) == first(1) != first(2)


def test_ids_sort_by_age_and_none_comes_twice():
    ids = Ids(ACCOUNT, 0)
    charges = [ids.of_payment("ch", ids.family()) for _ in range(5000)]
    requests = [ids.request() for _ in range(5000)]

    assert charges == sorted(set(charges))
    assert requests == sorted(set(requests))


def test_the_key_of_a_keyless_request_is_a_version_4_uuid_of_its_own():
    ids = Ids(ACCOUNT, 0)
    keys = []
    for _ in range(3):
        ids.request()
        keys.append(ids.server_key())

    assert [UUID(key).version for key in keys] == [4, 4, 4]
    assert len(set(keys)) == 3


def test_a_client_secret_is_told_by_its_object_and_the_seed():
    ids, others = Ids("acct_1KSHejMPKBy", 0), Ids("acct_1KSHejMPKBy", 1)
    secret = ids.secret("pi_1")

    assert (secret[:12], len(secret)) == ("pi_1_secret_", 37)
    assert secret.isascii()
    assert secret == ids.secret("pi_1")
    assert len({secret, ids.secret("pi_2"), others.secret("pi_1")}) == 3


def test_ids_of_a_connected_account_are_its_own_and_sort_with_the_others():
    ids = Ids(ACCOUNT, 0)
    other = ids.connected(account_id("acct_1"))
    made = [each.of_payment("ch", each.family()) for each in (ids, other, ids, other)]

    assert sorted(made) == made
    assert made[1][9:19] == account_id("acct_1")[-10:]
    assert other.request() < ids.request()
