"""Where nothing was due and nothing was charged, nobody has to prove anything."""

from history import BASE, History

from fakestripe import verdict

CARD = {**BASE, "source": "tok_chargeDeclined"}


def plain():
    h = History(mode="check", client_exits=[0])
    h.post("card1", charge="ch_1", status=402, params=CARD)
    h.post("card2", charge="ch_2", params=BASE)
    return h.records()


def test_a_declined_card_that_met_a_401_needs_no_proof():
    h = History(mode="check", client_exits=[1], lesson=verdict.learn(plain(), plain()))
    h.profile("r#0", at="received")
    h.post("card1", status=401, params=CARD, rule="r#0")

    assert [(one.verdict, one.charges) for one in h.judge().operations] == [
        ("clean", ()),
        ("unpaid", ()),
    ]
    assert verdict.exit_status(h.judge(), ["clean"]) == 0
