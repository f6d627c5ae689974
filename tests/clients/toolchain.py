"""Where what these tests install and build is kept: made once, beside the user's caches.

A folder is named for the files that it is made of, so another lock is another folder; what is
unfinished never gets the name. It does not install Node, Go or a JDK themselves.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import Lock
from typing import Final

HERE: Final = Path(__file__).parent
MANIFESTS: Final = (HERE / "package.json", HERE / "package-lock.json")
GO: Final = HERE / "official" / "go"
JAVA: Final = HERE / "official" / "java"
SERVICES: Final = HERE / "java"
OLDEST_GO: Final = (1, 22)
INSTALL: Final = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
JARS: Final = ("mvn", "-q", "-B", "-ntp", "dependency:copy-dependencies")
PACKAGE: Final = ("mvn", "-q", "-B", "-ntp", "package")
COMPILE: Final = ("javac", "--release", "11", "-cp", "jars/*", "-d", "jars")
BOUND: Final = 240
MAKING: Final = Lock()


class Unavailable(Exception):  # noqa: N818  # a reason, told to whoever may skip
    """Why the packages cannot be had here."""


def node_modules() -> Path:
    """Return the folder for NODE_PATH, installed if need be; raises ``Unavailable``."""
    _need("node", "npm")
    return _kept("node", MANIFESTS, _install) / "node_modules"


def go_program(sources: Path = GO) -> Path:
    """Return the program of a module of Go, built if need be; raises ``Unavailable``."""
    _need("go")
    said = _said(("go", "version"), HERE)
    version = re.search(r"go(\d+)\.(\d+)", said)
    if version is None or tuple(map(int, version.groups())) < OLDEST_GO:
        wanted = ".".join(map(str, OLDEST_GO))
        raise Unavailable(f"stripe-go needs Go {wanted} or later, and this is {said.strip()}")
    return _kept("go", _files(sources), _build_go) / "bin" / "program"


def java_jars(sources: Path = JAVA) -> Path:
    """Return the folder of the jars, and of the classes where there are any; as above."""
    _need("java", "javac", "mvn")
    return _kept("java", _files(sources), _build_java) / "jars"


def java_services() -> Path:
    """Return the jar of the billing services, beside the jars that they need; as above."""
    _need("java", "javac", "mvn")
    files = (SERVICES / "pom.xml", *sorted((SERVICES / "src").rglob("*.*")))
    return _kept("services", files, _build_services) / "target" / "billing.jar"


def _files(sources: Path) -> tuple[Path, ...]:
    return tuple(sorted(path for path in sources.iterdir() if path.is_file()))


def _need(*tools: str) -> None:
    for tool in tools:
        if shutil.which(tool) is None:
            raise Unavailable(f"{tool} is not installed")


def _install(folder: Path) -> str:
    _said(INSTALL, folder)
    return "node_modules"


def _build_go(folder: Path) -> str:
    _said(("go", "build", "-mod=readonly", "-buildvcs=false", "-o", "bin/program", "."), folder)
    return "bin"


def _build_java(folder: Path) -> str:
    _said(JARS, folder)
    sources = sorted(path.name for path in folder.glob("*.java"))
    if sources:
        _said((*COMPILE, *sources), folder)
    return "jars"


def _build_services(folder: Path) -> str:
    _said(PACKAGE, folder)
    return "target"


def _said(command: tuple[str, ...], folder: Path) -> str:
    """Return what a command printed; raises ``Unavailable`` with its last words."""
    ran = subprocess.run(
        command, cwd=folder, check=False, capture_output=True, text=True, timeout=BOUND
    )
    if ran.returncode != 0:
        words = (ran.stdout + ran.stderr).strip()[-300:]
        raise Unavailable(f"{' '.join(command[:2])} failed: {words}")
    return ran.stdout


def _kept(name: str, sources: Iterable[Path], make: Callable[[Path], str]) -> Path:
    """Return the folder that is named for its sources; ``make`` says which part of it is kept."""
    files = tuple(sources)
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files))
    home = _cache() / f"{name}-{digest.hexdigest()[:16]}"
    with MAKING:
        if not home.exists():
            _make(home, files, make)
    return home


def _cache() -> Path:
    root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(root) / "fakestripe-tests"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / "fakestripe-tests"
        folder.mkdir(exist_ok=True)
    return folder


def _copy(path: Path, root: Path, into: Path) -> None:
    copied = into / path.relative_to(root)
    copied.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, copied)


def _make(home: Path, sources: Sequence[Path], make: Callable[[Path], str]) -> None:
    """Make it under another name, then take the right one: two workers may do so at once."""
    root = min((path.parent for path in sources), key=lambda folder: len(folder.parts))
    with tempfile.TemporaryDirectory(dir=home.parent) as made:
        for path in sources:
            _copy(path, root, Path(made))
        part = make(Path(made))
        staged = Path(made) / "whole"
        staged.mkdir()
        (Path(made) / part).rename(staged / part)
        try:
            staged.rename(home)
        except OSError:
            if not home.exists():
                raise
