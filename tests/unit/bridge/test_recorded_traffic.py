"""
What real page packages sent, and what the daemon concludes of it.

The recordings in ``transcripts`` were made with the published packages 2.0.0 (12: a later build) in Chromium
156; each test names its recording.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from reticle.bridge.page import BridgedPage
from reticle.bridge.wire import CommandResult
from reticle.domain.predicate.evaluate import evaluate
from reticle.domain.predicate.parse import parse
from reticle.errors import Refusal
from reticle.model.codes import ControlState
from reticle.model.ids import Cursor
from reticle.model.page import Loss
from reticle.model.verdict import Held
from reticle.testing.bridge import Bridge
from reticle.testing.recorded import RawDialect, Replay, recorded

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.jsonl"))
COMMAND_MS = 8_000

Play = Callable[..., Replay]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Iterator[Play]:
    """
    A replay of the recording whose name begins so, not yet begun.
    """
    monkeypatch.setattr("reticle.bridge.directory.PublishedDialect", RawDialect)
    begun: list[Replay] = []

    def begin(name: str, *, needs_token: bool = False) -> Replay:
        [file] = [path for path in FILES if path.name.startswith(f"{name}-")]
        begun.append(Replay(recorded(file), Bridge(), needs_token=needs_token))
        return begun[-1]

    yield begin
    for replay in begun:
        replay.bridge.directory.close_all()
        replay.wait(60)


def counts(page: BridgedPage) -> Counter[str]:
    """
    How many events of each type are recorded.
    """
    return Counter(event.type for event in page.events(Cursor(0)))


def losses(page: BridgedPage) -> Sequence[Loss]:
    """
    Everything that a window over the whole past may miss.
    """
    return page.window(Cursor(0)).losses


def first_of(replay: Replay) -> BridgedPage:
    """
    The page that came first.
    """
    return next(iter(replay.pages().values()))


def outcomes_of(lines: Sequence[Mapping[str, Any]]) -> list[tuple[bool, object]]:
    """
    What the recorded commands came to, in their order: ok and result, or not ok and the words. Those that
    were answered never or too late are refused by the daemon: not ok, None.
    """
    waiting: dict[str, list[tuple[int, int]]] = {}
    outcomes: list[tuple[bool, object]] = []
    for line in lines:
        message = line["message"]
        kind = message.get("kind") if isinstance(message, dict) else None
        if kind == "command" and line["from"] == "daemon" and is_sent(message):
            waiting.setdefault(message["id"], []).append((len(outcomes), line["ms"]))
            outcomes.append((False, None))
        elif kind == "command_result" and waiting.get(message["id"]):
            number, asked_ms = waiting[message["id"]].pop(0)
            if line["ms"] - asked_ms < COMMAND_MS:
                ok = message["ok"]
                outcomes[number] = (ok, message.get("result") if ok else message["error"])
    return outcomes


def is_sent(command: Mapping[str, Any]) -> bool:
    """
    Whether this daemon would send such a command: the recordings try some that none does.
    """
    name, args = command.get("name"), command.get("args", {})
    return isinstance(name, str) and 0 < len(name) <= 128 and isinstance(args, dict)


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_each_command_comes_to_what_the_page_answered(play: Play, file: Path) -> None:
    """
    Whatever the order, the socket and the id of a reply, an agent gets the answer to its own question, or is
    told that there was none.
    """
    replay = play(file.name.split("-")[0]).run().wait(10)
    expected = outcomes_of(recorded(file))
    assert len(replay.asked) == len(expected)
    for asked, (ok, said) in zip(replay.asked, expected, strict=True):
        outcome = asked.outcome
        if said is None and not ok:
            assert isinstance(outcome, Refusal), asked
        elif file.name.startswith("07-") and asked.name == "act":
            assert isinstance(outcome, Refusal)  # it lost its socket: asked at most once, see below
        else:
            assert isinstance(outcome, CommandResult)
            assert (outcome.ok, outcome.result if ok else outcome.error) == (ok, said)


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_every_event_of_a_known_socket_is_recorded_once(play: Play, file: Path) -> None:
    """
    Nothing that a page said goes missing on its way into the record, and nothing is doubled.
    """
    replay = play(file.name.split("-")[0]).run()
    expected: Counter[str] = Counter()
    known: set[int] = set()
    latest = ""
    for line in recorded(file):
        message = line["message"]
        if isinstance(message, dict) and message.get("kind") == "hello":
            known.add(line["conn"])
        elif isinstance(message, dict) and message.get("kind") == "event" and line["conn"] in known:
            latest = message["event"]["type"]
            expected[latest] += 1
        elif "recorder_trimmed_identical_events" in message:
            expected[latest] += message["recorder_trimmed_identical_events"]
    pages = replay.pages().values()
    assert sum(map(counts, pages), Counter()) == expected
    assert sum(page.figures()["lost"] for page in pages) == {"05": 1, "07": 1}.get(file.name[:2], 0)


def test_a_page_says_hello_beats_and_goes(play: Play) -> None:
    """
    01: project, adapters and capabilities are known; a tab that was closed is no longer connected.
    """
    replay = play("01").run(until=12_000)
    [page] = replay.bridge.directory.all()
    identity = page.identity
    assert (identity.project_id, identity.adapters, identity.title, identity.has_capabilities) == (
        "lab-1a2b3c4d", ("react",), "Wire lab", True,
    )  # fmt: skip
    assert identity.own_script is False
    assert (page.health().hidden, page.health().focused, round(page.health().silent_seconds, 3)) == (
        False,
        True,
        1.217,
    )
    replay.run()
    assert replay.bridge.directory.all() == []
    assert (page.connected, counts(page)) == (False, {"page.health": 5, "dom.added": 1})


def test_what_acts_brought_about_is_judged_by_what_came_of_it(play: Play) -> None:
    """
    03: two logins went through and were told to the app; which token it got was not sent, so that is unknown.
    Then the person takes over.
    """
    page = first_of(play("03").run())
    window = page.window(Cursor(0))

    def held(**claim: object) -> Held:
        return evaluate(parse(claim), window).held

    login: dict[str, object] = {"kind": "net", "method": "POST", "urlContains": "/api/login"}
    granted: dict[str, object] = {"kind": "signal", "name": "auth:granted"}
    assert held(**login, status=200, count=2) is Held.YES
    assert held(**login, status=500) is Held.NO
    assert held(**granted, dataMatches={"email": "ada@x.y"}) is Held.YES
    assert held(**granted, dataMatches={"token": "t-1"}) is Held.UNKNOWN
    assert page.steering.state is ControlState.PAUSED


def test_a_page_without_a_panel_is_a_page_all_the_same(play: Play) -> None:
    """
    04b: it shows nothing of what the daemon tells its person, and nobody there has decided anything. The tab
    before it left without a word and is none.
    """
    replay = play("04b").run()
    [page] = replay.bridge.directory.all()
    assert page.identity.title == "Page two"
    assert (page.steering.state, page.steering.ended_by_person) == (ControlState.ACTIVE, False)
    assert page.health().hidden


def test_a_page_that_is_sent_away_five_times_is_one_page(play: Play) -> None:
    """
    14: whatever the reasons, the next socket is the same document, and every question is answered.
    """
    replay = play("14").run()
    [page] = replay.pages().values()
    assert (page.connected, page.identity.document_id) == (False, "published-1")
    assert [isinstance(asked.outcome, CommandResult) for asked in replay.asked] == [True] * 5
    assert (losses(page), page.figures()["unknownAnswers"]) == ([], 0)


def test_a_person_steers_by_the_panel(play: Play) -> None:
    """
    04: pause, resume, a message, four flags and the end arrive in order; the daemon confirms what it decided.
    """
    replay = play("04").run(until=2_200)
    [page] = replay.bridge.directory.all()
    states = [page.steering.state]
    replay.run(until=3_000)
    states.append(page.steering.state)
    assert states == [ControlState.PAUSED, ControlState.ACTIVE]
    assert page.steering.take_guidance().messages == ("check the error state",)
    replay.run()
    assert (page.steering.state, page.steering.ended_by_person) == (ControlState.ENDED, True)
    assert [(mark.strategy, mark.anchor, mark.source) for mark in page.steering.marks()] == [
        ("role", "button:Save", None),
        ("testid", "email", None),
        ("component", "Hover[Hover me]", None),
        ("component", "Counter@Counter.tsx:7", "src/Counter.tsx:7"),
    ]
    told = [args["state"] for name, args in replay.told(1) if name == "presenter"]
    assert told == ["paused", "active", "ended"]
    assert [name for name, _ in replay.told(1)].count("narrate") == 4


def test_every_type_of_event_arrives(play: Play) -> None:
    """
    05: the whole vocabulary but the person's; of a hundred rows forty were told and the loss is declared.
    """
    replay = play("05").run()
    page = first_of(replay)
    assert {
        "dom.added", "dom.removed", "dom.attr", "dom.text", "visible.shown", "net.pending", "net.request",
        "route.change", "console.log", "console.warn", "console.error", "error.uncaught", "anim.start",
        "anim.end", "scroll.position", "reveal.shown", "signal", "state.change", "page.health",
    } == set(counts(page))  # fmt: skip
    [loss] = losses(page)
    assert (loss.channel, loss.where) == ("dom.added", "page")
    assert page.identity.url == "http://localhost:5173/index.html?tab=3#zz"


def test_names_and_projects_come_from_where_the_page_says(play: Play) -> None:
    """
    06: the label, the address or neither names the page; our parameters are no part of its address.
    """
    replay = play("06").run()
    pages = replay.pages()
    assert {name: page.identity.project_id for name, page in pages.items() if len(name) < 12} == {
        "lease-7": "proj-9", "lease-8": None, "explicit": None, "shared": None, "s7-12": None,
    }  # fmt: skip
    assert [page.identity.project_id for page in pages.values()].count("P") == 1
    assert not [page for page in pages.values() if "__reticle_" in page.identity.url]
    assert max(map(len, pages)) == 128
    assert pages["lease-7"].identity.document_id == "published-2"


def test_two_tabs_with_one_label_do_not_evict_each_other(play: Play) -> None:
    """
    06, 17: the newest is the page, the older one stays open and silent; nobody is closed, so nobody redials.
    """
    replay = play("06").run()
    assert [name for name in replay.pages() if name.startswith("shared")] == ["shared"]
    assert (sorted(replay.ends), {end.writer.closed for end in replay.ends.values()}) == ([15, 16], {None})
    ping_pong = play("17").run()
    assert set(ping_pong.closed.values()) == {None}
    assert list(ping_pong.pages()) == ["shared"]


def test_a_second_hello_brings_what_changed_since(play: Play) -> None:
    """
    06b: the package never says that its title, adapters or capabilities changed until it dials again.
    """
    page = first_of(play("06b").run())
    identity = page.identity
    assert (identity.title, identity.adapters, identity.has_capabilities, identity.document_id) == (
        "changed", ("react", "late"), True, "published-1",
    )  # fmt: skip


OLD, NEW = "se384d98c-8d05-4744-9b83-51c9cbafc5ca", "sf88e456b-1711-460d-90a9-fc28b16133db"


def test_a_page_in_the_back_forward_cache_is_not_the_one_that_is_meant(play: Play) -> None:
    """
    06c: its socket is open and answers pings, its page is frozen; the page in front is meant, without a name.
    """
    replay = play("06c").run(until=16_000)
    assert 1 in replay.ends
    assert replay.bridge.directory.resolve(None).identity.page_id == NEW
    assert replay.bridge.page(OLD).health().throttled(12)
    lost = replay.asked[-1]
    assert (lost.name, lost.outcome) == ("capabilities", None)


def test_a_page_that_comes_back_from_the_cache_is_itself(play: Play) -> None:
    """
    06c: it dials again under its old name within a second, its document and refs are the same, and is meant.
    """
    replay = play("06c").run(until=18_700)
    page = replay.bridge.page(OLD)
    assert (page.connected, page.identity.document_id, page.health().hidden) == (True, "published-1", False)
    assert replay.bridge.page(NEW).health().hidden
    assert replay.bridge.directory.resolve(None).identity.page_id == OLD


def test_every_close_code_is_followed_by_the_same_page(play: Play) -> None:
    """
    07: eleven closes later it is one page and one document; the overflow of its queue is declared.
    """
    replay = play("07").run()
    page = first_of(replay)
    assert len(replay.pages()) == 2
    assert (page.identity.document_id, counts(page)["signal"]) == ("published-1", 499)
    assert [(loss.channel, loss.dropped, loss.where) for loss in losses(page)] == [("*", 1, "page")]
    assert page.attachment().outages == 2


def test_an_act_that_loses_its_socket_may_have_happened(play: Play) -> None:
    """
    07: it did; the report comes on the next socket, too late to be an answer, and is counted as late.
    """
    replay = play("07").run()
    refusal = next(asked.outcome for asked in replay.asked if asked.name == "act")
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.details) == ("session_gone", {"may_have_happened": True})
    assert first_of(replay).figures()["lateAnswers"] == 1


def test_what_was_not_sent_proves_nothing(play: Play) -> None:
    """
    08: a claim about a value that came as a placeholder is unknown; one that came whole is decided.
    """
    window = first_of(play("08").run()).window(Cursor(0))

    def held(name: str, **data: object) -> Held:
        predicate = parse({"kind": "signal", "name": name, "dataMatches": data})
        return evaluate(predicate, window).held

    assert held("x", self="anything") is Held.UNKNOWN
    assert held("x", password="hunter2") is Held.UNKNOWN
    assert held("x", bad=1) is Held.UNKNOWN
    assert held("burst", i=4_999) is Held.YES


def test_commands_are_answered_in_the_order_of_their_ends(play: Play) -> None:
    """
    10: of four at once the reads come back before the acts; one that never ends is refused as perhaps done.
    """
    replay = play("10").run(until=6_460)
    together = {asked.name: asked.outcome for asked in replay.asked[-4:]}
    assert together["act"] is None
    assert all(isinstance(together[name], CommandResult) for name in ("capabilities", "query"))
    replay.run().wait(10)
    never = next(asked.outcome for asked in replay.asked if isinstance(asked.outcome, Refusal))
    assert (never.code, never.details) == ("command_timeout", {"may_have_happened": True})


def test_whoever_may_connect_is_a_page(play: Play) -> None:
    """
    11: pages of localhost, 127.0.0.1 and a file, under other paths and with long tokens, seven in all.
    """
    pages = play("11").run().pages().values()
    assert Counter(page.identity.url.split("/mini")[0].split("/srv")[0] for page in pages) == {
        "http://localhost:5173": 5, "http://127.0.0.1:5173": 1, "file://": 1,
    }  # fmt: skip


def test_a_wrong_token_is_refused_each_second(play: Play) -> None:
    """
    11b: the package ignores close codes; three refusals are one entry for people, and no page.
    """
    replay = play("11b", needs_token=True).run()
    assert replay.pages() == {}
    [dial] = replay.bridge.directory.refused_dials()
    assert (dial.count, dial.reason) == (3, "authentication failed: wrong pairing token")
    assert {closed and closed[0] for closed in replay.closed.values()} == {1008}


def test_a_later_package_is_spoken_to_too(play: Play) -> None:
    """
    12: it says hello again in place and keeps its name over a reload; its events redact the session id.
    """
    replay = play("12").run(until=8_000)
    page = first_of(replay)
    assert (list(replay.pages()), page.identity.document_id) == ([page.identity.page_id], "published-1")
    assert page.window(page.cursor()).blind_spots == {"uninstrumented-frame": 1}
    replay.run()
    assert (list(replay.pages()), page.identity.document_id) == ([page.identity.page_id], "published-2")


def test_a_tab_in_the_background_acts_slowly_and_then_not_at_all(play: Play) -> None:
    """
    13: an act comes back unsettled after a second; a frozen page is told apart from a wrong answer.
    """
    replay = play("13").run(until=4_000)
    page = first_of(replay)
    assert page.health().hidden
    acted = next(asked.outcome for asked in replay.asked if asked.name == "act")
    assert isinstance(acted, CommandResult)
    assert isinstance(acted.result, dict)
    assert (acted.result["settled"], acted.result["settleReason"]) == (False, "timeout")
    replay.run().wait(10)
    frozen = replay.asked[-1].outcome
    assert isinstance(frozen, Refusal)
    assert "background" in frozen.message


def test_a_navigation_of_ours_keeps_the_page(play: Play) -> None:
    """
    15: the name in the address makes the next document the same page, in its project; the old socket waits.
    """
    replay = play("15").run(until=2_000)
    [page] = replay.bridge.directory.all()
    assert (page.identity.project_id, page.identity.document_id) == ("lab", "published-2")
    assert page.identity.url == "http://localhost:5173/mini.html"
    assert sorted(replay.ends) == [1, 2]
    assert replay.run(until=3_400).asked[-1].went_to == 2


def test_a_document_that_comes_back_under_the_same_name_is_itself(play: Play) -> None:
    """
    15: the way back after our navigation: refs of the second document are none in the first.
    """
    replay = play("15").run(until=4_400)
    [page] = replay.bridge.directory.all()
    assert page.identity.document_id == "published-2"
    replay.run(until=6_000)
    assert page.identity.document_id == "published-1"


def test_a_tab_that_is_looked_at_dials_at_once(play: Play) -> None:
    """
    18: a third of a second after the loss; a read that waited is answered, and it counts as no outage.
    """
    replay = play("18").run()
    page = list(replay.pages().values())[-1]
    assert (page.connected, page.attachment().outages, page.identity.document_id) == (True, 0, "published-1")
