"""One refund is no second refund: only two of one charge are, where fewer were meant."""

from history import BASE, History

from fakestripe import verdict
from fakestripe.protocol.attempt import Moved


def refund(h, made, charge="ch_1", amount=2000, **facts):
    moved = Moved(kind="refund", id=made, amount=amount, currency="usd", charge=charge)
    key = facts.pop("key", f"rf-{made}")
    params = {"charge": charge, "amount": str(amount)}
    h.post(key, path="/v1/refunds", params=params, moved=moved, ids=(made,), **facts)


def plain(*refunds, charges=1):
    h = History(mode="check", client_exits=[0])
    for number in range(1, charges + 1):
        h.post(f"K{number}", charge=f"ch_{number}", params=BASE)
    for number, charge in enumerate(refunds, 1):
        refund(h, f"re_{number}", charge, 2000)
    return h.records()


def run(*refunds, charges=1, status=0):
    lesson = verdict.learn(plain(*refunds, charges=charges), plain(*refunds, charges=charges))
    h = History(mode="check", lesson=lesson, client_exits=[status])
    h.profile("r#0")
    return h


def words(h):
    return {one.operation: (one.verdict, one.flags) for one in h.judge().operations}


def test_who_refunds_what_is_in_doubt_and_fails_honestly_is_an_orphan_at_worst():
    h = run(status=1)
    h.post("K1", charge="ch_1", params=BASE, lost=True, rule="r#0")
    h.get("/v1/charges", "ch_1")
    refund(h, "re_1")

    assert words(h) == {"K1": ("orphan", ("compensated",)), "K1 (refund)": ("clean", ())}


def test_a_second_charge_that_was_given_back_is_a_compensated_duplicate_alone():
    h = run()
    h.post("K1", charge="ch_1", params=BASE, lost=True, rule="r#0")
    h.post("K9", charge="ch_2", params=BASE)
    h.get("/v1/charges", "ch_1", "ch_2")
    refund(h, "re_1", "ch_2")
    found = words(h)

    assert found["K1"] == ("duplicate", ("compensated",))
    assert [word for name, (word, _) in found.items() if "refund" in name] == ["clean"]


def test_each_of_two_charges_may_be_given_back_once():
    h = run()
    h.post("K1", charge="ch_1", params=BASE, lost=True, rule="r#0")
    h.post("K9", charge="ch_2", params=BASE)
    h.get("/v1/charges", "ch_1", "ch_2")
    refund(h, "re_1", "ch_1", lost=True, rule="r#0")
    h.get("/v1/refunds", "re_1")
    refund(h, "re_2", "ch_2")

    assert words(h)["K1 (refund)"] == ("clean", ())


def test_a_lost_refund_made_again_under_another_key_is_a_duplicate():
    for learnt in ((), ("ch_1",)):
        h = run(*learnt)
        h.post("K1", charge="ch_1", params=BASE)
        refund(h, "re_1", amount=500, lost=True, rule="r#0")
        refund(h, "re_2", amount=500)

        assert words(h)["K1 (refund)"][0] == "duplicate"


def test_a_refund_of_one_payment_is_no_licence_to_give_another_back_twice():
    h = run("ch_1", "ch_2", charges=2)
    h.post("K1", charge="ch_1", params=BASE)
    h.post("K2", charge="ch_2", params=BASE)
    refund(h, "re_1", "ch_1", amount=500, lost=True, rule="r#0")
    refund(h, "re_2", "ch_1", amount=500)
    refund(h, "re_3", "ch_2")

    found = words(h)
    assert found["K1 (refund)"][0] == "duplicate"
    assert found["K2 (refund)"][0] != "duplicate"


def test_a_refund_that_never_came_is_missing():
    h = run("ch_1")
    h.post("K1", charge="ch_1", params=BASE)
    h.post("R1", path="/v1/refunds", params={"charge": "ch_1"}, lost=True, rule="r#0")

    assert words(h)["K1 (refund)"][0] == "missing"


def test_who_was_told_of_the_charge_and_failed_with_the_refund_has_no_orphan():
    """A refund is an operation too: of two, the exit status says only that one failed."""
    h = run("ch_1", status=1)
    h.post("K1", charge="ch_1", params=BASE)
    h.post("R1", path="/v1/refunds", params={"charge": "ch_1"}, lost=True, rule="r#0")
    h.post("R1", path="/v1/refunds", params={"charge": "ch_1"}, lost=True)

    assert words(h) == {"K1": ("clean", ()), "K1 (refund)": ("unpaid", ())}
    told = {one.operation: one.explanation for one in h.judge().operations}
    assert told["K1 (refund)"] == "1 intended, 0 refunded, and the client knows it."


def test_a_refund_that_was_made_and_never_told_is_an_orphan():
    h = run("ch_1", status=1)
    h.post("K1", charge="ch_1", params=BASE)
    refund(h, "re_1", lost=True, rule="r#0")

    assert words(h)["K1 (refund)"] == ("orphan", ())


NEVER = "K1 (refund), never sent"


def test_a_refund_that_was_never_sent_is_missing_where_the_client_ended_well():
    h = run("ch_1")
    h.post("K1", charge="ch_1", params=BASE, lost=True, rule="r#0")
    h.get("/v1/charges", "ch_1")

    assert words(h) == {"K1": ("clean", ()), NEVER: ("missing", ())}


def test_what_was_never_charged_is_never_given_back():
    h = run("ch_1", status=1)
    h.post("K1", params=BASE, lost=True, rule="r#0")

    assert words(h) == {"K1": ("unpaid", ())}


def test_of_several_payments_those_that_were_never_given_back_are_counted():
    h = run("ch_1", "ch_2", charges=2)
    h.post("K1", charge="ch_1", params=BASE)
    h.post("K2", charge="ch_2", params=BASE)
    unsent = [one for one in h.judge().operations if one.operation.endswith("never sent")]

    assert [(one.operation, one.verdict, one.intended.count) for one in unsent] == [
        ("POST /v1/charges (refund), never sent", "missing", 2)
    ]


def test_where_one_of_two_payments_was_given_back_the_lack_is_sure_once_both_exist():
    h = run("ch_2", charges=2)
    h.post("K1", charge="ch_1", params=BASE)
    assert [name for name in words(h) if "refund" in name] == []

    h.post("K2", charge="ch_2", params=BASE)
    assert words(h)["POST /v1/charges (refund), never sent"] == ("missing", ())


def in_parts(*amounts, lost=False):
    h = History()
    h.intent("ord_1")
    h.post("K1", charge="ch_1", lost=True)
    h.post("K1", key_state="replay", ids=("ch_1",))
    for number, amount in enumerate(amounts, 1):
        params = {"charge": "ch_1", "amount": str(amount)}
        moved = Moved(
            kind="refund", id=f"re_{number}", amount=amount, currency="usd", charge="ch_1"
        )
        ids = () if lost else (f"re_{number}",)
        key = f"part-{number}"
        h.post(key, path="/v1/refunds", params=params, moved=moved, ids=ids, lost=lost)
    return h.judge()


def test_parts_of_different_amounts_are_no_repeats_of_each_other():
    found = {one.operation: one for one in in_parts(500, 300).operations}["ord_1 (refund)"]

    assert (found.verdict, found.hazard, found.charges) == ("clean", None, ("re_1", "re_2"))


def test_parts_of_one_amount_may_be_one_that_was_made_twice():
    told, lost = in_parts(500, 500), in_parts(500, 500, lost=True)

    assert (told.reasons, lost.word) == (("ambiguous_repeat",), "duplicate")


def test_of_three_parts_the_one_that_is_like_another_is_too_many():
    found = in_parts(500, 300, 500, lost=True)

    assert (found.word, found.worst.pair) == ("duplicate", (4, 5))


def test_a_part_that_nobody_was_told_of_is_in_doubt():
    assert in_parts(500, 300, lost=True).reasons == ("outcome_unknown",)


def test_of_parts_that_were_learnt_only_the_one_made_twice_is_too_many():
    """The server forgot the key of one part: the other part was meant, whenever it came."""

    def parts(h, *lost):
        h.post("K1", charge="ch_1", params=BASE)
        refund(h, "re_1", amount=500, key="part-500", **(lost[0] if lost else {}))
        if lost:
            facts = {"forgotten_by": "server_lost_record"}
            refund(h, "re_2", amount=500, key="part-500", **facts)
        refund(h, "re_3", amount=300, key="part-300")
        return h

    plain = [parts(History(mode="check", client_exits=[0])).records() for _ in range(2)]
    h = History(mode="check", lesson=verdict.learn(*plain), client_exits=[0])
    h.profile("r#0")
    found = parts(h, {"lost": True, "rule": "r#0"}).judge().worst

    assert (found.verdict, found.flags, found.cause) == (
        "duplicate",
        ("server_made",),
        "server_lost_record",
    )
    assert (found.intended.count, found.charges) == (2, ("re_1", "re_2", "re_3"))


def test_parts_of_other_payments_are_not_blamed_for_one_that_was_made_twice():
    h = run("ch_1", "ch_1", "ch_2", "ch_2", charges=2)
    h.post("K1", charge="ch_1", params=BASE)
    h.post("K2", charge="ch_2", params=BASE)
    for number, (charge, amount) in enumerate(
        [("ch_1", 500), ("ch_1", 300), ("ch_2", 500), ("ch_2", 300), ("ch_2", 300)], 1
    ):
        refund(h, f"re_{number}", charge, amount)
    found = words(h)

    assert found["K1 (refund)"][0] != "duplicate"
    assert found["K2 (refund)"][0] == "duplicate"


def test_a_part_that_was_tried_in_vain_is_missing_beside_one_that_was_made():
    h = run("ch_1", "ch_1", "ch_2", charges=2)
    h.post("K1", charge="ch_1", params=BASE)
    h.post("K2", charge="ch_2", params=BASE)
    refund(h, "re_1", "ch_1", amount=500)
    params = {"charge": "ch_1", "amount": "300"}
    h.post("R2", path="/v1/refunds", params=params, lost=True, rule="r#0")
    refund(h, "re_3", "ch_2")

    assert words(h)["K1 (refund)"][0] == "missing"
    assert words(h)["K2 (refund)"][0] != "missing"
