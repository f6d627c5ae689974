"""What stands on a bank statement: the two parameters, their limits, and what comes of them.

The limits are documented, the texts of most refusals are not [G] (stripe-facts 4.5). On card
charges ``statement_descriptor`` serves as the suffix where no suffix is given.
"""

from typing import Final

from fakestripe.protocol.errors import invalid_request
from fakestripe.protocol.params import Params

LONGEST: Final = 22
FORBIDDEN: Final = frozenset("<>\\'\"*")
PREFIX: Final = "FAKESTRIPE"


def read_descriptor(params: Params, name: str) -> str | None:
    """Read a statement descriptor, or None where absent or unset."""
    value = params.unsettable(name)
    if value is None:
        return None
    words = f"The {name.replace('_', ' ')}"
    if len(value) > LONGEST:
        raise invalid_request(f"{words} must be at most {LONGEST} characters.", param=name)
    if FORBIDDEN.intersection(value):
        raise invalid_request(f"{words} must not hold any of < > \\ ' \" *.", param=name)
    if not any(letter.isascii() and letter.isalpha() for letter in value):
        text = "The statement descriptor must contain at least one Latin character."
        raise invalid_request(text, param=name)
    return value


def calculated(descriptor: str | None, suffix: str | None) -> str:
    """Return the descriptor as the bank prints it."""
    ending = suffix or descriptor
    return PREFIX if ending is None else f"{PREFIX}* {ending.upper()}"[:LONGEST]
