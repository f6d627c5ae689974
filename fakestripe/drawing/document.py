"""A whole document: the template with stylesheet and script inside, and what it may load.

The policy names the two by their hashes and nothing else, so a browser refuses whatever is not
ours, even if some text of a caller had become markup.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from string import Template
from typing import Final

from msgspec import Struct

from fakestripe.drawing.markup import Markup, joined
from fakestripe.protocol.secrets import masked

STYLE: Final = "drawing.css"
SCRIPT: Final = "page.js"
TEMPLATE: Final = "document.html"


class Document(Struct, frozen=True):
    """A document to be: its title, its body, and whether it refreshes itself."""

    title: str
    body: Markup
    live: bool = False


def document(wanted: Document) -> str:
    """Return the document as one text that needs nothing beside it."""
    script = _file(SCRIPT) if wanted.live else ""
    return Template(_file(TEMPLATE)).substitute(
        policy=policy(live=wanted.live),
        title=masked(joined(wanted.title).text),
        style=_file(STYLE),
        body=masked(wanted.body.text),
        script=f"<script>{script}</script>" if script else "",
    )


def policy(*, live: bool) -> str:
    """Return the Content-Security-Policy: the page may ask its own server, a report nobody."""
    parts = [
        "default-src 'none'",
        f"style-src '{_hash(STYLE)}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    if live:
        parts += [f"script-src '{_hash(SCRIPT)}'", "connect-src 'self'"]
    return "; ".join(parts)


@cache
def _file(name: str) -> str:
    return files("fakestripe.drawing").joinpath(name).read_text("utf-8").strip()


@cache
def _hash(name: str) -> str:
    return f"sha256-{b64encode(sha256(_file(name).encode()).digest()).decode()}"
