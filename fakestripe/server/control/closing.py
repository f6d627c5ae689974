"""What a test's end complains of: a bug of ours, silence, a fault that never struck, red unasked.

Each complaint is a text for the reader of a test report, with what to do about it. Nothing here
knows pytest, and nothing is raised here.
"""

import traceback
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from fakestripe.verdict import Records, Verdict, words
from fakestripe.verdict.text import text as text_of

NO_REQUEST: Final = """\
no request reached fakestripe at {url}
Is Stripe replaced by responses, respx, vcrpy, unittest.mock? \
Does the client still point at api.stripe.com?
A test that means to send none says so by looking: assert fakestripe.charges == []"""

UNFIRED: Final = """\
{rule} never fired: {meaning}
What arrived: {arrived}
{closest}{remedy}"""

UNASKED: Final = """\
{text}

The test never asked for the verdict: end it with fakestripe.assert_clean()"""

HAZARD: Final = """\
hazard {cause}: no second charge yet, but another fault would make one
{text}"""

BUG: Final = """\
fakestripe has a bug. It is not your client's fault, and this test proves nothing.
{trace}
Please report it with this text."""

UNMET: Final = "the client paid and never met the profile {profile}: {why}"
UNMET_BY: Final = frozenset({"barrier_not_filled", "window_unseen"})
"""The reasons of a client that came alone to a race, or to a closed port that counts nobody."""
UNSUPPORTED: Final = "fakestripe does not have {endpoint}: what the client does there is untested"


class Ended(Struct, frozen=True):
    """What is known of one account when its test ends, or asks.

    ``asked`` says that the test asked for the verdict, ``looked`` that it read anything at all,
    ``restarted`` that it emptied the account itself; ``replay`` is the command that runs it again.
    """

    records: Records
    verdict: Verdict
    bugs: Sequence[Exception]
    asked: bool
    looked: bool
    restarted: bool
    replay: str | None = None


def complaints(ended: Ended, url: str) -> list[str]:
    """Return what the end of a test that passed complains of; empty where all is well."""
    found, verdict = bugs(ended), ended.verdict
    if not ended.records.attempts and not ended.records.edge:
        meant = ended.restarted or (ended.looked and not verdict.unfired_rules)
        return found if meant else [*found, NO_REQUEST.format(url=url)]
    found += [_unfired(name, ended) for name in verdict.unfired_rules]
    if not ended.asked and words.unexpected(verdict, verdict.expect):
        found.append(UNASKED.format(text=told(ended)))
    return found


def bugs(ended: Ended) -> list[str]:
    """Return the mistakes of ours, with their tracebacks."""
    traces = ("".join(traceback.format_exception(bug)).rstrip() for bug in ended.bugs)
    return [BUG.format(trace=trace) for trace in traces]


def _unfired(name: str, ended: Ended) -> str:
    reason, near = words.REASONS["rule_never_fired"], ended.verdict.near_misses
    arrived = dict.fromkeys(f"{each.method} {each.path}" for each in ended.records.attempts)
    return UNFIRED.format(
        rule=_rule(name, ended),
        meaning=reason.meaning,
        arrived=", ".join(arrived),
        closest="".join(f"Closest: {miss.closest}\n" for miss in near if miss.rule == name),
        remedy=reason.remedy,
    )


def _rule(name: str, ended: Ended) -> str:
    """Return a rule as a reader knows it: its name, its point, its faults."""
    rule = ended.records.declared[name]
    return f"rule {name} (at {rule.at}: {', '.join(rule.faults)})"


def shortfall(ended: Ended) -> str | None:
    """Return why the verdict is not clean; None where it is, or is what the profile expects."""
    verdict = ended.verdict
    allowed = {"clean", *verdict.expect}
    found = {verdict.word, *(each.verdict for each in verdict.operations)}
    if found <= allowed and verdict.hazard is not None:
        return HAZARD.format(cause=verdict.hazard, text=told(ended))
    fine = found <= allowed and words.exit_status(verdict, allowed) == words.FINE
    return None if fine else told(ended)


def told(ended: Ended) -> str:
    """Return the verdict as a test report shows it, with the unsupported endpoints it hit."""
    lacking = (UNSUPPORTED.format(endpoint=each) for each in unsupported(ended))
    text = text_of(ended.verdict, profile=ended.verdict.source, replay=ended.replay)
    return "\n".join([text, *lacking])


def unsupported(ended: Ended) -> list[str]:
    """Return the endpoints that the client called and fakestripe does not have."""
    met = (each for each in ended.records.attempts if each.outcome == "unsupported")
    return list(dict.fromkeys(f"{each.method} {each.path}" for each in met))


def unmet(ended: Ended) -> str | None:
    """Return why a client could not meet its profile; None where it could, or paid nothing.

    A client that moved no money may be broken: that is never passed over.
    """
    verdict = ended.verdict
    paid = any(each.moved is not None for each in ended.records.attempts)
    why = [f"{_rule(name, ended)} never fired" for name in verdict.unfired_rules]
    why += [words.REASONS[each].meaning for each in verdict.reasons if each in UNMET_BY]
    if not paid or not why or verdict.word != "inconclusive":
        return None
    return UNMET.format(profile=verdict.profile, why=", ".join(why))
