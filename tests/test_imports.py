"""Imports go one way: no circle even within a room, and none that an import inside a function works round.

The contracts in ``pyproject.toml`` hold the rooms to their direction; what loads late stands beside them.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
ROOMS = SETTINGS["importlinter"]["root_packages"]
LATE = SETTINGS["table_referee"]["late_imports"]


def module_of(path: Path) -> str:
    """The name by which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, ast.Module]:
    """All modules of all rooms."""
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    return {module_of(path): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def targets(node: ast.AST) -> Iterator[str]:
    """The modules that an import statement loads."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module is not None:
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            yield inner if inner in modules() else node.module


def imports(node: ast.AST, inside: bool = False) -> Iterator[tuple[str, bool]]:
    """What is loaded below ``node``, and whether inside a function; not what only checkers of types read."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        for target in targets(child):
            yield target, inside
        yield from imports(child, inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {
        name: {target for target, _ in imports(tree) if target in modules() and target != name}
        for name, tree in modules().items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def test_what_loads_inside_a_function_is_listed_beside_the_contracts_and_nothing_else_is() -> None:
    used: set[str] = set()
    strangers: list[str] = []
    for name, tree in modules().items():
        for target, inside in imports(tree):
            if inside:
                known = [one for one in LATE if target == one or target.startswith(f"{one}.")]
                used |= set(known)
                strangers += [] if known else [f"{name}: {target}"]
    assert strangers == []
    assert set(LATE) == used


def test_a_circle_would_be_found() -> None:
    tree = ast.parse(
        "def late():\n    import web.app\nif TYPE_CHECKING:\n    import calibration\nimport vision"
    )
    assert list(imports(tree)) == [("web.app", True), ("vision", False)]
