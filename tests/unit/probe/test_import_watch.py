"""
Being called when the app imports a library.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from reticle.probe.import_watch import ImportWatch


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """
    A package that nobody has imported yet.
    """
    folder = tmp_path / "fancylib"
    folder.mkdir()
    (folder / "__init__.py").write_text("VALUE = 1\n")
    (folder / "parts.py").write_text("def part():\n    return 2\n")
    (folder / "broken.py").write_text("raise ValueError('broken')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "fancylib"
    for name in [each for each in sys.modules if each.partition(".")[0] == "fancylib"]:
        del sys.modules[name]


@pytest.fixture
def watch() -> Iterator[ImportWatch]:
    """
    One that is removed at the end.
    """
    watching = ImportWatch()
    yield watching
    watching.remove()
    assert watching not in sys.meta_path


def test_it_calls_once_the_module_is_there(library: str, watch: ImportWatch) -> None:
    """
    What a collector patches is there when it is called, and the app sees it patched.
    """
    seen: list[object] = []
    watch.when_imported(library, lambda module: seen.append(module.VALUE))
    watch.when_imported(f"{library}.parts", lambda module: setattr(module, "part", lambda: 3))
    assert seen == []
    parts = importlib.import_module(f"{library}.parts")
    assert (seen, parts.part()) == ([1], 3)


def test_a_module_that_is_there_already_is_called_at_once(watch: ImportWatch) -> None:
    """
    A probe that is switched on late misses nothing.
    """
    seen: list[ModuleType] = []
    watch.when_imported("json", seen.append)
    assert [module.__name__ for module in seen] == ["json"]


def test_the_module_stays_what_it_was(library: str, watch: ImportWatch) -> None:
    """
    Tracebacks, reloads and resources find the loader that they know.
    """
    watch.when_imported(f"{library}.parts", lambda _: None)
    parts = importlib.import_module(f"{library}.parts")
    plain = importlib.import_module(library)
    assert parts.__spec__ is not None
    assert type(parts.__loader__) is type(parts.__spec__.loader) is type(plain.__loader__)
    assert "return 2" in inspect.getsource(parts.part)
    assert importlib.reload(parts) is parts


def test_two_that_wait_for_one_module_are_both_called(library: str, watch: ImportWatch) -> None:
    """
    Another tool that looks for imports in the same way, or a second of ours, leads in no circle.
    """
    other = ImportWatch()
    seen: list[str] = []
    try:
        watch.when_imported(library, lambda _: seen.append("one"))
        other.when_imported(library, lambda _: seen.append("other"))
        assert importlib.import_module(library).VALUE == 1
    finally:
        other.remove()
    assert sorted(seen) == ["one", "other"]


def test_an_import_that_fails_fails_as_before(library: str, watch: ImportWatch) -> None:
    """
    The app gets its own exception.
    """
    watch.when_imported(f"{library}.broken", lambda _: None)
    with pytest.raises(ValueError, match="broken"):
        importlib.import_module(f"{library}.broken")
    watch.when_imported(f"{library}.gone", lambda _: None)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(f"{library}.gone")


def fail(module: ModuleType) -> None:
    """
    As a collector does with a version that it does not know.
    """
    raise AttributeError(module.__name__)


def test_a_callback_that_fails_does_not_spoil_the_import(library: str, watch: ImportWatch) -> None:
    """
    A library of a version that we do not know is imported all the same.
    """
    watch.when_imported(library, fail)
    assert importlib.import_module(library).VALUE == 1
