"""Where the Node packages of these tests come from: installed once, beside the user's caches.

The folder is named for the lock file, so another lock is another folder; an unfinished install
never gets the name. It does not install Node itself.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
MANIFESTS: Final = ("package.json", "package-lock.json")
INSTALL: Final = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")


class Unavailable(Exception):  # noqa: N818  # a reason, told to whoever may skip
    """Why the packages cannot be had here."""


def node_modules() -> Path:
    """Return the folder for NODE_PATH, installed if need be; raises ``Unavailable``."""
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            raise Unavailable(f"{tool} is not installed")
    digest = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in MANIFESTS))
    home = _cache() / f"node-{digest.hexdigest()[:16]}"
    if not home.exists():
        _install(home)
    return home / "node_modules"


def _cache() -> Path:
    root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(root) / "fakestripe-tests"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / "fakestripe-tests"
        folder.mkdir(exist_ok=True)
    return folder


def _install(home: Path) -> None:
    """Install under another name, then take the right one: two workers may do so at once."""
    with tempfile.TemporaryDirectory(dir=home.parent) as made:
        for name in MANIFESTS:
            shutil.copy(HERE / name, made)
        ran = subprocess.run(INSTALL, cwd=made, check=False, capture_output=True, text=True)
        if ran.returncode != 0:
            raise Unavailable(f"npm ci failed: {ran.stderr.strip()[-300:]}")
        staged = Path(made) / "whole"
        staged.mkdir()
        (Path(made) / "node_modules").rename(staged / "node_modules")
        try:
            staged.rename(home)
        except OSError:
            if not home.exists():
                raise
