"""The log of events: in order, a reader is given each one once."""

from fakestripe.bank.change import EventDraft
from fakestripe.bank.events import Event, EventLog

MADE, PAID = EventDraft("a.created", "A"), EventDraft("a.updated", "B", "A")


def test_what_a_change_tells_stands_in_order_with_who_asked():
    log = EventLog()
    log.add((MADE, PAID), 1000.0, "req_1", "K1")

    assert log.events == [
        Event("a.created", "A", None, 1000.0, "req_1", "K1"),
        Event("a.updated", "B", "A", 1000.0, "req_1", "K1"),
    ]


def test_a_reader_is_given_each_event_once():
    log = EventLog()
    log.add((MADE,), 1000.0, "req_1", None)
    first = list(log.unread("list"))
    log.add((PAID,), 1001.0, "req_2", None)

    assert [(place, event.type) for place, event in first] == [(0, "a.created")]
    assert [(place, event.type) for place, event in log.unread("list")] == [(1, "a.updated")]
    assert list(log.unread("list")) == []
    assert [place for place, _ in log.unread("another")] == [0, 1]


def test_a_listener_is_told_the_place_of_each_new_event():
    log, told = EventLog(), []
    log.add((MADE,), 1000.0, "req_1", None)
    log.listener = told.append
    log.add((MADE, PAID), 1001.0, "req_2", None)

    assert told == [1, 2]
