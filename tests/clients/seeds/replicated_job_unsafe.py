"""Every replica asks whether the period is billed, bills it, and only then writes that it is.

Between the question and the note there is time for all replicas to hear "no"; each makes a key
of its own.
"""

import sqlite3
import sys
import uuid

import billing
import posting
import store

TABLE = "completed (period TEXT PRIMARY KEY)"


def has_completed(database: sqlite3.Connection) -> bool:
    asked = database.execute("SELECT 1 FROM completed WHERE period = ?", (billing.PERIOD,))
    return asked.fetchone() is not None


def run_monthly_billing(database: sqlite3.Connection) -> bool:
    if has_completed(database):
        return True
    if posting.charge(str(uuid.uuid4())) is None:
        return False
    database.execute("INSERT OR IGNORE INTO completed VALUES (?)", (billing.PERIOD,))
    return True


if __name__ == "__main__":
    sys.exit(not run_monthly_billing(store.opened(TABLE)))
