"""The columns of clients that are compiled: Go and Java, with Stripe's libraries and without.

It says how each is built and started; ``matrix`` lists its tables beside its own.
"""

from typing import Final

from columns import Table

TABLES: Final[tuple[Table, ...]] = ()
