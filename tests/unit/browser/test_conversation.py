"""
Commands that wait for their answer, events to whoever listens, and the end of both.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from reticle.browser.conversation import Conversation
from reticle.browser.failures import Rejected, failed
from reticle.browser.framing import Oversized
from reticle.browser.messages import Nothing
from reticle.model.limits import BROWSER_COMMAND_SECONDS, CDP_DECODED_HERE_BYTES, CDP_PENDING
from reticle.testing.bridge import refusal_of, result_of


class Picture(msgspec.Struct, frozen=True):
    """
    Something large.
    """

    data: bytes


class Log(msgspec.Struct, frozen=True):
    """
    Something that happens.
    """

    text: str


class Scene:
    """
    A conversation whose other end is the test.
    """

    def __init__(self) -> None:
        self.clock = Clock()
        self.sent: list[bytes] = []
        self.elsewhere: list[tuple[Deferred[object], object]] = []
        self.talk = Conversation(self.sent.append, self.clock, self.in_thread)

    def in_thread(self, work: object, *args: object) -> Deferred[object]:
        """
        Keep the work until the test does it.
        """
        later: Deferred[object] = Deferred()
        self.elsewhere.append((later, lambda: work(*args)))  # type: ignore[operator]  # a callable
        return later

    def work(self) -> None:
        """
        Do what was put off.
        """
        for later, work in self.elsewhere:
            later.callback(work())  # type: ignore[operator]  # a callable
        self.elsewhere.clear()

    def say(self, **message: object) -> None:
        """
        The browser says something.
        """
        self.talk.received(json.dumps(message).encode())


@pytest.fixture(name="scene")
def scene_fixture() -> Scene:
    """
    A fresh one.
    """
    return Scene()


def test_answers_find_their_commands_in_any_order(scene: Scene) -> None:
    """
    Several agents ask at once.
    """
    first = scene.talk.session("a").call("X.one", {}, Log)
    second = scene.talk.session().call("X.two", {}, Log)
    scene.say(id=2, result={"text": "two"})
    scene.say(id=1, result={"text": "one"}, sessionId="a")
    assert (result_of(first).text, result_of(second).text) == ("one", "two")
    assert (len(scene.talk), scene.clock.getDelayedCalls()) == (0, [])


def test_a_no_of_the_browser_is_told_in_its_words(scene: Scene) -> None:
    """
    The agent can act on the reason.
    """
    asked = scene.talk.session().do("Page.navigate")
    scene.say(id=1, error={"code": -32000, "message": "Cannot navigate to invalid URL"})
    refused = refusal_of(asked)
    assert isinstance(refused, Rejected)
    assert refused.reason == "Cannot navigate to invalid URL"
    empty = scene.talk.session().call("X.y", {}, Log)
    scene.say(id=2)
    assert refusal_of(empty).code == "browser_failed"


def test_a_silent_browser_is_given_up(scene: Scene) -> None:
    """
    Nothing hangs; an answer that comes too late changes nothing.
    """
    asked = scene.talk.session().do("Page.enable")
    scene.clock.advance(BROWSER_COMMAND_SECONDS)
    assert refusal_of(asked).code == "browser_failed"
    scene.say(id=1, result={})
    patient = scene.talk.session().call("Runtime.evaluate", {}, Nothing, seconds=None)
    scene.clock.advance(10_000)
    scene.say(id=2, result={})
    assert result_of(patient) == Nothing()


def test_a_browser_that_ends_refuses_all_that_waits_at_once(scene: Scene) -> None:
    """
    And whatever is asked later; events of it are told no more.
    """
    heard: list[Log] = []
    session = scene.talk.session("a")
    session.on("X.log", Log, heard.append)
    waiting = [session.do("X.one"), scene.talk.session().do("X.two"), session.do("X.three", seconds=None)]
    why = failed("it was killed")
    scene.talk.end(why)
    assert [refusal_of(each) for each in waiting] == [why] * 3
    assert refusal_of(session.do("X.four")) is why
    scene.say(method="X.log", params={"text": "late"}, sessionId="a")
    assert (heard, scene.clock.getDelayedCalls(), scene.talk.ended) == ([], [], why)
    scene.talk.end(failed("again"))
    assert scene.talk.ended is why


def test_a_target_that_is_gone_takes_only_its_own_along(scene: Scene) -> None:
    """
    A tab that closes harms no other.
    """
    heard: list[str] = []
    gone, stays = scene.talk.session("a"), scene.talk.session("b")
    for session in (gone, stays):
        session.on("X.log", Log, lambda log: heard.append(log.text))
    lost, kept = gone.do("X.one"), stays.do("X.one")
    gone.end("The page is gone.")
    assert refusal_of(lost).message == "The page is gone."
    scene.say(method="X.log", params={"text": "a"}, sessionId="a")
    scene.say(method="X.log", params={"text": "b"}, sessionId="b")
    scene.say(id=2, result={})
    assert (heard, result_of(kept)) == (["b"], Nothing())


def test_a_large_answer_is_decoded_elsewhere(scene: Scene) -> None:
    """
    A picture of a long page does not hold everybody else up.
    """
    asked = scene.talk.session().call("Page.captureScreenshot", {}, Picture)
    scene.say(id=1, result={"data": "QUJD" * (CDP_DECODED_HERE_BYTES // 4)})
    assert not asked.called
    scene.work()
    assert result_of(asked).data.startswith(b"ABCABC")
    late = scene.talk.session().call("Page.captureScreenshot", {}, Picture)
    scene.say(id=2, result={"data": "QUJD" * (CDP_DECODED_HERE_BYTES // 4)})
    scene.talk.end(failed("it was killed"))
    scene.work()
    assert refusal_of(late).message == "it was killed"


def test_an_answer_beyond_the_limit_refuses_its_command_only(scene: Scene) -> None:
    """
    Nobody waits for what was skipped.
    """
    asked = scene.talk.session().call("Page.captureScreenshot", {}, Picture)
    scene.talk.received(Oversized(b'{"id":1,"result":{"data":"AAAA'))
    assert "too large" in refusal_of(asked).message
    scene.talk.received(Oversized(b'{"method":"Runtime.consoleAPICalled","par'))
    scene.talk.received(Oversized(b'{"id":77,"result":{"data":"AAAA'))


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff",
        b"{",
        b'{"id":1,"result":{"data":5}}',
        b'{"method":"X.log"',
        b'{"method":"X.log","params":{"text":5}}',
    ],
)
def test_nonsense_ends_nothing(scene: Scene, payload: bytes) -> None:
    """
    What cannot be read is passed over, or refuses the one command that it answers.
    """
    heard: list[Log] = []
    scene.talk.session().on("X.log", Log, heard.append)
    asked = scene.talk.session().call("X.one", {}, Picture)
    scene.talk.received(payload)
    if asked.called:
        assert refusal_of(asked).code == "browser_failed"
    scene.say(method="X.log", params={"text": "on"})
    assert heard == [Log("on")]


def test_a_listener_that_fails_does_not_end_the_others(scene: Scene, logged_failures: Any) -> None:
    """
    A bug of ours costs one event.
    """
    heard: list[Log] = []

    def take(log: Log) -> None:
        heard.append(log)
        raise ZeroDivisionError

    scene.talk.session().on("X.log", Log, take)
    for text in ("a", "b"):
        scene.say(method="X.log", params={"text": text})
    assert heard == [Log("a"), Log("b")]
    assert len(logged_failures.flush(ZeroDivisionError)) == 2


def test_commands_that_wait_are_bounded(scene: Scene) -> None:
    """
    A browser that takes and never answers does not fill the memory.
    """
    for _ in range(CDP_PENDING):
        scene.talk.session().post("X.y")
    assert refusal_of(scene.talk.session().do("X.y")).code == "browser_failed"
    assert len(scene.sent) == CDP_PENDING


def test_who_stops_waiting_leaves_nothing_behind(scene: Scene) -> None:
    """
    A call that the agent cancelled has no timer any more.
    """
    asked = scene.talk.session().do("X.y")
    asked.addErrback(lambda _: None)
    asked.cancel()
    assert (len(scene.talk), scene.clock.getDelayedCalls()) == (0, [])


def test_a_field_that_a_newer_browser_has_not_is_named(scene: Scene) -> None:
    """
    A browser whose protocol went on fails the command that needs it, with the command and the field; an event
    without it is passed over, and those behind it are heard.
    """
    asked = scene.talk.session("").call("Page.captureScreenshot", {}, Picture)
    scene.talk.received(b'{"id":1,"result":{"picture":"x"}}')
    refusal = refusal_of(asked)
    assert "Page.captureScreenshot" in refusal.message
    assert "`data`" in refusal.message
    heard: list[str] = []
    scene.talk.session("").on("Log.entryAdded", Log, lambda log: heard.append(log.text))
    scene.talk.received(b'{"method":"Log.entryAdded","params":{"words":"a"}}')
    scene.talk.received(b'{"method":"Log.entryAdded","params":{"text":"b"}}')
    assert heard == ["b"]
