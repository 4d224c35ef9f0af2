"""
What of a driven page's scripts ran during an action, as the browser tells it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from reticle.browser.runs import Runs
from reticle.model.run_limits import RUNS_CALM_SECONDS, RUNS_SECONDS
from reticle.model.runs import RunScript
from reticle.testing.cdp import ScriptedBrowser

SHOP = "http://app.test/shop.js"
TEXT = "function add() {}\nfunction show() {}\n"


class Tab:
    """
    A tab whose functions a test lets run.
    """

    def __init__(self) -> None:
        self.browser = ScriptedBrowser()
        self.ran: list[str] = []
        self.address = SHOP
        self.number = "7"
        self.slow = False
        self.browser.answers["Profiler.takePreciseCoverage"] = self._take
        self.browser.answers["Profiler.startPreciseCoverage"] = self._start
        self.browser.answers["Debugger.getScriptSource"] = lambda _: {"scriptSource": TEXT}
        self.runs = Runs(self.browser.conversation.session("s1"), self.browser.clock)
        self.runs.watch()

    def told(self) -> Sequence[RunScript]:
        """
        What is told, at once.
        """
        told: Sequence[RunScript] = self.telling().result
        return told

    def telling(self) -> Any:
        """
        What is told, in a while.
        """
        return Deferred.fromCoroutine(self.runs.told())

    def stretches(self) -> dict[str, tuple[bool, int]]:
        """
        For each function whether it ran now, and in how many stretches before.
        """
        (script,) = self.told()
        return {one.name: (one.ran, one.before) for one in script.routines}

    def load(self, *ran: str) -> None:
        """
        A document is loaded, which runs those, and comes to rest.
        """
        self.ran += ran
        self.runs.loaded()
        self.browser.clock.advance(RUNS_CALM_SECONDS)

    def _start(self, _: Mapping[str, Any]) -> Mapping[str, Any]:
        self.ran.clear()
        if self.slow:
            self.browser.clock.rightNow += 1
        return {}

    def _take(self, _: Mapping[str, Any]) -> Mapping[str, Any]:
        spans = {"add": (0, 17), "show": (18, 36)}
        functions = [
            {
                "functionName": name,
                "ranges": [{"startOffset": begin, "endOffset": end, "count": int(name in self.ran)}],
                "isBlockCoverage": False,
            }
            for name, (begin, end) in spans.items()
        ]
        self.ran.clear()  # each is told once
        return {"result": [{"scriptId": self.number, "url": self.address, "functions": functions}]}


@pytest.fixture(name="tab")
def tab_fixture() -> Tab:
    """
    One that counts.
    """
    return Tab()


def test_code_is_optimised_as_ever(tab: Tab) -> None:
    """
    Counting calls would slow the app down tenfold.
    """
    assert tab.browser.asked("Profiler.startPreciseCoverage") == [{"callCount": False, "detailed": False}]


def test_scripts_beyond_the_bound_are_not_kept(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A tab that goes from page to page does not fill the memory with scripts of which nothing is known.
    """
    monkeypatch.setattr("reticle.browser.runs.ROUTINES_KEPT", 2)
    tab.load("show")
    tab.number, tab.address = "8", "http://app.test/more.js"
    tab.load("add")
    assert [script.address for script in tab.told()] == [SHOP]


def test_what_ran_at_load_is_told_from_what_ran_in_the_action(tab: Tab) -> None:
    """
    The one is of every page, the other of this action.
    """
    tab.load("show")
    tab.runs.begin()
    tab.ran += ["add"]
    assert tab.stretches() == {"add": (True, 0), "show": (False, 1)}


def test_what_ran_in_an_earlier_action_counts_as_before(tab: Tab) -> None:
    """
    Also where it ran again now.
    """
    tab.load()
    for _ in range(2):
        tab.runs.begin()
        tab.ran += ["add"]
    tab.ran += ["show"]
    assert tab.stretches() == {"add": (True, 1), "show": (True, 0)}


def test_a_document_that_came_in_the_action_ran_in_it(tab: Tab) -> None:
    """
    Its load is what the action did.
    """
    tab.load()
    tab.runs.begin()
    tab.runs.left()
    tab.load("show")
    assert tab.stretches() == {"add": (False, 0), "show": (True, 0)}


def test_what_the_document_that_was_left_ran_is_of_the_action_too(tab: Tab) -> None:
    """
    It is what led to the next one; the browser has no text of its script any more. With the action after that
    it is forgotten.
    """
    tab.load()
    tab.runs.begin()
    tab.ran = ["add"]
    tab.browser.tell("Page.frameRequestedNavigation", {"frameId": "f", "reason": "anchorClick"}, "s1")
    tab.runs.left()
    tab.browser.refusals["Debugger.getScriptSource"] = "No script for id: 7"
    (script,) = tab.told()
    assert [(one.name, one.ran) for one in script.routines] == [("add", True), ("show", False)]
    assert (script.text, script.address) == ("", SHOP)
    tab.number = "8"
    tab.runs.begin()
    assert len(tab.told()) == 1


def test_a_large_page_is_not_held_up_by_an_action(tab: Tab) -> None:
    """
    What ran since it was last looked at counts as ran then.
    """
    tab.slow = True
    tab.load("show")
    asked = len(tab.browser.asked("Profiler.startPreciseCoverage"))
    tab.runs.begin()
    assert len(tab.browser.asked("Profiler.startPreciseCoverage")) == asked
    tab.ran += ["add"]
    assert tab.stretches() == {"add": (True, 0), "show": (False, 1)}
    assert len(tab.browser.asked("Profiler.startPreciseCoverage")) == asked + 1


def test_a_tab_that_is_gone_waits_for_nothing(tab: Tab) -> None:
    """
    Its document was about to come to rest.
    """
    tab.runs.loaded()
    tab.runs.end()
    assert tab.browser.clock.getDelayedCalls() == []


def test_a_breakpoint_does_not_hold_the_app_because_somebody_looks(tab: Tab) -> None:
    """
    Looking ends as it began.
    """
    tab.told()
    methods = tab.browser.methods()
    assert methods.index("Debugger.setSkipAllPauses") == methods.index("Debugger.enable") + 1
    assert "Debugger.disable" in methods


def test_an_inline_script_knows_where_it_stands(tab: Tab) -> None:
    """
    Its lines are those of the document.
    """

    def parsed(_: Mapping[str, Any]) -> Mapping[str, Any]:
        tab.browser.tell(
            "Debugger.scriptParsed", {"scriptId": "7", "url": SHOP, "startLine": 12, "startColumn": 4}, "s1"
        )
        return {}

    tab.browser.answers["Debugger.enable"] = parsed
    (script,) = tab.told()
    assert (script.first_line, script.first_column, script.is_inline) == (12, 4, True)


def test_characters_are_counted_as_javascript_does(tab: Tab) -> None:
    """
    An emoji is two, so that what stands behind it is found where it is.
    """
    tab.browser.answers["Debugger.getScriptSource"] = lambda _: {"scriptSource": "//🛒\nadd"}
    (script,) = tab.told()
    assert script.text[5:] == "add"
    assert script.size_bytes == 10


def test_scripts_without_an_address_are_passed_over(tab: Tab) -> None:
    """
    Such as our own.
    """
    tab.address = ""
    assert tab.told() == []


def test_a_browser_that_does_not_tell_holds_up_no_answer(tab: Tab) -> None:
    """
    For longer than a moment, or where it refuses.
    """
    tab.browser.refusals["Debugger.enable"] = "Not allowed"
    assert [one.text for one in tab.told()] == [TEXT]
    tab.browser.silent.add("Profiler.takePreciseCoverage")
    telling = tab.telling()
    assert not telling.called
    tab.browser.clock.advance(RUNS_SECONDS)
    assert telling.result == ()
