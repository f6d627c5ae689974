"""Every kind of fault on the wire: plain, under TLS, and under TLS through a CONNECT to Stripe."""

import json

import pytest

from fakestripe.faults.kinds import ContentLength, Drip, Garble, Hang, Reply, Reset, Truncate, Wait


def test_a_body_is_cut_after_exactly_so_many_bytes(served_both_ways) -> None:
    served_both_ways.fault("replying", Truncate(body=100, then="reset"))
    client = served_both_ways.raw().send()

    assert client.end() == "RST"
    assert len(client.data.partition(b"\r\n\r\n")[2]) == 100


def test_a_body_that_hangs_is_cut_before(served_both_ways) -> None:
    served_both_ways.fault("replying", Truncate(body=100, then="hang", hang=0.05))
    client = served_both_ways.raw().send()

    assert (client.end(), len(client.data.partition(b"\r\n\r\n")[2])) == ("FIN", 100)


def test_a_hang_of_a_length_ends_with_a_fin(served_both_ways) -> None:
    served_both_ways.fault("committed", Hang(0.05))
    client = served_both_ways.raw().send()

    assert (client.end(), client.data, served_both_ways.charges) == ("FIN", b"", 1)


def test_a_kept_connection_turns_out_to_be_dead(served_both_ways) -> None:
    served_both_ways.fault("received", Reset(), connection="reused")
    client = served_both_ways.raw().send(idempotency_key="A")
    client.answer()
    client.send(idempotency_key="B")

    assert (client.end(), client.data, served_both_ways.charges) == ("RST", b"", 1)


def test_a_wait_a_gateway_and_drops_arrive_whole(served_both_ways) -> None:
    seen = []
    for fault in (Wait(0.001), Reply(502), Drip(every=0.001, size=400)):
        served_both_ways.fault("replying" if isinstance(fault, Drip) else "committed", fault)
        seen.append(served_both_ways.raw().send().answer()[0])

    assert seen == [200, 502, 200]


@pytest.mark.parametrize("fault", [Garble(), ContentLength(5)], ids=["garble", "length"])
def test_an_answer_that_lies_arrives_as_it_was_told(served_both_ways, fault) -> None:
    served_both_ways.fault("replying", fault)
    status, _, body = served_both_ways.raw().send().answer()

    with pytest.raises(json.JSONDecodeError):
        json.loads(body)
    assert (status, served_both_ways.charges) == (200, 1)
