"""One attempt as an item of a list: what was sent, what became of it, what the client was told."""

from collections.abc import Iterator
from typing import Final

from fakestripe.drawing.markup import Markup, element
from fakestripe.drawing.route import route
from fakestripe.drawing.track import track
from fakestripe.protocol.secrets import masked, masked_tree
from fakestripe.verdict.lanes import Lane

REFUSED: Final = 400
"""The statuses from here on tell a client that it was not done."""


def lane(drawn: Lane) -> Markup:
    """Return one attempt as an item of a list."""
    line = drawn.line
    return element(
        "li",
        element(
            "div",
            element(
                "p",
                element("b", f"#{line.arrival}"),
                element("span", line.after, class_="at"),
                element("code", masked(line.request)),
                class_="request",
            ),
            _key(drawn),
            class_="who",
        ),
        element("div", track(drawn), route(drawn), class_="when"),
        element("div", *_told(drawn), class_="told"),
        _more(drawn),
        class_="lane",
    )


def _key(drawn: Lane) -> Markup:
    key = drawn.key
    if key is None:
        return element("p", element("span", "no key", class_="chip none"), class_="key")
    return element(
        "p",
        element("span", key.name, class_="chip"),
        element("code", key.text),
        element("span", key.state, class_="state") if key.state else None,
        class_="key",
    )


def _told(drawn: Lane) -> Iterator[Markup]:
    good = drawn.told == "intact" and (drawn.attempt.status or 0) < REFUSED
    yield element("p", drawn.answer, class_="answer good" if good else "answer")
    if drawn.said:
        yield element("p", element("code", masked(drawn.said)))
    if drawn.line.label:
        yield element("p", drawn.line.label, class_="by")
    if drawn.attempt.outcome == "bug":
        yield element("p", "a bug of fakestripe, not of your client", class_="wrong")


def _more(drawn: Lane) -> Markup:
    """Return what the request carried, folded away."""
    attempt = drawn.attempt
    rows = [
        ("connection", drawn.line.connection.removeprefix("connection ")),
        ("sent by", masked(attempt.user_agent)),
        ("account", masked(attempt.account)),
        ("came by", masked(attempt.api_key or "")),
        ("its policy", (attempt.policy or "").replace("_", " ")),
        ("rule", ", ".join(attempt.rules)),
        *_parameters(masked_tree(attempt.parameters)),
    ]
    return element(
        "details",
        element("summary", "request"),
        element(
            "dl",
            *(element("div", element("dt", n), element("dd", v)) for n, v in rows if v),
        ),
        class_="more",
    )


def _parameters(tree: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the parameters as a form names them."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from _parameters(value, f"{name}[{key}]" if name else str(key))
    elif isinstance(tree, list):
        for value in tree:
            yield from _parameters(value, f"{name}[]")
    else:
        yield name, str(tree)
