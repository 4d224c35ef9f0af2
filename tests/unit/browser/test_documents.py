"""
The documents of a tab and their links to the bridge.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from reticle.browser.documents import Documents, Doors
from reticle.browser.naming import TabNames
from reticle.model.browser import Attestation
from reticle.model.codes import CloseCode, CommandName
from reticle.model.ids import BrowserLeaseId, Cursor, PageId
from reticle.model.limits import PAGE_MESSAGE_BYTES, PAGE_UNSENT_BYTES, PENDING_HELLOS
from reticle.testing.bridge import Bridge
from reticle.testing.cdp import ScriptedBrowser

DOORS = Doors("way_out", "way_in", "word")
OPENED = Attestation(BrowserLeaseId("l1"), "http://localhost:8000/")
HELLO = {
    "kind": "hello", "protocolVersion": 1, "script": "reticle", "sessionId": "b1", "documentId": "doc00001",
    "url": "http://localhost:8000/", "title": "Shop", "adapters": [], "hasCapabilities": False,
}  # fmt: skip


class Scene:
    """
    The real bridge, a scripted browser, and one tab in it.
    """

    def __init__(self) -> None:
        self.browser = ScriptedBrowser()
        self.bridge = Bridge()
        self.documents = Documents(
            self.browser.conversation.session("tab"),
            TabNames(PageId("b1"), "top"),
            DOORS,
            lambda writer, standing: self.bridge.directory.admit(
                writer, "http://localhost:8000", needs_token=False, attested=OPENED, standing=standing
            ),
            self.browser.clock,
        )
        self.documents.watch()

    def document(self, number: int, *, frame: str = "top", default: bool = True, origin: str = "") -> None:
        """
        A document begins.
        """
        context = {
            "id": number,
            "uniqueId": f"u{number}",
            "origin": origin,
            "auxData": {"isDefault": default, "frameId": frame},
        }
        self.browser.tell("Runtime.executionContextCreated", {"context": context}, "tab")

    def says(self, number: int, payload: str, name: str = "way_out") -> None:
        """
        Something in a document calls a binding.
        """
        told = {"name": name, "payload": payload, "executionContextId": number}
        self.browser.tell("Runtime.bindingCalled", told, "tab")

    def opens(self, number: int, *, frame: str = "top", origin: str = "", **fields: object) -> None:
        """
        A document begins and its script says hello.
        """
        self.document(number, frame=frame, origin=origin)
        self.says(number, "open")
        self.says(number, json.dumps({**HELLO, **fields}))

    def heard(self) -> list[list[Any]]:
        """
        What was said to documents through their doors.
        """
        return [
            [params["uniqueContextId"], *(argument.get("value") for argument in params["arguments"])]
            for params in self.browser.asked("Runtime.callFunctionOn")
        ]


@pytest.fixture(name="scene")
def scene_fixture() -> Scene:
    """
    A tab without a document.
    """
    return Scene()


def test_a_document_that_says_hello_is_a_page(scene: Scene) -> None:
    """
    Attested, and asked through its door with the word that only its script knows.
    """
    scene.opens(3)
    [page] = scene.bridge.directory.all()
    assert (page.identity.page_id, page.identity.attested) == ("b1", OPENED)
    page.ask(CommandName.SNAPSHOT, {"mode": "full"}).addErrback(lambda _: None)
    [[context, door, word, text]] = scene.heard()
    assert (context, door, word, json.loads(text)["name"]) == ("u3", "way_in", "word", "snapshot")


def test_what_is_said_before_open_or_elsewhere_is_nothing(scene: Scene) -> None:
    """
    Another binding, a world of an extension, a document that is not there: none of them is a page.
    """
    scene.document(1)
    scene.says(1, json.dumps(HELLO))
    scene.document(2, default=False)
    for number, name in ((2, "way_out"), (9, "way_out"), (1, "other")):
        scene.says(number, "open", name)
        scene.says(number, json.dumps(HELLO), name)
    assert scene.bridge.directory.all() == []


def test_the_next_document_of_a_tab_is_the_same_page(scene: Scene) -> None:
    """
    Also where the browser numbers it like the one before.
    """
    scene.opens(1)
    scene.browser.tell("Runtime.executionContextsCleared", {}, "tab")
    assert scene.bridge.directory.all() == []
    scene.opens(1, documentId="doc00002")
    [page] = scene.bridge.directory.all()
    assert (page.identity.page_id, page.identity.document_id) == ("b1", "doc00002")


def test_a_document_that_goes_or_hangs_up_is_gone(scene: Scene) -> None:
    """
    A frame that is removed, a page that is put to sleep.
    """
    scene.opens(1)
    scene.browser.tell("Runtime.executionContextDestroyed", {"executionContextId": 1}, "tab")
    assert scene.bridge.directory.all() == []
    scene.opens(2)
    scene.says(2, "bye")
    assert scene.bridge.directory.all() == []
    scene.says(2, "open")
    scene.says(2, json.dumps(HELLO))
    assert len(scene.bridge.directory.all()) == 1


def test_a_document_that_dials_again_replaces_its_own_link(scene: Scene) -> None:
    """
    Two links of one document never stand beside each other.
    """
    scene.opens(1)
    scene.says(1, "open")
    scene.says(1, json.dumps(HELLO))
    [page] = scene.bridge.directory.all()
    assert page.identity.page_id == "b1"


def test_a_door_that_cannot_be_reached_ends_the_link(scene: Scene) -> None:
    """
    The document was gone before we heard of it: its page is not asked for ever.
    """
    scene.opens(1)
    [page] = scene.bridge.directory.all()
    scene.browser.silent.add("Runtime.callFunctionOn")
    page.ask(CommandName.ACT, {}).addErrback(lambda _: None)
    [command] = [each for each in scene.browser.commands if each.method == "Runtime.callFunctionOn"]
    scene.browser.conversation.received(
        json.dumps({"id": command.number, "error": {"message": "Cannot find context"}}).encode()
    )
    assert scene.bridge.directory.all() == []


def test_the_daemons_close_is_told_to_the_page(scene: Scene) -> None:
    """
    As a socket's close code is, so that the script knows whether to come back.
    """
    scene.opens(1, protocolVersion=2)
    [[_, _, _, text, code, reason]] = scene.heard()
    assert (text, code) == (None, CloseCode.POLICY)
    assert "protocol version 2" in reason
    scene.browser.clock.advance(0)
    assert scene.bridge.clock.getDelayedCalls() == []


def test_the_frame_of_a_page_is_known_as_long_as_it_is_there(scene: Scene) -> None:
    """
    Real input in a frame finds out where that is, by the name under which the agent knows it.
    """
    scene.opens(1)
    scene.document(2, frame="inner")
    scene.says(2, "open")
    scene.says(2, "no hello")
    assert scene.documents.frame_of("b1.0") == ""
    scene.says(2, json.dumps({**HELLO, "sessionId": "b1.0", "documentId": "doc00002"}))
    assert (scene.documents.frame_of("b1"), scene.documents.frame_of("b1.0")) == ("top", "inner")
    scene.browser.tell("Runtime.executionContextDestroyed", {"executionContextId": 2}, "tab")
    assert scene.documents.frame_of("b1.0") == ""


def test_too_many_at_once_are_turned_away(scene: Scene) -> None:
    """
    The bridge's own bounds hold for them too.
    """
    for number in range(PENDING_HELLOS + 1):
        scene.document(number)
        scene.says(number, "open")
    [[context, _, _, _, code, _]] = scene.heard()
    assert (context, code) == (f"u{PENDING_HELLOS}", CloseCode.TRY_LATER)


def test_a_message_above_the_limit_closes_the_link(scene: Scene) -> None:
    """
    What a WebSocket would not take is not taken here.
    """
    scene.opens(1)
    scene.says(1, "{" + "é" * (PAGE_MESSAGE_BYTES // 2))
    scene.browser.clock.advance(0)
    assert scene.heard()[-1][4] == CloseCode.TOO_BIG
    assert scene.bridge.directory.all() == []


def test_a_page_that_takes_nothing_is_cut_off(scene: Scene) -> None:
    """
    A document that stands still does not fill the memory.
    """
    scene.opens(1)
    scene.browser.silent.add("Runtime.callFunctionOn")
    [page] = scene.bridge.directory.all()
    piece = "x" * (PAGE_MESSAGE_BYTES // 2)
    for _ in range(PAGE_UNSENT_BYTES // len(piece) + 1):
        page.ask(CommandName.QUERY, {"text": piece}).addErrback(lambda _: None)
    scene.browser.clock.advance(0)
    assert scene.bridge.directory.all() == []


def test_a_muted_tab_shows_nothing_to_the_bridge(scene: Scene) -> None:
    """
    While its login is being read there is no page of the app's to be seen.
    """
    scene.opens(1)
    scene.documents.mute(muted=True)
    assert scene.bridge.directory.all() == []
    scene.opens(2)
    assert scene.bridge.directory.all() == []
    scene.documents.mute(muted=False)
    scene.opens(3)
    assert len(scene.bridge.directory.all()) == 1


def test_the_browser_can_tell_of_a_page_what_it_does_not_say_itself(scene: Scene) -> None:
    """
    Recorded as if its own document had said it; a frame's is another.
    """
    scene.opens(1)
    event = json.dumps({"kind": "event", "event": {"type": "signal", "data": {"name": "x"}}}).encode()
    assert scene.documents.tell("top", event)
    assert not scene.documents.tell("other", event)
    page = scene.bridge.page("b1")
    assert [each.type for each in page.events(Cursor(page.cursor() - 1))] == ["signal"]


def test_a_frame_never_speaks_for_the_page_around_it(scene: Scene) -> None:
    """
    An advertisement that got at what is said in its window is still the frame that the browser knows it as.
    """
    scene.opens(1)
    scene.opens(2, frame="ad", documentId="doc00002", title="Paid")
    around = scene.bridge.page("b1")
    assert (around.identity.title, around.identity.frame_depth) == ("Shop", 0)
    ad = scene.bridge.page("b1.x1")
    assert (ad.identity.title, ad.identity.frame_depth) == ("Paid", 1)
    scene.says(2, json.dumps({**HELLO, "documentId": "doc00002", "title": "Again"}))
    assert (around.identity.title, ad.identity.title) == ("Shop", "Again")


def test_a_document_is_at_the_origin_where_the_browser_has_it(scene: Scene) -> None:
    """
    Whatever address it says that it has: by its origin it belongs to a repository.
    """
    scene.opens(1, origin="http://localhost:9000")
    assert scene.bridge.page("b1").identity.url == "http://localhost:9000/"
    scene.says(1, json.dumps({**HELLO, "url": "http://localhost:9000/a"}))
    assert scene.bridge.page("b1").identity.url == "http://localhost:9000/a"
    scene.says(1, json.dumps({**HELLO, "url": "http://localhost:8000/"}))
    assert scene.bridge.page("b1").identity.url == "http://localhost:9000/"


def test_no_word_is_where_a_script_of_the_app_could_read_it(scene: Scene) -> None:
    """
    The function that knocks is strict, so that nothing it calls can look at its arguments.
    """
    scene.opens(1)
    scene.bridge.page("b1").ask(CommandName.SNAPSHOT, {}).addErrback(lambda _: None)
    [params] = scene.browser.asked("Runtime.callFunctionOn")
    assert "'use strict'" in params["functionDeclaration"]
    assert "..." not in params["functionDeclaration"]
