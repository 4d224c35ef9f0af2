r"""
The pattern language of ``$matches``, matched in time proportional to pattern times text.

The reactor must never hang on an agent's pattern, and backtracking matchers can (``(a+)+$``). So this is
a small one of our own that follows all ways at once (Thompson 1968): literals, ``.``, ``[a-z]``,
``[^…]``, ``( )``, ``|``, ``*``, ``+``, ``?``, ``{m}``, ``{m,}``, ``{m,n}``, ``^``, ``$``, ``\b``,
``\d \w \s`` and their opposites, ``\`` before any sign. No flags, no captures, no look-around.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import attrs

from reticle.model.limits import PATTERN_CHARS

_MOST_STEPS = 1_000
_MOST_REPEATS = 100

Test = Callable[[str], bool]


class PatternFault(ValueError):
    """
    The pattern is not in the language; a corrected one may be tried at once.
    """


@attrs.frozen
class _Take:
    test: Test


@attrs.frozen
class _Anchor:
    sign: str


@attrs.frozen
class _Fork:
    targets: tuple[int, ...]


_Step = _Take | _Anchor | _Fork


@attrs.frozen
class TextPattern:
    """
    A compiled pattern.
    """

    steps: tuple[_Step, ...]

    def found_in(self, text: str) -> bool:
        """
        Whether it matches anywhere in ``text``.
        """
        end = len(self.steps)
        ways: set[int] = set()
        for place in range(len(text) + 1):
            ways = self._spread({*ways, 0}, text, place)
            if end in ways:
                return True
            if place < len(text):
                ways = {way + 1 for way in ways if self._takes(way, text[place])}
        return False

    def _takes(self, way: int, sign: str) -> bool:
        step = self.steps[way]
        return isinstance(step, _Take) and step.test(sign)

    def _spread(self, starts: set[int], text: str, place: int) -> set[int]:
        """
        Follow forks and anchors from ``starts`` without taking a sign.
        """
        reached: set[int] = set()
        waiting = list(starts)
        while waiting:
            way = waiting.pop()
            if way in reached:
                continue
            reached.add(way)
            step = self.steps[way] if way < len(self.steps) else None
            if isinstance(step, _Fork):
                waiting.extend(step.targets)
            elif isinstance(step, _Anchor) and _stands(step.sign, text, place):
                waiting.append(way + 1)
        return reached


@functools.lru_cache(maxsize=256)
def compile_pattern(pattern: str) -> TextPattern:
    """
    Read a pattern.

    Raises:
        PatternFault: It is too long, or not in the language of this module.
    """
    if len(pattern) > PATTERN_CHARS:
        raise PatternFault(f"is longer than {PATTERN_CHARS} characters")
    return TextPattern(tuple(_Compiler(pattern).whole()))


def _stands(sign: str, text: str, place: int) -> bool:
    if sign == "^":
        return place == 0
    if sign == "$":
        return place == len(text)
    before = place > 0 and _is_word(text[place - 1])
    after = place < len(text) and _is_word(text[place])
    return before != after


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


_CLASSES: dict[str, Test] = {"d": str.isdigit, "w": _is_word, "s": str.isspace}
_PLAIN = {"n": "\n", "t": "\t", "r": "\r"}


def _class(letter: str) -> Test | None:
    known = _CLASSES.get(letter.lower())
    if known is None or letter.islower():
        return known
    return lambda sign: not known(sign)


class _Compiler:
    """
    A recursive descent over the pattern; jumps inside a piece are relative to its start.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._place = 0

    def whole(self) -> list[_Step]:
        steps = self._choice()
        if self._place < len(self._pattern):
            raise PatternFault(f"has an unmatched ')' at {self._place + 1}")
        return steps

    def _next(self) -> str:
        return self._pattern[self._place : self._place + 1]

    def _advance(self) -> str:
        sign = self._next()
        if not sign:
            raise PatternFault("ends too early")
        self._place += 1
        return sign

    def _choice(self) -> list[_Step]:
        steps = self._sequence()
        while self._next() == "|":
            self._advance()
            other = self._sequence()
            first: list[_Step] = [_Fork((1, len(steps) + 2))]
            skip: list[_Step] = [_Fork((len(steps) + 2 + len(other),))]
            steps = first + _moved(steps, 1) + skip + _moved(other, len(steps) + 2)
        return steps

    def _sequence(self) -> list[_Step]:
        steps: list[_Step] = []
        while self._next() and self._next() not in "|)":
            steps += _moved(self._repeated(), len(steps))
            if len(steps) > _MOST_STEPS:
                raise PatternFault("repeats too much")
        return steps

    def _repeated(self) -> list[_Step]:
        piece = self._piece()
        while self._next() and self._next() in "*+?{":
            piece = _repeat(piece, *self._bounds())
            if len(piece) > _MOST_STEPS:
                raise PatternFault("repeats too much")
        return piece

    def _bounds(self) -> tuple[int, int | None]:
        sign = self._advance()
        if sign != "{":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        closing = self._pattern.find("}", self._place)
        least, comma, most = self._pattern[self._place : closing].partition(",")
        if closing < 0 or not least.isdecimal() or (most and not most.isdecimal()):
            raise PatternFault("has a '{' that is not {m}, {m,} or {m,n}; a literal one is \\{")
        self._place = closing + 1
        low = int(least)
        high = int(most) if most else (None if comma else low)
        if max(low, high or 0) > _MOST_REPEATS or (high is not None and high < low):
            raise PatternFault(f"repeats out of order or more than {_MOST_REPEATS} times")
        return low, high

    def _piece(self) -> list[_Step]:
        sign = self._advance()
        match sign:
            case "(":
                return self._group()
            case "[":
                return [_Take(self._set())]
            case ".":
                return [_Take(lambda _: True)]
            case "^" | "$":
                return [_Anchor(sign)]
            case "\\":
                return [self._escape()]
            case "*" | "+" | "?" | "{":
                raise PatternFault(f"repeats nothing with {sign!r}")
            case _:
                return [_Take(functools.partial(str.__eq__, sign))]

    def _group(self) -> list[_Step]:
        if self._next() == "?":
            self._advance()
            if self._advance() != ":":
                raise PatternFault("has a group that begins with '?'; only (?: ) is known")
        steps = self._choice()
        if self._next() != ")":
            raise PatternFault("has an unmatched '('")
        self._advance()
        return steps

    def _escape(self) -> _Step:
        sign = self._advance()
        if sign == "b":
            return _Anchor("b")
        test = _class(sign)
        if test is not None:
            return _Take(test)
        if sign.isalnum() and sign not in _PLAIN:
            raise PatternFault(f"has an unknown escape \\{sign}")
        return _Take(functools.partial(str.__eq__, _PLAIN.get(sign, sign)))

    def _set(self) -> Test:
        inverted = self._next() == "^"
        if inverted:
            self._advance()
        tests: list[Test] = []
        while not tests or self._next() != "]":
            tests.append(self._member())
        self._advance()
        return lambda sign: any(test(sign) for test in tests) != inverted

    def _member(self) -> Test:
        low = self._advance()
        if low == "\\":
            escaped = self._advance()
            test = _class(escaped)
            if test is not None:
                return test
            low = _PLAIN.get(escaped, escaped)
        if self._next() == "-" and self._pattern[self._place + 1 : self._place + 2] not in ("]", ""):
            self._advance()
            high = self._advance()
            if high == "\\":
                high = self._advance()
            if high < low:
                raise PatternFault(f"has a range out of order: {low}-{high}")
            return lambda sign: low <= sign <= high
        return functools.partial(str.__eq__, low)


def _moved(steps: list[_Step], by: int) -> list[_Step]:
    return [
        _Fork(tuple(target + by for target in step.targets)) if isinstance(step, _Fork) else step
        for step in steps
    ]


def _repeat(piece: list[_Step], low: int, high: int | None) -> list[_Step]:
    steps: list[_Step] = []
    for _ in range(low):
        steps += _moved(piece, len(steps))
    if high is None:
        loop: list[_Step] = [_Fork((1, len(piece) + 2)), *_moved(piece, 1), _Fork((0,))]
        return steps + _moved(loop, len(steps))
    for _ in range(high - low):
        maybe: list[_Step] = [_Fork((1, len(piece) + 1)), *_moved(piece, 1)]
        steps += _moved(maybe, len(steps))
    return steps
