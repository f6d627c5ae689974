"""What happens at the edge of a port, where no account is known yet, and the journal of it.

A line of it belongs to every account of the port: each must know that a rule struck, and none can
say that it was struck alone.
"""

from typing import Any

from fakestripe.server.account import Account
from fakestripe.server.accounts import Accounts


class Edge:
    """The rules that struck at the edge since a profile took effect, and all lines about them."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._lines: list[dict[str, Any]] = []
        self.fired: dict[str, int] = {}
        accounts.on_open = self._joins

    def begin(self) -> None:
        """Forget what struck: a profile takes effect, and whoever saw the last one knows of it."""
        self.fired.clear()
        self._lines.clear()

    def _joins(self, account: Account) -> None:
        """Let an account know what happened before its first request."""
        account.bank.journal.events.extend(self._lines)
        account.bank.fired.update(self.fired)

    def strikes(self, kind: str, rule: str, **fields: Any) -> dict[str, Any]:
        """Note that a rule strikes; returns the line, to which ``amend`` may add."""
        accounts = self._accounts
        line = {"kind": kind, "elapsed_s": accounts.elapsed(), "rule": rule, **fields}
        self._lines.append(line)
        self.fired[rule] = self.fired.get(rule, 0) + 1
        for account in accounts:
            account.bank.journal.events.append(line)
            account.bank.fired.update(self.fired)
        self._tell(line)
        return line

    def ends(self, line: dict[str, Any]) -> None:
        """Note that what a line tells of is over."""
        self.amend(line, until_s=self._accounts.elapsed())

    def amend(self, line: dict[str, Any], **fields: Any) -> None:
        """Add to a line what came of it."""
        line |= fields
        self._tell(line)

    def _tell(self, line: dict[str, Any]) -> None:
        heard = self._accounts.heard()
        if heard is not None:
            heard(line)
