"""
Brings facts to the daemon from a thread of its own, so that nothing in the app ever waits for it.

The thread starts with the first fact; a fork's child gets a queue, a number and a thread of its own. Without
a daemon there is one failed dial, then a pause that grows; facts of the pause are counted, not kept.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, Final, Protocol

from reticle.probe.daemon_link import Answer, Broken, DaemonLink, Unreachable
from reticle.probe.fact_queue import FactQueue, Line
from reticle.probe.harmless import note
from reticle.probe.hello import Hellos
from reticle.probe.limits import BACKOFF_SECONDS, BATCH_SECONDS, EXIT_FLUSH_SECONDS
from reticle.probe.quiet import own_thread
from reticle.probe.runtime_file import DaemonAddress, find_daemon
from reticle.probe.small_facts import Raw

_NEWS, _HURRY, _END = 1, 2, 3
_MANY: Final = 400
"""Facts that wait, about one whole batch in writing: no more are waited for. More than half of the queue is
left for those that come until the thread is awake."""


class Post(Protocol):
    """
    What the sender needs of a connection; ``DaemonLink`` is one.
    """

    def post(self, body: bytes) -> Answer:
        """
        Send one batch; raises ``Unreachable`` or ``Broken``.
        """

    def close(self) -> None:
        """
        Give the connection up.
        """


class Sender:
    """
    The sink of a process that is on.

    Args:
        framework: Such as ``django 5.2``.
        project: The project's folder; the daemon shows files relative to it.
        find: Where the daemon is, asked before every dial.
        dial: Makes the connection to it.
        clock: Monotonic seconds.
        wall: Seconds since the epoch.
    """

    def __init__(
        self,
        framework: str,
        project: str,
        *,
        find: Callable[[], DaemonAddress | None] = lambda: find_daemon(os.environ),
        dial: Callable[[DaemonAddress], Post] | None = None,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,  # noqa: TID251 - the probe's only look at it
    ) -> None:
        self.framework = framework
        self.project = project
        self._find = find
        self._dial = dial or (lambda address: DaemonLink(address, find))
        self._clock = clock
        self._wall = wall
        self._said = False
        self._begin()

    def _begin(self) -> None:
        """
        As of a new process: nothing of the old one's queue, thread or connection is ours.
        """
        self.process = os.urandom(16).hex()
        self._hellos = Hellos(self.process, self._clock, self._wall)
        self.queue = FactQueue(self._clock)
        self._facts, self._note = self.queue.facts, self.queue.note
        self.mark = self._note
        self._claim = threading.Lock()
        """Taken once, by whoever starts the thread, and never waited for."""
        self._signals: queue.SimpleQueue[int] | None = None
        self._ended: threading.Event | None = None
        self._is_told = False
        self._is_hurried = False
        self._link: Post | None = None
        self._failures = 0
        self._retry_at = 0.0
        self._is_absent = False

    def note(self, fact: Raw) -> None:
        """
        Take a small fact; neither raises nor waits.
        """
        if self._is_absent:
            self._while_absent(fact)
            return
        self._note(fact)
        if not self._is_told or len(self._facts) > _MANY:
            self._look()

    def put(self, kind: str, fields: dict[str, Any]) -> None:
        """
        Take a fact; neither raises nor waits.
        """
        try:
            if self._is_absent and self._clock() < self._retry_at:
                self.queue.drop(kind)
                return
            self.queue.put(kind, fields)
        except Exception as fault:  # noqa: BLE001 - whatever is wrong with us, the app goes on
            note("Sender.put", fault)  # and no word in its log: this may be a finaliser
        self._look()

    def miss(self, kind: str) -> None:
        """
        Count a fact that cannot be told; neither raises nor waits.
        """
        try:
            self.queue.miss(kind)
        except Exception as fault:  # noqa: BLE001 - as for ``put``
            note("Sender.miss", fault)
        self._look()

    def hurry(self) -> None:
        """
        Of a request that was followed an agent waits for the end, so no batch is waited for.
        """
        self._look(is_awaited=True)

    def _while_absent(self, fact: Raw) -> None:
        """
        Nobody is there: what comes is counted, until it is time to look again.
        """
        try:
            if len(self._facts) > _MANY:
                self.queue.shrink()  # marks, for which nobody looks
            if self._clock() < self._retry_at:
                self.queue.drop(fact[0].kind)
                return
            self._note(fact)
        except Exception as fault:  # noqa: BLE001 - as for ``put``
            note("Sender.note", fault)
        self._look()

    def _look(self, *, is_awaited: bool = False) -> None:
        """
        Wake the thread where it may sleep; the flags stand first, for a signal's handler in between.
        """
        try:
            many = len(self._facts) > _MANY
            if many:
                self.queue.shrink()
            if (is_awaited or many) and not self._is_hurried:
                self._is_told = self._is_hurried = True
                self._signal(_HURRY)
            elif not self._is_told:
                self._is_told = True
                self._signal(_NEWS)
        except Exception as fault:  # noqa: BLE001 - as for ``put``
            note("Sender", fault)

    def _signal(self, word: int) -> None:
        """
        Wake the thread, or start it. Any thread may be here at the same time, and a signal's handler or a
        finaliser in the midst of it: whoever comes second need not do anything as long as there is no queue,
        since the thread begins with what waits.
        """
        signals = self._signals
        if signals is not None:
            signals.put(word)
        elif self._claim.acquire(blocking=False):
            self._launch(word)

    def _launch(self, word: int) -> None:
        # Made here and together, so that an app which gives itself to gevent first gets all of one kind.
        signals: queue.SimpleQueue[int] = queue.SimpleQueue()
        ended = threading.Event()
        thread = threading.Thread(target=self._run, args=(signals, ended), name="reticle-probe", daemon=True)
        signals.put(word)
        self._signals, self._ended = signals, ended
        try:
            thread.start()
        except RuntimeError:  # there may be no more threads: the next fact tries again
            self._signals = self._ended = None
            self._is_told = self._is_hurried = False
            self._claim.release()
            raise

    def after_fork(self) -> None:
        """
        In the child: begin anew. The parent keeps its own.
        """
        link = self._link
        self._begin()
        if link is not None:
            link.close()  # our copy of its descriptor; the parent's connection lives on

    def flush(self, seconds: float = EXIT_FLUSH_SECONDS) -> None:
        """
        At the end of the process: send what waits, for at most this long.
        """
        ended = self._ended
        if ended is None or ended.is_set():
            return
        self._signal(_END)
        ended.wait(seconds)

    def _run(self, signals: queue.SimpleQueue[int], ended: threading.Event) -> None:
        own_thread()
        try:
            self._serve(signals)
        finally:
            ended.set()

    def _serve(self, signals: queue.SimpleQueue[int]) -> None:
        word = _NEWS
        while word != _END and signals is self._signals:
            word = self._next(signals)
            if word == _NEWS:
                with contextlib.suppress(queue.Empty):
                    word = signals.get(timeout=BATCH_SECONDS)
            if signals is not self._signals:
                return  # what runs in greenlets lives on in a child, and there another does its work
            # From here on a new fact signals again: it may have come too late for this round.
            self._is_told = self._is_hurried = False
            try:
                self._deliver_all()
            except Exception:  # noqa: BLE001 - a thread that died would lose everything after
                self._say("reticle: facts could not be sent")
                self.queue.lose_all()
        if signals is self._signals:
            self._forget()

    def _next(self, signals: queue.SimpleQueue[int]) -> int:
        """
        Wait for news; after a pause what waits is news too, for nobody else may come by to wake us.
        """
        if self._is_absent or not self.queue.has_news:
            return signals.get()
        try:
            return signals.get(timeout=max(0.0, self._retry_at - self._clock()))
        except queue.Empty:
            return _HURRY

    def _deliver_all(self) -> None:
        while self.queue.has_news and self._clock() >= self._retry_at:
            batch = self.queue.take()
            if batch and not self._deliver(batch):  # none where nothing but heads waited
                return

    def _deliver(self, batch: list[Line]) -> bool:
        """
        Send one batch; whether to go on with the next.
        """
        link, signals = self._link or self._connect(), self._signals
        if link is None:
            self._nobody(batch)
            return False
        answer: Answer | Unreachable | Broken
        try:
            answer = link.post(self._body(batch))
        except (Unreachable, Broken) as fault:
            answer = fault
        if signals is not self._signals:
            return False  # a fork came in between, and this is the child's copy of the parent's greenlet
        if isinstance(answer, Unreachable):
            self._link = None
            self._nobody(batch)
            return False
        if isinstance(answer, Broken):
            self.queue.lose(batch)
            self._pause()
            return False
        return self._judge(answer, batch)

    def _judge(self, answer: Answer, batch: list[Line]) -> bool:
        if answer.status in {200, 202, 204}:
            self._failures = 0
            self._is_absent = False
            return True
        if answer.status in {429, 503}:
            self.queue.put_back(batch)
            self._pause(answer.retry_after)
            return False
        self.queue.lose(batch)
        if answer.status == 413:
            return True
        self._forget()
        self._pause()
        return False

    def _connect(self) -> Post | None:
        address = self._find()
        self._link = None if address is None else self._dial(address)
        return self._link

    def _forget(self) -> None:
        """
        The next batch reads the daemon's file anew: it may have started again, with another token.
        """
        link, self._link = self._link, None
        if link is not None:
            link.close()

    def _nobody(self, batch: list[Line]) -> None:
        self.queue.lose(batch)
        self.queue.lose_all()
        self._is_absent = True
        self._pause()
        self._say("reticle: no daemon answers; facts are dropped until one does")

    def _pause(self, seconds: float | None = None) -> None:
        step = BACKOFF_SECONDS[min(self._failures, len(BACKOFF_SECONDS) - 1)]
        self._failures += 1
        self._retry_at = self._clock() + (step if seconds is None else seconds)

    def _say(self, text: str) -> None:
        """
        One line in the app's log, once; only our own thread says it.
        """
        if self._said:
            return
        self._said = True
        with contextlib.suppress(Exception):
            logging.getLogger("reticle.probe").info(text)

    def _body(self, batch: list[Line]) -> bytes:
        hello = self._hellos.next(self.framework, self.project)
        return b"\n".join([hello, *[line.text for line in batch], b""])
