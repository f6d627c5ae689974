"""The server that is examined, by its admin side: each trial has an account of its own there.

A fresh secret key a trial, so that no neighbour's profile or charge is touched; all of them are
forgotten at the end. A port whose keys are all one account is somebody's own, and is left alone.
"""

import json
import os
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct

from fakestripe.cli.doctoring.client import PATIENCE, Place
from fakestripe.cli.usage import UsageError

ADMIN: Final = "/_fakestripe/"
OK: Final = 200
NOTHING: Final = {"match": {"path": "/"}, "at": "received", "do": "close"}
"""A rule that no request of ours meets."""
STRIPE: Final = ("stripe.com", "stripe.network")


class Refused(Exception):  # noqa: N818  # no mistake: what a server says to an admin call
    """A server that answers, and does not do what it was asked."""


def place_of(url: str, ca_file: str | None) -> Place:
    """Return the place that a URL names; raises ``UsageError``, also for the real Stripe."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if host is None or parts.scheme not in ("http", "https"):
        raise UsageError(f"{url!r} is not a URL such as http://127.0.0.1:12111")
    if host.endswith(STRIPE):
        raise UsageError(f"{host} is the real Stripe: a doctor has no business there")
    if parts.scheme == "http":
        if ca_file:
            raise UsageError(f"--ca-file is for https, and {url} is not")
        return Place(host, port or 80)
    return Place(host, port or 443, _context(ca_file))


def _context(ca_file: str | None) -> ssl.SSLContext:
    """Return whom to trust: whoever a file vouches for, else anybody."""
    if ca_file is None:
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context
    try:
        return ssl.create_default_context(cafile=Path(ca_file))
    except (OSError, ssl.SSLError) as wrong:
        raise UsageError(f"--ca-file {ca_file}: {wrong.strerror or wrong}") from None


class Talk:
    """Calls of the admin side of a place, on one connection."""

    def __init__(self, place: Place) -> None:
        self._connection = (
            HTTPConnection(place.host, place.port, timeout=PATIENCE)
            if place.context is None
            else HTTPSConnection(place.host, place.port, timeout=PATIENCE, context=place.context)
        )

    def ask(self, method: str, verb: str, key: str | None = None, body: Any = None) -> Any:
        """Make an admin call and return what it answers.

        Raises ``OSError`` or ``HTTPException`` where nobody answers, ``Refused`` where somebody
        does and will not, ``ValueError`` where that is no JSON.
        """
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        said = json.dumps(body) if body else None
        self._connection.request(method, ADMIN + verb, said, headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status != OK:
            raise Refused(_reason(content) or f"answers {answer.status}")
        if verb == "journal":
            return [json.loads(line) for line in content.splitlines()]
        return json.loads(content)

    def close(self) -> None:
        """End the connection."""
        self._connection.close()


class Patient(Struct, frozen=True):
    """A server at a place; ``name`` begins the keys of its examination."""

    place: Place
    name: str

    @property
    def url(self) -> str:
        """Its base URL."""
        host = f"[{self.place.host}]" if ":" in self.place.host else self.place.host
        return f"{self.place.scheme}://{host}:{self.place.port}"

    def key(self, number: int) -> str:
        """Return the key of a trial."""
        return f"sk_test_doctor{self.name}x{number}"

    def at(self, port: int) -> "Patient":
        """Return the same server at another of its ports, on the host that we know it by."""
        place = self.place
        return Patient(Place(place.host, port, place.context), self.name)

    @contextmanager
    def talk(self) -> Iterator[Talk]:
        """Make several calls on one connection."""
        talk = Talk(self.place)
        try:
            yield talk
        finally:
            talk.close()

    def ask(self, method: str, verb: str, key: str | None = None, body: Any = None) -> Any:
        """Make one call."""
        with self.talk() as talk:
            return talk.ask(method, verb, key, body)


def _reason(content: bytes) -> str | None:
    try:
        return str(json.loads(content)["error"])
    except (ValueError, KeyError, TypeError):
        return None


def met(place: Place) -> tuple[Patient, str]:
    """Return the server at a place and its version; raises ``UsageError`` where there is none."""
    patient = Patient(place, f"{os.getpid():x}x{time.time_ns():x}")
    try:
        version = str(patient.ask("GET", "health")["fakestripe"])
    except (OSError, HTTPException) as failure:
        raise UsageError(f"{patient.url} does not answer: {failure}") from None
    except (Refused, ValueError, KeyError, TypeError):
        raise UsageError(
            f"{patient.url} is no fakestripe: start one by fakestripe serve"
        ) from None
    _check_that_keys_are_apart(patient)
    return patient, version


def _check_that_keys_are_apart(patient: Patient) -> None:
    """Raise ``UsageError`` where every key is the same account: it would be somebody's."""
    with patient.talk() as talk:
        one, other = (
            talk.ask("GET", "profile", patient.key(number))[0]["account"] for number in (0, 1)
        )
    if one == other:
        raise UsageError(
            f"{patient.url} is a port of somebody's own (a fixture's, a check's): all keys are "
            "one account there, which a doctor must not touch; name the port of fakestripe serve"
        )


@contextmanager
def further(patient: Patient) -> Iterator[Patient]:
    """Open a port of one's own, and close it afterwards; raises ``Refused`` with a reason."""
    mark = f"doctor-{patient.name}"
    profile = {"name": mark, "rules": [NOTHING]}
    opened = patient.ask("POST", "ports", patient.key(0), {"profile": profile})
    own = patient.at(opened["port"])
    try:
        if not _reached(own, mark):
            raise Refused(
                f"its port {own.place.port} cannot be reached from here: let it have some that "
                "are published (fakestripe serve --port-range)"
            )
        yield own
    finally:
        patient.ask("DELETE", f"ports/{opened['port']}", patient.key(0))


def _reached(own: Patient, mark: str) -> bool:
    """Return whether the port that was opened, and no other, is what answers there."""
    try:
        return any(each["name"] == mark for each in own.ask("GET", "profile"))
    except (OSError, HTTPException, Refused, ValueError, KeyError, TypeError):
        return False
