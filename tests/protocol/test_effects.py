"""Effects as values, and the lifecycle they happen in."""

import pytest

from fakestripe.protocol.effects import NOTHING, Performed, part
from fakestripe.protocol.points import ORDER, POINTS


@pytest.mark.parametrize(
    ("amount", "size", "count"),
    [(10, 100, 10), (200, 100, 100), (0.5, 100, 50), (0.999, 10, 9), (1.0, 100, 100), (0, 100, 0)],
)
def test_a_part_is_a_number_of_bytes_or_a_fraction(amount, size, count):
    assert part(amount, size) == count


def test_nothing_performed_is_nothing_sent():
    assert Performed() == NOTHING
    assert (NOTHING.left, NOTHING.bytes_sent, NOTHING.delivered) == (False, 0, False)


def test_the_points_are_in_order_of_time():
    assert sorted(ORDER, key=ORDER.__getitem__) == list(POINTS)
    assert list(POINTS) == [
        *("listen", "accept", "reading", "received", "claimed", "committed", "replying", "sent")
    ]
