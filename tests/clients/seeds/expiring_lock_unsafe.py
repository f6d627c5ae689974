"""A scheduler's lock lets one replica bill, and expires before a slow job has ended.

The next replica finds the lock free and the period not yet billed, and bills it again with a
key of its own.
"""

import sqlite3
import sys
import time
import uuid

import posting
import store

TABLE = "job (name TEXT PRIMARY KEY, lock_until REAL, completed INTEGER DEFAULT 0)"
LOCK_AT_MOST_FOR = 0.2
TICK, TICKS = 0.05, 600


def locked(database: sqlite3.Connection) -> bool:
    now = time.time()
    taken = database.execute(
        "INSERT INTO job (name, lock_until) VALUES ('billing', ?) "
        "ON CONFLICT (name) DO UPDATE SET lock_until = excluded.lock_until WHERE lock_until < ?",
        (now + LOCK_AT_MOST_FOR, now),
    )
    return taken.rowcount == 1


def has_completed(database: sqlite3.Connection) -> bool:
    return database.execute("SELECT 1 FROM job WHERE completed").fetchone() is not None


def run_monthly_billing(database: sqlite3.Connection) -> bool:
    idempotency_key = str(uuid.uuid4())
    if posting.charge(idempotency_key) is None:
        return False
    database.execute("UPDATE job SET completed = 1")
    return True


def schedule(database: sqlite3.Connection) -> bool:
    for _ in range(TICKS):
        if has_completed(database):
            return True
        if locked(database):
            return run_monthly_billing(database)
        time.sleep(TICK)
    return False


if __name__ == "__main__":
    sys.exit(not schedule(store.opened(TABLE)))
