"""
What a function of the app speaks of.
"""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import pytest

from reticle.probe.code_words import constant, described

WORDS = """
TEXTS = {
    "en": "{n} tickets",
    "de": "{n} Anfragen",
}
ZONE = "Europe/Vienna"
"""
VIEWS = '''
import words
from words import ZONE

RATES = {"de": 19, "at": 20}


def view(land):
    """
    Of a docstring nothing is told.
    """
    secret = "a4f5c6d7-e8f9"
    if land not in RATES:
        return 422
    return [gross(each, land) for each in (1, 2)]


def gross(net, land):
    return net, ZONE


def told(n):
    return words.TEXTS["de"].format(n=n)
'''


@pytest.fixture
def views(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """
    A module of an app that takes constants from another.
    """
    made = []
    for name, text in (("words", WORDS), ("views", VIEWS)):
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        module = types.ModuleType(name)
        module.__file__ = str(path)
        monkeypatch.setitem(sys.modules, name, module)
        exec(compile(text, str(path), "exec"), module.__dict__)
        made.append(module)
    return made[1]


def test_names_texts_and_statuses_are_words(views: types.ModuleType) -> None:
    """
    A claim that speaks of a status or a field finds the function that does; what is no word is left out.
    """
    words = described(views.view.__code__, vars(views)).fields["words"]
    assert {"land", "gross", "each", "422"} <= set(words)
    assert not {"docstring", "a4f5c6d7-e8f9"} & set(words)


def test_a_constant_of_the_same_module_is_told(views: types.ModuleType) -> None:
    """
    A wrong rate is mended where it is set.
    """
    assert described(views.view.__code__, vars(views)).uses == [("RATES", views.__file__, 5)]


def test_a_constant_of_another_module_is_told(views: types.ModuleType, tmp_path: Path) -> None:
    """
    Whether it was imported by its name or is asked of its module.
    """
    words = str(tmp_path / "words.py")
    assert described(views.gross.__code__, vars(views)).uses == [("ZONE", words, 6)]
    assert described(views.told.__code__, vars(views)).uses == [("TEXTS", words, 2)]


def test_a_table_of_texts_is_told_by_its_lines(views: types.ModuleType) -> None:
    """
    A text that is wrong is mended on the line of the table on which it stands.
    """
    (used,) = described(views.told.__code__, vars(views)).uses
    told = constant(used)
    lines = dict(zip(told["words"], told["lines"], strict=True))
    assert (told["line"], lines["tickets"], lines["Anfragen"]) == (2, 3, 4)
    assert "Vienna" not in lines


def test_what_an_app_finds_out_late_is_not_found_out_by_us(
    views: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A proxy of the current user, a module that is loaded when first used and one with a ``__getattr__`` are
    the app's to ask.
    """
    asked: list[str] = []

    class Proxy:
        @property  # type: ignore[misc]
        def __class__(self) -> type:
            asked.append("proxy")
            raise RuntimeError("outside of a request")

    class Late(types.ModuleType):
        def __getattribute__(self, name: str) -> object:
            asked.append(name)
            return super().__getattribute__(name)

    late = Late("late")
    late.__dict__["__getattr__"] = asked.append
    asked.clear()
    monkeypatch.setitem(sys.modules, "words", late)
    text = (
        Path(str(views.__file__))
        .read_text()
        .replace("def told(n):", "def told(n):\n    late.TEXTS, current_user, ZONE")
    )
    exec(
        compile(
            text.replace("import words", "").replace("from words import ZONE", ""),
            "/srv/shop/late.py",
            "exec",
        ),
        views.__dict__,
    )
    views.__dict__.update(late=late, current_user=Proxy(), ZONE=Proxy())
    assert "current_user" in described(views.told.__code__, views.__dict__).fields["words"]
    assert asked == []


def test_what_need_not_run_with_a_function_is_told_beside_it(tmp_path: Path) -> None:
    """
    One inside it that runs later, and one that it calls and whose result is kept; no lambda.
    """
    text = """
from functools import lru_cache


@lru_cache(1)
def open_count():
    return 20


def review(task):
    def taken():
        task["reviewer"] = "ben"

    return taken, open_count(), lambda: 1
"""
    path = tmp_path / "tasks.py"
    path.write_text(text)
    names: dict[str, Any] = {"__file__": str(path)}
    exec(compile(text, str(path), "exec"), names)
    found = described(names["review"].__code__, names).beside
    assert [(one["function"], one["line"], one["last"]) for one in found] == [
        ("taken", 11, 12),
        ("open_count", 6, 7),
    ]
    assert "reviewer" in found[0]["words"]
