"""
Exceptions as facts: type, message and frames, each told once for a request however many places meet it.

One that was logged and raised again is told again when nobody catches it; and one object that the app raises
in request after request is news in each.
"""

from __future__ import annotations

import contextlib
import threading
from typing import Any, Final

from reticle.probe import emission
from reticle.probe.emission import Request, running
from reticle.probe.frames import frames_of, is_app_file
from reticle.probe.import_watch import ImportWatch
from reticle.probe.limits import EXCEPTION_CHARS, FRAMES
from reticle.probe.patching import Patches
from reticle.probe.quiet import is_own_work, safely
from reticle.probe.redaction import text
from reticle.probe.words import FactKind, Fate

_TOLD: Final = "__reticle_told__"


def tell(fault: BaseException, handled: str = Fate.UNHANDLED, within: Request | None = None) -> None:
    """
    Tell an exception, unless it was told already for this request.

    Args:
        fault: It, with its traceback.
        handled: A ``Fate``.
        within: The request, where the caller knows better than the running context.
    """
    if emission.sink is None or is_own_work():
        return
    safely(_tell, fault, handled, within)


def tell_inside(fault: BaseException, handled: str) -> None:
    """
    As ``tell``, from a collector's own work.
    """
    _tell(fault, handled, None)


def described(fault: BaseException, handled: str) -> dict[str, Any]:
    """
    The fields of an exception; what was told as unhandled stays so.
    """
    kind = type(fault)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return {
        "type": name,
        "message": text(fault, EXCEPTION_CHARS),
        "handled": _told(fault, running.get()) or str(handled),
        "frames": _frames(fault),
    }


def _tell(fault: BaseException, handled: str, within: Request | None) -> None:
    request = within if within is not None else running.get()
    if _told(fault, request) in {Fate.UNHANDLED, str(handled)}:
        return
    fields = {**described(fault, handled), "handled": str(handled)}
    with contextlib.suppress(
        AttributeError, TypeError
    ):  # a class with slots: told twice is better than never
        setattr(fault, _TOLD, f"{handled} {request.rid if request is not None else ''}")
    emission.emit(FactKind.EXCEPTION, within=within, **fields)


def _told(fault: BaseException, request: Request | None) -> str | None:
    """
    As what it was told already for a request; None where it was not.
    """
    handled, mark, rid = str(getattr(fault, _TOLD, "")).partition(" ")
    is_same = mark and rid == (request.rid if request is not None else "")
    return handled if is_same else None


def _frames(fault: BaseException) -> list[dict[str, Any]]:
    """
    Its frames; where it has none of the app's, those of what it was raised from, and a template's line first.
    """
    frames = frames_of(fault.__traceback__)
    cause = fault.__cause__ or (None if fault.__suppress_context__ else fault.__context__)
    if cause is not None and not any(frame["app"] for frame in frames):
        below = frames_of(cause.__traceback__)
        if any(frame["app"] for frame in below):
            frames = [*below, *frames]
    template = _template_frame(fault)
    return ([template, *frames] if template else frames)[:FRAMES]


def _template_frame(fault: BaseException) -> dict[str, Any] | None:
    """
    Where in a Django template it happened, which the debug engine notes on the exception.
    """
    noted = getattr(fault, "template_debug", None)
    if not isinstance(noted, dict) or not isinstance(noted.get("name"), str):
        return None
    if not is_app_file(noted["name"]):
        return None
    return {"file": noted["name"], "line": int(noted.get("line", 0)), "function": "template", "app": True}


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Hear of exceptions that end a thread of the app.
    """
    del watch
    patches.replace(threading, "excepthook", _thread_hook)


def _thread_hook(original: Any) -> Any:
    def excepthook(arguments: Any) -> Any:
        if isinstance(arguments.exc_value, Exception):
            tell(arguments.exc_value)
        return original(arguments)

    return excepthook
