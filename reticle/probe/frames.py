"""
Whose code ran: the app's own frames, told from those of the standard library and of installed packages.
"""

from __future__ import annotations

import os
import sys
from contextvars import ContextVar
from types import CodeType, FrameType, TracebackType
from typing import Any, Final

from reticle.probe.limits import FRAMES, STACK_DEPTH

_INSTALLED: Final = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_OURS: Final = os.path.dirname(os.path.abspath(__file__)) + os.sep  # noqa: PTH100, PTH120 - pathlib is dear here


def _library_folders() -> tuple[str, ...]:
    # Not by sysconfig, which would load a large table of the build for this.
    found = {os.path.dirname(os.__file__), os.path.dirname(os.path.realpath(os.__file__))}  # noqa: PTH120 - as above
    return tuple(sorted(folder + os.sep for folder in found))


_LIBRARY: Final = _library_folders()
_SCRIPTS: Final = os.path.join(sys.prefix, "bin") + os.sep  # noqa: PTH118 - as above
"""Where commands such as gunicorn lie, which pip wrote."""

Place = tuple[str | None, int | None]
NOWHERE: Final[Place] = (None, None)

carried: Final[ContextVar[tuple[Place, ...]]] = ContextVar("reticle_places", default=())
"""The app's lines that sent work to another thread, where nothing of the app stands on the stack."""

_ENTRIES: Final = frozenset({
    _OURS + "wsgi_call.py", _OURS + "asgi.py", _OURS + "twisted.py", _OURS + "klein.py",
    _OURS + "sql_adbapi.py",
    os.path.join(_OURS, "django", "middleware.py"),  # noqa: PTH118 - as above
})  # fmt: skip
"""Where a request enters the app through us, or the thread that a part of it was sent to."""

_judged: dict[str, bool] = {}
_absolute: dict[str, str] = {}
_steps: dict[str, str | None] = {}
_ENTRY: Final = "entry"
"""Marks by its identity, so that no path is taken for it."""
_MAX_JUDGED: Final = 20_000

_Chain = dict[Any, Any]
_chains: _Chain = {}
"""The ways by which the app was seen to lead to us, from the inside out: the instruction where each of its
frames stands leads to those that stood around it, and None to the places of all up to there."""
_CODE: Final = 0
"""Stands in each of them before the code of its instruction, so that no other gets its address."""
_instructions = 0
"""How many there are in all ways."""

_DEPTHS: Final = range(STACK_DEPTH)


def is_app_file(name: str) -> bool:
    """
    Whether a file is the app's own: neither Python's, nor an installed package's, nor ours, nor no file.
    """
    judged = _judged.get(name)
    if judged is None:
        judged = not (
            name.startswith(("<", _OURS, _SCRIPTS, *_LIBRARY))
            or any(part in name for part in _INSTALLED)
            or not name
        )
        if len(_judged) < _MAX_JUDGED:
            _judged[name] = judged
    return judged


def caller() -> Place:
    """
    The innermost line of the app on this thread's stack; ``NOWHERE`` where it has none.
    """
    places = callers_from(sys._getframe(1), 1)  # noqa: SLF001 - documented, and the only way without a cost
    return places[0] if places else NOWHERE


def callers(count: int) -> tuple[Place, ...]:
    """
    The app's lines on this thread's stack, from the inside out, at most so many.
    """
    return callers_from(sys._getframe(1), count)  # noqa: SLF001 - as above


def callers_from(start: FrameType, count: int) -> tuple[Place, ...]:
    """
    From this frame outwards, also above the greenlet that it runs in; else those that were carried here.

    It stands in every statement's way, and an app has few ways to its statements: what is done for each frame
    of a way that was seen before is the least that Python lets do. An instruction is told from all others by
    its place in memory, which lies within its code's own.
    """
    steps, chain, frame, missing = _steps, _chains, start, count
    try:
        for _ in _DEPTHS:
            code = frame.f_code
            step = steps[code.co_filename]
            if step is not None:
                if step is not _ENTRY:
                    chain = chain[id(code) + frame.f_lasti]
                    missing -= 1
                    if not missing:
                        break
                elif missing != count:
                    break  # what stands around us is the server
            above = frame.f_back
            if above is None:
                break
            frame = above
        return chain[None]  # type: ignore[no-any-return]  # the places, and not a further way
    except KeyError:
        return _walked(start, count)


def _walked(frame: FrameType | None, count: int) -> tuple[Place, ...]:
    """
    Likewise, where a frame was not seen yet, or none is the app's.
    """
    found: list[Place] = []
    chain: _Chain = _chains
    above = None
    for _ in _DEPTHS:
        if frame is None:
            # SQLAlchemy's asyncio runs its core in a greenlet; who awaits it stands in the parent's stack.
            above = None if found else _parent_greenlet(above)
            frame = getattr(above, "gr_frame", None)
            if frame is None:
                break
        step = _step(frame.f_code.co_filename)
        if step is not None:
            if step is not _ENTRY:
                found.append((step, frame.f_lineno))
                chain = _next(chain, frame)
                if len(found) == count:
                    break
            elif found:
                break
        frame = frame.f_back
    places = tuple(found)
    if places:
        chain[None] = places
    return places or carried.get()[:count]


def _step(name: str) -> str | None:
    """
    What a frame of this file is on the way outwards: the app's with its absolute path, ours where a request
    enters, or none to be told.
    """
    step = _ENTRY if name in _ENTRIES else _file(name) if is_app_file(name) else None
    if len(_steps) < _MAX_JUDGED:
        _steps[name] = step
    return step


def _next(chain: _Chain, frame: FrameType) -> _Chain:
    """
    Where the way goes on that leads over this frame; too many are forgotten, all at once.
    """
    global _instructions  # noqa: PLW0603 - of all ways together
    code = frame.f_code
    place = id(code) + frame.f_lasti
    known: _Chain | None = chain.get(place)
    if known is None:
        if _instructions >= _MAX_JUDGED:
            _chains.clear()
            _instructions = 0
        _instructions += 1
        known = chain[place] = {_CODE: code}
    return known


def _parent_greenlet(child: Any) -> Any:
    module = sys.modules.get("greenlet")
    if module is None:
        return None
    return (module.getcurrent() if child is None else child).parent


def absolute(code: CodeType) -> str:
    """
    The file of a piece of code as an absolute path; what is no file stays as it is.
    """
    return _file(code.co_filename)


def _file(name: str) -> str:
    found = _absolute.get(name)
    if found is None:
        found = name if name.startswith("<") else os.path.abspath(name)  # noqa: PTH100 - as above
        if len(_absolute) < _MAX_JUDGED:
            _absolute[name] = found
    return found


def frames_of(trace: TracebackType | None) -> list[dict[str, Any]]:
    """
    The frames of a traceback, innermost of the app first, then the others from the inside out.
    """
    walked: list[tuple[CodeType, int]] = []
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(_OURS):
            walked.append((trace.tb_frame.f_code, trace.tb_lineno))
        del walked[: -2 * STACK_DEPTH]
        trace = trace.tb_next
    walked.reverse()
    return ordered([(absolute(code), line, code.co_name) for code, line in walked])


def ordered(inside_out: list[tuple[str, int, str]]) -> list[dict[str, Any]]:
    """
    Frames as (file, line, function), from the inside out, as facts tell them.
    """
    first = next((at for at, frame in enumerate(inside_out) if is_app_file(frame[0])), None)
    if first:
        inside_out = [inside_out[first], *inside_out[:first], *inside_out[first + 1 :]]
    return [
        {"file": file, "line": line, "function": function, "app": is_app_file(file)}
        for file, line, function in inside_out[:FRAMES]
    ]
