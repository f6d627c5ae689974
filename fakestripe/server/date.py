"""The Date header, made once a second from the real clock."""

from email.utils import formatdate

from fakestripe.server.real_time import Real

_made: dict[int, str] = {}


def http_date() -> str:
    """Return the time as HTTP writes it."""
    second = int(Real.wall())
    text = _made.get(second)
    if text is None:
        _made.clear()
        text = _made[second] = formatdate(second, usegmt=True)
    return text
