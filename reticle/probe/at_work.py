"""
Where a request of an action stands that takes long: one that never ends tells nothing else of what is wrong.

A thread of the probe's looks at those that are open for ``AT_WORK_SECONDS``, and tells the innermost line of
the app's own: of a thread that serves one request at a time, or of the task of a coroutine. A server whose
one thread turns among requests by callbacks has none to tell.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple

from reticle.probe import calls, emission
from reticle.probe.emission import Request
from reticle.probe.frames import absolute, is_app_file
from reticle.probe.harmless import harmless, note
from reticle.probe.limits import AT_WORK_PAUSE_SECONDS, AT_WORK_SECONDS, CALLS_SEEN
from reticle.probe.quiet import own_thread

_NAME: Final = "reticle-probe-at-work"


class Watched(NamedTuple):
    """
    An open request, with what runs it: a task, or else a thread.
    """

    request: Request
    found: calls.Found
    since: float
    thread: int
    task: Any

    def stands_at(self) -> tuple[str, int] | None:
        """
        The innermost line of the app's own, file and number.
        """
        if self.task is not None:
            return _last_of(_awaited(self.task.get_coro()))
        if _turns(self.thread):
            return None
        frame = sys._current_frames().get(self.thread)  # noqa: SLF001 - Python's one way to see another thread
        while frame is not None:
            if is_app_file(frame.f_code.co_filename):
                return absolute(frame.f_code), frame.f_lineno
            frame = frame.f_back
        return None


_watched: Final = tuple.__new__
"""As ``Watched(…)`` does it, at a third of its cost."""

_open: Final[dict[str, Watched]] = {}
_told: Final[dict[str, tuple[str, int]]] = {}
"""Of those, the line that was told last; only our own thread comes here."""

_news = threading.Event()
_thread: threading.Thread | None = None


def watch(request: Request, found: calls.Found, since: float) -> None:
    """
    A request begins, at ``since`` in monotonic seconds, in the thread or task that will run it.
    """
    if emission.sink is None:
        return
    try:
        _open[request.rid] = _watched(Watched, (request, found, since, threading.get_ident(), _task()))
        if _thread is None:
            _start()
        if not _news.is_set():  # nobody is woken for each request: the thread sleeps for a while, or for ever
            _news.set()
    except Exception as fault:  # noqa: BLE001 - as ``harmless``, at less cost
        note("at_work.watch", fault)


def _start() -> None:
    global _thread  # noqa: PLW0603 - one thread of a process
    _thread = threading.Thread(target=_run, args=(_news,), name=_NAME, daemon=True)
    _thread.start()


def forget(request: Request) -> None:
    """
    It is over.
    """
    _open.pop(request.rid, None)


def _run(news: threading.Event) -> None:
    own_thread()
    while True:
        news.wait()
        # before it is cleared: else each short request would wake us, which costs more than its answer
        time.sleep(AT_WORK_PAUSE_SECONDS)
        news.clear()
        while _open:
            look(time.monotonic())
            time.sleep(AT_WORK_PAUSE_SECONDS)


@harmless(None)
def look(now: float) -> None:
    """
    Tell of each request that is open for long where it stands, again only when that is another line.
    """
    for rid in [rid for rid in _told if rid not in _open]:
        del _told[rid]
    for rid, watched in list(_open.items()):
        at = watched.stands_at() if now - watched.since >= AT_WORK_SECONDS else None
        if at is not None and at != _told.get(rid) and rid in _open:
            _told[rid] = at
            calls.tell_at_work(watched.request, watched.found, *at)


def _task() -> Any:
    """
    The task of asyncio that runs here; None where none does. To ask for one where no loop runs would raise,
    which costs more than all the rest here.
    """
    module = sys.modules.get("asyncio")
    if module is None or module._get_running_loop() is None:  # noqa: SLF001 - among the names that it exports
        return None
    return module.current_task()


def _turns(thread: int) -> bool:
    """
    Whether a thread is that of a reactor, which runs whatever is next.
    """
    module = sys.modules.get("twisted.python.threadable")
    return module is not None and getattr(module, "ioThread", None) == thread


def _awaited(coroutine: Any) -> list[tuple[CodeType, int]]:
    """
    The lines of a coroutine and of those that it waits for, from the outside in.
    """
    found: list[tuple[CodeType, int]] = []
    while coroutine is not None and len(found) < CALLS_SEEN:
        frame: FrameType | None = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "gi_frame", None)
        if frame is not None:
            found.append((frame.f_code, frame.f_lineno))
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "gi_yieldfrom", None)
    return found


def _last_of(lines: list[tuple[CodeType, int]]) -> tuple[str, int] | None:
    own = [(absolute(code), line) for code, line in lines if is_app_file(code.co_filename)]
    return own[-1] if own else None


def _begin_anew() -> None:
    """
    In a fork's child: the thread and what it looked at are the parent's.
    """
    global _thread, _news
    _open.clear()
    _told.clear()
    _thread, _news = None, threading.Event()


os.register_at_fork(after_in_child=_begin_anew)
