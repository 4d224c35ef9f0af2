"""
A page that is led from one repository's app to another's, as tokens for one of them see it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from twisted.internet.defer import Deferred

from reticle.dispatch.call import Call, Caller
from reticle.dispatch.permitted_page import REPOSITORY, PermittedPage
from reticle.errors import PeerFault, Refusal
from reticle.model.codes import Capability, Carrier, CommandName
from reticle.model.ids import Cursor
from reticle.model.page import App
from reticle.model.trust import LOCAL, Principal
from reticle.model.window import Question
from reticle.ports import Page
from reticle.service.surface import FAMILIES, tools_of
from reticle.testing.bridge import Bridge, refusal_of, result_of
from reticle.testing.clock import FakeClock
from reticle.testing.gate import GateBench
from reticle.testing.pages import FakePage
from reticle.testing.sockets import PageEnd
from reticle.testing.tokens import a_grant, a_repository
from reticle.testing.windows import WindowBuilder

HERE, THERE = "http://localhost:1", "http://localhost:2"
EXAMPLES = settings().max_examples // 2
CURSORS = 5
"""With the example that is written down, enough that each road that is left open is found; two seconds."""

APPS: Mapping[str, Mapping[str, str | None]] = {
    "alpha": {"url": f"{HERE}/alpha", "projectId": None},
    "beta": {"url": "http://localhost:9/beta", "projectId": "r2"},
    "gamma": {"url": f"{THERE}/gamma", "projectId": None},
    "delta": {"url": "http://localhost:3/delta", "projectId": None},
}
"""Each app's word, which is in all that it ever says."""
PLACES = {"alpha": "r1", "beta": "r2", "gamma": "r2", "delta": None}
"""Whose each app is."""


def reports(word: str) -> list[tuple[str, dict[str, object]]]:
    """
    One event of each kind that is remembered in its own way.
    """
    return [
        ("signal", {"name": word}),
        ("net.pending", {"id": f"n-{word}", "url": f"/{word}", "method": "POST"}),
        ("net.request", {"id": f"n-{word}", "url": f"/{word}", "method": "POST", "responseBody": word}),
        ("console.error", {"text": word}),
        ("error.uncaught", {"message": word}),
        ("dom.added", {"text": word}),
        ("state.changed", {"store": word}),
        ("blind-spot", {"kind": word, "count": 2}),
        ("truncated", {"channel": word, "dropped": 3}),
        ("transport.overflow", {"channels": {word: 2}, "dropped": 2}),
        ("dialog", {"state": "open", "id": "1", "kind": "alert", "message": word}),
        ("human.control", {"kind": "message", "text": word}),
        ("human.mark", {"note": word, "label": word, "anchor": word, "strategy": "css", "route": word}),
        ("route.change", {"to": f"/{word}/next"}),
        (word, {"made": "up"}),
    ]


CALLS: Sequence[tuple[str, Mapping[str, object]]] = (
    ("reticle_sessions", {}),
    ("reticle_observe", {"since": 0}),
    ("reticle_observe", {"window_ms": 100000}),
    ("reticle_network", {"since": 0}),
    ("reticle_console", {"since": 0}),
    ("reticle_snapshot", {}),
    ("reticle_state", {}),
    ("reticle_session", {"action": "messages"}),
    ("reticle_session", {"action": "marks"}),
    ("reticle_assert", {"predicate": {"kind": "signal", "name": "x"}, "since": 0}),
)
TOOLS = {name for name, _ in CALLS}


@attrs.define
class Tab:
    """
    One tab that is led about, over the real bridge.
    """

    bridge: Bridge = attrs.field(factory=Bridge)
    end: PageEnd | None = None
    word: str = ""
    loaded: int = 0

    def go(self, word: str, *, own: bool = True, lost: bool = True) -> None:
        """
        Load that app in the tab; its older socket is lost before, or demoted.
        """
        if self.end is not None and lost:
            self.end.lose()
        self.loaded += 1
        document = f"doc{self.loaded:05}"
        self.end = self.bridge.connect(
            "s1", document, own=own, answers=self._answer, title=word, **APPS[word]
        )
        self.word = word

    def say(self, number: int) -> None:
        """
        Report one event of the app that is there.
        """
        assert self.end is not None
        event_type, fields = reports(self.word)[number]
        self.end.event(event_type, fields)

    def _answer(self, name: str, _: Mapping[str, Any]) -> object:
        del name
        return {
            "tree": self.word,
            "ok": True,
            "url": self.word,
            "readings": [{"answer": {"text": self.word}}],
        }


def bench_of(tab: Tab) -> GateBench:
    """
    The real tools over that tab, and two repositories.
    """
    bench = GateBench(
        [tool for tool in tools_of(FAMILIES) if tool.name in TOOLS],
        clock=FakeClock(tab.bridge.clock),
        pages=tab.bridge.directory,  # type: ignore[arg-type]  # the real one in the place of the fake
    )
    bench.repositories.keep(a_repository("r1", [HERE]), a_repository("r2", [THERE]))
    return bench


def foreign(places: Sequence[str]) -> list[str]:
    """
    The words of apps that a token for these repositories must never read.
    """
    return [word for word, place in PLACES.items() if place not in places]


def all_roads(page: Page) -> list[object]:
    """
    Whatever the port gives of a page.
    """
    newest = page.cursor()
    cursors = [Cursor(since) for since in range(0, newest + 1, 1 + newest // CURSORS)]
    given: list[object] = [
        page.identity,
        page.health(),
        page.steering.marks(),
        page.steering.waiting(),
        page.steering.state,
        page.events(Cursor(0)),
        page.apps(Cursor(0)),
        *(page.window(since) for since in cursors),
        *(page.window(since, until) for since in cursors for until in cursors if since <= until),
    ]
    for answer in (
        page.read([Question("text", {"contains": "x"})]),
        page.ask(CommandName.SNAPSHOT, {"mode": "full"}),
    ):
        assert isinstance(answer, Deferred)
        answer.addErrback(lambda failure: str(failure.value))
        given.append(result_of(answer))
    return given


WITHOUT_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)
"""A step looks at the page by all roads: to look for the shortest way takes minutes."""
EVERYTHING = -1
"""The step that reports one event of each kind."""

STEPS = st.lists(
    st.one_of(
        st.sampled_from([*APPS]),
        st.integers(0, len(reports("x")) - 1),
        st.just(EVERYTHING),
        st.tuples(st.sampled_from([*APPS]), st.booleans(), st.booleans()),
    ),
    min_size=2,
    max_size=7,
)
GRANTED = st.sets(st.sampled_from(["r1", "r2"]))


def lead(tab: Tab, step: object) -> None:
    """
    Take one step.
    """
    if step == EVERYTHING:
        for number in range(len(reports(tab.word))):
            tab.say(number)
    elif isinstance(step, int):
        tab.say(step)
    elif isinstance(step, str):
        tab.go(step)
    else:
        assert isinstance(step, tuple)
        word, own, lost = step
        tab.go(word, own=own, lost=lost)


@example("alpha", [EVERYTHING, "gamma", EVERYTHING, ("alpha", False, False)], {"r1"})
@given(first=st.sampled_from([*APPS]), steps=STEPS, granted=GRANTED)
@settings(max_examples=EXAMPLES, deadline=None, phases=WITHOUT_SHRINKING)
def test_a_token_never_reads_what_a_page_was_elsewhere(
    first: str, steps: list[object], granted: set[str]
) -> None:
    """
    Wherever a page is led, and whenever it was taken up, nothing of another repository's time is told by any
    road, and all of one's own events are; whoever may look at everything sees every word.
    """
    tab = Tab()
    tab.go(first)
    places = sorted(granted)
    bench = bench_of(tab)
    principal = bench.token(*(a_grant(Capability.OBSERVE, place) for place in places))
    taken: list[Page] = []
    for step in steps:
        lead(tab, step)
        taken += bench.gate.visible(principal).all()[:1]
        for page in {id(page): page for page in (*taken[:1], *taken[-1:])}.values():
            told = repr(all_roads(page))
            assert [word for word in foreign(places) if word in told] == []
    whole = bench.gate.visible(LOCAL).all()[0]
    for page in taken[-1:]:
        own = [event for event in whole.events(Cursor(0)) if mine(event.app, places)]
        assert page.events(Cursor(0)) == own
        window = page.window(Cursor(0))
        assert window.events == own
        left_out = len(whole.events(Cursor(0))) - len(own)
        seen_as_lost = window.connection_lost or any(loss.where == REPOSITORY for loss in window.losses)
        assert seen_as_lost or not left_out
        guidance = repr(page.steering.take_guidance())
        assert [word for word in foreign(places) if word in guidance] == []


def mine(app: App | None, places: Sequence[str]) -> bool:
    """
    Whether an app is of these repositories, worked out from the table above.
    """
    of = {HERE: "r1", THERE: "r2"}
    place = None if app is None else ("r2" if app.project_id == "r2" else of.get(app.origin))
    return place in places


def told_by_tools(bench: GateBench, principal: Principal) -> str:
    """
    Everything that the tools and resources about a page tell.
    """
    caller = Caller(principal, Carrier.HTTP, "c1")
    given: list[object] = []
    for name, arguments in CALLS:
        for named in ({}, {"sessionId": "s1"}):
            body = json.dumps({**arguments, **({} if name == "reticle_sessions" else named)}).encode()
            calling = Deferred.fromCoroutine(bench.gate.call(Call(caller, name, body)))
            calling.addCallback(lambda result: given.append((result.structured, result.text)))
            for _ in range(40):
                bench.clock.advance(0.5)
    for uri in ("reticle://sessions", "reticle://session/s1/snapshot"):
        reading = Deferred.fromCoroutine(bench.features.read(Call(caller, uri, b"{}")))
        reading.addErrback(lambda failure: failure.trap(PeerFault) and str(failure.value))
        reading.addCallback(given.append)
    assert len(given) == 2 * len(CALLS) + 2
    return repr(given)


@pytest.mark.parametrize("place", ["r1", "r2"])
@pytest.mark.parametrize(
    "way", [("alpha", "gamma"), ("beta", "alpha"), ("alpha", "beta", "alpha"), ("delta", "alpha")]
)
def test_no_tool_tells_what_a_page_was_elsewhere(place: str, way: tuple[str, ...]) -> None:
    """
    Events, network bodies, console, snapshots, state, flags, messages, verdicts, resources: of another
    repository's time none says a word to a token, and each says them to an agent that may see all.
    """
    tab = Tab()
    for word in way:
        tab.go(word)
        for number in range(len(reports(word))):
            tab.say(number)
    bench = bench_of(tab)
    told = told_by_tools(bench, bench.token(a_grant(Capability.OBSERVE, place)))
    assert [word for word in foreign([place]) if word in told] == []
    if PLACES[way[-1]] == place:
        assert way[-1] in told
    everything = told_by_tools(bench, LOCAL)
    assert [word for word in way if word not in everything] == []


def led_away() -> tuple[Tab, Page]:
    """
    A tab of the first repository that its token took up, and that is another's since.
    """
    tab = Tab()
    tab.go("alpha")
    tab.say(0)
    page = PermittedPage(tab.bridge.page(), lambda app: app is not None and app.origin == HERE)
    tab.go("gamma")
    tab.say(0)
    return tab, page


def test_a_page_that_was_led_elsewhere_is_gone() -> None:
    """
    It says so to whoever goes on with it, is not acted on, and keeps its name and the address it had.
    """
    tab, page = led_away()
    assert (page.identity.url, page.health().connected, page.take_skew()) == (f"{HERE}/alpha", False, False)
    asking = page.ask(CommandName.ACT, {"ref": "e1"})
    assert isinstance(asking, Deferred)
    refusal = refusal_of(asking)
    assert (refusal.code, refusal.details) == ("session_gone", {})
    assert "another repository" in refusal.message
    assert tab.end is not None
    assert [each["name"] for each in tab.end.commands() if each["name"] == "act"] == []
    with pytest.raises(Refusal) as told:
        page.begin_action()
    assert told.value.code == "session_gone"
    waiting = page.changed(page.cursor(), 60.0)
    assert isinstance(waiting, Deferred)
    assert result_of(waiting) is True
    window = page.window(Cursor(0))
    assert (len(window.events), window.connection_lost) == (1, True)


def test_an_answer_that_comes_from_elsewhere_is_not_given() -> None:
    """
    Who led a page away hears that its act may have happened, and nothing of what is there now.
    """
    tab = Tab()
    tab.go("alpha")
    page = PermittedPage(tab.bridge.page(), lambda app: app is not None and app.origin == HERE)
    whole = tab.bridge.page()
    waiting: Deferred[object] = Deferred()
    whole.ask = lambda *_, **__: waiting  # type: ignore[method-assign]  # an answer that the test times
    asking = page.ask(CommandName.NAVIGATE, {"url": THERE})
    tab.go("gamma")
    waiting.callback({"url": f"{THERE}/gamma"})
    assert isinstance(asking, Deferred)
    refusal = refusal_of(asking)
    assert (refusal.code, refusal.details) == ("session_gone", {"may_have_happened": True})
    assert "gamma" not in str(refusal)


def test_a_claim_begins_where_the_page_came_to_the_repository() -> None:
    """
    What others did last on the page is no action of the new repository: its claims do not reach back to it.
    """
    tab = Tab()
    tab.go("alpha")
    whole = tab.bridge.page()
    whole.end_action(whole.begin_action())
    tab.say(0)
    tab.go("gamma")
    tab.say(0)
    page = PermittedPage(whole, lambda app: app is not None and app.origin == THERE)
    assert (whole.last_action_cursor(), page.last_action_cursor()) == (0, 1)
    window = page.window(page.last_action_cursor())
    assert ([event.data for event in window.events], list(window.losses)) == ([{"name": "gamma"}], [])


def test_of_a_server_only_the_requests_are_seen_that_are_seen_in_the_page() -> None:
    """
    What it did for other visitors, and other apps' servers, are not the caller's to read.
    """
    seen, other = "a" * 32, "b" * 32
    whole = FakePage(url=f"{HERE}/alpha")
    told = WindowBuilder().probe().probe(process="p2").served(seen).served(other)
    whole.server = told.fact("sql", None, process="p2", verb="SELECT").build().server
    whole.record("net.request", {"id": "n1", "method": "POST", "url": "/api/orders", "rid": seen})
    window = PermittedPage(whole, lambda app: app is not None and app.origin == HERE).window(Cursor(0))
    assert {fact.rid for fact in window.server.facts} == {seen}
    assert [probe.process for probe in window.server.probes] == ["p1"]


def test_a_loss_at_the_border_names_no_kind() -> None:
    """
    What was lost just when the page changed hands may be the other app's, whose names for things are its own.
    """
    whole = FakePage(url=HERE)
    whole.record("signal")
    whole.lose("alpha")
    whole.load_document("d2", THERE)
    page = PermittedPage(whole, lambda app: app is not None and app.origin == THERE)
    whole.record("signal")
    whole.lose("gamma")
    for since, border in ((0, [("*", "page"), ("gamma", "page"), ("*", REPOSITORY)]), (1, None), (2, None)):
        losses = [(loss.channel, loss.where) for loss in page.window(Cursor(since)).losses]
        assert losses == (border or [("*", "page"), ("gamma", "page")][since - 1 :])
    everything = PermittedPage(whole, lambda _: True).window(Cursor(0))
    assert everything == whole.window(Cursor(0))


def test_an_origin_that_is_registered_later_brings_its_past_along() -> None:
    """
    Pages that are open are mapped anew at once, with all that they reported.
    """
    tab = Tab()
    tab.go("delta")
    tab.say(0)
    bench = bench_of(tab)
    principal = bench.token(a_grant(Capability.OBSERVE, "r3"))
    assert list(bench.gate.visible(principal).all()) == []
    bench.repositories.keep(a_repository("r3", ["http://localhost:3"]))
    [page] = bench.gate.visible(principal).all()
    assert [event.data for event in page.events(Cursor(0))] == [{"name": "delta"}]
