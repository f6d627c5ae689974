"""What the ledger holds in the end, told by the attempts that changed it.

A live charge is one that did not fail; a refund or a cancellation afterwards is noted on it and
does not unmake it. Whoever asks gets charges in order of creation: ids of one account sort by age.
"""

from collections.abc import Iterable

from msgspec import Struct

from fakestripe.protocol.attempt import Attempt, Moved


class Live(Struct):
    """A charge or a refund that stands, and the attempt that made it."""

    id: str
    amount: int
    currency: str
    maker: Attempt
    customer: str | None = None
    captured: bool = True
    refunded: int = 0
    cancelled: bool = False

    @property
    def undone(self) -> bool:
        """Whether all of its money went back, or will never move."""
        return self.cancelled or self.refunded >= self.amount


class Truth(Struct):
    """All live charges and refunds, by the arrival that made them."""

    charges: dict[int, Live]
    refunds: dict[int, Live]


def truth_of(attempts: Iterable[Attempt]) -> Truth:
    """Return what stands after all attempts."""
    truth = Truth({}, {})
    by_id: dict[str, Live] = {}
    for attempt in attempts:
        moved = attempt.moved
        if moved is None or moved.status == "failed":
            continue
        if moved.kind == "charge":
            live = _live(moved, attempt)
            truth.charges[attempt.arrival] = by_id[moved.id] = live
            if moved.payment_intent is not None:
                by_id[moved.payment_intent] = live
        elif moved.kind == "refund":
            truth.refunds[attempt.arrival] = _live(moved, attempt)
    for attempt in attempts:
        if attempt.moved is not None:
            _apply(attempt.moved, by_id)
    return truth


def _live(moved: Moved, attempt: Attempt) -> Live:
    return Live(
        id=moved.id,
        amount=moved.amount,
        currency=moved.currency,
        maker=attempt,
        customer=moved.customer,
        captured=moved.captured,
    )


def _apply(moved: Moved, by_id: dict[str, Live]) -> None:
    """Note on a charge what happened to it after it was made."""
    live = by_id.get(moved.charge or "") or by_id.get(moved.payment_intent or "")
    if live is None or moved.status == "failed":
        return
    if moved.kind == "capture":
        live.captured, live.amount = True, moved.amount
    elif moved.kind == "refund":
        live.refunded += moved.amount
    elif moved.kind == "cancel":
        live.cancelled = True
