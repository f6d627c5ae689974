"""The verdict: what a journal proves, and in which words it is told.

``judge`` is pure and reads nothing but the journal. No word of guilt without evidence in it, no
``clean`` without proof that something was exercised.
"""

from fakestripe.verdict.finding import OperationVerdict, Verdict
from fakestripe.verdict.judge import judge
from fakestripe.verdict.learning import differences, learn
from fakestripe.verdict.reading import JournalError, merged, read, records_of
from fakestripe.verdict.records import Records
from fakestripe.verdict.words import exit_status

__all__ = [
    "JournalError",
    "OperationVerdict",
    "Records",
    "Verdict",
    "differences",
    "exit_status",
    "judge",
    "learn",
    "merged",
    "read",
    "records_of",
]
