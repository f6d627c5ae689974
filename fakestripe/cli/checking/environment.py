"""What a client is given to find the server, and the first guard: never with a live key.

No SDK reads a base URL from the environment by itself: the variables are for the one line that
wires it, and ``{url} {host} {port} {key} {ca}`` in the command for clients with a flag.
"""

import os
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from fakestripe.cli.usage import UsageError
from fakestripe.server.intercept import variables

LIVE: Final = ("sk_live_", "rk_live_")
QUOTES: Final = " \t\"'"
OURS: Final = "FAKESTRIPE_CA_FILE"
"""Where our own authority is, for clients that read no other variable."""


def refuse_live_keys(environment: Mapping[str, str], words: Mapping[str, str]) -> None:
    """Raise ``UsageError`` where a live key could reach the client; its value is never shown."""
    for name, text in environment.items():
        if text.lstrip(QUOTES).startswith(LIVE):
            raise UsageError(
                f"the environment variable {name} holds a live Stripe key; nothing was run: "
                f"unset it (env -u {name} fakestripe check …)"
            )
    for name, text in words.items():
        if any(mark in text for mark in LIVE):
            raise UsageError(f"{name} holds a live Stripe key; nothing was run")


def environment(url: str, key: str, run: int, profile: str, replica: int = 1) -> dict[str, str]:
    """Return the environment of one process of one run."""
    return {
        **os.environ,
        "STRIPE_API_BASE": url,
        "STRIPE_API_KEY": key,
        "STRIPE_SECRET_KEY": key,
        "FAKESTRIPE_URL": url,
        "FAKESTRIPE_RUN": str(run),
        "FAKESTRIPE_PROFILE": profile,
        "FAKESTRIPE_REPLICA": str(replica),
    }


def trusting(ca_file: str | None, bundle: str | None = None) -> dict[str, str]:
    """Return the variables that make a client trust a file; none where there is no file.

    ``bundle`` is trusted instead by clients that go to others too.
    """
    if ca_file is None:
        return {}
    return {each.name: each.value for each in variables.trusting(ca_file, bundle or ca_file)}


def filled(command: Iterable[str], url: str, key: str, ca_file: str | None = None) -> list[str]:
    """Return the command with its placeholders replaced."""
    parts = urlsplit(url)
    values = {
        "{url}": url,
        "{host}": parts.hostname or "",
        "{port}": str(parts.port),
        "{key}": key,
        "{ca}": ca_file or "",
    }
    words = []
    for word in command:
        for placeholder, text in values.items():
            word = word.replace(placeholder, text)  # noqa: PLW2901  # four in a row
        words.append(word)
    return words
