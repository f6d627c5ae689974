"""The page that watches a running server: what has happened so far, account by account.

The same drawing as a report's. Its script only asks for ``<main>`` anew and puts in what changed;
without it, a reload does the same.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from fakestripe.drawing.document import Document, document
from fakestripe.drawing.legend import legend
from fakestripe.drawing.markup import Markup, element, plural
from fakestripe.drawing.operation import badge, tone_of
from fakestripe.drawing.run import Beside, body
from fakestripe.protocol.secrets import masked
from fakestripe.verdict.finding import Verdict
from fakestripe.verdict.words import ORDER, WORDS, worst

ACCOUNTS: Final = 20
OPERATIONS: Final = 40
"""How many accounts, and how many operations of each, are drawn."""
NOTHING: Final = "Point your client at this server, and watch here what it does."
UNFOLDED: Final = 3
"""How many accounts stand open."""


class Shown(Struct, frozen=True, kw_only=True):
    """One account so far: ``newest`` is its last arrival, 0 where there is none."""

    account: str
    profile: str
    verdict: Verdict
    others: Beside = Beside()
    newest: int = 0


class Watched(Struct, frozen=True, kw_only=True):
    """What a port has seen so far.

    ``seen`` stands for this state where somebody asks for a later one, ``pause`` is how many
    milliseconds to let pass before that; ``ports`` are the addresses of further ports.
    """

    version: str
    accounts: tuple[Shown, ...] = ()
    seen: str = ""
    pause: int = 0
    ports: tuple[str, ...] = ()


def page(watched: Watched) -> str:
    """Return the whole page."""
    status = element(
        "p",
        element("span", "●", aria_hidden="true"),
        element("span", " as it was when this page was loaded", id="status", role="status"),
        class_="status",
    )
    body = Markup(status.text + _main(watched).text)
    return document(Document("fakestripe: what has happened so far", body, live=True))


def part(watched: Watched) -> str:
    """Return what the page puts in the place of what it shows."""
    return masked(_main(watched).text)


def _main(watched: Watched) -> Markup:
    accounts = sorted(watched.accounts, key=lambda one: (ORDER[one.verdict.word], -one.newest))
    return element(
        "main",
        _head(watched),
        element("section", *_sections(accounts), class_="runs", id="accounts"),
        data_seen=watched.seen,
        data_pause=watched.pause,
    )


def _head(watched: Watched) -> Markup:
    word = worst(one.verdict.word for one in watched.accounts)
    said = f"{word} so far: {WORDS[word].meaning}"
    red = bool(watched.accounts) and WORDS[word].red
    return element(
        "header",
        element("p", "fakestripe", class_="product"),
        element(
            "h1",
            said if watched.accounts else "no request has arrived yet",
            class_="red" if red else None,
        ),
        element("p", NOTHING) if not watched.accounts else None,
        element("ul", *(element("li", fact) for fact in _facts(watched)), class_="learned"),
        element("nav", *_links(watched), aria_label="The same for programs"),
    )


def _facts(watched: Watched) -> Iterator[str]:
    for count, noun in (
        (len(watched.accounts), "account"),
        (sum(one.verdict.attempts for one in watched.accounts), "attempt"),
        (sum(one.verdict.charges for one in watched.accounts), "charge"),
    ):
        yield f"{count} {plural(count, noun)}"
    yield f"fakestripe {watched.version}"


def _links(watched: Watched) -> Iterator[Markup]:
    yield element("a", "verdict as text", href="verdict?format=text")
    yield element("a", "verdict as JSON", href="verdict")
    yield element("a", "journal", href="journal")
    for url in watched.ports:
        yield element("a", f"port {url.rpartition(':')[2]}", href=f"{url}/_fakestripe/")


def _sections(accounts: Sequence[Shown]) -> Iterator[Markup]:
    if accounts:
        yield legend()
    for place, one in enumerate(accounts[:ACCOUNTS]):
        yield _account(one, unfolded=place < UNFOLDED)
    rest = Counter(one.verdict.word for one in accounts[ACCOUNTS:])
    if rest:
        told = ", ".join(f"{count} {word}" for word, count in rest.items())
        said = f"Drawn are the {ACCOUNTS} worst and newest accounts. {rest.total()} more: {told}."
        yield element("p", said, class_="rest")


def _account(one: Shown, *, unfolded: bool) -> Markup:
    found, prefix = one.verdict, masked(one.account)
    return element(
        "details",
        element(
            "summary",
            element("h2", prefix),
            badge(found.word, tone_of(found.word)),
            element("span", f"profile {one.profile}", class_="flag"),
            element(
                "span",
                f"{found.attempts} {plural(found.attempts, 'attempt')} · "
                f"{found.charges} {plural(found.charges, 'charge')}",
                class_="facts",
            ),
        ),
        element("div", *body(found, one.others, prefix, OPERATIONS)),
        class_=f"run {tone_of(found.word)}",
        id=prefix,
        open=unfolded,
    )
