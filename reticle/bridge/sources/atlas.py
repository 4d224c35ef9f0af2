"""
The source maps of the scripts that pages run, each got once when something first names its script.

What a document runs stays what it loaded, so all is remembered per document; a script that reads otherwise
now than when the page loaded it tells nothing. Only addresses on this machine are asked, and no map
elsewhere than at its script's origin (``may_fetch`` has the rule), nor what may be a page.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Collection
from typing import Final

import attrs
from twisted.internet.defer import CancelledError, Deferred, DeferredList, succeed
from twisted.internet.defer import TimeoutError as TooLateError
from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.bridge.sources.names import FileName, is_script_address, name_file
from reticle.bridge.sources.references import find_reference, map_address, map_in_reference
from reticle.bridge.sources.source_map import Original, SourceMap
from reticle.bridge.sources.vlq import DamagedMapError
from reticle.model.origins import origin_of
from reticle.model.source_limits import (
    FETCH_SECONDS,
    FETCHES_AT_ONCE,
    FETCHES_WAITING,
    MAP_BYTES,
    MAPS_KEPT,
    MAPS_KEPT_CHARS,
    PARSE_HERE_BYTES,
    SCRIPT_BYTES,
)


class UnreadableError(Exception):
    """
    A script or map that was not got. A retry makes sense when the app's server answers again.
    """


@attrs.frozen
class Fetched:
    """
    What an address holds, decoded. ``map_reference`` is its ``SourceMap`` header, if it has one.
    """

    body: bytes
    map_reference: str | None = None


Fetch = Callable[[str, int], Awaitable[Fetched]]
"""Get an address, of at most that many bytes; raises ``UnreadableError``."""


InThread = Callable[[Callable[[], SourceMap]], Awaitable[SourceMap]]
"""Runs a reading that takes long where it holds nobody up."""


@attrs.frozen
class Script:
    """
    A script as a document runs it. ``size_bytes`` is its length as the browser told it, None where it did
    not.
    """

    document: str | None
    address: str
    size_bytes: int | None = attrs.field(default=None, eq=False)


@attrs.frozen
class Plain:
    """
    The script has no map: what runs is what was written.
    """


@attrs.frozen
class Lost:
    """
    Whether and how the script was built is not known: it, or its map, was not read.
    """


@attrs.frozen
class Mapped:
    """
    The script was built, and this is how. ``address`` is what relative names in the map start from.
    """

    source_map: SourceMap
    address: str

    def original(self, line: int, column: int) -> tuple[Original, FileName] | None:
        """
        The place that a position of the script, both from 1, was made from, and its file's name.
        """
        found = self.source_map.original(line, column)
        if found is None:
            return None
        name = name_file(found.source, found.source_root, self.address)
        return None if name is None else (found, name)


Sheet = Plain | Lost | Mapped

_LOST: Final = Lost()
_PLAIN: Final = Plain()


@attrs.define
class _Reading:
    """
    A script that is being read, or waits for its turn; who waits for it.
    """

    waiting: list[Deferred[None]] = attrs.field(factory=list)


class Atlas:
    """
    Args:
        fetch: Gets a script or map.
        may_fetch: Whether an address is one that the daemon may ask.
        in_thread: Runs what takes long.
        clock: For the time limit.
    """

    _log = Logger()

    def __init__(
        self,
        fetch: Fetch,
        may_fetch: Callable[[str], bool],
        in_thread: InThread,
        clock: IReactorTime,
    ) -> None:
        self._fetch = fetch
        self._may_fetch = may_fetch
        self._in_thread = in_thread
        self._clock = clock
        self._sheets: OrderedDict[Script, Sheet] = OrderedDict()
        self._chars = 0
        self._readings: dict[Script, _Reading] = {}
        self._queue: deque[Script] = deque()
        self._running: dict[Script, Deferred[None]] = {}
        self._closed = False

    def known(self, script: Script) -> Sheet | None:
        """
        What is known of a script; None where it was not read, or is being read.
        """
        sheet = self._sheets.get(script)
        if sheet is not None:
            self._sheets.move_to_end(script)
        return sheet

    def want(self, script: Script) -> None:
        """
        Have a script read, unless it was. May be called as often as it is named.
        """
        if script in self._sheets or script in self._readings or self._closed:
            return
        if not is_script_address(script.address) or not self._may_fetch(script.address):
            self._keep(script, _LOST)
        elif len(self._queue) < FETCHES_WAITING:
            self._readings[script] = _Reading()
            self._queue.append(script)
            self._go_on()

    def settled(self, scripts: Collection[Script], seconds: float) -> Deferred[None]:
        """
        Ready when none of the scripts is being read any more, or the time is over.
        """
        open_ = [self._readings[script] for script in scripts if script in self._readings]
        waiting: list[Deferred[None]] = []
        for reading in open_:
            one: Deferred[None] = Deferred()
            reading.waiting.append(one)
            waiting.append(one)
        whole = DeferredList(waiting, consumeErrors=True)
        whole.addTimeout(seconds, self._clock)
        return whole.addBoth(_nothing)

    async def text(self, script: Script) -> str:
        """
        A script as it is served; empty where it cannot be got, or is another one than the document ran.
        """
        if self._closed or not is_script_address(script.address) or not self._may_fetch(script.address):
            return ""
        reading = Deferred.fromCoroutine(self._fetched(script.address))
        reading.addTimeout(FETCH_SECONDS, self._clock)
        try:
            return (await reading).body.decode("utf-8", "replace")
        except (UnreadableError, CancelledError, TooLateError):
            return ""

    async def _fetched(self, address: str) -> Fetched:
        return await self._fetch(address, SCRIPT_BYTES)

    def close(self) -> None:
        """
        Read no more, and let go who waits. May be called twice.
        """
        self._closed = True
        self._queue.clear()
        for running in list(self._running.values()):
            running.cancel()
        for script in list(self._readings):
            self._end(script)

    # --- inside ------------------------------------------------------------------------------

    def _go_on(self) -> None:
        while self._queue and len(self._running) < FETCHES_AT_ONCE:
            script = self._queue.popleft()
            running = Deferred.fromCoroutine(self._read(script))
            running.addTimeout(FETCH_SECONDS, self._clock)
            self._running[script] = running
            running.addErrback(self._failed, script).addBoth(self._ended, script)

    async def _read(self, script: Script) -> None:
        self._keep(script, await self._sheet_of(script))

    def _failed(self, failure: Failure, script: Script) -> None:
        self._keep(script, _LOST)
        if failure.check(UnreadableError, DamagedMapError, CancelledError, TooLateError) is None:
            self._log.failure("a source map was not read", failure)
        else:
            # the path alone: a query may hold what is nobody's business
            self._log.debug(
                "no map of {script}: {fault}", script=script.address.partition("?")[0], fault=failure.value
            )

    def _ended(self, _: object, script: Script) -> None:
        self._running.pop(script, None)
        self._end(script)
        self._go_on()

    def _end(self, script: Script) -> None:
        reading = self._readings.pop(script, None)
        for one in reading.waiting if reading is not None else ():
            if not one.called:
                one.callback(None)

    async def _sheet_of(self, script: Script) -> Sheet:
        fetched = await self._fetch(script.address, SCRIPT_BYTES)
        if script.size_bytes is not None and script.size_bytes != len(fetched.body):
            return _LOST  # another one than the page runs, such as a build that has come since
        if fetched.body.lstrip()[:1] == b"<":
            return _LOST  # a page that the server has for every address
        reference = find_reference(fetched.body, fetched.map_reference)
        if reference is None:
            return _PLAIN
        raw, address = map_in_reference(reference), script.address
        if raw is None:
            address = map_address(script.address, reference)
            if origin_of(address) != origin_of(script.address) or not is_script_address(address):
                return _LOST
            raw = (await self._fetch(address, MAP_BYTES)).body
        return Mapped(await self._parsed(raw), address)

    async def _parsed(self, raw: bytes) -> SourceMap:
        if len(raw) <= PARSE_HERE_BYTES:
            return SourceMap(raw)
        return await self._in_thread(lambda: SourceMap(raw))

    def _keep(self, script: Script, sheet: Sheet) -> None:
        if self._closed or script in self._sheets:
            return
        self._sheets[script] = sheet
        self._chars += _chars(sheet)
        while len(self._sheets) > MAPS_KEPT or (self._chars > MAPS_KEPT_CHARS and len(self._sheets) > 1):
            _, oldest = self._sheets.popitem(last=False)
            self._chars -= _chars(oldest)


async def _unreachable(address: str, most_bytes: int) -> Fetched:
    raise UnreadableError(f"{address[:80]} of {most_bytes} bytes: nothing is read here")


def unread_atlas(clock: IReactorTime) -> Atlas:
    """
    One that reads nothing: every place is told as it was served.
    """
    return Atlas(_unreachable, lambda _: False, lambda parse: succeed(parse()), clock)


def _chars(sheet: Sheet) -> int:
    return sheet.source_map.chars if isinstance(sheet, Mapped) else 0


def _nothing(_: object) -> None:
    return None
