"""What should happen on the wire, as values: an exchange yields them, the server performs them.

``Reset``, ``Close`` and ``Hang`` end the connection, and with it the exchange; ``Resend`` ends the
exchange alone. ``Cut`` sends part of a reply and then ends the connection. ``Wait`` and
``Barrier`` only take time.
"""

from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from fakestripe.protocol.reply import Reply

Ending: TypeAlias = Literal["close", "reset", "hang"]
Framing: TypeAlias = Literal["length", "chunked", "unframed"]


class Wait(Struct, frozen=True, tag=True):
    """Let ``seconds`` pass, then go on, whether the client is still there or not.

    ``until_left``: or go on as soon as the client has left.
    """

    seconds: float
    until_left: bool = False


class Barrier(Struct, frozen=True, tag=True):
    """Hold until ``parties`` exchanges hold at ``name``, or ``timeout`` seconds; then let go.

    ``rule`` is whose barrier it is: it may have one for each operation, each by its own name.
    """

    name: str
    parties: int
    timeout: float
    rule: str


class Held(Protocol):
    """Something that is under way, of which only who performs effects knows what it is."""

    async def hold(self) -> None:
        """Return when it is over."""


class Await(Struct, frozen=True, tag=True):
    """Hold until all of these are over: receivers are told of the commit before the client."""

    held: tuple[Held, ...]


class Hang(Struct, frozen=True, tag=True):
    """Never answer: end when the client leaves, after ``seconds`` (then FIN), or at shutdown."""

    seconds: float | None = None


class Reset(Struct, frozen=True, tag=True):
    """End the connection with a TCP RST."""


class Close(Struct, frozen=True, tag=True):
    """End the connection with a TCP FIN, without another byte."""


class Resend(Struct, frozen=True, tag=True):
    """Drop the answer, and let the same request arrive once more, as a proxy would send it."""


class Send(Struct, frozen=True, tag=True):
    """Send the whole reply."""

    reply: Reply


class Drip(Struct, frozen=True, tag=True):
    """Send the whole reply, ``size`` bytes at a time, with ``every`` seconds between them."""

    reply: Reply
    size: int
    every: float


class Misframe(Struct, frozen=True, tag=True):
    """Send the whole reply, with a Content-Length of ``length`` that is not its body's."""

    reply: Reply
    length: int


class Cut(Struct, frozen=True, tag=True):
    """Send the first ``head`` bytes of the head, or the whole head and ``body`` bytes of the body.

    A float ``head`` is a fraction: only who writes the head knows its length.

    ``then`` says how the connection ends (``hang``: after how many seconds, where it hangs),
    ``framing`` how the head announces the body.
    """

    reply: Reply
    head: float | None = None
    body: int = 0
    framing: Framing = "length"
    then: Ending = "close"
    hang: float | None = None


def part(amount: float, size: int) -> int:
    """Return how many of ``size`` bytes: a float is a fraction, an int a number of bytes."""
    wanted = int(size * amount) if isinstance(amount, float) else amount
    return min(wanted, size)


Effect: TypeAlias = (
    Wait | Barrier | Await | Hang | Reset | Close | Resend | Send | Drip | Misframe | Cut
)


class Performed(Struct, frozen=True, gc=False):
    """What the server reports after an effect.

    ``left`` says that the client's end of the connection was gone, ``bytes_sent`` counts the
    bytes of the reply that reached the kernel, ``delivered`` is true where all of them did
    while the client was there, ``parties`` counts the arrivals at a barrier.
    """

    left: bool = False
    bytes_sent: int = 0
    delivered: bool = False
    parties: int = 0


NOTHING = Performed()
