"""The billing database that all replicas of one run share: a sqlite file named for the run.

It keeps what the programs write and decides nothing; each program brings its own table.
"""

import os
import sqlite3
import tempfile
from pathlib import Path


def opened(table: str) -> sqlite3.Connection:
    """Return a connection to the run's database, with the table made where it was missing."""
    folder = Path(os.environ.get("BILLING_STORE", tempfile.gettempdir()))
    name = f"billing-{os.environ.get('FAKESTRIPE_RUN', os.getppid())}.sqlite"
    connection = sqlite3.connect(folder / name, timeout=60, isolation_level=None)
    connection.execute(f"CREATE TABLE IF NOT EXISTS {table}")
    return connection
