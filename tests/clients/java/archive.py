"""One archive of the classes that the services load: a JVM maps it instead of reading them.

It is made once beside the jar, from what a few services load when a charge goes well. It decides
nothing and may be missing: a service then starts more slowly and does the same.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

SERIAL: Final = "-XX:+UseSerialGC"
"""The collector of the services: an archive is for one."""
LOADED: Final = (
    "undertow-callback",
    "undertow-dispatch",
    "xnio-recursion",
    "cxf-interceptor",
    "cxf-async",
    "jaxws-singleton",
)
"""Systems that load, between them, nearly all that any does."""
BOUND: Final = 60


def archive(jar: Path) -> Path:
    """Return the archive of the classes of a jar and of what it needs, made if need be."""
    made = jar.with_suffix(".jsa")
    if not made.exists():
        with tempfile.TemporaryDirectory(dir=jar.parent) as folder, _served() as base:
            dumped = _dumped(jar, _loaded(jar, base, Path(folder)), Path(folder))
            if dumped.exists():
                dumped.replace(made)
    return made


def _loaded(jar: Path, base: str, folder: Path) -> Path:
    """Return a file that lists what the systems load, each class once."""
    names: dict[str, None] = {}
    environment = {**os.environ, "STRIPE_API_BASE": base, "STRIPE_API_KEY": "sk_test_archive"}
    for system in LOADED:
        listed = folder / system
        _java(
            (f"-XX:DumpLoadedClassList={listed}", "-jar", jar, system, "remedied"),
            environment,
        )
        if listed.exists():
            names.update(dict.fromkeys(listed.read_text(encoding="utf-8").splitlines()))
    whole = folder / "all"
    whole.write_text("\n".join(names) + "\n", encoding="utf-8")
    return whole


def _dumped(jar: Path, loaded: Path, folder: Path) -> Path:
    made = folder / "made.jsa"
    named = (f"-XX:SharedClassListFile={loaded}", f"-XX:SharedArchiveFile={made}")
    _java(("-Xshare:dump", *named, "-jar", jar), dict(os.environ))
    return made


def _java(words: tuple[str | Path, ...], environment: dict[str, str]) -> None:
    subprocess.run(
        ("java", SERIAL, *words),
        check=False,
        capture_output=True,
        timeout=BOUND,
        env=environment,
    )


@contextmanager
def _served() -> Iterator[str]:
    words = (sys.executable, "-m", "fakestripe", "serve", "--port", "0", "--customers", "any")
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()
