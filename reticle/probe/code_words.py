"""
What a function of the app speaks of, read from its compiled code: the names and short texts in it, and the
constants of modules that it uses, each with the words that it is set to.

No value of a variable is looked at, and no file but the app's own source is read.
"""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final

from reticle.probe.frames import absolute, is_app_file
from reticle.probe.limits import (
    CALL_BESIDE,
    CALL_USES,
    CALL_WORDS,
    CALLS_KNOWN,
    CONSTANT_LINES,
    CONSTANT_WORDS,
    WORD_CHARS,
    WORDS_TEXT_CHARS,
)
from reticle.probe.views import definition_line

_WORD: Final = re.compile(rf"[^\W\d]{{3,{WORD_CHARS}}}")
_SET: Final = re.compile(r"([A-Za-z_]\w*)\s*(?::[^=]+)?=(?!=)")
_KEEPS: Final = type(lru_cache(lambda: None))
"""What ``functools.cache`` and ``lru_cache`` put around a function."""

_NO_CONSTANTS: Final = (type, ModuleType, FunctionType, BuiltinFunctionType)

Constant = tuple[str, str, int]
"""Its name, its file and the line on which it is set."""


class Described:
    """
    A function: where it begins and ends and what it speaks of, as ``fields`` of a line, of about ``size``
    bytes; the constants that it uses; and functions that need not run when it does (``beside``): those that
    are written inside it, and those that it calls and whose results are kept (``functools.cache``).
    """

    __slots__ = ("beside", "fields", "size", "uses")

    def __init__(self, fields: dict[str, Any], uses: list[Constant], beside: list[dict[str, Any]]) -> None:
        self.fields: Final = fields
        self.uses: Final = uses
        self.beside: Final = beside
        self.size: Final = len(repr(fields)) + len(repr(beside))


_described: Final[dict[tuple[str, int], Described]] = {}
_lines_set: Final[dict[str, dict[str, int]]] = {}
_constants: Final[dict[Constant, dict[str, Any]]] = {}


def described(code: CodeType, names: Mapping[str, Any]) -> Described:
    """
    A function's description; made once for each.

    Args:
        code: The function's.
        names: Those of its module.
    """
    key = (code.co_filename, code.co_firstlineno)
    found = _described.get(key)
    if found is None or found.fields["function"] != code.co_name:
        found = _describe(code, names)
        if len(_described) < CALLS_KNOWN:
            _described[key] = found
    return found


def known_functions() -> list[tuple[str, int, int]]:
    """
    File, first and last line of every function that was described: they all ran for some request.
    """
    return [(one.fields["file"], one.fields["line"], one.fields["last"]) for one in list(_described.values())]


def constant(one: Constant) -> dict[str, Any]:
    """
    A constant as a line tells it: the words that it is set to, each with its line.
    """
    found = _constants.get(one)
    if found is None:
        name, file, first = one
        words = dict(_words_set(file, first))
        told = list(words.items())[:CONSTANT_WORDS]
        found = {
            "name": name,
            "file": file,
            "line": first,
            "words": [word for word, _ in told],
            "lines": [line for _, line in told],
        }
        if len(_constants) < CALLS_KNOWN:
            _constants[one] = found
    return found


def _describe(code: CodeType, names: Mapping[str, Any]) -> Described:
    inner = list(_codes(code))
    uses = list(dict.fromkeys(_uses(inner, names)))[:CALL_USES]
    inside = [each for each in inner[1:] if each.co_name.isidentifier()]  # no lambda and no comprehension
    beside = [_fields(each) for each in dict.fromkeys((*inside, *_kept(inner, names)))]
    return Described({**_fields(code), "uses": [name for name, *_ in uses]}, uses, beside[:CALL_BESIDE])


def _fields(code: CodeType) -> dict[str, Any]:
    inner = list(_codes(code))
    words = dict.fromkeys(word for each in inner for word in _words(each))
    return {
        "file": absolute(code),
        "line": definition_line(code),
        "last": max(line for each in inner for *_, line in each.co_lines() if line is not None),
        "function": code.co_name,
        "words": list(words)[:CALL_WORDS],
    }


def _kept(codes: list[CodeType], names: Mapping[str, Any]) -> Iterator[CodeType]:
    """
    The functions named in a piece of code whose results are kept: they may have run for another request.
    """
    for code in codes:
        for name in code.co_names:
            value: Any = names.get(name)
            held: Iterable[Any] = (value,)
            if issubclass(type(value), ModuleType):
                of_module = _held_by(value)
                held = [of_module.get(each) for each in code.co_names]
            for each in held:
                inner = each.__wrapped__ if type(each) is _KEEPS else None
                if type(inner) is FunctionType and is_app_file(inner.__code__.co_filename):
                    yield inner.__code__


def _codes(code: CodeType) -> Iterator[CodeType]:
    """
    Its own and that of functions inside it.
    """
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _words(code: CodeType) -> Iterator[str]:
    yield from (name for name in (*code.co_names, *code.co_varnames) if 3 <= len(name) <= WORD_CHARS)
    for number, each in enumerate(code.co_consts):
        for text in each if isinstance(each, tuple | frozenset) else (each,):
            is_docstring = number == 0 and isinstance(text, str) and "\n" in text
            if isinstance(text, str) and not is_docstring:
                yield from _WORD.findall(text[:WORDS_TEXT_CHARS])
            elif type(text) is int and 200 <= text <= 599:  # a status of HTTP
                yield str(text)


def _uses(codes: list[CodeType], names: Mapping[str, Any]) -> Iterator[Constant]:
    """
    The constants that a function uses: of its own module, or of one that it names or takes them from.
    """
    own = names.get("__file__")
    told: set[str] = set()
    for code in codes:
        for name in code.co_names:
            value = names.get(name)
            if value is None or name in told:
                continue
            told.add(name)
            kind = type(value)  # isinstance asks a proxy what it stands for, which is the app's to find out
            if issubclass(kind, ModuleType):
                yield from _of_module(value, code.co_names)
            elif not issubclass(kind, _NO_CONSTANTS) and isinstance(own, str):
                yield from _set_in(own, name, value, names)


def _of_module(module: ModuleType, names: tuple[str, ...]) -> Iterator[Constant]:
    held = _held_by(module)
    file = held.get("__file__")
    if isinstance(file, str) and is_app_file(file):
        known = _lines_of(file)
        for name in names:
            if name in known and not issubclass(type(held.get(name)), _NO_CONSTANTS):
                yield name, file, known[name]


def _held_by(module: ModuleType) -> dict[str, Any]:
    """
    What a module holds, without asking it: one that is loaded late would be, and one with a ``__getattr__``
    would run it.
    """
    held: dict[str, Any] = object.__getattribute__(module, "__dict__")
    return held


def _set_in(file: str, name: str, value: object, names: Mapping[str, Any]) -> Iterator[Constant]:
    line = _lines_of(file).get(name)
    if line is not None:
        yield name, file, line
        return
    taken = re.compile(rf"\s*from\s+([\w.]+)\s+import\s.*\b{re.escape(name)}\b")
    found = (taken.match(each) for each in linecache.getlines(file))
    module = next((_module(one[1], names) for one in found if one is not None), None)
    if module is not None and _held_by(module).get(name) is value:
        yield from _of_module(module, (name,))


def _module(name: str, names: Mapping[str, Any]) -> ModuleType | None:
    depth = len(name) - len(name.lstrip("."))
    if depth:
        package = str(names.get("__package__") or "").split(".")
        name = ".".join([*package[: len(package) - depth + 1], name.lstrip(".")]).strip(".")
    module = sys.modules.get(name)
    return module if issubclass(type(module), ModuleType) else None  # an app may put anything there


def _lines_of(file: str) -> Mapping[str, int]:
    """
    The names that a file sets outside of functions and classes, with the first line of each.
    """
    known = _lines_set.get(file)
    if known is None:
        known = {}
        for number, line in enumerate(linecache.getlines(file), 1):
            found = _SET.match(line)
            if found is not None:
                known.setdefault(found[1], number)
        if len(_lines_set) < CALLS_KNOWN:
            _lines_set[file] = known
    return known


def _words_set(file: str, first: int) -> Iterator[tuple[str, int]]:
    """
    The words on the lines of a constant, the last line of each; a line that is not deeper ends it.
    """
    for number, line in enumerate(linecache.getlines(file)[first - 1 : first - 1 + CONSTANT_LINES], first):
        if number > first and line[:1].strip() and line[0] not in ")}]":
            return
        for word in _WORD.findall(line):
            yield word, number
