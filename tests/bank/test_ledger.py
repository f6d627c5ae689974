"""The ledger: order, versions, groups."""

from fakestripe.bank.change import Write
from fakestripe.bank.ids import Ids
from fakestripe.bank.ledger import Collection, Ledger


def test_objects_stand_in_the_order_they_were_made():
    made = Collection()
    for name in ("c", "a", "b"):
        made.put(name, name.upper())

    assert made.at(made.places(None)) == ["C", "A", "B"]
    assert made.place == {"c": 0, "a": 1, "b": 2}


def test_a_new_version_takes_the_place_of_the_old_one():
    made = Collection()
    for value in ("first", "second"):
        made.put("a", value)
    made.put("b", "other")

    assert made.at(made.places(None)) == ["second", "other"]


def test_a_group_lists_places_in_the_order_objects_were_made():
    """Also where an object joins late, and where it is written again."""
    made = Collection()
    made.put("a", "A")
    made.put("b", "B", ("cus_1",))
    made.put("c", "C", ("cus_1", "cus_2"))
    made.put("b", "B2", ("cus_1",))
    made.put("a", "A2", ("cus_1",))

    assert made.at(made.places("cus_1")) == ["A2", "B2", "C"]
    assert made.at(made.places("cus_2")) == ["C"]
    assert list(made.places("cus_3")) == []


def test_an_object_leaves_the_groups_that_its_write_names():
    ledger = Ledger(Ids("acct_1000000000000000", 0))
    for name in ("a", "b", "c"):
        ledger.write((Write("x", name, name, (("email", "one"), "all")),))
    ledger.write((Write("x", "b", "B", (("email", "two"),), (("email", "one"),)),))
    made = ledger.collection("x")

    assert made.at(made.places(("email", "one"))) == ["a", "c"]
    assert made.at(made.places(("email", "two"))) == ["B"]
    assert made.at(made.places("all")) == ["a", "B", "c"]
    assert set(made.groups) == {"all", ("email", "one"), ("email", "two")}


def test_whether_stamps_ascend_is_known_at_one_look_an_object():
    looked, made = [], Collection()

    def stamp(value: int) -> float | None:
        looked.append(value)
        return value or None

    for value in (1, 1, 0, 3):
        made.put(f"first{len(made.order)}", value)
        assert made.ascends(stamp)
    made.put("late", 2)

    assert not made.ascends(stamp)
    assert looked == [1, 1, 0, 3, 2]

    made.put("later", 9)

    assert not made.ascends(stamp)


def test_kinds_do_not_mix_and_what_is_unknown_is_none():
    ledger = Ledger(Ids("acct_1000000000000000", 0))
    ledger.write((Write("charge", "x", 1), Write("customer", "x", 2)))

    assert (ledger.get("charge", "x"), ledger.get("customer", "x")) == (1, 2)
    assert ledger.get("charge", "y") is None
    assert ledger.get("refund", "x") is None


def test_only_any_customers_are_lenient():
    ids = Ids("acct_1000000000000000", 0)

    assert Ledger(ids, customers="any").lenient
    assert not Ledger(ids).lenient
