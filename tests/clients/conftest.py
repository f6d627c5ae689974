"""What the client tests share: the tools that a client needs, or the reason why it is skipped.

On a CI machine (CI=true) a missing tool is a failure: there a skip would hide a client.
"""

import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

from toolchain import Unavailable, node_modules  # the line above finds it


@pytest.fixture(scope="session")
def tools(unavailable) -> Callable[[str], Mapping[str, str]]:
    """Return a function from a program's name to the environment that it needs."""
    found: dict[str, str] = {}

    def needed(program: str) -> Mapping[str, str]:
        suffix = Path(program).suffix
        if suffix == ".sh" and shutil.which("curl") is None:
            unavailable("curl is not installed")
        if suffix == ".cjs" and not found:
            try:
                found["NODE_PATH"] = str(node_modules())
            except Unavailable as reason:
                unavailable(str(reason))
        return found if suffix == ".cjs" else {}

    return needed
