"""Durations: as people write them, and as they read them."""

import pytest

from fakestripe.protocol import duration


@pytest.mark.parametrize(
    ("word", "seconds"),
    [
        ("30s", 30.0),
        ("250ms", 0.25),
        ("5m", 300.0),
        ("25h", 90_000.0),
        ("7d", 604_800.0),
        ("1.5s", 1.5),
    ],
)
def test_a_duration_is_a_number_and_a_unit(word, seconds):
    assert duration.seconds(word) == seconds


@pytest.mark.parametrize("word", ["30", "30 s", "s", "", "-1s", "1e3s", "٣s", 30, None])
def test_anything_else_is_none_and_the_error_shows_the_form(word):
    with pytest.raises(ValueError, match="such as 30s, 250ms or 25h"):
        duration.seconds(word)


@pytest.mark.parametrize("word", ["30s", "250ms", "5m", "25h", "90s", "1.5s", "0.5ms"])
def test_a_duration_is_written_as_a_profile_would(word):
    assert duration.word(duration.seconds(word)) == word


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0009, "0.9 ms"),
        (0.25, "250.0 ms"),
        (2.04, "2.0 s"),
        (60, "1 min"),
        (900, "15 min"),
        (86_401, "24 h 1 s"),
        (90_061, "25 h 1 min"),
    ],
)
def test_a_duration_is_told_in_two_parts_at_most(seconds, words):
    assert duration.words(seconds) == words
