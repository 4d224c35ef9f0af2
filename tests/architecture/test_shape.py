"""
The shape of the code, where a reviewer's memory is not enough.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "reticle"
BANNED_WORDS = {
    "manager", "handler", "handlers", "helper", "helpers", "util", "utils", "processor", "engine",
    "common", "misc", "base", "core", "data", "info", "component",
}  # fmt: skip
PUBLIC = ("reticle.testing", "reticle.client", "reticle.cli", "reticle.probe")
"""What others import: embedders, scripts, the list of commands, apps."""
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))
TESTS = sorted(path for path in (ROOT / "tests").rglob("test_*.py") if "node_modules" not in path.parts)

LOCKS = sorted(
    path for path in (ROOT / "tests").rglob("package-lock.json") if "node_modules" not in path.parts
)


def words(name: str) -> set[str]:
    """
    The words of a snake_case or CamelCase name, in lower case.
    """
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """
    Every statement below a node, at any depth; not what they are made of, of which there is fifty times more.
    """
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        below = getattr(node, field, ())
        for statement in below if isinstance(below, list) else ():
            yield statement
            yield from statements(statement)


@cache
def named(path: Path) -> tuple[tuple[str, str, bool], ...]:
    """
    The functions and classes of a module, at any depth: what each is, its name, whether it has a docstring.
    Several tests look at them, and the trees of all modules would be a load to keep.
    """
    return tuple(
        (type(node).__name__, node.name, bool(ast.get_docstring(node)))
        for node in statements(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    )


def classes_of(path: Path) -> list[str]:
    """
    The names of a module's classes.
    """
    return [name for kind, name, _ in named(path) if kind == "ClassDef"]


def tracked_files() -> list[Path]:
    """
    Every file that git ships.
    """
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True,
    ).stdout.decode()  # fmt: skip
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_modules_and_classes_name_a_concept() -> None:
    """
    No module or class hides behind a word that names nothing.
    """
    stems = [str(path.relative_to(ROOT)) for path in MODULES if words(path.stem) & BANNED_WORDS]
    classes = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in MODULES
        for name in classes_of(path)
        if words(name) & BANNED_WORDS
    ]
    assert stems + classes == []


@pytest.mark.parametrize("path", TESTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_test_says_what_a_user_would_notice(path: Path) -> None:
    """
    Each test function has a docstring.
    """
    silent = [
        name
        for kind, name, documented in named(path)
        if kind != "ClassDef" and name.startswith("test_") and not documented
    ]
    assert silent == []


def test_every_module_is_used() -> None:
    """
    A module that nothing imports is dead or forgotten, entry points aside.
    """
    entry_points = {"reticle", "reticle.__main__", "reticle.tap", "reticle._version"}
    entry_points.add("reticle.pytest_plugin.plugin")
    names = {}
    for path in MODULES:
        parts = path.relative_to(ROOT).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    used: set[str] = set()
    for name, path in names.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for node in statements(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                used.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                prefix = node.module or ""
                if node.level:
                    stem = package.split(".")[: len(package.split(".")) - node.level + 1]
                    prefix = ".".join([*stem, *([node.module] if node.module else [])])
                used.add(prefix)
                used.update(f"{prefix}.{alias.name}" for alias in node.names)
    public = {name for name in names if name.startswith(PUBLIC)}
    packages = {name for name, path in names.items() if path.name == "__init__.py"}
    migrations = {name for name in names if name.startswith("reticle.storage.migrations")}
    unused = set(names) - used - entry_points - public - packages - migrations
    assert sorted(unused - looked_up_by_name(unused)) == []


def looked_up_by_name(names: set[str]) -> set[str]:
    """
    Those of the modules that are imported by their names, as lazy commands are.
    """
    return {
        node.value
        for path in MODULES
        if any(name in path.read_text() for name in names)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names
    }


def test_the_repository_names_no_machine() -> None:
    """
    A stranger's checkout holds no path of our machines and no host we installed from.
    """
    forbidden = re.compile(
        rb"(?<!\w)/(?:work|farm)/|/home/[a-z]+/|/root/\.|registry\.npm(?:js)|pypi\.(?:org)/simple"
    )
    found = [
        str(path.relative_to(ROOT))
        for path in tracked_files()
        if path.suffix not in {".png", ".jpg"} and forbidden.search(path.read_bytes())
    ]
    assert found == []


def test_twisted_namespace_stays_a_namespace() -> None:
    """
    An ``__init__.py`` below ``twisted/`` would hide the real Twisted or other packages' plugins.
    """
    assert list((ROOT / "twisted").rglob("__init__.py")) == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_lock_file_names_a_host(lock: Path) -> None:
    """
    ``npm ci`` takes the locked versions from whatever registry the machine uses, and checks their hashes.
    """
    locked = json.loads(lock.read_text())["packages"]
    packages = {name: entry for name, entry in locked.items() if name}
    assert packages
    assert [name for name, entry in packages.items() if "resolved" in entry] == []
    assert [name for name, entry in packages.items() if "integrity" not in entry] == []


@pytest.mark.parametrize("path", TESTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_test_is_left_uncollected(path: Path) -> None:
    """
    Tests are functions: a ``TestCase`` or a ``Test`` class would stand there and never run.
    """
    source = path.read_text()
    nodes = ast.walk(ast.parse(source)) if "TestCase" in source else ()
    cases = [node for node in nodes if isinstance(node, ast.Attribute) and node.attr == "TestCase"]
    assert [name for name in classes_of(path) if name.startswith("Test")] == []
    assert cases == []
