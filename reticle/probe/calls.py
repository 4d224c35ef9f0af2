"""
Which functions of the app ran for a request, so that a verdict can name the one to be mended and not only
the view.

Python tells each call to a profile function of the thread (``sys.setprofile``), which costs about half a
millisecond for a view of Flask: so only as many requests are followed as a person or an agent makes, not
those of a load test (``Allowance``), and only where nobody else profiles the thread. What runs in another
thread for a request is not seen.
"""

from __future__ import annotations

import os
import sys
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import CodeType, FrameType
from typing import Any, Final, cast

from reticle.probe import emission
from reticle.probe.answered import lines_answering
from reticle.probe.code_words import Constant, Described, constant, described, known_functions
from reticle.probe.emission import Request, running
from reticle.probe.frames import is_app_file
from reticle.probe.harmless import harmless
from reticle.probe.limits import (
    CALL_EVENTS,
    CALLS_BURST,
    CALLS_BYTES,
    CALLS_KNOWN,
    CALLS_PER_SECOND,
    CALLS_SEEN,
    CALLS_TOLD,
    CONSTANTS_BYTES,
)
from reticle.probe.words import FactKind

_OPTIMIZED: Final = 0x1
"""Of a code's flags: it is a function's, and not a module's or a class's body."""


class Ran:
    """
    A function that ran, with the names of its module and the line that it was left from last.
    """

    __slots__ = ("code", "left_at", "names")

    def __init__(self, frame: FrameType) -> None:
        self.code = frame.f_code
        self.names = frame.f_globals
        self.left_at = frame.f_lineno


Found = dict[int, Ran]
Hook = Callable[[FrameType, str, Any], None]


_EVER: Final = float("inf")


class Allowance:
    """
    How many requests may be followed: ``burst`` at once, and ``per_second`` more as time goes by.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(self, burst: float, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst = self._left = burst
        self._per_second = per_second
        self._clock = clock
        self._at = clock()
        self.empty_until = 0.0
        """Before that there is none, and nobody need ask."""

    def take(self) -> bool:
        """
        Whether one more may be.
        """
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now
        if self._left < 1:
            wait = (1 - self._left) / self._per_second if self._per_second else _EVER
            self.empty_until = now + wait
            return False
        self._left -= 1
        return True


_FILES: Final = (
    ".js", ".mjs", ".css", ".map", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".woff",
    ".woff2",
)  # fmt: skip

SWITCH: Final = "RETICLE_PROBE_CALLS"
"""``0`` in the environment switches it off."""

_burst = 0 if os.environ.get(SWITCH, "").strip() == "0" else CALLS_BURST
allowance = Allowance(_burst, CALLS_PER_SECOND)
acting = Allowance(_burst, CALLS_PER_SECOND)
"""That of requests that name an action of the page: what else a page asks for does not use it up."""

_giving_way: Final[weakref.WeakSet[Hook]] = weakref.WeakSet()
"""What notes the calls of requests that name no action."""

_times: Final[dict[tuple[str, int], int]] = {}
"""In how many of the requests that were followed a function ran, by file and line."""


class Following:
    """
    One request being followed in the thread that began it.
    """

    __slots__ = ("found", "hook", "stop")

    def __init__(self, request: Request) -> None:
        self.found: Found = {}
        self.hook, self.stop = _hook(request, self.found)


@harmless(cast("Following | None", None))
def follow(request: Request, path: str) -> Following | None:
    """
    Note from now on what runs for a request, if it may be; the caller keeps what is returned for ``tell``.
    Files that a page consists of are not worth it.
    """
    allowed = acting if request.action else allowance
    if path.endswith(_FILES) or emission.sink is None or not _may_profile(request) or not allowed.take():
        return None
    following = Following(request)
    if not request.action:
        _giving_way.add(following.hook)
    sys.setprofile(following.hook)
    return following


def _may_profile(request: Request) -> bool:
    """
    Whether nobody else profiles this thread: yappi puts itself where Python does not tell of it. Where one
    thread serves all, a stream of ours that never ends gives way to what an action asks for.
    """
    profiler = sys.getprofile()
    is_free = profiler is None or (bool(request.action) and profiler in _giving_way)
    return is_free and "yappi" not in sys.modules


@harmless(None)
def tell(
    request: Request, following: Following, path: str = "", status: int = 0, set_cookies: Sequence[str] = ()
) -> None:
    """
    No more is to be noted: say what ran. ``set_cookies`` are those of a write's answer.
    """
    if sys.getprofile() is following.hook:
        sys.setprofile(None)
    following.stop()  # in the thread that began it, or where a profiler of the app's puts back what it found
    told: list[tuple[int, int, int, Described]] = []
    left_at: list[tuple[str, int]] = []
    for ran in following.found.values():
        code = ran.code
        key = (code.co_filename, code.co_firstlineno)
        before = _times.get(key, 0)
        if before or len(_times) < CALLS_KNOWN:
            _times[key] = before + 1
        told.append((before, len(told), ran.left_at, described(code, ran.names)))
        left_at.append((code.co_filename, ran.left_at))
    if told:
        fields = _fitting(told)
        if request.action:
            fields["answered"] = lines_answering(path, status, left_at)
        if set_cookies:
            fields["cookies"] = _unread(set_cookies, [one for *_, one in told])
        emission.emit(FactKind.CALLS, within=request, **fields)


def _unread(set_cookies: Sequence[str], told: Sequence[Described]) -> list[dict[str, Any]]:
    from reticle.probe import unread_cookies as looking  # noqa: PLC0415 - dear to load, and seldom needed

    project = getattr(emission.sink, "project", "")
    ran = [looking.Ran(one.fields["file"], one.fields["line"], one.fields["last"]) for one in told]
    known = [looking.Ran(*one) for one in known_functions()]
    return looking.unread_cookies(set_cookies, ran, known, project) if project else []


def tell_at_work(request: Request, found: Found, file: str, line: int) -> None:
    """
    A request takes long: say what ran for it so far, and the line that it stands on.
    """
    told = [(0, number, ran.left_at, described(ran.code, ran.names))
            for number, ran in enumerate(list(found.values()))]  # fmt: skip
    at = {"file": file, "line": line}
    emission.emit(FactKind.CALLS, within=request, **_fitting(told), at=[at])


def _fitting(told: list[tuple[int, int, int, Described]]) -> dict[str, list[dict[str, Any]]]:
    """
    Of too many those that run for few requests, in the order in which they ran, and the constants that they
    use.
    """
    kept: list[tuple[int, dict[str, Any]]] = []
    used: dict[Constant, dict[str, Any]] = {}
    idle: list[dict[str, Any]] = []
    size = 0
    for before, number, left_at, one in sorted(told, key=lambda one: one[:2])[:CALLS_TOLD]:
        size += one.size
        if size > CALLS_BYTES:
            break
        kept.append((number, {**one.fields, "left": left_at, "before": before}))
        used.update((each, constant(each)) for each in one.uses)
        idle += one.beside
    functions = [fields for _, fields in sorted(kept, key=lambda one: one[0])]
    ran = {(one.fields["file"], one.fields["line"]) for *_, one in told}
    beside = [each for each in idle if (each["file"], each["line"]) not in ran]
    return {"functions": functions, "constants": list(_small(used.values())), "unrun": beside[:CALLS_TOLD]}


def _small(constants: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    left = CONSTANTS_BYTES
    for one in constants:
        size = len(repr(one))
        if size <= left:
            left -= size
            yield one


def _hook(request: Request, found: Found) -> tuple[Hook, Callable[[], None]]:
    """
    What notes the calls, and what makes it take itself out at the next one.
    """
    left = CALL_EVENTS

    def stop() -> None:
        nonlocal left
        left = 0

    def called(frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:  # the request is over, or a long one that is not to become twice as long
            if sys.getprofile() is called:  # a profiler of the app's may hand on to us what it is told
                sys.setprofile(None)
            return
        if event == "call":
            code = frame.f_code
            if (
                is_app_file(code.co_filename)
                and id(code) not in found
                and running.get() is request
                and is_named(code)
                and len(found) < CALLS_SEEN
            ):
                found[id(code)] = Ran(frame)
        elif event == "return":
            code = frame.f_code
            if is_app_file(code.co_filename) and (ran := found.get(id(code))) is not None:
                ran.left_at = frame.f_lineno

    return called, stop


def is_named(code: CodeType) -> bool:
    """
    Whether it is a function that a person would name: no body of a module or class, and no part of another.
    """
    name = code.co_name
    if not code.co_filename.endswith(".py"):  # what a template was compiled to
        return False
    return bool(code.co_flags & _OPTIMIZED) and not name.startswith("<gen") and not name.endswith("comp>")
