"""The recipes of the README fit the schemas of those who read them, and what they run is run.

The services in them are processes here, on a free port in place of the one that is published.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest
import yaml

README = (Path(__file__).parent.parent / "README.md").read_text()
PATIENCE = 60
IMAGE = "registry.example.com/fakestripe"
GATE = 'curl -s -u sk_test_ci: --fail-with-body "$URL/_fakestripe/verdict?gate=1"'


def recipe(kind):
    """Return the status that a recipe ends with, and its text."""
    mark, _, rest = README.partition(f"<!-- {kind}: ")[2].partition(" -->\n```")
    return int(mark), rest.partition("\n")[2].partition("\n```\n")[0]


def check(kind, text, tmp_path):
    """Validate against the schema of its name, as the reader's own tools have it."""
    (tmp_path / "recipe.yml").write_text(text)
    return subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", kind, "recipe.yml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )


def found(module):
    try:
        import_module(module)
    except ImportError:
        return False
    return True


@pytest.fixture
def sandbox(tmp_path, unavailable):
    """Return a folder with the README's careless client."""
    text = README.partition("<!-- file: pay.py -->\n```python\n")[2].partition("\n```\n")[0]
    (tmp_path / "pay.py").write_text(text)
    if not shutil.which("curl"):
        unavailable("curl is not installed")
    return tmp_path


@pytest.fixture
def environment():
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("FAKESTRIPE", "STRIPE"))}
    return {**kept, "PATH": os.pathsep.join([str(Path(sys.executable).parent), kept["PATH"]])}


@pytest.fixture
def service(sandbox, environment):
    """Start a service of a recipe, by nothing but its variables; return where it is."""
    started = []

    def serve(described):
        ready = sandbox / "service.json"
        process = subprocess.Popen(
            [sys.executable, "-m", "fakestripe", "serve"],
            env={
                **environment,
                **described.get("env", described.get("environment")),
                "FAKESTRIPE_PORT": "0",
                "FAKESTRIPE_READY_FILE": str(ready),
            },
            stdout=subprocess.DEVNULL,
        )
        started.append(process)
        deadline = time.monotonic() + PATIENCE
        while not ready.exists():
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return json.loads(ready.read_text())["url"]

    yield serve
    for process in started:
        process.terminate()
        process.wait()


def run(command, cwd, environment):
    return subprocess.run(
        ["bash", "-ec", command],
        cwd=cwd,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.parametrize(
    ("kind", "schema"),
    [("workflow", "vendor.github-workflows"), ("compose", "vendor.compose-spec")],
)
def test_a_recipe_fits_the_schema_of_who_reads_it(kind, schema, tmp_path, unavailable):
    if not found("check_jsonschema"):
        unavailable("check-jsonschema is not installed (pip install check-jsonschema)")
    done = check(schema, recipe(kind)[1], tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_steps_of_the_workflow_end_with_the_gate(service, sandbox, environment):
    status, text = recipe("workflow")
    job = yaml.safe_load(text)["jobs"]["billing"]
    url = service(job["services"]["stripe"])
    published = "http://127.0.0.1:12111"
    told = {name: value.replace(published, url) for name, value in job["env"].items()}
    steps = [step["run"] for step in job["steps"] if "run" in step]
    done = [run(step, sandbox, {**environment, **told}) for step in steps]

    assert job["services"]["stripe"]["image"] == IMAGE
    assert published in job["env"].values()
    assert [each.returncode for each in done] == [0, 0, status]
    assert done[-1].stdout.startswith("duplicate (charged more often than intended)\n")


def test_the_replicas_of_the_composition_meet_one_server(service, sandbox, environment):
    status, text = recipe("compose")
    stripe, app = yaml.safe_load(text)["services"].values()
    url = service(stripe)
    reached = app["environment"]["STRIPE_API_BASE"]
    told = {**environment, **app["environment"], "STRIPE_API_BASE": url}
    paid = [
        subprocess.Popen([sys.executable, "pay.py"], cwd=sandbox, env=told)
        for _ in range(app["deploy"]["replicas"])
    ]
    statuses = [each.wait(PATIENCE) for each in paid]
    gate = run(GATE, sandbox, {**environment, "URL": url})

    assert (stripe["image"], reached) == (IMAGE, "http://stripe:12111")
    assert statuses == [0, 0]
    assert gate.returncode == status
    assert json.loads(gate.stdout)["verdict"] == "duplicate"


def test_the_plain_process_leaves_a_journal_that_is_judged(sandbox, environment):
    status, text = recipe("script")
    done = run(text, sandbox, environment)

    assert done.returncode == status, done.stdout
    assert "duplicate (charged more often than intended)" in done.stdout
