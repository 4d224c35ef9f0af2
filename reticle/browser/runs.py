"""
Which functions of a tab's scripts ran, as V8's precise coverage counts them.

In its binary mode it tells each function once, when it first ran since counting began, and lets code be
optimised as ever. Counting begins before the document's first script, and anew when that is loaded and has
come to rest. It begins anew with each action too, as long as that is quick: it takes the longer the more
functions there are. The scripts' text is asked for only beside a verdict that is no ``yes``. Frames in
processes of their own are not looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
import msgspec
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall, IReactorTime
from twisted.logger import Logger

from reticle.browser.conversation import Session
from reticle.errors import Refusal
from reticle.model.run_limits import (
    ROUTINES_KEPT,
    RUN_CHARS,
    RUN_SCRIPTS,
    RUNS_ANEW_SECONDS,
    RUNS_CALM_SECONDS,
    RUNS_SECONDS,
)
from reticle.model.runs import Routine, RunScript

BINARY: Final[Mapping[str, object]] = {"callCount": False, "detailed": False}
"""Counting calls would keep the browser from optimising."""


class _Stretch(msgspec.Struct, frozen=True):
    startOffset: int
    endOffset: int
    count: int


class _Function(msgspec.Struct, frozen=True):
    functionName: str
    ranges: list[_Stretch]


class _Script(msgspec.Struct, frozen=True):
    scriptId: str
    url: str
    functions: list[_Function]


class _Coverage(msgspec.Struct, frozen=True):
    result: list[_Script]


class _Parsed(msgspec.Struct, frozen=True):
    scriptId: str
    url: str = ""
    startLine: int = 0
    startColumn: int = 0


class _Leaving(msgspec.Struct, frozen=True):
    pass


class _Source(msgspec.Struct, frozen=True):
    scriptSource: str


@attrs.define
class _Known:
    """
    A function that was told of: in how many stretches it ran, and in which one last.
    """

    name: str
    times: int = 0
    latest: int = -1


@attrs.define
class _Seen:
    """
    A script that was told of; its functions by where they begin and end.
    """

    address: str
    routines: dict[tuple[int, int], _Known] = attrs.field(factory=dict)
    left: bool = False


class Runs:
    """
    Args:
        session: The tab's.
        clock: For the time that may be waited.
    """

    _log = Logger()

    def __init__(self, session: Session, clock: IReactorTime) -> None:
        self._session = session
        self._clock = clock
        self._scripts: dict[str, _Seen] = {}
        self._kept = 0
        self._stretch = 0
        self._parsed: dict[str, _Parsed] = {}
        self._cost_seconds = float("inf")
        self._calm: IDelayedCall | None = None
        self._acting = False

    def watch(self) -> None:
        """
        Begin to count. Post before the target's first document begins.
        """
        self._session.on("Debugger.scriptParsed", _Parsed, self._script_parsed)
        self._session.on("Page.frameRequestedNavigation", _Leaving, lambda _: self._quietly(self._take()))
        self._session.post("Profiler.enable")
        self._session.post("Profiler.startPreciseCoverage", BINARY)

    def left(self) -> None:
        """
        Another document is shown. What the one before ran is of the action that led here.
        """
        self._rest()
        for seen in self._scripts.values():
            seen.left = True

    def loaded(self) -> None:
        """
        The document is loaded, and will have come to rest in a moment; one that an action led to runs for it.
        """
        self._rest()
        if not self._acting:
            self._begin_anew()
            self._calm = self._clock.callLater(RUNS_CALM_SECONDS, self._calmed)

    def begin(self) -> None:
        """
        An action begins with the session's next command: what runs from then on is its.
        """
        self._rest()
        self._acting = True
        if self._cost_seconds <= RUNS_ANEW_SECONDS:
            self._begin_anew()

    def end(self) -> None:
        """
        The tab is gone.
        """
        self._rest()

    async def told(self) -> Sequence[RunScript]:
        """
        The scripts of the page with what ran since the action began. Empty where the browser does not tell in
        ``RUNS_SECONDS``; never raises.
        """
        telling = Deferred.fromCoroutine(self._told())
        telling.addTimeout(RUNS_SECONDS, self._clock)
        try:
            return await telling
        except Exception as fault:  # noqa: BLE001 - an answer never fails for want of a place
            self._log.debug("it is not known what ran: {fault}", fault=fault)
            return ()

    # --- inside ------------------------------------------------------------------------------

    def _calmed(self) -> None:
        self._calm = None
        self._begin_anew()

    def _rest(self) -> None:
        if self._calm is not None:
            self._calm.cancel()
            self._calm = None

    def _begin_anew(self) -> None:
        """
        What ran until now is noted, and what runs from now on counted anew; nobody waits for it.
        """
        begun = self._clock.seconds()
        self._quietly(self._take())
        self._stretch += 1
        self._session.post("Profiler.stopPreciseCoverage")
        starting = self._session.do("Profiler.startPreciseCoverage", BINARY, seconds=None)
        self._quietly(starting.addCallback(self._begun, begun))

    def _begun(self, _: object, asked: float) -> None:
        self._cost_seconds = min(self._cost_seconds, self._clock.seconds() - asked)
        for number in [number for number, seen in self._scripts.items() if seen.left]:
            self._kept -= len(self._scripts.pop(number).routines)

    def _take(self) -> Deferred[None]:
        telling = self._session.call("Profiler.takePreciseCoverage", {}, _Coverage, seconds=None)
        return telling.addCallback(self._fold, self._stretch)

    def _fold(self, coverage: _Coverage, stretch: int) -> None:
        for script in coverage.result:
            if not script.url.startswith(("http://", "https://")):
                continue
            seen = self._scripts.get(script.scriptId)
            if seen is None:
                if self._kept >= ROUTINES_KEPT:
                    continue
                seen = self._scripts[script.scriptId] = _Seen(script.url)
            for function in script.functions:
                whole = function.ranges[0]
                key = (whole.startOffset, whole.endOffset)
                known = seen.routines.get(key)
                if known is None:
                    if self._kept >= ROUTINES_KEPT:
                        continue
                    self._kept += 1
                    known = seen.routines[key] = _Known(function.functionName)
                if whole.count > 0 and known.latest != stretch:
                    known.times, known.latest = known.times + 1, stretch

    async def _told(self) -> Sequence[RunScript]:
        await self._take()
        session = self._session
        session.post("Debugger.enable", {"maxScriptsCacheSize": 0})
        # a breakpoint or a `debugger` statement is not to hold the app because we look
        session.post("Debugger.setSkipAllPauses", {"skip": True})
        try:
            named = list(self._scripts.items())[-RUN_SCRIPTS:]
            asked = [
                (number, seen, session.call("Debugger.getScriptSource", {"scriptId": number}, _Source))
                for number, seen in named
            ]
            scripts, chars = [], 0
            for number, seen, source in asked:
                try:
                    text = (await source).scriptSource
                except Refusal:  # of a document that is gone
                    text = ""
                chars += len(text)
                if chars <= RUN_CHARS:
                    scripts.append(self._script(number, seen, text))
            return scripts
        finally:
            session.post("Debugger.disable")
            self._parsed.clear()
            self._acting = False
            if self._cost_seconds > RUNS_ANEW_SECONDS:  # the next action will not begin anew
                self._begin_anew()

    def _script(self, number: str, seen: _Seen, text: str) -> RunScript:
        parsed = self._parsed.get(number, _Parsed(number))
        is_inline = bool(parsed.startLine or parsed.startColumn)
        return RunScript(
            seen.address,
            _by_units(text),
            [
                Routine(known.name, begin, end, ran := known.latest == self._stretch, known.times - ran)
                for (begin, end), known in seen.routines.items()
            ],
            None if is_inline else len(text.encode("utf-8", "replace")),
            parsed.startLine,
            parsed.startColumn,
            is_inline,
        )

    def _script_parsed(self, parsed: _Parsed) -> None:
        if parsed.scriptId in self._scripts:
            self._parsed[parsed.scriptId] = parsed

    def _quietly(self, doing: Deferred[Any]) -> None:
        doing.addErrback(lambda failure: failure.trap(Refusal))


def _by_units(text: str) -> str:
    """
    A text with one character for each of JavaScript's, which counts what lies beyond U+FFFF twice.
    """
    if not text or max(text) <= "\uffff":
        return text
    return "".join(map(chr, array("H", text.encode("utf-16-le", "surrogatepass"))))
