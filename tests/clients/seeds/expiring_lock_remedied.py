"""The lock is held by the session, however long the job takes, and the key is the same for all.

The database frees it when the job commits or its process ends; who comes next sees what was
done, and if nothing was, tries under the same key.
"""

import sqlite3
import sys

import billing
import posting
import store

TABLE = "job (name TEXT PRIMARY KEY, charge TEXT)"


def run_monthly_billing(database: sqlite3.Connection) -> str | None:
    database.execute("BEGIN IMMEDIATE")
    try:
        done = database.execute("SELECT charge FROM job WHERE name = 'billing'").fetchone()
        if done is not None:
            return str(done[0])
        charge = posting.charge(billing.stable_key())
        if charge is not None:
            database.execute("INSERT INTO job VALUES ('billing', ?)", (charge,))
        return charge
    finally:
        database.execute("COMMIT")


if __name__ == "__main__":
    sys.exit(billing.conclude(run_monthly_billing(store.opened(TABLE))))
