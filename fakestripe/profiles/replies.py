"""What the faults of the answer take: another one, or a way of sending it, as shapes.

What one argument says alone is read by its shape; what several say together is checked by the
function beside the table, and said to editors by the conditions that stand under its shape.
"""

from typing import Final

from fakestripe.faults import kinds
from fakestripe.profiles.place import Place
from fakestripe.profiles.selections import TOKEN
from fakestripe.profiles.shapes import (
    AMOUNT,
    DURATION,
    PART,
    SOME,
    SPOKEN,
    TEXT,
    Schema,
    Shape,
    mapping,
    one_of,
    some,
    whole,
)
from fakestripe.protocol.errors import CANNED

LOWEST_STATUS: Final = 200
HIGHEST_STATUS: Final = 599
BODILESS: Final = frozenset({204, 205, 304})
FRAMING: Final = frozenset({"content-length", "transfer-encoding", "connection"})
NO_WHOLE: Final[Schema] = {"not": {"const": "100%"}}


def _exactly_one(first: str, second: str) -> Schema:
    return {"oneOf": [{"required": [first]}, {"required": [second]}]}


def _only(name: str, value: str) -> Schema:
    return {"properties": {name: {"const": value}}, "required": [name]}


def _headers(place: Place) -> dict[str, str]:
    for key, below in place.entries().items():
        if key.text.lower() in FRAMING:
            raise below.wrong(f"{key.text} is written by the server", key.mark)
        if not TOKEN.fullmatch(key.text):
            raise below.wrong(f"{key.text!r} is no name of a header", key.mark)
    return place.pairs(lambda below: below.line("a header value"))


HEADERS: Final = Shape(
    _headers,
    {
        "type": "object",
        "additionalProperties": SPOKEN,
        "propertyNames": {
            "pattern": f"^{TOKEN.pattern}$",
            "not": {"enum": ["Content-Length", "Transfer-Encoding", "Connection", *FRAMING]},
        },
    },
)

REPLY: Final = {
    "status": whole(LOWEST_STATUS, HIGHEST_STATUS).told(
        "The status; a bare 500, 502, 503 or 504 is a gateway's page."
    ),
    "headers": HEADERS.told("Headers of the answer; what frames it is written by the server."),
    "body": TEXT.told("The body, as written."),
    "stripe": one_of(CANNED, "stripe error").told("An error of Stripe's, whole."),
    "record": one_of(["true", "substitute"], "record").told(
        "What the key keeps: the true outcome, or this substitute, as Stripe keeps its own 500."
    ),
}


def _reply(place: Place) -> kinds.Reply:
    given = place.fields(REPLY, wanted="a mapping such as {status: 502}")
    if ("status" in given) == ("stripe" in given):
        raise place.wrong("expected either a status or the name of a stripe error")
    if "stripe" in given and "body" in given:
        raise place.wrong("a stripe error has a body of its own")
    if given.get("body") and given.get("status") in BODILESS:
        raise place.wrong(f"a {given['status']} has no body")
    return kinds.Reply(**given)


ANSWER: Final = Shape(_reply, mapping(REPLY).schema).under(
    **_exactly_one("status", "stripe"),
    dependentSchemas={"stripe": {"properties": {"body": False}}},
    **{
        "if": {"properties": {"status": {"enum": sorted(BODILESS)}}, "required": ["status"]},
        "then": {"properties": {"body": {"const": ""}}},
    },
)

DRIP: Final = {
    "bytes": whole(wanted="a number of bytes such as 10").told("So many bytes at a time."),
    "every": DURATION.told("So much time between them."),
}


def _drip(place: Place) -> kinds.Drip:
    given = place.fields(DRIP, DRIP, "a mapping such as {bytes: 10, every: 100ms}")
    return kinds.Drip(given["bytes"], given["every"])


DRIPPING: Final = Shape(_drip, mapping(DRIP, DRIP).schema)


GARBLE: Final = {
    "body": PART.under(**NO_WHOLE).told("The JSON breaks off here: bytes, or a percentage.")
}


def _garble(place: Place) -> kinds.Garble:
    given = some(place, mapping(GARBLE, wanted="a mapping such as {body: 50%}"))
    if _is_whole(given["body"]):
        raise place.at("body").wrong("100% of the body breaks nothing")
    return kinds.Garble(**given)


GARBLED: Final = Shape(_garble, mapping(GARBLE).under(**SOME).schema)


def _content_length(place: Place) -> kinds.ContentLength:
    says = AMOUNT(place)
    if _is_whole(says):
        raise place.wrong("100% is the true length: write more or less")
    return kinds.ContentLength(says)


LENGTH: Final = Shape(_content_length, AMOUNT.under(**NO_WHOLE).schema)


def _is_whole(part: float) -> bool:
    """Return whether a part is 100%: a single byte is none."""
    return isinstance(part, float) and part == 1


TRUNCATE: Final = {
    "head": PART.told("So much of the head is sent, and nothing of the body."),
    "body": PART.told("The head is sent, and so much of the body."),
    "framing": one_of(["length", "chunked", "unframed"], "framing").told(
        "How the head announces the body: by its length, in chunks, or not at all."
    ),
    "then": one_of(["close", "reset", "hang"], "ending").told("How the connection ends."),
    "hang": DURATION.told("How long it hangs, where it does."),
}


def _truncate(place: Place) -> kinds.Truncate:
    given = place.fields(TRUNCATE, wanted="a mapping such as {body: 50%}")
    if ("head" in given) == ("body" in given):
        raise place.wrong("expected either head or body, as bytes or as a percentage")
    if "hang" in given and given.get("then") != "hang":
        raise place.wrong("'hang' is the length of a hang: it needs then: hang")
    if _is_whole(given.get("body", 0)) and given.get("framing", "length") == "length":
        raise place.wrong("100% of the body cuts nothing")
    return kinds.Truncate(**given)


CUT: Final = Shape(_truncate, mapping(TRUNCATE).schema).under(
    **_exactly_one("head", "body"),
    dependentSchemas={"hang": _only("then", "hang")},
    anyOf=[
        {"properties": {"body": NO_WHOLE}},
        {"properties": {"framing": {"enum": ["chunked", "unframed"]}}, "required": ["framing"]},
    ],
)
