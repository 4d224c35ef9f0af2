"""
The thread that brings facts to the daemon, with the connection played by the test.
"""

from __future__ import annotations

import json
import logging
import queue
import threading
from collections.abc import Callable
from typing import Any

import pytest

from reticle.probe import calls, emission
from reticle.probe.context import RequestContext
from reticle.probe.daemon_link import Answer, Broken, Unreachable
from reticle.probe.exchange import Exchange
from reticle.probe.limits import QUEUE_FACTS, SMALL_CHARS
from reticle.probe.runtime_file import DaemonAddress
from reticle.probe.sender import Sender
from reticle.probe.small_facts import HEAD, STARTED

ADDRESS = DaemonAddress("127.0.0.1", 4400, "/ingest", "secret", "/sdk.js", "")
SECONDS = 10.0


class Line:
    """
    Plays the daemon: each post gets the next answer, the last for ever.
    """

    def __init__(self, *answers: Answer | Exception) -> None:
        self._answers = list(answers) or [Answer(200, None)]
        self.posts: queue.Queue[list[dict[str, Any]]] = queue.Queue()
        self.closed = 0

    def post(self, body: bytes) -> Answer:
        """
        Take a batch.
        """
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        self.posts.put([json.loads(line) for line in body.splitlines()])
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        """
        Count it.
        """
        self.closed += 1

    def next(self) -> list[dict[str, Any]]:
        """
        The next batch that came.
        """
        return self.posts.get(timeout=SECONDS)


class Clock:
    """
    A clock that the test sets.
    """

    now = 0.0

    def __call__(self) -> float:
        """
        Seconds.
        """
        return self.now


def sender(
    line: Line, clock: Clock | None = None, find: Callable[[], DaemonAddress | None] | None = None
) -> Sender:
    """
    One over a played connection.
    """
    return Sender(
        "flask 3.1",
        "/srv/shop",
        find=find or (lambda: ADDRESS),
        dial=lambda _: line,
        clock=clock or Clock(),
        wall=lambda: 1000.0,
    )


def test_a_batch_begins_with_who_sends_it() -> None:
    """
    The daemon learns the process, its project and both its clocks with every batch.
    """
    line = Line()
    sending = sender(line)
    sending.put("log", {"message": "a"})
    hello, fact = line.next()
    assert (hello["kind"], hello["v"], hello["batch"], hello["mono"], hello["wall"]) == (
        "hello",
        1,
        1,
        0.0,
        1000.0,
    )
    assert (hello["framework"], hello["project"]) == ("flask 3.1", "/srv/shop")
    assert len(hello["process"]) == 32
    assert (fact["kind"], fact["seq"], fact["message"]) == ("log", 1, "a")


def test_the_end_of_the_process_sends_what_waits() -> None:
    """
    The last log line before the exit arrives.
    """
    line = Line()
    sending = sender(line)
    sending.put("log", {"message": "last"})
    sending.flush(SECONDS)
    assert line.next()[1]["message"] == "last"


def test_no_thread_runs_before_the_first_fact() -> None:
    """
    A process that tells nothing (a reloader's parent) starts nothing.
    """
    before = threading.active_count()
    sending = sender(Line())
    sending.flush()
    assert threading.active_count() == before


def test_without_a_daemon_facts_are_counted_and_one_line_says_so(caplog: pytest.LogCaptureFixture) -> None:
    """
    An app without a daemon pays nothing, and its log has one line about it.
    """
    caplog.set_level(logging.INFO, "reticle.probe")
    clock, there = Clock(), False
    asked: queue.Queue[None] = queue.Queue()

    def find() -> DaemonAddress | None:
        asked.put(None)
        return ADDRESS if there else None

    line = Line()
    sending = sender(line, clock, find)
    sending.put("log", {})
    asked.get(timeout=SECONDS)
    while not sending._is_absent:
        threading.Event().wait(0.001)
    for _ in range(5):
        sending.put("sql", {})
    assert len(sending.queue) == 0
    there, clock.now = True, 60.0
    sending.put("log", {"message": "now"})
    _, gap, fact = line.next()
    assert (gap["kind"], gap["dropped"], gap["kinds"]) == ("gap", 6, {"log": 1, "sql": 5})
    assert (fact["seq"], fact["message"]) == (7, "now")
    assert [record.name for record in caplog.records] == ["reticle.probe"]


def test_without_a_daemon_no_heads_pile_up() -> None:
    """
    The memory of an app whose daemon was stopped does not grow with its requests.
    """
    sending = sender(Line(), find=lambda: None)
    sending.put("log", {})
    while not sending._is_absent:
        threading.Event().wait(0.001)
    for _ in range(QUEUE_FACTS * 2):
        request = RequestContext("GET", "/", None, "none")
        sending.note((STARTED, 0.0, request))
        sending.mark((HEAD, 0.0, request))
    assert len(sending.queue) <= QUEUE_FACTS + 1


def test_a_daemon_that_is_busy_gets_the_same_batch_later() -> None:
    """
    Facts survive a daemon that asks for a pause.
    """
    line = Line(Answer(429, 0.0), Answer(200, None))
    sending = sender(line)
    sending.put("log", {"message": "a"})
    assert [fact["seq"] for fact in line.next()[1:]] == [1]
    assert [fact["seq"] for fact in line.next()[1:]] == [1]


@pytest.mark.parametrize("answer", [Broken("hung"), Answer(401, None), Answer(500, None)])
def test_a_batch_that_may_be_lost_is_a_gap(answer: Answer | Exception) -> None:
    """
    What nobody confirmed counts as missing, and is never sent twice.
    """
    clock = Clock()
    line = Line(answer, Answer(200, None))
    sending = sender(line, clock)
    sending.put("log", {})
    line.next()
    clock.now = 60.0
    sending.put("sql", {})
    kinds = [(fact["kind"], fact["seq"]) for fact in line.next()[1:]]
    assert kinds == [("gap", 1), ("sql", 2)]


def test_a_daemon_that_went_away_is_looked_for_again() -> None:
    """
    After a restart of the daemon the probe finds the new one, and says what it missed.
    """
    clock = Clock()
    line = Line(Unreachable("refused"), Answer(200, None))
    sending = sender(line, clock)
    sending.put("log", {})
    line.next()
    while not sending._is_absent:
        threading.Event().wait(0.001)
    clock.now = 60.0
    sending.put("log", {})
    assert [fact["kind"] for fact in line.next()[1:]] == ["gap", "log"]


def test_a_child_of_a_fork_begins_anew() -> None:
    """
    A worker is a process of its own, with its own numbers, and sends nothing of its parent's.
    """
    line = Line()
    sending = sender(line)
    sending.put("log", {"message": "parent"})
    line.next()
    parent = sending.process
    sending.after_fork()
    assert sending.process != parent
    sending.put("log", {"message": "child"})
    hello, fact = line.next()
    assert hello["process"] == sending.process
    assert (fact["seq"], fact["message"], line.closed) == (1, "child", 1)


@pytest.mark.parametrize("answer", [Broken("closed"), Unreachable("gone"), Answer(403, None)])
def test_what_the_parent_was_sending_holds_up_no_child(answer: Answer | Exception) -> None:
    """
    Greenlets live on in the child of a fork, the one that waits for an answer too: what comes of it is none
    of the child's business.
    """

    class Forked(Line):
        def post(self, body: bytes) -> Answer:
            if self.posts.empty() and not self.closed:
                sending.after_fork()
                self.closed += 1
            return super().post(body)

    line = Forked(answer, Answer(200, None))
    sending = sender(line)
    sending.put("log", {"message": "parent"})
    line.next()
    sending.put("log", {"message": "child"})
    told = line.next()
    assert [(fact["seq"], fact["message"]) for fact in told[1:]] == [(1, "child")]


def test_whatever_goes_wrong_stays_inside() -> None:
    """
    A fault of ours never reaches the app, and the next fact is tried again.
    """
    clock = Clock()
    line = Line(ZeroDivisionError("ours"), Answer(200, None))
    sending = sender(line, clock)
    sending.put("log", {})
    line.next()
    sending.put("log", {1j: object()})  # type: ignore[dict-item]  # what no collector would do
    sending.put("log", {"message": "after"})
    assert line.next()[-1]["message"] == "after"


def test_two_threads_that_tell_first_start_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    An app whose first two requests come at the same time is told by one thread, and neither waits.
    """
    line = Line()
    sending = sender(line)
    is_starting, may_start = threading.Event(), threading.Event()
    starts: list[str] = []
    start = threading.Thread.start

    def slowly(thread: threading.Thread) -> None:
        if thread.name == "reticle-probe":
            starts.append(thread.name)
            is_starting.set()
            assert may_start.wait(SECONDS)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", slowly)
    first = threading.Thread(target=sending.put, args=("log", {"message": "first"}))
    start(first)
    assert is_starting.wait(SECONDS)
    sending._is_told = False  # as the thread that runs already leaves it
    sending.put("log", {"message": "second"})
    may_start.set()
    first.join(SECONDS)
    told: list[str] = []
    while len(told) < 2:
        told += [fact["message"] for fact in line.next()[1:]]
    assert (told, starts) == (["first", "second"], ["reticle-probe"])


def test_a_signal_in_the_midst_of_the_start_starts_no_second_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A handler that logs while the first fact is told leaves the probe as it was.
    """
    line = Line()
    sending = sender(line)
    made: list[str] = []

    class Interrupted(threading.Event):
        def __init__(self) -> None:
            super().__init__()
            if not made:
                made.append("queue")
                sending._is_told = False
                sending.put("log", {"message": "of the handler"})

    starts: list[str] = []
    start = threading.Thread.start

    def counted(thread: threading.Thread) -> None:
        starts.append(thread.name)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", counted)
    monkeypatch.setattr("reticle.probe.sender.threading.Event", Interrupted)
    sending.put("log", {"message": "of the app"})
    assert [fact["message"] for fact in line.next()[1:]] == ["of the app", "of the handler"]
    assert starts == ["reticle-probe"]


def test_where_no_thread_can_start_the_next_fact_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A process at its limit of threads goes on, and is told once it may have one more.
    """
    line = Line()
    sending = sender(line)
    monkeypatch.setattr("reticle.probe.harmless.faults", [])
    with monkeypatch.context() as full:

        def refuse(_thread: threading.Thread) -> None:
            raise RuntimeError("can't start new thread")

        full.setattr(threading.Thread, "start", refuse)
        sending.put("log", {"message": "before"})
        sending.flush(SECONDS)
    sending.put("log", {"message": "after"})
    assert [fact["message"] for fact in line.next()[1:]] == ["before", "after"]


def test_a_request_with_a_long_path_has_its_head_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The daemon knows which facts came before the answer, whatever the address was.
    """
    line = Line()
    monkeypatch.setattr(emission, "sink", sender(line))
    monkeypatch.setattr(calls, "allowance", calls.Allowance(0, 0))
    path = f"/{'x' * (SMALL_CHARS + 1)}"
    exchange = Exchange("GET", path, "", lambda _: None, "127.0.0.1", scheme="http", relay="poll")
    emission.emit("log", message="before")
    exchange.answer(200, [])
    emission.emit("log", message="behind")
    exchange.finished()
    told: list[dict[str, Any]] = []
    while not told or told[-1]["kind"] != "request.handled":
        told += line.next()[1:]
    assert [fact["kind"] for fact in told] == ["request.started", "log", "log", "request.handled"]
    assert (told[-1]["head"], told[-1]["path"]) == (2, path)
