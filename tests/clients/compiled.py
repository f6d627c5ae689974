"""The columns of clients that are compiled: Go and Java, with Stripe's libraries and without.

It says how each is built and started; ``matrix`` lists its tables beside its own. One binary and
one folder of classes hold all clients of a language, and an argument chooses.
"""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from columns import Column, Line, Table
from rows import PLAIN_ROWS, ROWS, STRIPE_ROWS
from toolchain import go_program, java_jars

GO: Final = Path(__file__).parent / "programs" / "go"
JAVA: Final = Path(__file__).parent / "programs" / "java"
OKHTTP3: Final = Path(__file__).parent / "programs" / "okhttp3"
"""Jars that stand before the others: the same program then runs on an older OkHttp."""
BRIEF: Final = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""What a JVM is told that lives for seconds."""
REUSED: Final = frozenset(name for name, row in ROWS.items() if row.connection != "fresh")


def _go(client: str) -> Column:
    return Column(lambda: Line((str(go_program(GO)), "--client", client)))


def _java(
    client: str, *arguments: str, option: str = "", without: frozenset[str] = frozenset()
) -> Column:
    return Column(lambda: _java_line(client, *arguments, option=option), without)


def _java_line(client: str, *arguments: str, option: str = "", before: str = "") -> Line:
    jars = java_jars(JAVA)
    options = (*BRIEF, option) if option else BRIEF
    start = ("java", *options, "-cp", f"{before}{jars}/*:{jars}", "Program")
    return Line((*start, "--client", client, *arguments))


def _okhttp3(*arguments: str) -> Column:
    return Column(
        lambda: _java_line("okhttp", *arguments, before=f"{java_jars(OKHTTP3)}/*:"),
    )


STRIPE: Final = Table(
    "stripe-compiled",
    {
        "Go": _go("stripe"),
        "Java": _java("stripe"),
        "Java StripeClient": _java("stripe-client"),
    },
    STRIPE_ROWS,
)
"""Stripe's own libraries; Java in global style has two retries, as ``StripeClient`` none."""

PLAIN: Final = Table(
    "plain-compiled",
    {
        "Go net/http": _go("http"),
        "HttpURLConnection": _java("url"),
        "HttpURLConnection, no keep-alive": _java(
            "url", option="-Dhttp.keepAlive=false", without=REUSED
        ),
        "HttpURLConnection, retryPost=false": _java(
            "url", option="-Dsun.net.http.retryPost=false"
        ),
        "HttpURLConnection, streaming": _java("url", "--streaming"),
        "java.net.http": _java("http"),
        "java.net.http, enableAllMethodRetry": _java(
            "http", option="-Djdk.httpclient.enableAllMethodRetry"
        ),
        "OkHttp": _java("okhttp"),
        "OkHttp, two addresses": _java("okhttp", "--two-addresses"),
        "OkHttp, no retryOnConnectionFailure": _java("okhttp", "--no-retry"),
        "OkHttp 3": _okhttp3(),
        "Apache HttpClient 4": _java("apache4"),
        "Apache HttpClient 5": _java("apache5"),
        "Apache HttpClient 5, no retries": _java("apache5", "--no-retry"),
    },
    PLAIN_ROWS,
)
"""Go's and Java's clients that know nothing of Stripe; "streaming" is of a fixed length."""

TABLES: Final[tuple[Table, ...]] = (STRIPE, PLAIN)


def versions() -> tuple[str, ...]:
    """Return what is measured: a line of Go, a line of Java."""
    go = _said(r"go(\d\S+)", "go", "version")
    java = _said(r'"(\S+)"', "java", "-version")
    modules = REQUIRED.findall((GO / "go.mod").read_text(encoding="utf-8"))
    poms = ((folder / "pom.xml").read_text(encoding="utf-8") for folder in (JAVA, OKHTTP3))
    jars = [jar for pom in poms for jar in DEPENDENCY.findall(pom)]
    return (
        f"Go {go} with {_listed(modules)}",
        f"Java {java} with {_listed(jars)}",
    )


REQUIRED: Final = re.compile(r"(stripe-go)/\S+ v(\S+)")
DEPENDENCY: Final = re.compile(
    r"<groupId>.*</groupId>\s*<artifactId>(.*?)(?:-jvm)?</artifactId>"
    r"\s*<version>(.*)</version>\s*</dependency>"
)


def _listed(named: list[tuple[str, str]]) -> str:
    return ", ".join(" ".join(each) for each in named)


def _said(pattern: str, tool: str, question: str) -> str:
    path = shutil.which(tool)
    assert path is not None
    ran = subprocess.run([path, question], check=True, capture_output=True, text=True)
    return str(re.findall(pattern, ran.stdout + ran.stderr)[0])
