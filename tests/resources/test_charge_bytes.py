"""The template of a charge says what ``encode`` says, byte for byte, of every kind of charge."""

import pytest

from fakestripe.bank.ids import Ids
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.errors import encode
from fakestripe.protocol.form import parse
from fakestripe.protocol.params import Params
from fakestripe.resources import captures, charge_bytes, charges
from fakestripe.resources.desk import Desk

FORMS = [
    b"source=tok_visa",
    b"source=tok_visa&metadata[order_id]=ord_1&metadata[note]=%22%0a%c3%a9%25s",
    b"source=tok_visa&capture=false",
    b"source=tok_chargeDeclined",
    b"source=tok_chargeDeclinedExpiredCard",
    b"source=tok_radarBlock",
    b"source=tok_amex&description=100%25+of+%22it%22",
    b"source=tok_visa&shipping[name]=A&shipping[address][line1]=1&receipt_email=a%40b.c",
    b"source=tok_visa&statement_descriptor=SHOP&transfer_group=g1",
    b"customer=cus_1",
    b"source=tok_visa&receipt_email=%3Cfakestripe:3%3E&description=%3Cfakestripe:4%3E",
]


@pytest.fixture
def desk() -> Desk:
    return Desk(Ledger(Ids("acct_1234567890abcdef", 0), customers="any"), 1_700_000_000.0)


@pytest.mark.parametrize("form", FORMS)
def test_the_template_says_what_encode_says(desk, form) -> None:
    for amount in (2000, 50, 99_999_999):
        tree = parse(b"amount=%d&currency=usd&" % amount + form)
        charge = charges.make_create(desk, charges.read_create(Params(tree))).answer

        assert encode(charge) == charge_bytes.charge_bytes(charge)


def test_a_captured_charge_has_a_template_of_its_own(desk) -> None:
    tree = parse(b"amount=2000&currency=usd&source=tok_visa&capture=false")
    change = charges.make_create(desk, charges.read_create(Params(tree)))
    desk.ledger.write(change.writes)
    at = Desk(desk.ledger, desk.now, change.answer.id)
    captured = captures.make_capture(at, captures.read_capture(Params({"amount": "700"}))).answer

    assert encode(change.answer) == charge_bytes.charge_bytes(change.answer)
    assert encode(captured) == charge_bytes.charge_bytes(captured)


def test_only_so_many_templates_are_kept(desk) -> None:
    for number in range(charge_bytes.MOST + 2):
        form = b"amount=2000&currency=usd&source=tok_visa&statement_descriptor=A%d" % number
        charge = charges.make_create(desk, charges.read_create(Params(parse(form)))).answer

        assert encode(charge) == charge_bytes.charge_bytes(charge)
    assert len(charge_bytes._templates) <= charge_bytes.MOST
