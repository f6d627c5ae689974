"""The billing database that all replicas of one run share: a sqlite file named for the run.

``BILLING_STORE`` is a folder that is empty before a check. The store keeps what the programs
write and decides nothing; each program brings its own table.
"""

import os
import sqlite3
from pathlib import Path


def opened(table: str) -> sqlite3.Connection:
    """Return a connection to the run's database, with the table made where it was missing."""
    file = Path(os.environ["BILLING_STORE"]) / f"run-{os.environ['FAKESTRIPE_RUN']}.sqlite"
    connection = sqlite3.connect(file, timeout=60, isolation_level=None)
    connection.execute(f"CREATE TABLE IF NOT EXISTS {table}")
    return connection
