"""What other people's programs load so that they find us: a preload of Node, a hook of Python.

These are files, not modules of ours; nothing here imports them.
"""

from pathlib import Path
from typing import Final

PRELOAD: Final = str(Path(__file__).parent / "node" / "preload.cjs")
"""For ``node --require``."""
HOOKS: Final = str(Path(__file__).parent / "python")
"""A folder for PYTHONPATH."""
