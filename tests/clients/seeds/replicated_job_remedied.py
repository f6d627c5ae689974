"""A replica claims the payment before it charges; the table's key lets one of them through.

The others wait for what the one writes. A claim that came to nothing is given back, and the key
is the same for all, so taking over is safe.
"""

import sqlite3
import sys
import time

import billing
import posting
import store

TABLE = "slots (customer TEXT, period TEXT, charge TEXT, PRIMARY KEY (customer, period))"
SLOT = (billing.CUSTOMER, billing.PERIOD)
WAIT, ROUNDS = 0.1, 300


def claimed(database: sqlite3.Connection) -> bool:
    insert = "INSERT INTO slots (customer, period) VALUES (?, ?) ON CONFLICT DO NOTHING"
    return database.execute(insert, SLOT).rowcount == 1


def written(database: sqlite3.Connection) -> str | None:
    select = "SELECT charge FROM slots WHERE customer = ? AND period = ?"
    row = database.execute(select, SLOT).fetchone()
    return row[0] if row else None


def settle(database: sqlite3.Connection) -> str | None:
    charge = posting.charge(billing.stable_key())
    if charge is None:
        database.execute("DELETE FROM slots WHERE customer = ? AND period = ?", SLOT)
    else:
        update = "UPDATE slots SET charge = ? WHERE customer = ? AND period = ?"
        database.execute(update, (charge, *SLOT))
    return charge


def run_monthly_billing(database: sqlite3.Connection) -> str | None:
    for _ in range(ROUNDS):
        if claimed(database):
            return settle(database)
        charge = written(database)
        if charge is not None:
            return charge
        time.sleep(WAIT)
    return None


if __name__ == "__main__":
    sys.exit(billing.conclude(run_monthly_billing(store.opened(TABLE))))
