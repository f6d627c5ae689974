"""The tree is the architecture: who may import whom, what pure rooms may touch, how long.

Each rule is a table here; a new room or a new door is one row, and a reason to stop and think.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "fakestripe"

ROOMS: dict[str, set[str]] = {
    "protocol": set(),
    "bank": {"protocol"},
    "resources": {"protocol", "bank"},
    "faults": {"protocol", "bank"},
    "verdict": {"protocol", "bank"},
    "drawing": {"protocol", "verdict"},
    "answer": {"protocol", "bank", "resources", "faults"},
    "admission": {"protocol", "bank", "resources"},
    "noting": {"protocol", "bank"},
    "exchange": {"protocol", "bank", "resources", "faults", "answer", "admission", "noting"},
    "profiles": {"protocol", "faults"},
    "sweeping": {"protocol", "bank", "faults", "verdict", "profiles"},
    "server": {
        *("protocol", "bank", "resources", "faults", "verdict", "drawing", "exchange", "profiles"),
    },
    "cli": {
        *("protocol", "bank", "faults", "verdict", "drawing", "exchange", "profiles", "server"),
        "sweeping",
    },
    "pytest_plugin": {
        *("protocol", "bank", "faults", "verdict", "profiles", "server", "sweeping"),
    },
    "__init__": {"server", "profiles", "faults", "verdict"},
    "__main__": {"cli"},
    "_version": set(),
}
"""Which rooms each room may import; ``_version`` is open to all."""

PURE = {
    "protocol",
    "bank",
    "resources",
    "faults",
    "verdict",
    "answer",
    "admission",
    "noting",
    "exchange",
}
COMPUTATION = {
    *("abc", "base64", "bisect", "collections", "collections.abc", "datetime", "decimal"),
    *("difflib", "enum", "fnmatch", "functools", "hashlib", "heapq", "html", "itertools"),
    *("math", "operator", "re", "statistics", "string", "textwrap", "types", "typing"),
    *("urllib.parse", "uuid"),
}
"""The parts of the standard library that compute and do nothing else."""

FORBIDDEN = {
    *("aiohttp", "asyncio", "io", "logging", "os", "pathlib", "random", "socket", "ssl"),
    *("subprocess", "threading", "time", "yaml"),
}
"""What would make a pure room impure, whatever else the table of computation comes to hold."""

PACKAGES: dict[str, set[str]] = {
    **{room: {"msgspec"} for room in PURE},
    "drawing": {"msgspec"},
    "profiles": {"msgspec", "yaml", "faker"},
    "sweeping": {"msgspec"},
    "server": {"msgspec", "aiohttp", "trustme", "cryptography"},
    "cli": {"msgspec", "aiohttp"},
    "pytest_plugin": {"pytest"},
}
"""Which installed packages a room may import."""

ALONE = {"yaml": "profiles/tree.py", "faker": "profiles/people.py"}
"""Packages with one importer."""

HEAVY = {"aiohttp", "asyncio", "faker", "socket", "ssl", "subprocess", "yaml"}
"""What an import of the pure rooms must leave unloaded."""

NAMELESS = {"base", "common", "helper", "helpers", "manager", "misc", "util", "utils"}
BASES = {"Exception", "Protocol", "Struct"}
LONGEST_FILE, LONG_FILE, LONGEST_FUNCTION, DEEPEST = 300, 200, 40, 4

PUBLIC = {
    *("CONTROL", "Profile", "ProfileError", "Server", "Verdict"),
    *("__version__", "create_app", "judge", "load_profile"),
}
TOP = {
    *("Dockerfile", "LICENSE", "README.md", "pyproject.toml"),
    *("fakestripe", "fault_profiles", "tests"),
}
LEFT_BEHIND = {"__pycache__", "build", "dist", "htmlcov", "node_modules"}
"""What tools make; .gitignore names it too."""


class Module:
    """One file of the package, read once."""

    def __init__(self, path: Path) -> None:
        inside = path.relative_to(PACKAGE)
        self.name = inside.as_posix()
        self.room = inside.parts[0].removesuffix(".py")
        self.dotted = ".".join(["fakestripe", *inside.with_suffix("").parts])
        self.dotted = self.dotted.removesuffix(".__init__")
        self.lines = len(path.read_text().splitlines())
        self.tree = ast.parse(path.read_text())

    def all(self, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
        return (node for node in ast.walk(self.tree) if isinstance(node, kinds))


MODULES = [Module(path) for path in sorted(PACKAGE.rglob("*.py"))]
PURE_MODULES = [module for module in MODULES if module.room in PURE]


def imports(node: ast.AST) -> list[str]:
    """Return what one import statement names: modules, and perhaps things in them."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        origin = "." * node.level + (node.module or "")
        return [origin, *(f"{origin}.{alias.name}" for alias in node.names)]
    return []


def origins(module: Module) -> set[str]:
    """Return the modules that a file imports from, lazily or not; ours excluded."""
    found = {imports(node)[0] for node in module.all(ast.ImportFrom)}
    found |= {name for node in module.all(ast.Import) for name in imports(node)}
    return {name for name in found if name.partition(".")[0] != "fakestripe"}


def packages(module: Module) -> set[str]:
    return {name.partition(".")[0] for name in origins(module)}


def loaded_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_a_room_imports_only_the_rooms_it_may():
    climbs = {}
    for module in MODULES:
        named = [name for n in module.all(ast.Import, ast.ImportFrom) for name in imports(n)]
        rooms = {name.split(".")[1] for name in named if name.startswith("fakestripe.")}
        climbs[module.name] = (rooms & set(ROOMS)) - ROOMS[module.room] - {module.room, "_version"}

    assert {name: rooms for name, rooms in climbs.items() if rooms} == {}


def test_every_room_imports_what_lies_before_it():
    """The table itself is an order: no two rooms may import each other."""
    assert len(list(TopologicalSorter(ROOMS).static_order())) == len(ROOMS)


def test_a_room_imports_no_package_that_it_may_not():
    strange = {
        module.name: packages(module) - sys.stdlib_module_names - PACKAGES.get(module.room, set())
        for module in MODULES
    }

    assert {name: found for name, found in strange.items() if found} == {}


def test_a_pure_room_imports_computation_only():
    impure = {m.name: origins(m) - COMPUTATION - {"msgspec"} for m in PURE_MODULES}

    assert {name: found for name, found in impure.items() if found} == {}
    assert {name.partition(".")[0] for name in COMPUTATION} & FORBIDDEN == set()


def test_a_pure_room_never_asks_what_time_it_is():
    asked = [
        f"{module.name}:{node.lineno} {ast.unparse(node)}"
        for module in PURE_MODULES
        for node in module.all(ast.Attribute)
        if isinstance(node, ast.Attribute)
        and node.attr in {"now", "utcnow", "today"}
        and ast.unparse(node.value).rpartition(".")[2] in {"datetime", "date"}
    ]

    assert asked == []


def test_importing_the_pure_rooms_loads_no_loop_and_no_socket():
    loaded = loaded_after("import " + ", ".join(module.dotted for module in PURE_MODULES))

    assert loaded & HEAVY == set()


def test_a_door_that_is_not_opened_costs_nothing():
    """Neither ``--help`` nor a plugin that no test uses pays for the server."""
    loaded = loaded_after("import fakestripe, fakestripe.cli, fakestripe.pytest_plugin")

    assert loaded & {"aiohttp", "yaml", "faker", "fakestripe.server"} == set()


def test_modules_import_each_other_in_no_circle():
    known = {module.dotted for module in MODULES}
    graph = {
        module.dotted: {
            name
            for node in module.tree.body
            for name in imports(node)
            if name in known and not f"{module.dotted}.".startswith(f"{name}.")
        }
        for module in MODULES
    }

    assert len(list(TopologicalSorter(graph).static_order())) == len(MODULES)


def test_a_package_with_one_importer_has_no_other():
    importers = {name: [m.name for m in MODULES if name in packages(m)] for name in ALONE}

    assert {
        name: found for name, found in importers.items() if found not in ([], [ALONE[name]])
    } == {}


def test_chance_is_never_imported():
    assert [m.name for m in MODULES if packages(m) & {"random", "secrets"}] == []


def test_a_module_says_what_it_decides():
    assert [m.name for m in MODULES if not (ast.get_docstring(m.tree) or "").strip()] == []


def test_files_are_short():
    long = {m.name: m.lines for m in MODULES if m.lines > LONG_FILE}

    assert {name: lines for name, lines in long.items() if lines > LONGEST_FILE} == {}
    assert len(long) <= len(MODULES) / 8, f"files over {LONG_FILE} lines are exceptions: {long}"


def test_functions_are_short():
    sizes = {
        f"{module.name}:{node.lineno} {node.name}": 1 + (node.end_lineno or 0) - node.lineno
        for module in MODULES
        for node in module.all(ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }

    assert {name: size for name, size in sizes.items() if size > LONGEST_FUNCTION} == {}
    assert median(sizes.values()) < 10


def test_nothing_is_nested_deeper_than_a_reader_can_hold():
    depths = {module.name: depth(module.tree) for module in MODULES}

    assert {name: found for name, found in depths.items() if found > DEEPEST} == {}


def depth(node: ast.AST) -> int:
    """Return how many compound statements stand inside each other; an elif adds none."""
    compound = ast.If | ast.For | ast.AsyncFor | ast.While | ast.With | ast.AsyncWith
    inner = []
    for child in ast.iter_child_nodes(node):
        is_elif = isinstance(node, ast.If) and node.orelse == [child] and isinstance(child, ast.If)
        counts = isinstance(child, compound | ast.Try | ast.Match) and not is_elif
        inner.append(counts + depth(child))
    return max(inner, default=0)


def test_a_file_is_named_for_a_noun_of_the_domain():
    parts = {part.removesuffix(".py") for module in MODULES for part in module.name.split("/")}

    assert parts & NAMELESS == set()


def test_only_exceptions_are_inherited_from():
    heirs = {
        f"{module.name} {node.name}({ast.unparse(base)})"
        for module in MODULES
        for node in module.all(ast.ClassDef)
        if isinstance(node, ast.ClassDef)
        for base in node.bases
        if ast.unparse(base) not in BASES and not ast.unparse(base).endswith("Error")
    }

    assert heirs == set()


def test_the_public_surface_is_what_the_readme_promises():
    import fakestripe

    assert set(fakestripe.__all__) == PUBLIC
    assert [name for name in PUBLIC if not hasattr(fakestripe, name)] == []


def test_the_top_of_the_repository_is_fixed():
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}

    assert found - LEFT_BEHIND == TOP
