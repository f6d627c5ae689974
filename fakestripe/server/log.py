"""What a server tells those who operate it: rare events, by the logger ``fakestripe``.

Nothing on the way of a request that goes well is told here. No field holds a whole API key.
"""

import logging
from typing import Any, Final

LOG: Final = logging.getLogger("fakestripe")
LOG.addHandler(logging.NullHandler())
LOG.setLevel(logging.ERROR)  # until somebody asks for more


def tell(event: str, **fields: Any) -> None:
    """Tell of an event that is as it should be."""
    LOG.info(event, extra={"fields": fields})


def warn(event: str, **fields: Any) -> None:
    """Tell of an event that somebody should look at."""
    LOG.warning(event, extra={"fields": fields})


def confess(bug: Exception) -> None:
    """Tell of a mistake of our own."""
    said = f"{type(bug).__name__}: {bug}"
    LOG.error("bug", exc_info=bug, extra={"fields": {"said": said}})
