"""What a judgement found, as values: one verdict per run, one finding per operation.

Their fields are the public format (README, formats): one may be added, none renamed. They
decide nothing.
"""

from msgspec import Struct

from fakestripe.protocol.attempt import Attempt, Label
from fakestripe.protocol.declared import Belief
from fakestripe.verdict.records import Difference


class Intended(Struct, frozen=True):
    """What the client set out to pay: ``amount`` in minor units, None where any will do."""

    count: int
    amount: int | None = None
    currency: str | None = None


class Seen(Struct, frozen=True):
    """One arrival as the verdict places it: regrouped with all intents known."""

    attempt: Attempt
    operation: str
    number: int
    label: Label


class OperationVerdict(Struct, frozen=True, kw_only=True):
    """One logical payment or refund: its word, its evidence, and what to do about it.

    ``charges`` are its live charges (refunds where it is one) in order of creation; ``pair`` are
    the arrivals that made ch_A and ch_B, or would have; ``danger`` is the sentence of a hazard.
    """

    operation: str
    verdict: str
    flags: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    intended: Intended | None = None
    believed: Belief = "unknown"
    charges: tuple[str, ...] = ()
    cause: str | None = None
    hazard: str | None = None
    danger: str = ""
    explanation: str = ""
    remedy: str = ""
    difference: str | None = None
    attempts: tuple[Seen, ...] = ()
    pair: tuple[int, int] | None = None


class NearMiss(Struct, frozen=True, kw_only=True):
    """The arrival that came nearest to a rule that never fired, and what kept it from it.

    ``stage`` is how far it came: ``match``, ``when``, ``shadowed`` by another rule, ``unreached``
    where only the point was not reached, ``unnoticed`` where the strike bit nobody.
    """

    rule: str
    stage: str
    arrival: int
    method: str | None = None
    path: str | None = None
    differs: tuple[Difference, ...] = ()
    closest: str = ""

    def __str__(self) -> str:
        """Say it as a reader would."""
        return f"rule {self.rule} never fired; closest: {self.closest}"


class Warned(Struct, frozen=True, kw_only=True):
    """Bad manners of one operation, which change no word and no exit status.

    ``kind`` is ``storm`` or ``no_back_off``; ``attempts`` took part in it, the first and the last
    of them in ``arrivals``.
    """

    kind: str
    operation: str
    attempts: int
    arrivals: tuple[int, int]
    told: str
    remedy: str

    def __str__(self) -> str:
        """Say it as a reader would."""
        return f"warning ({self.kind}): {self.operation}: {self.told}"


class Doubled(Struct, frozen=True):
    """A charge that a cap let through and that was one too many: its operation, its arrival."""

    charge: str
    operation: str
    arrival: int


class Stop(Struct, frozen=True, kw_only=True):
    """The refusal with which a cap stopped a run.

    ``at`` is epoch seconds of the account's clock, ``elapsed_s`` seconds since the port opened.
    ``before_usd_cents`` were committed or reserved, ``spent_usd_cents`` would have been with this
    charge, of the ``cap_usd_cents`` of then; ``final``: nothing of this key and day was let
    through afterwards.
    """

    arrival: int
    operation: str
    at: float
    elapsed_s: float
    cap_usd_cents: int
    before_usd_cents: int
    spent_usd_cents: int
    final: bool


class Capped(Struct, frozen=True, kw_only=True):
    """What the spend cap of one key (masked) did on one day (UTC, as 2026-11-30).

    The cap is the one that the key had last, should it have been changed.
    ``duplicates`` are those of the charges let through that were too many, ``stopped`` counts
    refused arrivals, ``would_have_doubled`` those of them whose payment was charged already.
    """

    key: str
    day: str
    cap_usd_cents: int
    let_through: int
    let_through_usd_cents: int
    duplicates: tuple[Doubled, ...] = ()
    stopped: int = 0
    stopped_operations: tuple[str, ...] = ()
    would_have_doubled: int = 0
    stop: Stop | None = None


class Verdict(Struct, frozen=True, kw_only=True):
    """The judgement of one run.

    ``exercised`` of ``exercisable`` operations met a fault and came back; ``notes`` are sentences
    for the reader (what was guarded, what was numbered by arrival, the nearest request), and
    ``points`` the point at which each rule strikes.
    """

    word: str
    reasons: tuple[str, ...] = ()
    operations: tuple[OperationVerdict, ...] = ()
    unfired_rules: tuple[str, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()
    fired_rules: tuple[str, ...] = ()
    exercised: int = 0
    exercisable: int = 0
    attempts: int = 0
    charges: int = 0
    notes: tuple[str, ...] = ()
    warnings: tuple[Warned, ...] = ()
    caps: tuple[Capped, ...] = ()
    profile: str | None = None
    source: str | None = None
    expect: tuple[str, ...] = ("clean",)
    replicas: int = 1
    client_exits: tuple[int | None, ...] = ()
    points: dict[str, str] = {}

    @property
    def worst(self) -> OperationVerdict | None:
        """The operation that decides the word, or None where a reason of the run does."""
        return next((found for found in self.operations if found.verdict == self.word), None)

    @property
    def cause(self) -> str | None:
        """The cause of the worst operation that has one."""
        return next((found.cause for found in self.operations if found.cause), None)

    @property
    def hazard(self) -> str | None:
        """The first hazard: no second charge yet, but another fault would make one."""
        return next((found.hazard for found in self.operations if found.hazard), None)
