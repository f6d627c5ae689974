"""The admin verb that waits: until so many attempts have arrived, ended, or a rule has struck.

A test in any language needs no sleep for what its client does in the background.
"""

from typing import Any, Final

from fakestripe.protocol.duration import seconds, word
from fakestripe.protocol.points import POINTS
from fakestripe.server.admin.call import STOPPING, TIMED_OUT, AdminError, Call
from fakestripe.server.waiting import Awaited, told

MOST: Final = 1_000_000
LONGEST: Final = 600.0
"""Seconds that a call may wait; nobody says whether its client is still there."""
FLAG: Final = {"0": False, "1": True}


async def wait(call: Call) -> Any:
    """Answer once it has come; 408 where it did not in time, 503 where the server stops."""
    awaited, patience = _awaited(call), _patience(call.query.get("timeout", "10s"))
    came = await call.port.waiting.until(lambda: awaited.holds(call.present), patience)
    known = told(call.present)
    if came:
        return known
    if call.port.waiting.stopped:
        raise AdminError(f"the server stops; still awaited: {awaited}", STOPPING, **known)
    raise AdminError(f"after {word(patience)} still awaited: {awaited}", TIMED_OUT, **known)


def _awaited(call: Call) -> Awaited:
    query, rule = call.query, call.query.get("rule")
    attempts = _number(query.get("attempts", "1" if rule is None else "0"))
    ended, point = query.get("ended", "0"), query.get("point")
    if ended not in FLAG:
        raise ValueError(f"ended={ended}: write ended=1, or leave it out")
    if point is not None and point not in POINTS:
        raise ValueError(f"point={point}: there are {', '.join(POINTS)}")
    if rule is not None:
        _check_rule(rule, call)
    return Awaited(attempts, FLAG[ended], point, rule)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:8]) <= MOST):
        raise ValueError(f"attempts={text}: write a whole number, such as attempts=2")
    return int(text)


def _patience(text: str) -> float:
    patience = seconds(text)
    if patience > LONGEST:
        raise ValueError(f"timeout={text}: a call waits {word(LONGEST)} at most")
    return patience


def _check_rule(rule: str, call: Call) -> None:
    """Refuse a rule that no profile has: it would be waited for in vain."""
    known = {each.name for account in call.chosen for each in account.profile.rules}
    if rule not in known:
        there = (
            f"there are: {', '.join(sorted(known))}" if known else "no profile with rules is set"
        )
        raise ValueError(f"rule={rule} is in no profile; {there}")
