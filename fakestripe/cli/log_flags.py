"""What a server tells on its standard error, and how: lines of text, or of JSON.

Without a flag only bugs of ours are told. The access log is a sink of the journal: it costs what
a journal costs, and those who do not ask for it pay nothing.
"""

import logging
from argparse import Namespace
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import msgspec

from fakestripe.cli.flags import Flag, one_of
from fakestripe.protocol.secrets import masked

FORMATS: Final = ("text", "json")
SHOWN: Final = (
    *("arrival", "account", "method", "path", "idempotency_key", "status"),
    *("last_point", "rules", "charge", "outcome"),
)
"""What the access log has of an attempt."""
MILLISECONDS: Final = 1000

FLAGS: Final = (
    Flag(
        "--log-format",
        "tell of starts, stops, profiles, refused keys and bugs on standard error, in lines of "
        "this form; without it, of bugs alone",
        "|".join(FORMATS),
        one_of(*FORMATS),
    ),
    Flag("--access-log", "tell of every answered request too", kind="switch"),
)

Sink = Callable[[dict[str, Any]], None]


def configure(args: Namespace) -> None:
    """Let the logger write in the form that was asked for."""
    from fakestripe.server.log import LOG

    handler = logging.StreamHandler()
    handler.addFilter(partial(_written, write=_json if args.log_format == "json" else _text))
    LOG.addHandler(handler)
    LOG.propagate = False
    LOG.setLevel(logging.INFO if args.log_format or args.access_log else logging.ERROR)


def sink_of(args: Namespace, journal: Sink | None) -> Sink | None:
    """Return who gets the lines of the journal: its file, the access log, both, or nobody."""
    if not args.access_log:
        return journal
    return _access if journal is None else _both(journal)


def _both(journal: Sink) -> Sink:
    def sink(line: dict[str, Any]) -> None:
        journal(line)
        _access(line)

    return sink


def _access(line: dict[str, Any]) -> None:
    """Tell of an attempt once it has ended."""
    if line["kind"] != "attempt" or line["ended_s"] is None:
        return
    from fakestripe.server.log import tell

    took = (line["ended_s"] - line["started_s"]) * MILLISECONDS
    tell("request", **{name: line[name] for name in SHOWN}, took_ms=round(took, 3))


def _json(told: dict[str, Any]) -> str:
    return msgspec.json.encode(told).decode()


def _text(told: dict[str, Any]) -> str:
    """Return the same as words: what is no plain word stands as JSON."""
    first = [str(told.pop(name)) for name in ("time", "level", "event")]
    return " ".join([*first, *(f"{name}={_word(value)}" for name, value in told.items())])


def _word(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    plain = text.isprintable() and not set(text) & set(' "=')
    return text if plain else msgspec.json.encode(text).decode()


def _told(record: logging.LogRecord) -> dict[str, Any]:
    """Return what a record says: ``time``, ``level``, ``event``, and its fields."""
    when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    fields = getattr(record, "fields", {})
    told = {
        "time": when.replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "event": record.getMessage(),
        **{name: masked(each) if isinstance(each, str) else each for name, each in fields.items()},
    }
    if record.exc_info:
        told["traceback"] = masked(logging.Formatter().formatException(record.exc_info))
    return told


def _written(record: logging.LogRecord, write: Callable[[dict[str, Any]], str]) -> bool:
    """Make one line of a record, whatever is in it."""
    line = write(_told(record))
    record.msg, record.args = line, ()
    record.exc_info = record.exc_text = None
    return True
