"""
The contract of every tool, on a real page in a real browser.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as dial_page

from examples.journeys.children import Child, Daemon
from reticle.client import CallResult, Client, connect
from reticle.service.surface import FAMILIES, tools_of
from tests.system.bench_app import bench_app
from tests.system.pages import HELLO, page_names
from tests.system.wire import eventually

ANSWER_BYTES = 1_500
"""What an answer about a small page may cost."""


@pytest.fixture(scope="module")
def bench_url(daemon: Daemon) -> Iterator[str]:
    """
    The page's address.
    """
    with bench_app(daemon.url) as url:
        yield url


@pytest.fixture(scope="module")
def chromium(bench_url: str, open_browser: Callable[[str], Child]) -> Child:
    """
    A browser with the page open.
    """
    return open_browser(bench_url)


@pytest.fixture
def page(client: Client, chromium: Child, bench_url: str) -> str:
    """
    The page, freshly loaded; its name.
    """
    eventually(lambda: len(page_names(client)) == 1, "the page is connected", 20)
    [name] = page_names(client)
    arrived = client.call("reticle_navigate", {"sessionId": name, "url": f"{bench_url}?{id(object())}"})
    assert arrived.fields["confirmed"] is True, arrived.text
    assert chromium.process.poll() is None
    return name


def ok(result: CallResult) -> Mapping[str, Any]:
    """
    The fields of a call that was done, in few enough bytes.
    """
    assert result.ok, result.text
    assert len(result.text.encode()) <= ANSWER_BYTES, result.text
    return result.fields


def ref_of(client: Client, testid: str) -> str:
    """
    The ref of an element.
    """
    [element] = ok(client.call("reticle_query", {"testid": testid}))["elements"]
    return str(element["ref"])


def act(client: Client, action: str, testid: str, **args: object) -> Mapping[str, Any]:
    """
    The fields of an act.
    """
    call = {"action": action, "target": {"testid": testid}, **({"args": args} if args else {})}
    return ok(client.call("reticle_act", call))


def status(client: Client, text: str) -> None:
    """
    Wait until the page says it.
    """
    waited = client.call("reticle_wait_for", {"until": {"kind": "text", "contains": text, "visible": True}})
    assert ok(waited)["pass"] is True, waited.text


def test_sessions(client: Client, page: str, bench_url: str) -> None:
    """
    The page is listed with address, title and how it is connected.
    """
    [session] = ok(client.call("reticle_sessions"))["sessions"]
    assert (session["sessionId"], session["title"], session["script"]) == (page, "Bench", "reticle")
    assert session["url"].startswith(bench_url)
    assert session["attachment"]["connectedMs"] > 0


def test_navigate(client: Client, page: str, bench_url: str) -> None:
    """
    A new address and a hard reload are confirmed by the page itself.
    """
    there = ok(client.call("reticle_navigate", {"url": "/second"}))
    assert (there["confirmed"], there["url"], there["sessionId"]) == (True, f"{bench_url}second", page)
    again = ok(client.call("reticle_navigate", {"reload": True, "hard": True}))
    assert (again["confirmed"], again["settled"]) == (True, True)
    assert client.call("reticle_navigate", {"url": "/a", "reload": True}).error == "bad_arguments"
    assert client.call("reticle_navigate", {"url": "javascript:alert(1)"}).error == "bad_arguments"


def test_snapshot(client: Client, page: str) -> None:
    """
    The outline has refs; a second look costs only what changed.
    """
    del page
    whole = ok(client.call("reticle_snapshot", {"mode": "interactive"}))
    assert 'button "Save" e' in whole["tree"]
    unchanged = client.call("reticle_snapshot", {"mode": "interactive", "diff": True})
    assert (ok(unchanged)["mode"], len(unchanged.text) < 120) == ("unchanged", True)
    act(client, "fill", "name", value="Ada")
    changed = ok(client.call("reticle_snapshot", {"mode": "interactive", "diff": True}))
    assert changed["mode"] == "delta"
    assert "Ada" in changed["changed"][0]["to"]
    assert ok(client.call("reticle_snapshot", {"mode": "status"}))["status"]["title"] == "Bench"
    assert ok(client.call("reticle_snapshot", {"scope": "#nowhere"}))["scopeMissing"] is True


def test_query(client: Client, page: str) -> None:
    """
    Elements are found by each locator, counted exactly, and a miss says what is there instead.
    """
    del page
    for query in ({"testid": "save"}, {"role": "button", "name": "Save"}, {"by": "label", "value": "Name"}):
        assert ok(client.call("reticle_query", query))["count"] == 1
    counted = ok(client.call("reticle_query", {"role": "button", "count_only": True}))
    assert (counted["count"], "elements" in counted) == (5, False)
    limited = ok(client.call("reticle_query", {"role": "button", "limit": 1}))
    assert (len(limited["elements"]), limited["count"], limited["truncated"]) == (1, 5, True)
    with_attrs = ok(client.call("reticle_query", {"testid": "file", "attrs": ["type"]}))
    assert with_attrs["elements"][0]["attrs"] == {"type": "file"}
    itself = ok(client.call("reticle_query", {"scope": "#form", "self": True}))
    assert itself["count"] == 1
    assert "save" in ok(client.call("reticle_query", {"testid": "sve"}))["hint"]["presentTestids"]
    assert client.call("reticle_query", {"tesstid": "save"}).message.endswith(
        'did you mean "testid"? Nothing ran.'
    )


def test_inspect(client: Client, page: str) -> None:
    """
    Box, looks and states of one element; a dead ref is refused.
    """
    del page
    fields = ok(client.call("reticle_inspect", {"ref": ref_of(client, "save")}))
    assert (fields["tag"], fields["name"], fields["visible"], fields["occluded"]) == (
        "button", "Save", True, False,
    )  # fmt: skip
    assert fields["box"]["width"] > 0
    assert fields["styles"]["display"] == "inline-block"
    scrolled = ok(client.call("reticle_inspect", {"ref": ref_of(client, "list")}))
    assert scrolled["scroll"]["scrollHeight"] == 2_000
    assert client.call("reticle_inspect", {"ref": "e999999"}).error == "stale_ref"


def test_act_knows_every_action(client: Client, page: str) -> None:
    """
    Each of the sixteen actions does in a browser what it says, and a dangerous one asks first.
    """
    del page
    assert act(client, "fill", "name", value="Ada")["effect"]["value"] == "Ada"
    assert act(client, "type", "name", text="!")["effect"]["value"] == "Ada!"
    assert act(client, "clear", "name")["effect"]["value"] == ""
    act(client, "press", "name", key="B")
    assert act(client, "select", "plan", value="b")["effect"]["valueChanged"] is True
    act(client, "check", "agree")
    assert act(client, "check", "agree")["effect"]["alreadyAtValue"] is True
    act(client, "uncheck", "agree")
    act(client, "focus", "name")
    act(client, "blur", "name")
    act(client, "hover", "pad")
    status(client, "Hovered")
    act(client, "dblclick", "pad")
    status(client, "Twice")
    act(client, "upload", "file", content="a,b", name="list.csv", type="text/csv")
    status(client, "Chose list.csv")
    act(client, "drag", "card", toRef=ref_of(client, "to"))
    status(client, "Dropped")
    assert act(client, "scrollIntoView", "far")["effect"]["scrolledIntoView"] is True
    act(client, "submit", "save")
    status(client, "Saved B")
    refused = client.call("reticle_act", {"action": "click", "target": {"testid": "remove"}})
    assert refused.error == "confirm_dangerous"
    act(client, "click", "remove", confirmDangerous=True)
    status(client, "All gone")
    misspelt = {"action": "click", "target": {"testid": "remove"}, "args": {"confirm_dangerous": True}}
    assert "did you mean `confirmDangerous`?" in client.call("reticle_act", misspelt).message
    gone = client.call("reticle_act", {"action": "click", "target": {"testid": "nowhere"}})
    assert gone.error == "no_match"


def test_act_and_wait(client: Client, page: str) -> None:
    """
    A save is proved by its request and its words; a claim that does not come true is a no.
    """
    del page
    act(client, "fill", "name", value="Grace")
    click = {"action": "click", "target": {"testid": "save"}}
    until = {
        "allOf": [
            {"kind": "net", "method": "POST", "urlContains": "/api/save", "ok": True, "count": 1},
            {"kind": "text", "contains": "Saved Grace", "visible": True},
        ]
    }
    proved = client.call("reticle_act_and_wait", {**click, "until": until, "min_grade": "net"})
    assert ok(proved)["verified"] == "yes", proved.text
    wrong = {"kind": "text", "contains": "Saved Linus", "visible": True}
    refuted = client.call("reticle_act_and_wait", {**click, "until": wrong, "timeout_ms": 600})
    assert (ok(refuted)["verified"], refuted.fields["pass"]) == ("no", False)


def test_act_sequence(client: Client, page: str) -> None:
    """
    Steps follow each other, wait where they are told to, and stop at the first that fails; no verdict.
    """
    del page
    steps: list[dict[str, object]] = [
        {"action": "fill", "target": {"testid": "name"}, "args": {"value": "Joan"}},
        {
            "action": "click", "target": {"testid": "later"},
            "until": {"kind": "text", "contains": "At last", "visible": True},
        },
        {
            "action": "click", "target": {"testid": "save"},
            "until": {"kind": "text", "contains": "Saved Joan", "visible": True},
        },
    ]  # fmt: skip
    done = ok(client.call("reticle_act_sequence", {"steps": steps}))
    assert (done["completed"], done["dispatched"], "verified" in done) == (3, 3, False)
    assert [step.get("until") for step in done["steps"]] == [None, {"pass": True}, {"pass": True}]
    never = {
        "action": "click", "target": {"testid": "later"}, "timeout_ms": 800,
        "until": {"kind": "text", "contains": "Never"},
    }  # fmt: skip
    stalled = ok(client.call("reticle_act_sequence", {"steps": [steps[0], never, steps[2]]}))
    assert (stalled["completed"], stalled["stalled_at"], len(stalled["steps"])) == (1, 1, 2)
    assert stalled["steps"][1]["until"]["pass"] is False
    missing = {"action": "click", "target": {"testid": "nowhere"}}
    refused = ok(client.call("reticle_act_sequence", {"steps": [missing, steps[2]]}))
    assert (refused["dispatched"], refused["steps"][0]["error"]) == (0, "no_match")
    misspelt = client.call("reticle_act_sequence", {"steps": [{**steps[0], "untill": {}}]})
    assert "did you mean `until`?" in misspelt.message


def test_assert_and_wait_for(client: Client, page: str) -> None:
    """
    A claim about what is there is judged at once; a wait gives no verdict.
    """
    del page
    held = ok(client.call("reticle_assert", {"predicate": {"kind": "text", "contains": "Landing place"}}))
    assert held["verified"] == "yes"
    failed = ok(client.call("reticle_assert", {"predicate": {"kind": "text", "contains": "Nothing like it"}}))
    assert failed["verified"] == "no"
    waited = ok(
        client.call("reticle_wait_for", {"until": {"kind": "text", "contains": "Nope"}, "timeout_ms": 200})
    )
    assert (waited["pass"], "verified" in waited) == (False, False)
    typo = client.call("reticle_assert", {"predicate": {"kind": "text", "contain": "x"}})
    assert typo.error == "bad_predicate"


def test_observe_network_console(client: Client, page: str) -> None:
    """
    What an action caused is listed by its id, filtered, bounded, and an empty list says that it was watched.
    """
    del page
    act(client, "fill", "name", value="Mary")
    saved = act(client, "submit", "save")
    status(client, "Saved Mary")
    since = saved["since"]
    events = ok(client.call("reticle_observe", {"since": since, "filters": ["net"], "max_events": 1}))
    assert [event["type"] for event in events["events"]] == ["net.request"]
    assert events["droppedOldest"] >= 1
    [call] = ok(client.call("reticle_network", {"since": since, "urlContains": "/api/save"}))["calls"]
    assert (call["method"], call["status"], json.loads(call["responseBody"])) == (
        "POST",
        200,
        {"name": "Mary"},
    )
    assert json.loads(call["requestBody"]) == {"name": "Mary"}
    nothing = ok(client.call("reticle_network", {"since": since, "status": 500}))
    assert (nothing["calls"], nothing["hint"]["totalInWindow"] >= 1) == ([], True)
    complained = act(client, "click", "complain")
    listed = ok(client.call("reticle_console", {"actionId": complained["actionId"], "level": "error"}))
    assert [entry["text"] for entry in listed["logs"]] == ["complaint 7"]
    silence = ok(client.call("reticle_console", {"since": listed["until"], "level": "debug"}))
    assert (silence["logs"], silence["observed"]) == ([], True)


def test_state(client: Client, page: str) -> None:
    """
    Stores are read whole and by path; a miss names what is there, and a plain element has no component state.
    """
    del page
    assert ok(client.call("reticle_state"))["stores"]["bench"] == {"saved": 0, "lines": ["one", "two"]}
    assert ok(client.call("reticle_state", {"path": "lines.1"}))["value"] == "two"
    assert "saved" in ok(client.call("reticle_state", {"store": "bench", "path": "svaed"}))["availableKeys"]
    assert ok(client.call("reticle_state", {"ref": ref_of(client, "save")}))["found"] is False


def test_storage(client: Client, page: str) -> None:
    """
    What the app stored is read by area and by key, credentials are not, and nothing is changed by it.
    """
    del page
    whole = ok(client.call("reticle_storage", {}))
    assert whole["local"] == {"theme": "dark", "auth_token": "[REDACTED]"}
    assert whole["session"] == {"step": "2"}
    assert whole["cookies"] == {"lang": "de", "shop_session": "[REDACTED]"}
    one = ok(client.call("reticle_storage", {"key": "lang"}))
    assert (one["found"], one["area"], one["value"]) == (True, "cookies", "de")
    missed = ok(client.call("reticle_storage", {"area": "local", "key": "thme"}))
    assert (missed["found"], sorted(missed["availableKeys"]["local"])) == (False, ["auth_token", "theme"])
    assert client.call("reticle_storage", {"area": "disk"}).error == "bad_arguments"
    assert ok(client.call("reticle_storage", {}))["local"] == whole["local"]
    assert ok(client.call("reticle_navigate", {"url": "/database"}))["confirmed"] is True
    eventually(lambda: "indexeddb: bench" in client.call("reticle_storage", {}).text, "the database is there")
    [bench] = ok(client.call("reticle_storage", {"area": "indexeddb", "database": "bench"}))["databases"]
    assert bench["stores"] == [{"name": "orders", "keyPath": "id", "indexes": [], "count": 1}]
    orders = {"area": "indexeddb", "database": "bench", "store": "orders"}
    assert ok(client.call("reticle_storage", orders))["records"] == [
        {"key": "7", "value": '{"id":7,"total":12,"api_key":"[REDACTED]"}'}
    ]
    assert ok(client.call("reticle_storage", {**orders, "key": "8"}))["found"] is False
    assert ok(client.call("reticle_storage", {**orders, "database": "bnch"}))["databases"] == ["bench"]
    assert client.call("reticle_storage", {**orders, "area": "local"}).error == "bad_arguments"


def test_scroll_to(client: Client, page: str) -> None:
    """
    A row of a virtual list that is not in the page is brought into view; one that there is none of is looked
    for through the whole list, and only then called exhausted.
    """
    del page
    missing = ok(client.call("reticle_query", {"text": "Order 140."}))
    assert missing["count"] == 0
    place = {"targetIndex": 140, "totalCount": 200}
    found = ok(client.call("reticle_scroll_to", {"text": "Order 140.", **place}))
    assert (found["found"], found["scrolls"] <= 3, found["element"]["name"]) == (True, True, "Order 140.")
    [row] = ok(client.call("reticle_query", {"text": "Order 140."}))["elements"]
    assert row["ref"] == found["element"]["ref"]
    assert ok(client.call("reticle_inspect", {"ref": row["ref"]}))["inViewport"] is True
    orders = {"container": "[data-testid=orders]", "maxScrolls": 100}
    above = ok(client.call("reticle_scroll_to", {"text": "Order 12.", **orders}))
    assert (above["found"], above["exhausted"]) == (True, False)
    none = ok(client.call("reticle_scroll_to", {"text": "Order 200.", **orders}))
    assert (none["found"], none["exhausted"], none["scrolls"] > 20) == (False, True, True)
    short = ok(client.call("reticle_scroll_to", {"text": "Order 200.", "container": orders["container"]}))
    assert (short["found"], short["exhausted"], short["scrolls"]) == (False, False, 20)
    several = client.call("reticle_scroll_to", {"role": "listitem"})
    assert several.error == "ambiguous_target"


def test_animations(client: Client, page: str) -> None:
    """
    What turns on the page is listed with its element, which the next call can use, and that it never ends.
    """
    del page
    listed = ok(client.call("reticle_animations", {}))
    [spinner] = listed["animations"]
    assert (listed["count"], spinner["name"], spinner["state"], spinner["endless"]) == (
        1,
        "turn",
        "running",
        True,
    )
    assert ok(client.call("reticle_inspect", {"ref": spinner["target"]["ref"]}))["testid"] == "spinner"


def test_explore(client: Client, page: str) -> None:
    """
    The page's controls are listed with what an act needs to know, and errors of the console beside them.
    """
    del page
    act(client, "click", "complain")
    listed = ok(client.call("reticle_explore", {}))
    descs = {each["desc"]: each for each in listed["interactive"]}
    assert {'textbox "Name"', 'button "Save"', 'checkbox "Agree"'} <= descs.keys()
    assert [each["desc"] for each in listed["interactive"] if each.get("dangerous")] == [
        'button "Delete everything"'
    ]
    assert listed["count"] == len(descs)
    assert listed["consoleErrors"] == ["complaint 7"]
    act(client, "fill", "name", value="Ada")
    scoped = ok(client.call("reticle_explore", {"scope": "#form"}))
    assert scoped["interactive"][0]["desc"].startswith('textbox "Name" [value="Ada"]')
    assert scoped["count"] < listed["count"]


def test_baseline(client: Client, page: str) -> None:
    """
    What a page was is kept over its next document, and only what differs then is told.
    """
    del page
    saved = ok(client.call("reticle_baseline", {"action": "save", "name": "form", "scope": "#form"}))
    assert Path(saved["path"]).is_file()
    assert ok(client.call("reticle_navigate", {"reload": True}))["confirmed"] is True
    same = ok(client.call("reticle_baseline", {"action": "diff", "name": "form"}))
    assert (same["same"], same["added"], same["removed"]) == (True, [], [])
    act(client, "check", "agree")
    changed = ok(client.call("reticle_baseline", {"action": "diff", "name": "form"}))
    assert (changed["same"], changed["removed"]) == (False, ['- checkbox "Agree"'])
    assert changed["added"][0].endswith("[checked]") or changed["added"][0].endswith("[checked,focused]")
    assert ok(client.call("reticle_baseline", {"action": "list"}))["baselines"] == ["form"]
    assert client.call("reticle_baseline", {"action": "diff", "name": "from"}).error == "not_found"


def test_session_shows_itself_in_the_page(client: Client, page: str) -> None:
    """
    Lines, questions and the end appear in the panel, which the page's own outline does not know.
    """
    del page
    assert ok(client.call("reticle_session", {"action": "narrate", "text": "Trying it"}))["shown"] is True
    asked = {"action": "yield", "mode": "ask", "note": "Which plan?"}
    assert ok(client.call("reticle_session", asked))["yielded"] is True
    tuned = ok(client.call("reticle_session", {"action": "tune", "idleEndMs": 60_000}))
    assert (tuned["applied"], tuned["idleEndMs"]) == (True, 60_000)
    assert ok(client.call("reticle_session", {"action": "review"}))["marks"] == []
    assert ok(client.call("reticle_session", {"action": "messages"}))["delivered"] == 0
    assert ok(client.call("reticle_session", {"action": "end", "summary": "Done"}))["ended"] is True
    act(client, "click", "later")  # an agent's own end does not lock it out
    assert "Trying it" not in client.call("reticle_snapshot").text


def test_feedback_stays_here(client: Client, daemon: Daemon) -> None:
    """
    A note lies in the state directory, without the credential that it quoted.
    """
    note = {"kind": "gap", "text": "the trace shows token=abcdef1234"}
    kept = ok(client.call("reticle_feedback", note))
    path = daemon.state_dir / "feedback.jsonl"
    assert (kept["sent"], kept["keptIn"]) == (False, str(path))
    assert json.loads(path.read_text().splitlines()[-1])["text"] == "the trace shows token=[REDACTED]"


def test_tools_and_run(client: Client, page: str) -> None:
    """
    Every tool is described in full, and any can be run by its name with the same checks.
    """
    del page
    listed = client.call("reticle_tools").fields
    families = len(tools_of(FAMILIES))
    assert listed["total"] == families + 2  # these two themselves
    described = client.call("reticle_tools", {"names": ["reticle_inspect"]}).fields["tools"]
    assert isinstance(described, list)
    assert "box" in described[0]["returns"]
    ran = ok(client.call("reticle_run", {"tool": "reticle_query", "args": {"testid": "save"}}))
    assert ran["count"] == 1
    assert (
        client.call("reticle_run", {"tool": "reticle_query", "args": {"tesstid": "x"}}).error
        == "bad_arguments"
    )


def human(dialled: ClientConnection, kind: str, **more: object) -> None:
    """
    Let a person press a button of a made-up page's panel.
    """
    event = {"type": "human.control", "data": {"kind": kind, **more}}
    dialled.send(json.dumps({"kind": "events", "events": [event]}))


def test_a_pause_holds_and_a_foreign_ref_is_refused(
    client: Client, page: str, daemon: Daemon, bench_url: str
) -> None:
    """
    With two pages open the agent stays on its own; a person's Pause on the other stops acts there only.
    """
    own = ref_of(client, "save")
    hello = {**HELLO, "sessionId": "other", "url": bench_url}
    with dial_page(f"ws://127.0.0.1:{daemon.port}/reticle") as dialled:
        dialled.send(json.dumps(hello))
        eventually(lambda: "other" in page_names(client), "the second page is connected")
        assert ok(client.call("reticle_inspect", {"ref": own}))["ref"] == own
        human(dialled, "pause")
        human(dialled, "message", text="leave this one alone")
        eventually(lambda: control_of(client, "other") == "paused", "the pause has arrived")
        refused = client.call("reticle_act", {"sessionId": "other", "action": "click", "ref": "e1"})
        assert (refused.error, refused.fields["control"]) == (
            "paused", {"state": "paused", "guidance": ["leave this one alone"]},
        )  # fmt: skip
        sequence = {"sessionId": "other", "steps": [{"action": "click", "ref": "e1"}]}
        assert client.call("reticle_act_sequence", sequence).error == "paused"
        away = {"sessionId": "other", "url": "/x"}
        assert client.call("reticle_navigate", away).error == "paused"
        foreign = client.call("reticle_inspect", {"ref": own})
        assert foreign.error == "ref_of_another_page"
        assert page in foreign.message
        looked = client.call("reticle_observe", {"sessionId": "other", "filters": ["human"]})
        assert (looked.ok, len(looked.fields["events"])) == (True, 2)  # type: ignore[arg-type]  # a list
        lifted = client.call("reticle_session", {"sessionId": "other", "action": "resume"})
        assert lifted.fields["resumed"] is True
        named = client.call("reticle_act", {"sessionId": page, "action": "focus", "ref": own})
        assert named.ok, named.text


def control_of(client: Client, name: str) -> object:
    """
    What the list says of a page's control.
    """
    sessions = client.call("reticle_sessions").fields["sessions"]
    assert isinstance(sessions, list)
    return next((each.get("control") for each in sessions if each["sessionId"] == name), None)


def test_two_conversations_do_not_share_their_page(client: Client, page: str, daemon: Daemon) -> None:
    """
    What one agent was shown is nothing to another: its ref check and its reminder are its own.
    """
    del page
    own = ref_of(client, "pad")
    for _ in range(2):
        act(client, "hover", "pad")
    assert "verify_next" in act(client, "hover", "pad")
    with connect(daemon.mcp_url) as other:
        other.initialize("another", "1")
        reply = other.call("reticle_act", {"action": "hover", "ref": own})
        assert reply.ok, reply.text
        assert "verify_next" not in reply.fields
