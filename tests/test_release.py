"""What a release holds: the wheel runs alone and carries the profiles, neither carries junk.

Both are built from this tree, without network: the build back end is one of the extra ``dev``.
"""

import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import fakestripe

ROOT = Path(__file__).parent.parent
JUNK = ("__pycache__", "node_modules", ".pytest_cache", ".git/", ".venv", "htmlcov", ".coverage")


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(dist):
    (path,) = dist.glob("*.whl")
    with zipfile.ZipFile(path) as opened:
        yield opened


@pytest.fixture(scope="module")
def sdist(dist):
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as opened:
        yield {name.partition("/")[2] for name in opened.getnames()}


def text(wheel, name):
    (full,) = (path for path in wheel.namelist() if path.endswith(f".dist-info/{name}"))
    return wheel.read(full).decode()


def profiles():
    return {path.name for path in (ROOT / "fault_profiles").glob("*.yaml")}


def test_the_wheel_carries_every_profile(wheel):
    prefix = "fakestripe/_fault_profiles/"
    inside = {name.removeprefix(prefix) for name in wheel.namelist() if name.startswith(prefix)}

    assert {name for name in inside if name.endswith(".yaml")} == profiles()
    assert len(profiles()) >= 10


def test_the_wheel_carries_the_package_whole_and_nothing_else(wheel):
    made = {name for name in wheel.namelist() if ".dist-info/" not in name}
    sources = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "fakestripe").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert {name for name in made if "_fault_profiles/" not in name} == sources
    assert "fakestripe/py.typed" in made


def test_the_wheel_names_its_doors(wheel):
    assert text(wheel, "entry_points.txt").split("\n\n") == [
        "[console_scripts]\nfakestripe = fakestripe.cli:main",
        "[pytest11]\nfakestripe = fakestripe.pytest_plugin\n",
    ]


def test_the_metadata_says_what_the_package_is(wheel):
    metadata = Parser().parsestr(text(wheel, "METADATA"))

    assert metadata["Name"] == "fakestripe"
    assert metadata["Version"] == fakestripe.__version__
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "MIT"
    assert {
        line.partition(">")[0]
        for line in metadata.get_all("Requires-Dist")
        if "extra ==" not in line
    } == {"aiohttp<4,", "faker", "msgspec", "pyyaml"}


def test_the_source_archive_is_enough_to_build_and_to_test(sdist):
    kept = {"pyproject.toml", "README.md", "LICENSE", "fakestripe/__init__.py"}

    assert kept <= sdist
    assert {f"fault_profiles/{name}" for name in profiles()} <= sdist
    assert "tests/test_release.py" in sdist


def test_neither_carries_what_tools_leave_behind(wheel, sdist):
    names = {*wheel.namelist(), *sdist}

    assert {name for name in names if any(junk in f"{name}/" for junk in JUNK)} == set()
