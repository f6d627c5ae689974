"""Under TLS every fault does to TCP what it does without: seen below TLS, on the plain socket."""

import pytest

from fakestripe.faults.kinds import Close, Reset


def test_a_charge_is_answered(served_both_ways) -> None:
    status, _, body = served_both_ways.raw().send().answer()

    assert (status, b'"status":"succeeded"' in body.replace(b" ", b"")) == (200, True)


@pytest.mark.parametrize(("fault", "ended"), [(Reset(), "RST"), (Close(), "FIN")])
@pytest.mark.parametrize("at", ["received", "claimed", "committed"])
def test_a_fault_ends_the_connection_without_a_goodbye(served_both_ways, fault, ended, at) -> None:
    served_both_ways.fault(at, fault)
    client = served_both_ways.raw().send()

    assert (client.end(), client.data, client.goodbye) == (ended, b"", False)
    assert served_both_ways.charges == (at == "committed")
