"""
Where the code that answers a request is written: the ``file:line`` and name of a view.
"""

from __future__ import annotations

import functools
import inspect
import linecache
import re
from types import CodeType
from typing import Any, Final, cast

from reticle.probe.frames import absolute, is_app_file
from reticle.probe.harmless import harmless
from reticle.probe.limits import NAME_CHARS

_WRAPS: Final = 32
"""Decorators around one view; more is a circle."""

_DECORATED: Final = 50
"""Lines of decorators above one function; without its ``def`` in them it cannot be read (or is a lambda)."""


def place_of(view: Any, method: str = "") -> str | None:
    """
    ``file:line`` of a function or method, or of what a class does for an HTTP method; None without source.

    Args:
        view: What the framework calls.
        method: ``GET`` and so on, for classes of views.
    """
    code = getattr(_function(view, method), "__code__", None)
    return _place(code) if isinstance(code, CodeType) else None


@harmless(cast("str | None", None))
def place_of_app(app: Any) -> str | None:
    """
    Where a whole application begins, for one that no framework routes; None where that is a framework's code.
    """
    code = getattr(_function(app, ""), "__code__", None)
    return _place(code) if isinstance(code, CodeType) and is_app_file(absolute(code)) else None


def name_of(view: Any) -> str | None:
    """
    Module and name of a view.
    """
    inner = _unwrapped(view)
    named = getattr(inner, "view_class", None) or getattr(inner, "cls", None) or inner
    name = getattr(named, "__qualname__", None) or type(named).__qualname__
    module = getattr(named, "__module__", None) or type(named).__module__
    return f"{module}.{name}"[:NAME_CHARS]


@functools.lru_cache(maxsize=1024)
def _place(code: CodeType) -> str:
    """
    Of decorated functions Python tells the line of the first decorator; a person looks for ``def``.
    """
    return f"{absolute(code)}:{definition_line(code)}"


def definition_line(code: CodeType) -> int:
    """
    The line of a function's ``def``.
    """
    first = code.co_firstlineno
    definition = re.compile(rf"\s*(?:async\s+)?def\s+{re.escape(code.co_name)}\b")
    for line in range(first, first + _DECORATED):
        if definition.match(linecache.getline(code.co_filename, line)):
            return line
    return first


def _function(view: Any, method: str) -> Any:
    inner = _unwrapped(view)
    made_of = getattr(inner, "view_class", None) or getattr(inner, "cls", None)  # Django, Flask; DRF
    owner = made_of or (inner if inspect.isclass(inner) else None)
    if owner is None and not inspect.isroutine(inner) and callable(inner):
        owner = type(inner)
    if owner is None:
        return inner
    for name in (method.lower(), "dispatch_request", "dispatch", "__call__"):
        found = _unwrapped(getattr(owner, name, None)) if name else None
        if inspect.isfunction(found):
            return found
    return None


def _unwrapped(view: Any) -> Any:
    """
    The function inside decorators and partials.
    """
    for _ in range(_WRAPS):
        if isinstance(view, functools.partial):
            view = view.func
        elif hasattr(view, "__wrapped__"):
            view = view.__wrapped__
        else:
            break
    return getattr(view, "__func__", view)
