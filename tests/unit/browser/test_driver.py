"""
The driven browser whole, over a scripted one: what ``tests/unit/contracts/test_browser.py`` asks of the fake.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import attrs
import pytest
from twisted.internet.defer import Deferred, maybeDeferred, succeed

from reticle.browser.chromium import Chromium
from reticle.browser.driver import DrivenBrowser
from reticle.browser.failures import failed, no_browser
from reticle.browser.logins import Cookie, Login, Logins, Stored, read_login, write_login
from reticle.browser.opening import Outfitter
from reticle.browser.pool import OnEnd
from reticle.browser.storage_visits import VISIT_SECONDS
from reticle.errors import Refusal
from reticle.model.browser import Attestation, BrowserLease, BrowserWish, Shot, Stroke
from reticle.model.codes import DialogRule
from reticle.model.ids import BrowserLeaseId, Cursor, PageId
from reticle.model.leases import Lease
from reticle.model.limits import (
    BROWSER_CONTEXTS,
    BROWSER_IDLE_SECONDS,
    BROWSER_LOAD_SECONDS,
    BROWSER_QUEUE_SECONDS,
    BROWSER_TABS,
)
from reticle.model.run_limits import RUNS_CALM_SECONDS
from reticle.testing.bridge import Bridge, refusal_of, result_of
from reticle.testing.cdp import ScriptedBrowser

URL = "http://127.0.0.1:8000/"


class ScriptedChromium(ScriptedBrowser):
    """
    One with contexts and tabs, whose pages say hello when they are navigated.
    """

    def __init__(self) -> None:
        super().__init__()
        self.scripts: dict[str, Mapping[str, Any]] = {}
        self.visited: list[str] = []
        self.storage: dict[str, Mapping[str, str]] = {}
        self.fault = ""
        self.stays_silent = False
        self._numbers = count(1)
        self._where = ""
        self.answers.update(
            {
                "Browser.getVersion": lambda _: {"product": "Chrome/150"},
                "Target.createBrowserContext": lambda _: {"browserContextId": f"c{next(self._numbers)}"},
                "Target.createTarget": self._create,
                "Storage.getCookies": lambda _: {
                    "cookies": [{"name": "sid", "value": "1", "domain": "a", "expires": -1, "session": True}]
                },
                "Page.createIsolatedWorld": lambda _: {"executionContextId": 99},
                "Runtime.evaluate": self._evaluate,
            }
        )

    def open_tab(self, context_id: str, opener: str = "") -> str:
        """
        A tab comes, by itself or from another.
        """
        number = next(self._numbers)
        info = {"targetId": f"t{number}", "type": "page", "url": "", "browserContextId": context_id}
        told = {
            "sessionId": f"s{number}",
            "targetInfo": {**info, "openerId": opener},
            "waitingForDebugger": True,
        }
        self.tell("Target.attachedToTarget", told)
        return f"t{number}"

    def _create(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"targetId": self.open_tab(params["browserContextId"])}

    def _evaluate(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        if not params.get("returnByValue"):
            return {"result": {"type": "undefined"}}
        value = {"origin": self._where, "local": self.storage.get(self._where, {}), "session": {}}
        return {"result": {"type": "object", "value": value}}

    def _take(self, payload: bytes) -> None:
        asked = json.loads(payload)
        session = asked.get("sessionId", "")
        if asked["method"] == "Page.addScriptToEvaluateOnNewDocument":
            source = asked["params"]["source"]
            self.scripts[session] = json.loads(
                source[source.index('({"binding"') + 1 : source.index(", (function (LAUNCH)")]
            )
        if asked["method"] == "Page.navigate":
            self.answers["Page.navigate"] = lambda _: {"errorText": self.fault} if self.fault else {}
        super()._take(payload)
        if asked["method"] == "Page.navigate" and not self.fault:
            self.navigate(session, asked["params"]["url"])

    def navigate(self, session: str, url: str) -> None:
        """
        A tab loads a page, whose script says hello.
        """
        self.visited.append(url)
        self._where = url.split("/", 3)[0] + "//" + url.split("/", 3)[2]
        launch = self.scripts[session]
        frame = {"id": "t" + session[1:], "url": url}
        self.tell("Page.frameNavigated", {"frame": frame}, session)
        context = {
            "id": 1,
            "uniqueId": f"u{next(self._numbers)}",
            "auxData": {"isDefault": True, "frameId": frame["id"]},
        }
        self.tell("Runtime.executionContextCreated", {"context": context}, session)
        names = {"sessionId": launch["session"], "documentId": "doc00001", "projectId": launch["project"]}
        hello = {"kind": "hello", "protocolVersion": 1, "script": "reticle", "url": url, "title": "", **names}
        for payload in [] if self.stays_silent else ["open", json.dumps(hello)]:
            told = {"name": launch["binding"], "payload": payload, "executionContextId": 1}
            self.tell("Runtime.bindingCalled", told, session)
        self.tell("Page.loadEventFired", {"timestamp": 1}, session)


class Scene:
    """
    The driver, the real bridge, and the browsers that were started.
    """

    shows = True

    def __init__(self, folder: Path) -> None:
        self.bridge = Bridge()
        self.browsers: list[ScriptedChromium] = []
        self.running: list[Chromium] = []
        self.trouble: Refusal | None = None
        self.headed: list[bool] = []
        self.folder = folder
        words = count(1)
        self.driver = DrivenBrowser(
            self,
            Outfitter(
                self.bridge.directory, lambda: f"w{next(words)}", lambda: "ws://127.0.0.1:4477/reticle"
            ),
            Logins(folder, maybeDeferred),
            pages=self.bridge.directory,
            clock=self.bridge.clock,
            now=self.now,
            monotonic=self.bridge.clock.seconds,
        )

    def now(self) -> float:
        """
        Seconds since the epoch.
        """
        return 1_750_000_000.0 + self.bridge.clock.seconds()

    async def start(self, *, headed: bool, on_end: OnEnd) -> Chromium:
        """
        See ``pool.Starts``.
        """
        self.headed.append(headed)
        if self.trouble is not None:
            raise self.trouble
        browser = ScriptedChromium()
        chromium = Chromium(browser.conversation, lambda: self._close(chromium), None, on_end)
        await chromium.begin()
        self.browsers.append(browser)
        self.running.append(chromium)
        return chromium

    def _close(self, chromium: Chromium) -> Deferred[None]:
        chromium.ended(failed("it was ended"))
        return succeed(None)

    def acquire(self, seconds: float = 300, **wish: Any) -> Deferred[BrowserLease]:
        """
        An agent asks for a page.
        """
        lease = Lease("local", "you", "", self.now(), self.now() + seconds)
        return self.driver.acquire(BrowserWish(**{"url": URL, **wish}), lease)

    def connected(self) -> set[str]:
        """
        The names of the pages that are there.
        """
        return {page.identity.page_id for page in self.bridge.directory.all()}


@pytest.fixture(name="scene")
def scene_fixture(tmp_path: Path) -> Scene:
    """
    Nothing runs yet.
    """
    return Scene(tmp_path)


def test_an_opened_page_is_connected_and_attested(scene: Scene) -> None:
    """
    One browser, started with the first lease; its page is known as the daemon's own.
    """
    got = result_of(scene.acquire(project_id="shop"))
    assert (got.trouble, got.pages) == ("", [got.page_id])
    page = scene.bridge.page(got.page_id)
    assert page.identity.attested == Attestation(got.lease_id, URL)
    assert page.identity.project_id == "shop"
    assert scene.driver.of_page(got.page_id) == got
    result_of(scene.acquire())
    assert len(scene.browsers) == 1


def test_everything_stands_in_a_tab_before_it_goes_on(scene: Scene) -> None:
    """
    The app's first script finds ours there.
    """
    result_of(scene.acquire(width=800, height=600))
    methods = scene.browsers[0].methods()
    goes_on = methods.index("Runtime.runIfWaitingForDebugger")
    for needed in (
        "Page.enable",
        "Runtime.enable",
        "Runtime.addBinding",
        "Page.addScriptToEvaluateOnNewDocument",
        "Page.setPrerenderingAllowed",
    ):
        assert methods.index(needed) < goes_on
    assert methods.index("Page.navigate") > goes_on
    [size] = scene.browsers[0].asked("Emulation.setDeviceMetricsOverride")
    assert (size["width"], size["height"]) == (800, 600)


def test_several_who_ask_at_once_get_one_browser(scene: Scene) -> None:
    """
    And each a context and a name of its own.
    """
    got = [result_of(scene.acquire()) for _ in range(3)]
    assert len({lease.page_id for lease in got}) == 3
    doors = [script["door"] for script in scene.browsers[0].scripts.values()]
    assert len(set(doors)) == 3


def test_a_load_that_fails_is_told_and_the_lease_is_there(scene: Scene) -> None:
    """
    The agent hears what the browser said, and can go on from there.
    """
    first = result_of(scene.acquire())
    scene.browsers[0].fault = "net::ERR_CONNECTION_REFUSED"
    asked = scene.acquire()
    scene.bridge.clock.advance(5)
    got = result_of(asked)
    assert got.trouble == "net::ERR_CONNECTION_REFUSED"
    assert [lease.lease_id for lease in scene.driver.leases()] == [first.lease_id, got.lease_id]


def test_a_page_that_never_says_hello_is_not_waited_for_for_ever(scene: Scene) -> None:
    """
    A picture or a PDF is a page too.
    """
    result_of(scene.acquire())
    scene.browsers[0].stays_silent = True
    asked = scene.acquire()
    assert not asked.called
    scene.bridge.clock.advance(BROWSER_LOAD_SECONDS)
    assert result_of(asked).trouble == ""


def test_release_closes_the_context(scene: Scene) -> None:
    """
    Its page is gone at once, and a second release finds nothing.
    """
    got = result_of(scene.acquire())
    assert result_of(scene.driver.release(got.lease_id)) is True
    assert result_of(scene.driver.release(got.lease_id)) is False
    assert scene.connected() == set()
    assert len(scene.browsers[0].asked("Target.disposeBrowserContext")) == 1


def test_a_lease_ends_with_its_time_or_by_a_rule(scene: Scene) -> None:
    """
    And its page with it.
    """
    first, second = result_of(scene.acquire(seconds=10)), result_of(scene.acquire())
    longer = attrs.evolve(first.lease, until=first.lease.until + 10)
    assert scene.driver.change(first.lease_id, lambda _: longer) == attrs.evolve(first, lease=longer)
    scene.bridge.clock.advance(19)
    assert len(scene.driver.leases()) == 2
    scene.bridge.clock.advance(2)
    assert scene.connected() == {second.page_id}
    assert scene.driver.change(second.lease_id, lambda _: None) is None
    assert (scene.driver.leases(), scene.connected()) == ([], set())


def test_the_queue_is_served_in_order_and_its_wait_is_not_counted(scene: Scene) -> None:
    """
    Whoever waited has its whole time.
    """
    held = [result_of(scene.acquire()) for _ in range(BROWSER_CONTEXTS)]
    waiting, late = scene.acquire(seconds=100), scene.acquire()
    assert scene.driver.waiting() == 2
    scene.bridge.clock.advance(20)
    result_of(scene.driver.release(held[0].lease_id))
    assert result_of(waiting).lease.until == scene.now() + 100
    scene.bridge.clock.advance(BROWSER_QUEUE_SECONDS)
    assert refusal_of(late).code == "browser_full"


def test_windows_of_a_page_belong_to_the_lease(scene: Scene) -> None:
    """
    They come and go; one too many is closed at once.
    """
    got = result_of(scene.acquire())
    browser = scene.browsers[0]
    context = browser.asked("Target.createTarget")[0]["browserContextId"]
    opened = [browser.open_tab(context, opener="t2") for _ in range(BROWSER_TABS)]
    [lease] = scene.driver.leases()
    assert len(lease.pages) == BROWSER_TABS
    assert browser.asked("Target.closeTarget") == [{"targetId": opened[-1]}]
    popup = lease.pages[1]
    assert scene.driver.of_page(popup) == lease
    browser.tell("Target.detachedFromTarget", {"sessionId": "s" + opened[0][1:]})
    [lease] = scene.driver.leases()
    assert popup not in lease.pages
    assert got.page_id in lease.pages
    assert refusal_of(scene.driver.picture(popup, Shot())).code == "not_driven"


def test_a_window_that_a_page_opens_is_named_to_it(scene: Scene) -> None:
    """
    Whoever opened it reads under which name it is driven, and where it was to go. One too many goes on before
    it is closed: it shares a process with its opener.
    """
    got = result_of(scene.acquire())
    browser = scene.browsers[0]
    context = browser.asked("Target.createTarget")[0]["browserContextId"]
    browser.tell("Page.windowOpen", {"url": "http://127.0.0.1:8000/help?token=abc"}, "s2")
    opened = [browser.open_tab(context, opener="t2") for _ in range(BROWSER_TABS)]
    [lease] = scene.driver.leases()
    events = scene.bridge.page(got.page_id).events(Cursor(0))
    told = [event.data for event in events if event.type == "page.opened"]
    assert [one["sessionId"] for one in told] == list(lease.pages[1:])
    assert told[0]["url"] == "http://127.0.0.1:8000/help?…"
    last = "s" + opened[-1][1:]
    assert [one.method for one in browser.commands if one.session_id == last] == [
        "Runtime.runIfWaitingForDebugger"
    ]


def test_of_several_tabs_the_one_that_is_acted_on_comes_to_the_front(scene: Scene) -> None:
    """
    Only that is drawn, and only then an act comes to rest; a tab that is alone stays as it is.
    """
    got = result_of(scene.acquire())
    browser = scene.browsers[0]
    result_of(scene.driver.input(got.page_id, [Stroke("text", text="a")]))
    assert browser.asked("Page.bringToFront") == []
    browser.open_tab(browser.asked("Target.createTarget")[0]["browserContextId"], opener="t2")
    result_of(scene.driver.input(got.page_id, []))
    result_of(scene.driver.input(got.page_id, [Stroke("text", text="b")]))
    fronts = [one.session_id for one in browser.commands if one.method == "Page.bringToFront"]
    assert fronts == ["s2", "s2"]
    assert [one["text"] for one in browser.asked("Input.insertText")] == ["a", "b"]


def test_a_question_before_a_page_is_left_is_answered_and_recorded(scene: Scene) -> None:
    """
    By the lease's rule, and at once.
    """
    got = result_of(scene.acquire(dialogs=DialogRule.ACCEPT))
    browser = scene.browsers[0]
    browser.tell("Page.javascriptDialogOpening", {"type": "beforeunload", "message": ""}, "s2")
    assert browser.asked("Page.handleJavaScriptDialog") == [{"accept": True}]
    [event] = [one for one in scene.bridge.page(got.page_id).events(Cursor(0)) if one.type == "dialog"]
    assert (event.data["kind"], event.data["answer"]) == ("beforeunload", True)
    assert result_of(scene.driver.answer_dialog(got.page_id, accept=True)) is True
    browser.tell("Page.javascriptDialogClosed", {}, "s2")
    assert result_of(scene.driver.answer_dialog(got.page_id, accept=True)) is False


def test_a_tab_that_is_not_ours_goes_on_untouched(scene: Scene) -> None:
    """
    In a browser that a person uses, their new tab is let go at once.
    """
    result_of(scene.acquire())
    browser = scene.browsers[0]
    target = browser.open_tab("theirs")
    session = "s" + target[1:]
    assert [command.method for command in browser.commands if command.session_id == session] == [
        "Runtime.runIfWaitingForDebugger"
    ]
    assert browser.asked("Target.detachFromTarget") == [{"sessionId": session}]


def test_a_page_that_crashes_is_gone_and_its_tab_is_not(scene: Scene) -> None:
    """
    Nobody waits for a page whose process died; the lease stays, and what is loaded next is that page again.
    """
    got = result_of(scene.acquire())
    browser = scene.browsers[0]
    browser.tell("Inspector.targetCrashed", {}, "s2")
    assert scene.connected() == set()
    assert [each.lease_id for each in scene.driver.leases()] == [got.lease_id]
    browser.navigate("s2", URL)
    assert scene.connected() == {got.page_id}


def test_a_browser_that_dies_takes_its_leases_along_and_the_next_starts_anew(scene: Scene) -> None:
    """
    What was asked of it is refused at once; whoever waited for a place gets one in the next browser.
    """
    got = result_of(scene.acquire())
    others = [result_of(scene.acquire()) for _ in range(BROWSER_CONTEXTS - 1)]
    queued = scene.acquire()
    scene.browsers[0].silent.add("Page.captureScreenshot")
    picture = scene.driver.picture(got.page_id, Shot())
    scene.running[0].ended(failed("The browser is gone: it was killed by signal 9."))
    assert refusal_of(picture).code == "browser_failed"
    refusal = refusal_of(scene.driver.picture(got.page_id, Shot()))
    assert refusal.code == "not_driven"
    assert "its lease is over" in refusal.message
    served = result_of(queued)
    assert scene.driver.leases() == [served]
    assert scene.connected() == {served.page_id}
    assert served.page_id not in {got.page_id, *(each.page_id for each in others)}
    assert len(scene.browsers) == 2


def test_a_browser_that_does_not_start_leaves_no_place_taken(scene: Scene) -> None:
    """
    Once one is installed the same call works.
    """
    scene.trouble = no_browser("No Chromium was found on this machine.")
    for _ in range(BROWSER_CONTEXTS + 1):
        assert refusal_of(scene.acquire()).code == "no_browser"
    scene.trouble = None
    assert result_of(scene.acquire()).trouble == ""
    assert len(scene.driver.leases()) == 1


def test_who_gives_up_while_the_page_loads_leaves_no_context(scene: Scene) -> None:
    """
    A cancelled call holds nothing.
    """
    result_of(scene.acquire())
    scene.browsers[0].stays_silent = True
    asked = scene.acquire()
    asked.addErrback(lambda _: None)
    asked.cancel()
    assert len(scene.driver.leases()) == 1
    assert len(scene.browsers[0].asked("Target.disposeBrowserContext")) == 1


def test_a_browser_without_a_lease_ends_after_a_while(scene: Scene) -> None:
    """
    It costs memory for nothing; the next lease starts another.
    """
    got = result_of(scene.acquire())
    result_of(scene.driver.release(got.lease_id))
    scene.bridge.clock.advance(BROWSER_IDLE_SECONDS - 1)
    kept = result_of(scene.acquire(seconds=10_000))
    scene.bridge.clock.advance(BROWSER_IDLE_SECONDS + 1)
    assert scene.running[0].gone is None
    result_of(scene.driver.release(kept.lease_id))
    scene.bridge.clock.advance(BROWSER_IDLE_SECONDS)
    assert scene.running[0].gone is not None
    result_of(scene.acquire())
    assert len(scene.browsers) == 2


def test_a_page_to_look_at_has_a_browser_of_its_own(scene: Scene) -> None:
    """
    One browser has windows, the other none.
    """
    result_of(scene.acquire())
    result_of(scene.acquire(headed=True))
    assert scene.headed == [False, True]
    assert scene.browsers[1].asked("Emulation.setDeviceMetricsOverride") == []


def test_a_login_is_kept_and_put_back_before_the_page(scene: Scene) -> None:
    """
    Cookies and storage of each origin, and the page sees nothing of how.
    """
    write_login(scene.folder, Login("ann", [Cookie("old", "0")], {"https://sso.test": Stored({"k": "v"})}))
    got = result_of(scene.acquire(login="ann"))
    browser = scene.browsers[0]
    assert browser.visited == ["https://sso.test/", URL]
    assert browser.asked("Storage.setCookies")[0]["cookies"] == [{"name": "old", "value": "0"}]
    assert scene.connected() == {got.page_id}
    browser.storage = {"http://127.0.0.1:8000": {"token": "t"}}
    result_of(scene.driver.release(got.lease_id))
    kept = read_login(scene.folder, "ann")
    assert kept is not None
    assert [(cookie.name, cookie.expires) for cookie in kept.cookies] == [("sid", None)]
    assert kept.origins == {"http://127.0.0.1:8000": Stored({"token": "t"})}


def test_without_a_login_nothing_is_kept(scene: Scene) -> None:
    """
    Contexts begin empty and end so.
    """
    result_of(scene.driver.release(result_of(scene.acquire()).lease_id))
    assert scene.browsers[0].asked("Storage.getCookies") == []
    assert list(scene.folder.iterdir()) == []


def test_stop_keeps_logins_and_ends_everything(scene: Scene) -> None:
    """
    Nobody is left waiting, and nothing is started any more.
    """
    result_of(scene.acquire(login="ann"))
    for _ in range(BROWSER_CONTEXTS - 1):
        result_of(scene.acquire())
    queued = scene.acquire()
    result_of(Deferred.fromCoroutine(scene.driver.stop()))
    assert "stopping" in refusal_of(queued).message
    assert read_login(scene.folder, "ann") is not None
    assert (scene.driver.leases(), scene.connected()) == ([], set())
    assert scene.running[0].gone is not None
    assert refusal_of(scene.acquire()).code == "browser_failed"
    assert scene.bridge.clock.getDelayedCalls() == []


def test_what_runs_is_counted_from_an_action_on(scene: Scene) -> None:
    """
    And told of the tab that was acted on, of no page that dialled in.
    """
    got = result_of(scene.acquire())
    browser = scene.browsers[0]
    browser.tell("Page.loadEventFired", {"timestamp": 1}, "s2")
    scene.bridge.clock.advance(RUNS_CALM_SECONDS)
    begun = len(browser.asked("Profiler.startPreciseCoverage"))
    scene.driver.begin_runs(got.page_id)
    scene.bridge.connect("s1")
    scene.driver.begin_runs(PageId("s1"))
    assert len(browser.asked("Profiler.startPreciseCoverage")) == begun + 1
    function = {"functionName": "f", "ranges": [{"startOffset": 0, "endOffset": 9, "count": 1}]}
    script = {"scriptId": "1", "url": f"{URL}app.js", "functions": [function]}
    browser.answers["Profiler.takePreciseCoverage"] = lambda _: {"result": [script]}
    browser.answers["Debugger.getScriptSource"] = lambda _: {"scriptSource": "() => 1;"}
    assert [one.address for one in result_of(scene.driver.runs(got.page_id))] == [f"{URL}app.js"]
    assert result_of(scene.driver.runs(PageId("s1"))) == ()


def test_other_pages_are_not_driven(scene: Scene) -> None:
    """
    A page that dialled in cannot be photographed, clicked or answered for.
    """
    scene.bridge.connect("s1")
    for asked in (
        scene.driver.picture(PageId("s1"), Shot()),
        scene.driver.input(PageId("s1"), []),
        scene.driver.answer_dialog(PageId("s1"), accept=True),
    ):
        assert refusal_of(asked).code == "not_driven"
    assert scene.driver.change(BrowserLeaseId("none"), lambda there: there) is None


def test_a_lease_without_a_window_ends(scene: Scene) -> None:
    """
    A person closed it, or its page did: its place is free; its login is kept all the same.
    """
    got = result_of(scene.acquire(login="ann"))
    browser = scene.browsers[0]
    browser.storage = {"http://127.0.0.1:8000": {"token": "t"}}
    session = next(name for name, launch in browser.scripts.items() if launch["session"] == got.page_id)
    browser.tell("Target.detachedFromTarget", {"sessionId": session})
    assert (scene.driver.leases(), scene.connected()) == ([], set())
    kept = read_login(scene.folder, "ann")
    assert kept is not None
    assert kept.origins == {"http://127.0.0.1:8000": Stored({"token": "t"})}
    assert len(browser.asked("Target.disposeBrowserContext")) == 1


def test_who_gives_up_before_the_context_is_there_leaves_none(scene: Scene) -> None:
    """
    The browser cannot be told to stop making it: it is closed when it comes.
    """
    result_of(scene.acquire())
    browser = scene.browsers[0]
    browser.silent.add("Target.createBrowserContext")
    asked = scene.acquire()
    asked.addErrback(lambda _: None)
    asked.cancel()
    command = browser.commands[-1]
    answer = {"id": command.number, "result": {"browserContextId": "late"}}
    browser.conversation.received(json.dumps(answer).encode())
    assert browser.asked("Target.disposeBrowserContext") == [{"browserContextId": "late"}]
    assert len(scene.driver.leases()) == 1


def test_a_frame_is_not_taken_for_its_tab(scene: Scene) -> None:
    """
    The place of an element in it would be another one in the picture.
    """
    got = result_of(scene.acquire())
    refused = refusal_of(scene.driver.picture(PageId(f"{got.page_id}.0"), Shot(clip=(1, 2, 3, 4))))
    assert refused.code == "unsupported_surface"
    assert got.page_id in refused.recovery


def test_a_page_that_hangs_costs_no_login(scene: Scene) -> None:
    """
    Its cookies are kept, and what its origin stored stays as it was.
    """
    before = {"http://127.0.0.1:8000": Stored({"token": "old"})}
    write_login(scene.folder, Login("ann", [], before))
    got = result_of(scene.acquire(login="ann"))
    scene.browsers[0].silent.add("Page.createIsolatedWorld")
    released = scene.driver.release(got.lease_id)
    scene.browsers[0].clock.advance(VISIT_SECONDS)
    assert result_of(released) is True
    kept = read_login(scene.folder, "ann")
    assert kept is not None
    assert ([cookie.name for cookie in kept.cookies], kept.origins) == (["sid"], before)
