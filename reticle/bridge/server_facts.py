"""
What servers told: a bounded ring for each probed process, and which of them serves which page.

A page and a process are known to belong together by the ids of requests that both saw; what comes after a
process of the same project and framework (a reloader, another worker) belongs there too. Times are brought to
the daemon's clock by the quickest batch there was: a slower one only lay about longer.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePath

import attrs
import msgspec

from reticle.model.codes import EventType
from reticle.model.ids import PageId
from reticle.model.server_facts import (
    FactBatch,
    FactKind,
    InjectionOutcome,
    ProbedProcess,
    ProcessHello,
    ReportedFact,
    ServerFact,
    ServerSight,
    SkippedInsertion,
)
from reticle.model.server_limits import (
    CLOCK_SLACK_MS,
    LOSSES_REMEMBERED,
    PAGES_REMEMBERED,
    PROBED_PROCESSES,
    PROCESS_BYTES,
    PROCESS_FACTS,
    RIDS_REMEMBERED,
    SERVERS_BYTES,
    SKIPS_SHOWN,
    WINDOW_FACTS,
)
from reticle.model.window import Window


class _Kept(msgspec.Struct, frozen=True, gc=False):
    """
    One fact on the daemon's clock; ``raw`` is its data as JSON, a quarter of what it weighs decoded.
    """

    at: float
    kind: FactKind
    seq: int
    rid: str | None
    action: str | None
    raw: bytes


@attrs.define
class _Process:
    """
    One process: its ring, what was lost of it, its clock.
    """

    hello: ProcessHello
    attested: bool
    first_heard: float
    heard: float
    offset: float
    facts: deque[_Kept] = attrs.Factory(deque)
    weight: int = 0
    newest: int = 0
    lost: deque[tuple[float, int]] = attrs.Factory(deque)
    rids: OrderedDict[str, None] = attrs.Factory(OrderedDict)
    replaced: str | None = None
    has_told_sql: bool = False

    @property
    def kin(self) -> tuple[str, str]:
        return self.hello.project, self.hello.framework

    def lose(self, at: float, number: int) -> None:
        """
        So many facts of about then are missing. Of too many entries the two oldest become one, which tells
        too much rather than too little.
        """
        self.lost.append((at, number))
        if len(self.lost) > LOSSES_REMEMBERED:
            (first, one), (second, other) = self.lost.popleft(), self.lost.popleft()
            self.lost.appendleft((max(first, second), one + other))


class ServerFacts:
    """
    Provides ``ports.ServerFacts``.

    Args:
        monotonic: The daemon's clock in seconds.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._processes: OrderedDict[str, _Process] = OrderedDict()
        self._serving: OrderedDict[PageId, set[str]] = OrderedDict()
        self._weight = 0
        self._skips: deque[SkippedInsertion] = deque(maxlen=SKIPS_SHOWN * 4)

    def take(self, batch: FactBatch) -> None:
        """
        See ``ports.ServerFacts``.
        """
        now = self._monotonic()
        process = self._process(batch, now)
        process.heard = now
        process.offset = min(process.offset, now - batch.hello.mono)
        # one batch without the token, and nobody knows which of them were the process's own
        process.attested = process.attested and batch.attested
        if batch.refused:
            process.lose(now, batch.refused)
        for fact in batch.facts:
            self._keep(process, fact, now, numbered=batch.hello.numbered)
        self._processes.move_to_end(batch.hello.process)

    def probes(self) -> Sequence[ProbedProcess]:
        """
        See ``ports.ServerFacts``.
        """
        now = self._monotonic()
        newest = reversed(self._processes.values())
        return [_probed(each, now, serves=False, restarted=False) for each in newest]

    def skipped(self) -> Sequence[SkippedInsertion]:
        """
        See ``ports.ServerFacts``.
        """
        return list(reversed(self._skips))[:SKIPS_SHOWN]

    def sight(self, page_id: PageId, window: Window, elapsed_ms: int) -> tuple[ServerSight, int]:
        """
        See ``ports.ServerFacts``.
        """
        if not self._processes:
            return ServerSight(), 0
        born = self._monotonic() - elapsed_ms / 1000
        opened = born + (window.opened_t_ms - CLOCK_SLACK_MS) / 1000
        closed = born + (window.closed_t_ms + CLOCK_SLACK_MS) / 1000
        rids = frozenset(rids_of(window))
        serving = self._serving_of(page_id, [*rids, *rids_before(window)])
        probes: list[ProbedProcess] = []
        found: list[tuple[bool, float, ServerFact]] = []
        dropped = 0
        for process in self._processes.values():
            serves = process.hello.process in serving
            restarted = opened <= process.first_heard <= closed and self._took_over(process)
            if process.first_heard <= closed:
                probes.append(_probed(process, closed, serves=serves, restarted=restarted))
            if serving and not serves:
                continue  # another app's: the page's own server is known
            if serves:
                dropped += sum(number for at, number in process.lost if opened <= at)
            for kept in process.facts:
                told = kept.rid is not None and kept.rid in rids
                if told or opened <= kept.at <= closed:
                    ours = told or (kept.action or "").startswith(f"{page_id}.")
                    found.append((ours, kept.at, _shown(process, kept, born)))
        if len(found) > WINDOW_FACTS:
            dropped += len(found) - WINDOW_FACTS
            found.sort(key=lambda one: (not one[0], one[1]))
            del found[WINDOW_FACTS:]
        found.sort(key=lambda one: (one[1], one[2].seq))
        return ServerSight(tuple(probes), tuple(fact for _, _, fact in found)), dropped

    # --- inside ------------------------------------------------------------------------------

    def _process(self, batch: FactBatch, now: float) -> _Process:
        known = self._processes.get(batch.hello.process)
        if known is not None:
            known.hello = batch.hello
            return known
        offset = now - batch.hello.mono
        process = _Process(batch.hello, batch.attested, now, now, offset)
        for elder in reversed(self._processes.values()):
            if elder.kin == process.kin:
                process.replaced = elder.hello.process
                break
        self._processes[batch.hello.process] = process
        while len(self._processes) > PROBED_PROCESSES:
            _, gone = self._processes.popitem(last=False)
            self._weight -= gone.weight
        return process

    def _took_over(self, process: _Process) -> bool:
        """
        Whether it came in another's place, and not beside it as a worker or a fork's child does: the other
        has said nothing since.
        """
        if process.replaced is None:
            return False
        elder = self._processes.get(process.replaced)
        return elder is None or elder.heard < process.first_heard

    def _keep(self, process: _Process, fact: ReportedFact, now: float, *, numbered: bool) -> None:
        at = min(fact.mono + process.offset, now)
        if numbered and fact.kind is not FactKind.GAP:
            missing = fact.seq - process.newest - 1
            if process.newest and missing > 0:
                process.lose(at, missing)
            process.newest = max(process.newest, fact.seq)
        if fact.kind is FactKind.GAP:
            process.lose(now, max(_whole(fact.data, "dropped"), 1))
            process.newest = max(process.newest, _whole(fact.data, "to_seq"), fact.seq)
            return
        if fact.kind is FactKind.INJECTION:
            self._injected(process, fact)
            return
        process.has_told_sql |= fact.kind is FactKind.SQL
        if fact.rid is not None:
            process.rids[fact.rid] = None
            while len(process.rids) > RIDS_REMEMBERED:
                process.rids.popitem(last=False)
        raw = msgspec.json.encode(_relative(fact.data, process.hello.project))
        process.facts.append(_Kept(at, fact.kind, fact.seq, fact.rid, fact.action, raw))
        process.weight += len(raw)
        self._weight += len(raw)
        while len(process.facts) > PROCESS_FACTS or process.weight > PROCESS_BYTES:
            self._let_go(process)
        while self._weight > SERVERS_BYTES:
            self._let_go(next(each for each in self._processes.values() if each.facts))

    def _let_go(self, process: _Process) -> None:
        gone = process.facts.popleft()
        process.weight -= len(gone.raw)
        self._weight -= len(gone.raw)
        process.lose(gone.at, 1)

    def _injected(self, process: _Process, fact: ReportedFact) -> None:
        gone = {
            name
            for name, each in self._processes.items()
            if each.kin == process.kin and each.heard < process.first_heard
        }
        # what a process said that another took the place of is no longer so
        for stale in [each for each in self._skips if each.process in gone]:
            self._skips.remove(stale)
        if fact.data.get("outcome") != InjectionOutcome.SKIPPED:
            return
        skip = SkippedInsertion(
            process.hello.process,
            process.hello.framework,
            _text(fact.data, "reason"),
            _text(fact.data, "directive"),
            _text(fact.data, "path"),
        )
        same = next((each for each in self._skips if attrs.evolve(each, count=1) == skip), None)
        if same is not None:
            self._skips.remove(same)
            skip = attrs.evolve(skip, count=same.count + 1)
        self._skips.append(skip)

    def _serving_of(self, page_id: PageId, rids: Iterable[str]) -> set[str]:
        """
        The processes that serve a page, by what it and they told until now.
        """
        serving = self._serving.setdefault(page_id, set())
        self._serving.move_to_end(page_id)
        while len(self._serving) > PAGES_REMEMBERED:
            self._serving.popitem(last=False)
        for rid in rids:
            serving.update(name for name, each in self._processes.items() if rid in each.rids)
        kin = {self._processes[name].kin for name in serving if name in self._processes}
        serving.update(name for name, each in self._processes.items() if each.kin in kin)
        serving.intersection_update(self._processes)
        return serving


def rids_of(window: Window) -> Iterable[str]:
    """
    The ids of server requests that the page told in a window.
    """
    for event in window.events:
        if event.type == EventType.NET_REQUEST:
            rid = event.data.get("rid")
            if isinstance(rid, str):
                yield rid


def rids_before(window: Window) -> Iterable[str]:
    """
    Those that it told before.
    """
    for event in window.answers_before:
        rid = event.data.get("rid")
        if isinstance(rid, str):
            yield rid


def _probed(process: _Process, at: float, *, serves: bool, restarted: bool) -> ProbedProcess:
    return ProbedProcess(
        process=process.hello.process,
        pid=process.hello.pid,
        framework=process.hello.framework,
        project=process.hello.project,
        attested=process.attested,
        serves=serves,
        silent_ms=max(round((at - process.heard) * 1000), 0),
        restarted=restarted,
        unseen=process.hello.unseen,
        untold=_untold(process),
    )


def _untold(process: _Process) -> tuple[str, ...]:
    """
    Exporters of OpenTelemetry tell no mails, statements only where the driver is instrumented, and log
    records by a way of their own, some time after the request.
    """
    if process.hello.numbered:
        return ()
    always = (str(FactKind.LOG), str(FactKind.MAIL))
    return always if process.has_told_sql else (*always, str(FactKind.SQL))


def _shown(process: _Process, kept: _Kept, born: float) -> ServerFact:
    return ServerFact(
        kind=kept.kind,
        process=process.hello.process,
        seq=kept.seq,
        t_ms=round((kept.at - born) * 1000),
        rid=kept.rid,
        action=kept.action,
        data=msgspec.json.decode(kept.raw),
        attested=process.attested,
    )


def _relative(data: Mapping[str, object], project: str) -> Mapping[str, object]:
    """
    A fact's fields with every file below the project named from there.
    """
    if not project:
        return data
    placed = dict(data)
    for name in ("file", "view"):
        told = _text(data, name)
        if told:
            placed[name] = _from_project(told, project)
    for name in ("frames", "via", "functions", "constants", "unrun", "at", "answered", "cookies"):
        frames = data.get(name)
        if isinstance(frames, list):
            placed[name] = [_relative(frame, project) for frame in frames if isinstance(frame, Mapping)]
    thrown = data.get("exception")
    if isinstance(thrown, Mapping):
        placed["exception"] = _relative(thrown, project)
    return placed


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _whole(fields: Mapping[str, object], name: str) -> int:
    value = fields.get(name)
    return int(value) if isinstance(value, int | float) else 0


def _from_project(place: str, project: str) -> str:
    path, root = PurePath(place), PurePath(project)
    return str(path.relative_to(root)) if path.is_relative_to(root) else place
