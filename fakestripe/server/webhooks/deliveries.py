"""What befalls one event on its way to one endpoint, and what the journal says of it.

A fault depends on the type of the event alone, never on chance. What is said of it is what came
true: an event that no later one overtook was not out of order, and one that was answered only
after the client had been was not there before the answer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from fakestripe.protocol.declared import Delivery
from fakestripe.server.webhooks.courier import Answered


class Turn:
    """Holds an event until a later one has been delivered, or for so many seconds."""

    def __init__(self, longest: float) -> None:
        self._longest = longest
        self._came = asyncio.Event()
        self._later: Sequence[Answered] = ()
        self.over = False

    @property
    def overtaken(self) -> bool:
        """Whether a later one went first."""
        return bool(self._later)

    def let(self, later: Sequence[Answered]) -> None:
        """Let a later one go first."""
        self.over = True
        self._later = later
        self._came.set()

    async def wait(self) -> None:
        """Return when it is this one's turn."""
        try:
            async with asyncio.timeout(self._longest):
                await self._came.wait()
        except TimeoutError:
            self.over = True
        if self._later:
            await asyncio.wait(self._later)


class Ahead:
    """Holds an answer until the receiver has had an event, or for so many seconds."""

    def __init__(self, answered: Sequence[Answered], longest: float) -> None:
        self._answered = answered
        self._until = asyncio.get_running_loop().time() + longest
        self.over = False

    async def hold(self) -> None:
        """Return when the answer may be sent."""
        left = self._until - asyncio.get_running_loop().time()
        await asyncio.wait(self._answered, timeout=max(0.0, left))
        self.over = True


class Way:
    """One event on its way to one endpoint, in all its copies; ``rule`` is a profile's."""

    def __init__(self, delivery: Delivery, rule: str | None) -> None:
        self.delivery = delivery
        self.rule = rule
        self.turn: Turn | None = None
        self.ahead: Ahead | None = None
        self.overtakes = False
        self.told = False

    @property
    def wait(self) -> Callable[[], Awaitable[None]] | None:
        """Return what is awaited before it sets out."""
        if self.turn is not None:
            return self.turn.wait
        late = self.delivery.late
        return partial(asyncio.sleep, late) if late else None

    @property
    def words(self) -> tuple[str, ...]:
        """Return which faults it has met so far, in the words of a profile."""
        met = {
            "before_answer": self.ahead is not None and not self.ahead.over,
            "out_of_order": self.overtakes or (self.turn is not None and self.turn.overtaken),
        }
        return tuple(word for word in self.delivery.words if met.get(word, True))
