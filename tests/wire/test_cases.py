"""Cases whose point is a connection: whose answer arrives on it, and which fault it meets."""

import pytest

from fakestripe.faults.kinds import Reply, Reset, Wait
from fakestripe.faults.rules import Match, Profile, Rule, When

ORDER_A = b"amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_A"
ORDER_B = b"amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_B"


def first_match(number: int) -> When:
    return When(nth=(number,))


def test_d09_the_answer_of_another_order_arrives_on_a_shared_connection(fakestripe, raw) -> None:
    """The caller of A gives up without reading; the caller of B reads A's answer as its own."""
    late = Rule("late#0", "committed", (Wait(0.3),), when=When(attempt=(1,), nth=(1,)))
    fakestripe.use(Profile(name="late", rules=(late,)))
    for order in ("ord_A", "ord_B"):
        fakestripe.intend(order, amount=2000)
    client = raw(fakestripe.url)
    client.send(body=ORDER_A, idempotency_key="key-A").send(body=ORDER_B, idempotency_key="key-B")
    first, second = client.answer(), client.answer()
    paid_by = _id(first[2])
    fakestripe.outcome("ord_B", "paid", charge=paid_by)
    verdict = {each.operation: each for each in fakestripe.verdict().operations}

    assert [a[1]["idempotency-key"] for a in (first, second)] == ["key-A", "key-B"]
    assert first[1]["request-id"] != second[1]["request-id"]
    assert [charge["metadata"]["order_id"] for charge in fakestripe.charges] == ["ord_A", "ord_B"]
    assert verdict["ord_B"].verdict == "orphan"
    assert all(made["id"] in verdict["ord_B"].explanation for made in fakestripe.charges)


def test_d19_hidden_resends_are_listed_with_the_rule_that_each_one_met(fakestripe, raw) -> None:
    """By ordinal: commit and reset, then a 503, then normal; the resend eats the second."""
    rules = (
        Rule("script#0", "committed", (Reset(),), when=first_match(1)),
        Rule("script#1", "received", (Reply(status=503),), when=first_match(2)),
    )
    fakestripe.use(Profile(name="script", rules=rules))
    fakestripe.intend("ord_A", amount=2000)
    assert raw(fakestripe.url).send(body=ORDER_A, idempotency_key="K1").end() == "RST"
    resend = raw(fakestripe.url)
    assert resend.send(body=ORDER_A, idempotency_key="K1").answer()[0] == 503
    assert resend.send(body=ORDER_A, idempotency_key="K1").answer()[0] == 200

    seen = [line for line in fakestripe.journal if line["kind"] == "attempt"]
    assert [
        (a["connection"], a["request_on_connection"], a["idempotency_key"], list(a["rules"]))
        for a in seen
    ] == [(1, 1, "K1", ["script#0"]), (2, 1, "K1", ["script#1"]), (2, 2, "K1", [])]
    assert fakestripe.verdict().word == "clean"


def test_d19_a_fault_can_be_aimed_at_a_key_an_order_or_a_connection(fakestripe, raw) -> None:
    aims = {
        "key": (Match(idempotency_key="key-B"), When()),
        "order": (Match(params={"metadata.order_id": "ord_B"}), When()),
        "connection": (Match(moves="money"), When(connection="reused")),
    }
    for name, (match, when) in aims.items():
        rule = Rule(f"{name}#0", "received", (Reset(),), match, when)
        fakestripe.use(Profile(name=name, rules=(rule,)))
        client = raw(fakestripe.url)

        assert client.send(body=ORDER_A, idempotency_key=f"key-A-{name}").answer()[0] == 200
        key = "key-B" if name == "key" else f"key-B-{name}"
        assert client.send(body=ORDER_B, idempotency_key=key).end() == "RST"
    assert fakestripe.verdict().word == "inconclusive"


def test_d19_a_fault_aimed_at_nobody_proves_nothing(fakestripe, raw) -> None:
    rule = Rule("aimed#0", "committed", (Reset(),), Match(idempotency_key="never"))
    fakestripe.use(Profile(name="aimed", rules=(rule,)))
    fakestripe.intend("ord_A", amount=2000)
    raw(fakestripe.url).send(body=ORDER_A, idempotency_key="K1").answer()
    verdict = fakestripe.verdict()
    with pytest.raises(AssertionError) as failure:
        fakestripe.assert_clean()
    fakestripe.reset()  # else the fixture complains of the same
    nearest = (
        "rule aimed#0 never fired; closest: arrival 1, POST /v1/charges: idempotency_key was "
        "'K1', the rule wants 'never'"
    )

    assert (verdict.word, list(verdict.unfired_rules)) == ("inconclusive", ["aimed#0"])
    assert [str(miss) for miss in verdict.near_misses] == [nearest]
    assert nearest in " ".join(str(failure.value).split())
    assert "rule_never_fired" in verdict.reasons


@pytest.mark.parametrize("key", ["", "   "])
def test_d23_an_empty_header_is_refused_and_is_not_an_absent_one(fakestripe, raw, key) -> None:
    client = raw(fakestripe.url)
    status, _, body = client.send(body=ORDER_A, idempotency_key=key).answer()

    assert status == 400
    assert b'"type": "invalid_request_error"' in body
    assert b"it must be 1 to 255 characters long" in body
    assert fakestripe.charges == []
    assert client.send(body=ORDER_A).answer()[0] == 200


def _id(body: bytes) -> str:
    return body.split(b'"id": "')[1].split(b'"')[0].decode()
