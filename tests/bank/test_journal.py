"""The journal: what it writes, and when."""

from fakestripe.bank.journal import Journal
from fakestripe.protocol.attempt import Attempt


class Time:
    elapsed = 1.5

    def __call__(self) -> float:
        return self.elapsed


def attempt(arrival: int = 1) -> Attempt:
    return Attempt(
        arrival=arrival,
        account="acct_1",
        at=1000.0,
        connection=1,
        request_on_connection=1,
        method="POST",
        path="/v1/charges",
        form=b"amount=2000",
    )


def test_every_step_of_an_attempt_is_offered_before_its_effect():
    lines: list[dict] = []
    time, opened = Time(), attempt()
    journal = Journal(time, lines.append)
    journal.open(opened)
    journal.reach(opened, "claimed")
    time.elapsed = 2.5
    journal.left(opened, 1001.0)
    time.elapsed = 3.5
    journal.left(opened, 1002.0)
    journal.close(opened)

    assert [line["last_point"] for line in lines] == ["received", "claimed", "claimed"]
    assert {line["kind"] for line in lines} == {"attempt"}
    assert (opened.started_s, opened.left_s, opened.ended_s) == (1.5, 2.5, 3.5)
    assert opened.client_left_at == 1001.0


def test_without_a_sink_all_is_kept_and_can_be_told_later():
    journal = Journal(Time())
    journal.note("clock", {"advance": 60, "by": "test"})
    journal.open(attempt(journal.next_arrival()))
    journal.open(attempt(journal.next_arrival()))
    lines = list(journal.lines())

    assert lines[0] == {"kind": "clock", "elapsed_s": 1.5, "advance": 60, "by": "test"}
    assert [line["arrival"] for line in lines[1:]] == [1, 2]
    assert lines[1]["parameters"] == {"amount": "2000"}


def test_a_note_is_offered_at_once_and_a_bug_is_kept():
    lines: list[dict] = []
    journal = Journal(Time(), lines.append, next_arrival=iter([7]).__next__)
    journal.note("header", {"seed": 0})
    journal.bug(problem := ValueError("no"))

    assert lines == [{"kind": "header", "elapsed_s": 1.5, "seed": 0}]
    assert (journal.bugs, journal.next_arrival()) == ([problem], 7)
