"""The clock of an account."""

from fakestripe.bank.clock import Clock


class Wall:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_clock_goes_with_the_wall_and_keeps_its_distance():
    wall = Wall()
    clock = Clock(wall)
    clock.advance(90_000)
    wall.now += 5

    assert clock.now() == 91_005.0

    clock.advance(-90_000)

    assert clock.now() == 1_005.0


def test_a_clock_set_goes_on_from_there():
    wall = Wall()
    clock = Clock(wall)
    clock.set(5_000.0)
    wall.now += 5

    assert clock.now() == 5_005.0


def test_a_frozen_clock_stands_until_it_is_moved():
    wall = Wall()
    clock = Clock(wall)
    clock.set(5_000.0, frozen=True)
    wall.now += 5

    assert clock.now() == 5_000.0

    clock.advance(60)

    assert clock.now() == 5_060.0

    clock.set(7_000.0)
    wall.now += 5

    assert clock.now() == 7_005.0
