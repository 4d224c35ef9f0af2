"""
Which functions of the app ran for a request.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reticle.probe import calls, context
from reticle.probe.calls import Allowance
from reticle.testing.kept_facts import KeptFacts, keeping_facts

APP = """
RATES = {"de": 19, "at": 20}


def view(land):
    if land not in RATES:
        return 422
    return gross(100, land)


def gross(net, land):
    return net + net * RATES[land] / 100


def told(n):
    return f"{n} tickets"
"""


@pytest.fixture
def kept() -> Iterator[KeptFacts]:
    """
    The probe is on, follows every request, and facts stay here.
    """
    before = sys.getprofile()
    sys.setprofile(None)
    with keeping_facts(following=True) as sink:
        yield sink
    sys.setprofile(before)


@pytest.fixture
def app(tmp_path: Path) -> types.ModuleType:
    """
    A module of an app.
    """
    path = tmp_path / "shop.py"
    path.write_text(APP)
    module = types.ModuleType("shop")
    module.__file__ = str(path)
    exec(compile(APP, str(path), "exec"), module.__dict__)
    return module


def _ran(kept: KeptFacts, run: Callable[[], object]) -> dict[str, Any]:
    request = context.begin("GET", "/gross")
    run()
    request.end(200)
    told = [fields for kind, fields in kept.facts if kind == "calls"]
    if not told:
        return {}
    ours = [
        one for one in told[-1]["functions"] if one["file"] != __file__
    ]  # the tests' own are an app's too
    return {**told[-1], "functions": ours}


def test_what_ran_is_told_with_its_lines(kept: KeptFacts, app: types.ModuleType) -> None:
    """
    A verdict can name the function that a view called, with where it begins, ends and was left.
    """
    fields = _ran(kept, lambda: app.view("at"))
    assert [(one["function"], one["line"], one["last"], one["left"]) for one in fields["functions"]] == [
        ("view", 5, 8, 8),
        ("gross", 11, 12, 12),
    ]
    assert all(one["file"] == app.__file__ and one["before"] == 0 for one in fields["functions"])
    assert sys.getprofile() is None


def test_how_often_a_function_ran_before_is_told(kept: KeptFacts, app: types.ModuleType) -> None:
    """
    What runs for every request says little of one.
    """
    _ran(kept, lambda: app.gross(1, "de"))
    assert [one["before"] for one in _ran(kept, lambda: app.view("de"))["functions"]] == [0, 1]


def test_what_another_request_runs_is_not_told(kept: KeptFacts, app: types.ModuleType) -> None:
    """
    In one thread two requests may take turns.
    """

    def run() -> None:
        other = context.begin("GET", "/other")
        app.told(1)
        other.end(200)
        app.view("de")

    fields = _ran(kept, run)
    assert [one["function"] for one in fields["functions"]] == ["view", "gross"]


def test_a_profiler_is_left_alone(kept: KeptFacts, app: types.ModuleType) -> None:
    """
    Somebody who profiles the app goes on, and nothing is told.
    """

    def theirs(*_: object) -> None:
        return None

    sys.setprofile(theirs)
    assert _ran(kept, lambda: app.view("de")) == {}
    assert sys.getprofile() is theirs


def test_a_profiler_within_a_request_gets_back_what_is_over(kept: KeptFacts, app: types.ModuleType) -> None:
    """
    One that puts back what it found does not leave the thread noting calls for a request that was answered.
    """
    found: list[Any] = []

    def run() -> None:
        app.view("de")
        found.append(sys.getprofile())
        sys.setprofile(None)

    fields = _ran(kept, run)
    assert [one["function"] for one in fields["functions"]] == ["view", "gross"]
    sys.setprofile(found[0])
    app.view("de")
    assert sys.getprofile() is None


def test_a_profiler_that_hands_on_stays_behind_the_request(kept: KeptFacts, app: types.ModuleType) -> None:
    """
    It is not taken out together with us.
    """
    told: list[str] = []

    def run() -> None:
        hand_on: Any = sys.getprofile()

        def theirs(frame: types.FrameType, event: str, arg: object) -> None:
            told.append(event)
            hand_on(frame, event, arg)

        sys.setprofile(theirs)

    _ran(kept, run)
    at_the_end = len(told)
    app.view("de")
    assert sys.getprofile() is not None
    assert len(told) > at_the_end


def test_a_stream_without_end_gives_way_to_an_action(kept: KeptFacts, app: types.ModuleType) -> None:
    """
    Where one thread serves all, what a click asks for is followed although the page listens to events.
    """
    stream = context.begin("GET", "/events")
    app.told(1)
    clicked = context.begin("POST", "/gross", "s1.a1")
    app.view("de")
    other = context.begin("GET", "/poll")
    clicked.end(200)
    stream.end(200)
    other.end(200)
    assert sys.getprofile() is None
    told = [fields for kind, fields in kept.facts if kind == "calls"]
    names = [[one["function"] for one in each["functions"] if one["file"] != __file__] for each in told]
    assert names == [["view", "gross"], ["told"]]


def test_yappi_is_left_alone(kept: KeptFacts, app: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    It profiles threads without Python telling of it, and would find nothing more.
    """
    monkeypatch.setitem(sys.modules, "yappi", types.ModuleType("yappi"))
    assert _ran(kept, lambda: app.view("de")) == {}


def test_what_recurses_to_the_limit_comes_back(kept: KeptFacts, app: types.ModuleType) -> None:
    """
    An app that goes as deep as Python lets it, and catches that, answers as ever.
    """
    app.__dict__["deep"] = deep = types.FunctionType(
        compile(
            """
def deep(n):
    try:
        return deep(n + 1)
    except RecursionError:
        return n
""",
            app.__file__ or "",
            "exec",
        ).co_consts[0],
        app.__dict__,
    )
    depth = deep(0)
    found: list[int] = []
    _ran(kept, lambda: found.append(deep(0)))
    assert depth - 5 < found[0] <= depth
    assert sys.getprofile() is None


def test_a_load_test_is_not_followed() -> None:
    """
    After a few requests at once only a few in a second are followed.
    """
    now = [10.0]
    allowance = Allowance(2, 4, lambda: now[0])
    assert [allowance.take() for _ in range(3)] == [True, True, False]
    now[0] += 0.25
    assert [allowance.take() for _ in range(2)] == [True, False]


def test_what_an_action_asks_for_is_followed_whatever_else_was(
    kept: KeptFacts, app: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A page that asks for many files leaves none of it to its own write.
    """
    monkeypatch.setattr(calls, "allowance", Allowance(0, 0))
    assert _ran(kept, lambda: app.view("de")) == {}
    request = context.begin("POST", "/gross", "page.a1", "header")
    app.view("de")
    request.end(200)
    assert "calls" in kept.kinds


def test_files_of_a_page_are_not_followed(kept: KeptFacts, app: types.ModuleType) -> None:
    """
    A page asks for many, and nothing is to be mended in what sends them.
    """
    request = context.begin("GET", "/static/shop.js")
    app.view("de")
    request.end(200)
    assert "calls" not in kept.kinds


def test_a_long_request_is_followed_no_further(
    kept: KeptFacts, app: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    What calls very much does not take twice as long.
    """
    monkeypatch.setattr(calls, "CALL_EVENTS", 50)

    def run() -> None:
        for _ in range(100):
            app.gross(1, "de")
        app.told(1)

    assert [one["function"] for one in _ran(kept, run)["functions"]] == ["gross"]
    assert sys.getprofile() is None
