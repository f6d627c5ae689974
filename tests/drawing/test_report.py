"""The report of several runs as one file: the worst first, self-contained, all of it escaped."""

import re
from html.parser import HTMLParser

import pytest
from msgspec import structs

from fakestripe.drawing.document import policy
from fakestripe.drawing.report import Drawn, Report, report
from fakestripe.drawing.run import Beside
from fakestripe.protocol.attempt import Attempt, Moved
from fakestripe.verdict.edge import Struck
from fakestripe.verdict.finding import (
    Capped,
    Doubled,
    Intended,
    OperationVerdict,
    Seen,
    Stop,
    Verdict,
)

EVIL = "<script>alert('x')</script>"
VOID = {"meta", "link", "line", "circle", "path", "rect", "br"}


class Reader(HTMLParser):
    """Checks that every element is closed in order, and keeps what it met."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append(tag)
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        self.text.append(data)


def attempt(arrival: int = 1, **facts) -> Attempt:
    made = Moved(kind="charge", id=f"ch_{arrival}", amount=2000, currency="usd")
    known = {
        "account": "acct_1",
        "at": 1_700_000_000.0 + arrival,
        "connection": arrival,
        "request_on_connection": 1,
        "method": "POST",
        "path": "/v1/charges",
        "form": b"amount=2000&currency=usd",
        "idempotency_key": f"key-{arrival}",
        "key_state": "new",
        "last_point": "sent",
        "status": 200,
        "delivery": "intact",
        "started_s": float(arrival),
        "ended_s": arrival + 0.25,
        "outcome": "answered",
        "moved": made,
    }
    return Attempt(arrival=arrival, **{**known, **facts})


def operation(*attempts: Attempt, **facts) -> OperationVerdict:
    seen = tuple(
        Seen(each, "ord_1", number, "first" if number == 1 else "app_retry")
        for number, each in enumerate(attempts, 1)
    )
    known = {
        "operation": "ord_1",
        "verdict": "duplicate",
        "intended": Intended(1, 2000, "usd"),
        "charges": tuple(each.moved.id for each in attempts if each.moved),
        "cause": "fresh_key_per_attempt",
        "explanation": "ch_B was created beside ch_A.",
        "remedy": "Make the key once.",
        "difference": "key-1 became key-2",
        "attempts": seen,
    }
    return OperationVerdict(**{**known, **facts})


def run(name: str = "reset-after-commit", word: str = "duplicate", **facts) -> Drawn:
    operations = facts.pop("operations", (operation(attempt(1), attempt(2), verdict=word),))
    verdict = facts.pop("verdict", Verdict(word=word, operations=operations, attempts=2))
    return Drawn(name=name, verdict=verdict, word=word, tone=facts.pop("tone", "red"), **facts)


def drawn(*runs: Drawn, **facts) -> str:
    known = {"title": "fakestripe check", "answer": "red", "red": True, "command": "python pay.py"}
    return report(Report(**{**known, **facts}, runs=runs))


def test_it_is_well_formed_and_every_id_is_one_thing_s():
    read = Reader(drawn(run(), run("other"), run("third", "clean", tone="fine")))

    assert read.open == []
    assert len(read.ids) == len(set(read.ids))


def test_it_needs_neither_a_script_nor_the_network():
    text = drawn(run())

    assert re.findall(r'(?:src|href)="([^#"][^"]*)"', text)[0].startswith("data:image/svg+xml,")
    assert len(re.findall(r'(?:src|href)="[^#"]', text)) == 1
    assert "script" not in Reader(text).tags
    assert " style=" not in text
    assert "url(" not in text


def test_its_policy_allows_its_own_style_and_nothing_else():
    assert f'content="{policy(live=False)}"'.replace("'", "&#x27;") in drawn(run()).replace(
        "'", "&#x27;"
    )
    assert "script-src" not in policy(live=False)
    assert "connect-src" not in policy(live=False)


def test_the_worst_run_comes_first_and_what_was_not_exercised_last():
    text = drawn(
        run("fine", "clean", tone="fine"),
        run("nothing", "not exercised", verdict=Verdict(word="clean"), tone="unmet"),
        run("doubt", "inconclusive", tone="doubt"),
        run("orphaned", "orphan"),
        run("doubled", "duplicate"),
    )

    assert re.findall(r'<a href="#run-\d">(\w+)</a>', text) == [
        *("doubled", "orphaned", "doubt", "fine", "nothing")
    ]


def test_a_red_run_stands_open_and_a_clean_one_does_not():
    text = drawn(run(), run("fine", "clean", tone="fine"))

    assert '<details class="run red" open>' in text
    assert '<details class="run fine">' in text


def test_an_operation_says_what_happened_why_and_what_to_do():
    again = "fakestripe check --profile reset-after-commit -- python pay.py"
    said = " ".join(Reader(drawn(run(again=again, source="/p/reset.yaml"))).text)

    for part in (
        "Charged more often than intended.",
        "intended 1 of 2000 usd · charged 2 · believed unknown",
        "ch_B was created beside ch_A.",
        "key-1 became key-2",
        "Make the key once.",
        "sent again by the application",
        again,
        "/p/reset.yaml",
    ):
        assert part in said


def hostile() -> Drawn:
    """Return a run in which a caller wrote markup wherever a caller can."""
    one = attempt(
        path=f"/v1/{EVIL}",
        idempotency_key=EVIL,
        user_agent=EVIL,
        form=f"metadata[{EVIL}]={EVIL}".encode(),
        error_code=EVIL,
        account=EVIL,
        rules=(EVIL,),
        faults=(EVIL,),
        moved=Moved(kind="charge", id=EVIL, amount=1, currency=EVIL),
    )
    found = operation(one, operation=EVIL, explanation=EVIL, difference=EVIL, hazard="no_key")
    found = structs.replace(found, danger=EVIL, intended=Intended(1, 2, EVIL))
    verdict = Verdict(word="duplicate", operations=(found,), notes=(EVIL,), unfired_rules=(EVIL,))
    beside = Beside((one,), (Struck(EVIL, 0.0, 1, faults=(EVIL,)),))
    return run(
        EVIL, verdict=verdict, note=EVIL, cause=EVIL, source=EVIL, again=EVIL, others=beside
    )


def test_what_anybody_wrote_is_text_and_never_markup():
    read = Reader(drawn(hostile(), title=EVIL, answer=EVIL, command=EVIL, facts=(EVIL,)))

    assert "script" not in read.tags
    assert read.open == []
    assert " ".join(read.text).count(EVIL) >= 15


@pytest.mark.parametrize("secret", ["sk_test_abcdefghijklmnopqrstuv", "sk_live_abcdefghijklmnop"])
def test_no_key_is_shown_whole_wherever_it_stands(secret):
    one = attempt(path=f"/v1/{secret}", idempotency_key=secret, user_agent=secret)
    one.form = f"a[{secret}]={secret}".encode()
    found = operation(one, operation=secret, explanation=secret, difference=secret)

    assert secret not in drawn(run(operations=(found,), again=secret), command=secret)


def test_a_card_number_is_masked():
    one = attempt(form=b"source[number]=4242424242424242")

    assert "4242424242424242" not in drawn(run(operations=(operation(one),)))


def test_control_characters_and_lone_surrogates_are_left_out():
    one = attempt(idempotency_key="a\x00b\x1b\ud800c")

    drawn(run(operations=(operation(one),))).encode()
    assert "\x00" not in drawn(run(operations=(operation(one),)))


def test_many_operations_and_attempts_are_counted_where_they_are_not_drawn():
    many = tuple(
        operation(attempt(number), operation=f"ord_{number}", verdict="clean")
        for number in range(1, 51)
    )
    text = drawn(run("batch", "clean", operations=many, tone="fine"))
    storm = drawn(run(operations=(operation(*(attempt(n) for n in range(1, 101))),)))

    assert text.count('class="operation') == 20
    assert "Drawn are the 20 worst and newest operations. 30 more: 30 clean" in text
    assert storm.count('class="lane"') == 40
    assert "… and 60 more attempts, not drawn" in storm


def test_other_arrivals_and_struck_connections_are_listed():
    other = attempt(7, method="GET", path="/v1/charges", moved=None)
    beside = Beside((other,), (Struck("p#0", 0.5, 3, faults=("reset",)),))
    said = " ".join(Reader(drawn(run(others=beside))).text)

    assert "Other arrivals (2)" in said
    assert "GET /v1/charges" in said
    assert "connection 3: reset" in said


def test_a_refund_says_refunded():
    found = operation(attempt(), operation="ord_1 (refund)", intended=None, verdict="clean")

    assert "no intent declared · refunded 1" in drawn(run(operations=(found,)))


CAP = Capped(
    key="vk_test_*******cap1",
    day="2023-11-14",
    cap_usd_cents=4500,
    let_through=2,
    let_through_usd_cents=4000,
    duplicates=(Doubled("ch_2", "ord_1", 2),),
    stopped=3,
    stopped_operations=("ord_2", "ord_3"),
    stop=Stop(
        arrival=3,
        operation="ord_2",
        at=1_700_000_003.0,
        elapsed_s=3.0,
        cap_usd_cents=4500,
        before_usd_cents=4000,
        spent_usd_cents=6000,
        final=True,
    ),
)


def test_what_a_cap_let_through_and_where_it_stopped_the_run_is_drawn():
    word = Verdict(word="duplicate", operations=(operation(attempt()),), caps=(CAP,))
    read = Reader(drawn(run(verdict=word)))
    said = " ".join(read.text)

    assert "run-0-cap-0" in read.ids
    assert (
        "vk_test_*******cap1 on 2023-11-14 let 2 charges through (40.00 of 45.00 USD), 1 of them "
        "a duplicate; it stopped 3 charges of 2 operations."
    ) in said
    assert "It let this duplicate through: ch_2 of ord_1." in said
    assert "It stopped the run at arrival 3 (ord_2), 3.0 s after the start" in said


def test_what_a_cap_refused_shows_the_key_and_its_policy():
    facts = {"api_key": "vk_test_*******cap1", "policy": "daily_usd_cap_exceeded"}
    refused = attempt(status=429, moved=None, error_code="daily_usd_cap_exceeded", **facts)
    found = operation(refused, verdict="cap_exceeded", cause=None)
    said = " ".join(Reader(drawn(run(word="cap_exceeded", operations=(found,)))).text)

    assert "A spend cap stopped the run." in said
    assert "daily_usd_cap_exceeded" in said
    assert "came by vk_test_*******cap1 its policy daily usd cap exceeded" in said
