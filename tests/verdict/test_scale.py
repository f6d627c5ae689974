"""Seconds to shares of a width: even where somebody waits, folded where nobody does."""

import pytest

from fakestripe.verdict.scale import Fold, scale_of


def test_time_runs_evenly_between_first_and_last():
    scale = scale_of([0.0, 1.0, 2.0, 4.0])

    assert scale.shares == (0.0, 25.0, 50.0, 100.0)
    assert (scale.share(3.0), scale.seconds, scale.folds) == (75.0, 4.0, ())


def test_one_moment_is_a_scale_too():
    assert (scale_of([7.0]).shares, scale_of([7.0]).share(7.0)) == ((0.0,), 0.0)


@pytest.mark.parametrize(("moment", "share"), [(-1.0, 0.0), (9.0, 100.0)])
def test_what_lies_outside_is_at_the_edge(moment, share):
    assert scale_of([0.0, 1.0]).share(moment) == share


def test_a_long_silence_is_folded_and_says_how_long_it_was():
    scale = scale_of([0.0, 1.0, 99.0, 100.0], busy=[(0.0, 1.0), (99.0, 100.0)])

    assert scale.shares == (0.0, 30.0, 70.0, 100.0)
    assert scale.folds == (Fold(50.0, 98.0),)


def test_what_somebody_waited_for_is_never_folded():
    scale = scale_of([0.0, 98.0, 99.0, 100.0], busy=[(0.0, 98.0)])

    assert (scale.shares[1], scale.folds) == (pytest.approx(97.03, abs=0.1), ())


@pytest.mark.parametrize("gap", [0.4, 4.0, 19.0])
def test_a_pause_before_a_retry_is_drawn_as_long_as_it_was(gap):
    scale = scale_of([0, 1, 1 + gap, 2 + gap], busy=[(0, 1), (1 + gap, 2 + gap)])

    assert (scale.shares[1], scale.folds) == (pytest.approx(100 / (2 + gap), abs=0.01), ())


def test_no_span_is_too_thin_to_be_seen():
    scale = scale_of([0.0, 0.0001, 50.0, 50.0001], busy=[(0.0, 50.0001)])

    assert scale.shares == (0.0, 1.46, 98.54, 100.0)


def test_two_long_silences_are_both_folded():
    scale = scale_of([0, 1, 301, 302, 90_302, 90_303], [(0, 1), (301, 302), (90_302, 90_303)])

    assert scale.shares == (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)
    assert [fold.seconds for fold in scale.folds] == [300, 90_000]
