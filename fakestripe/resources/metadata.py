"""Metadata of an object that is updated: keys are added, replaced and unset, the rest stays."""

from typing import Final

from fakestripe.protocol.errors import invalid_request
from fakestripe.protocol.params import METADATA_KEYS
from fakestripe.resources.sources import EMPTY, Empty

NOTHING: Final[dict[str, str]] = {}


def merged(before: dict[str, str] | Empty, given: dict[str, str]) -> dict[str, str] | Empty:
    """Return metadata after an update: an empty value unsets its key, an empty hash all."""
    known = before if isinstance(before, dict) and given else NOTHING
    after = {key: value for key, value in (known | given).items() if value != ""}
    if len(after) > METADATA_KEYS:
        raise invalid_request(
            f"Metadata can have up to {METADATA_KEYS} keys, but you've set {len(after)}",
            param="metadata",
        )
    return after or EMPTY
