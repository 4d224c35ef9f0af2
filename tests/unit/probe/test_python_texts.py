"""
What texts in a file of the app say, as far as that is known without running it.
"""

from __future__ import annotations

import ast
import sys
import types
from pathlib import Path

import pytest

from reticle.probe import python_texts
from reticle.probe.python_texts import Source, app_sources, parents

OTHER = types.ModuleType("other")
OTHER.__dict__["NAME"] = "user"
NAMES = {"NAME": "user", "other": OTHER, "number": 3}


@pytest.mark.parametrize(
    ("code", "known"),
    [
        ('"user"', ("user", True)),
        ('b"user"', ("user", True)),
        ("NAME", ("user", True)),
        ("other.NAME", ("user", True)),
        ('f"{NAME}_id={value}; Path=/"', ("user_id=", False)),
        ('NAME + "_id"', ("user_id", True)),
        ("number", ("", False)),
        ('f"{NAME:>8}"', ("", False)),
        ("made()", ("", False)),
    ],
)
def test_a_text_is_known_up_to_what_is_not(code: str, known: tuple[str, bool]) -> None:
    """
    Literals and constants of modules are known, values of variables are not.
    """
    node = ast.parse(code, mode="eval").body
    assert Source("app.py", ast.Module([], []), NAMES).known(node) == known


def test_files_of_the_app_are_read_with_their_modules_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A part of the code knows what it stands in; of one that is not Python nothing is told at all.
    """
    path = tmp_path / "app.py"
    path.write_text("NAME = 'user'\n")
    module = types.ModuleType("app")
    module.__file__, module.__dict__["NAME"] = str(path), "user"
    monkeypatch.setattr(sys, "modules", {"app": module})
    sources = app_sources()
    assert sources is not None
    [source] = sources
    name = next(node for node in ast.walk(source.tree) if isinstance(node, ast.Name))
    assert [type(node) for node in parents(name)] == [ast.Assign, ast.Module]
    assert source.names["NAME"] == "user"
    monkeypatch.setattr(python_texts, "SOURCES_READ", 0)
    assert app_sources() is None
