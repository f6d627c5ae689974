"""A profile as a line of the journal."""

from fakestripe.faults.line import line_of
from fakestripe.profiles import parse

TEXT = """\
name: race
operation: metadata.order_id
settings: {key_retention: 48h, cache_write_window: 2s}
rules:
  - match: any
    at: received
    do: [{wait: 1s}, {barrier: {parties: 3}}]
  - when: {attempt: 1}
    at: committed
    do: {hang: 30s}
expect: [clean, duplicate]
"""


def test_the_line_says_what_a_verdict_needs():
    assert line_of(parse(TEXT, "race.yaml")) == {
        "name": "race",
        "source": "race.yaml",
        "expect": ["clean", "duplicate"],
        "operation": "metadata.order_id",
        "rules": [
            {
                "name": "race#0",
                "at": "received",
                "faults": ["wait 1s", "barrier 3"],
                "barrier": 3,
            },
            {"name": "race#1", "at": "committed", "faults": ["hang 30s"], "barrier": None},
        ],
        "key_retention": 172_800.0,
        "cache_write_window": 2.0,
    }
