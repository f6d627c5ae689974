"""What leads a JVM from outside holds whatever variables of the user say."""

import os
import shutil
import subprocess

import pytest

from fakestripe.cli.checking import led
from fakestripe.server.intercept import script

PROGRAM = """\
class Told {
  public static void main(String[] args) {
    System.out.println(System.getProperty("https.proxyHost") + " " + System.getProperty("mine"));
  }
}
"""
THEIRS = "-Dhttps.proxyHost=corp.example -Dmine=kept"
OUTRANKING = ["JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"]
"""What a JVM obeys rather than JAVA_TOOL_OPTIONS."""


@pytest.fixture(autouse=True)
def java(unavailable):
    if shutil.which("java") is None:
        unavailable("java is not installed")


def told(folder, environment, *before):
    (folder / "Told.java").write_text(PROGRAM)
    ran = subprocess.run(
        [*before, "java", str(folder / "Told.java")],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PATH": os.environ["PATH"], **environment},
        check=True,
    )
    return ran.stdout


@pytest.mark.parametrize("name", ["JAVA_TOOL_OPTIONS", *OUTRANKING])
def test_a_proxy_of_the_user_never_outranks_ours(tmp_path, name):
    theirs = {name: THEIRS}
    found = led.leading(theirs, "http://127.0.0.1:9", "/ours/trust.p12")

    assert told(tmp_path, {**theirs, **found}) == "127.0.0.1 kept\n"


@pytest.mark.parametrize("name", OUTRANKING)
def test_nor_where_a_script_is_sourced(tmp_path, name):
    here = "127.0.0.1:9"
    asked = script.Asked("java", f"http://{here}/", here, "127.0.0.1", f"http://{here}")
    sourced = script.script(asked, b"PEM").replace("curl -fsSk", "true")
    (tmp_path / "env.sh").write_text(f'set -eu\n{sourced}exec "$@"\n')
    before = ("sh", str(tmp_path / "env.sh"))

    said = told(tmp_path, {name: THEIRS, "TMPDIR": str(tmp_path)}, *before)

    assert said == "127.0.0.1 kept\n"


def test_what_the_user_has_not_set_stays_unset():
    found = led.leading({}, "http://127.0.0.1:9", "/ours/trust.p12")

    assert [name for name in OUTRANKING if name in found] == []
