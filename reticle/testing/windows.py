"""
Windows written by hand, for tests of everything that is decided from one.

>>> window = WindowBuilder().click().net("POST", "/api/orders", 201).text("Order placed").build()

Every step advances time by ``step_ms``; the window stays open for ``quiet`` afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, TypeAlias

import attrs

from reticle.domain.predicate import parse
from reticle.domain.predicate.questions import questions
from reticle.model.ids import ActionId, Cursor, DocumentId, PageId
from reticle.model.page import Loss, PageEvent, PageIdentity
from reticle.model.server_facts import FactKind, ProbedProcess, ServerFact, ServerSight
from reticle.model.window import ActionRecord, Effect, Question, QuestionKind, Reading, Window

PAGE = PageIdentity(PageId("s1"), "http://localhost:8000/", "Shop", own_script=True)


class WindowBuilder:
    """
    Collects events, readings and circumstances; ``build`` gives the window.

    Args:
        since: The cursor the window starts at.
        opened_t_ms: The page's time at its start, in milliseconds.
        step_ms: How much time passes with each event.
        document: The name of the document that reports.
    """

    def __init__(
        self, *, since: int = 10, opened_t_ms: int = 1_000, step_ms: int = 20, document: str = "doc1"
    ) -> None:
        self._since = since
        self._opened_t_ms = opened_t_ms
        self._step_ms = step_ms
        self._seq = since
        self._t_ms = opened_t_ms
        self._document = DocumentId(document)
        self._new_document = False
        self._requests = 0
        self._events: list[PageEvent] = []
        self._before: list[Reading] = []
        self._after: list[Reading] = []
        self._losses: list[Loss] = []
        self._blind_spots: dict[str, int] = {}
        self._open_before: list[PageEvent] = []
        self._action: ActionRecord | None = None
        self._connection_lost = False
        self._budget_spent = False
        self._quiet_ms = 1_000
        self._answers_before: list[PageEvent] = []
        self._changes_before: list[PageEvent] = []
        self._acted_before: list[int] = []
        self._hidden = False
        self._silent_ms = 0
        self._edits: int | None = None
        self._probes: list[ProbedProcess] = []
        self._facts: list[ServerFact] = []
        self._cause: str | None = None

    def __len__(self) -> int:
        return len(self._events)

    def event(self, type_: str, data: Mapping[str, object], *, ref: str | None = None) -> Self:
        """
        Any event.
        """
        self._seq += 1
        self._t_ms += self._step_ms
        self._events.append(
            PageEvent(
                self._seq,
                self._t_ms,
                type_,
                dict(data),
                ref,
                self._document,
                edit_epoch=self._edits,
                cause=self._cause,
            )
        )
        return self

    def caused(self, cause: str | None) -> Self:
        """
        From here on the page follows what it tells to this cause: ``a1`` is the action of ``click``, ``load``
        what the document did by itself; None to none.
        """
        self._cause = cause
        return self

    def probe(
        self,
        *,
        serves: bool = True,
        attested: bool = True,
        silent_ms: int = 0,
        process: str = "p1",
        **more: Sequence[str],
    ) -> Self:
        """
        A probed process; ``serves`` says that it is known to serve the page.
        """
        told: dict[str, Any] = {"serves": serves, "silent_ms": silent_ms, **more}
        self._probes.append(ProbedProcess(process, 42, "flask 3.1", "/srv/shop", attested, **told))
        return self

    def fact(
        self,
        kind: str,
        rid: str | None = None,
        *,
        action: str | None = None,
        process: str = "p1",
        **data: object,
    ) -> Self:
        """
        What the server told, now.
        """
        attested = all(probe.attested for probe in self._probes if probe.process == process)
        self._facts.append(
            ServerFact(
                FactKind(kind), process, len(self._facts) + 1, self._t_ms, rid, action, dict(data), attested
            )
        )
        return self

    def served(
        self,
        rid: str,
        method: str = "POST",
        path: str = "/api/orders",
        status: int = 200,
        *,
        action: str | None = None,
        view: str = "shop/views.py:12",
        link: str = "none",
        ended: bool = True,
    ) -> Self:
        """
        A request as the server told it; what it did in between may be told afterwards.
        """
        self.fact("request.started", rid, action=action, method=method, path=path, link=link)
        if not ended:
            return self
        return self.fact(
            "request.handled", rid, action=action, method=method, path=path, route=path, view=view,
            view_name="order", status=status, ms=3.5, streamed=False,
        )  # fmt: skip

    def wait(self, ms: int) -> Self:
        """
        Let time pass.
        """
        self._t_ms += ms
        return self

    def pending(self, method: str, url: str, *, id_: str | None = None, initiator: str = "fetch") -> Self:
        """
        A request that begins.
        """
        self._requests += 1
        wire_id = id_ or f"n{self._requests}"
        return self.event(
            "net.pending", {"id": wire_id, "method": method, "url": url, "initiator": initiator}
        )

    def answered(self, id_: str, method: str, url: str, status: int | None = 200, **fields: object) -> Self:
        """
        A request that ends; ``status`` None for an opaque answer.
        """
        data: dict[str, object] = {"id": id_, "method": method, "url": url, "initiator": "fetch", **fields}
        if status is not None:
            data = {"status": status, "ok": 200 <= status < 300, **data}
        return self.event("net.request", data)

    def net(self, method: str, url: str, status: int | None = 200, **fields: object) -> Self:
        """
        A request that begins and ends.
        """
        initiator = str(fields.get("initiator", "fetch"))
        self.pending(method, url, initiator=initiator)
        return self.answered(f"n{self._requests}", method, url, status, **fields)

    def open_before(self, method: str, url: str, *, id_: str = "old1", age_ms: int = 100) -> Self:
        """
        A request that was under way when the window began.
        """
        data = {"id": id_, "method": method, "url": url, "initiator": "fetch"}
        at = self._opened_t_ms - age_ms
        self._open_before.append(
            PageEvent(self._since, at, "net.pending", data, None, self._document, cause=self._cause)
        )
        return self

    def answered_before(
        self, method: str, url: str, status: int = 200, *, age_ms: int = 1_000, **fields: object
    ) -> Self:
        """
        A request that was answered ``age_ms`` before the window began.
        """
        data = {"method": method, "url": url, "status": status, "ok": status < 400, **fields}
        at = self._opened_t_ms - age_ms
        self._answers_before.append(
            PageEvent(self._since, at, "net.request", data, None, self._document, cause=self._cause)
        )
        return self

    def changed_before(
        self, type_: str, data: Mapping[str, object], *, ref: str | None = None, age_ms: int = 1_000
    ) -> Self:
        """
        A change that was reported ``age_ms`` before the window began.
        """
        at = self._opened_t_ms - age_ms
        self._changes_before.append(
            PageEvent(self._since, at, type_, dict(data), ref, self._document, cause=self._cause)
        )
        return self

    def acted_before(self, *, age_ms: int) -> Self:
        """
        Another action that began ``age_ms`` before the window.
        """
        self._acted_before.append(self._opened_t_ms - age_ms)
        return self

    def edit(self) -> Self:
        """
        A hot update: from here on other code runs.
        """
        self._edits = (self._edits or 0) + 1
        return self.event("edit.applied", {"tool": "vite", "paths": ["/src/a.js"], "epoch": self._edits})

    def animation(self, type_: str, name: str, *, ref: str | None = None, **fields: object) -> Self:
        """
        An animation that began (``start``) or ended (``end``).
        """
        return self.event(f"anim.{type_}", {"name": name, "kind": "animation", **fields}, ref=ref)

    def hidden(self) -> Self:
        """
        The page is in a tab that nobody sees.
        """
        self._hidden = True
        return self

    def silent(self, ms: int) -> Self:
        """
        The page had said nothing for so long when the window ended.
        """
        self._silent_ms = ms
        return self

    def dom_added(self, role: str = "listitem", name: str = "Row", text: str | None = None) -> Self:
        """
        An element that was put in.
        """
        more = {} if text is None else {"text": text}
        return self.event("dom.added", {"role": role, "name": name, **more})

    def dom_removed(self, role: str = "listitem", name: str = "Row") -> Self:
        """
        An element that was taken out.
        """
        return self.event("dom.removed", {"role": role, "name": name})

    def shown(self, role: str, text: str) -> Self:
        """
        An alert, status or dialog that came up.
        """
        return self.event("visible.shown", {"role": role, "name": "", "text": text})

    def console(self, level: str, message: str, **fields: object) -> Self:
        """
        A console entry.
        """
        return self.event(f"console.{level}", {"message": message, **fields})

    def uncaught(self, message: str, **fields: object) -> Self:
        """
        An error nobody caught.
        """
        return self.event("error.uncaught", {"message": message, "kind": "error", **fields})

    def signal(self, name: str, data: object = None) -> Self:
        """
        An announcement of the app.
        """
        return self.event("signal", {"name": name, "data": data})

    def state_change(self, path: str, value: object, old: object, store: str = "app") -> Self:
        """
        A store that changed.
        """
        return self.event("state.change", {"store": store, "path": path, "value": value, "old": old})

    def route(self, to: str, from_: str = "/") -> Self:
        """
        An address that changed without a new document.
        """
        return self.event("route.change", {"from": from_, "to": to, "pathname": to, "search": "", "hash": ""})

    def new_document(self, name: str = "doc2") -> Self:
        """
        From here on a new document reports.
        """
        self._document = DocumentId(name)
        self._new_document = True
        return self

    def click(self, name: str = "Save", *, source: str | None = None, **effect: object) -> Self:
        """
        The window is that of a click.
        """
        return self.action("click", name, source=source, **effect)

    def action(self, action: str, name: str = "Save", *, source: str | None = None, **effect: object) -> Self:
        """
        The window is that of an action.
        """
        fields = {"name": name, "effect": {"dispatched": True, "domMutatedWithin": 0, **effect}}
        self._action = ActionRecord(ActionId("a1"), action, {"ref": "e1"}, Effect(fields), source)
        return self

    def reading(
        self,
        kind: QuestionKind,
        fields: Mapping[str, object],
        answer: Mapping[str, object] | None,
        *,
        before: bool = False,
        error: str | None = None,
    ) -> Self:
        """
        What the page answered to a question, after the action or ``before`` it.
        """
        reading = Reading(Question(kind, dict(fields)), Cursor(self._seq), self._t_ms, answer, error)
        (self._before if before else self._after).append(reading)
        return self

    def answers(
        self,
        predicate: Mapping[str, object],
        answer: Mapping[str, object] | None,
        *,
        before: bool = False,
        error: str | None = None,
    ) -> Self:
        """
        One answer to every question that the predicate asks.
        """
        for question in questions(parse(predicate)):
            self.reading(question.kind, question.fields, answer, before=before, error=error)
        return self

    def text(self, contains: str, *, there: bool = True, before: bool = False, **fields: object) -> Self:
        """
        Whether a text is on the page.
        """
        return self.reading(
            "text", {"contains": contains, **fields}, text_answer(contains, there=there), before=before
        )

    def element(
        self, query: Mapping[str, object], *, there: bool = True, before: bool = False, **fields: object
    ) -> Self:
        """
        Whether an element is on the page; ``fields`` go into the answer.
        """
        count = 1 if there else 0
        elements: Sequence[object] = [{"ref": "e5", "states": ["visible"], **query}] if there else []
        answer = {
            "matched": there,
            "count": count,
            "candidates": count,
            "perceivable": there,
            "elements": elements,
            **fields,
        }
        return self.reading("match", {"query": dict(query)}, answer, before=before)

    def at(self, pathname: str, *, before: bool = False) -> Self:
        """
        The page's address.
        """
        answer = {"url": f"http://localhost:8000{pathname}", "pathname": pathname, "search": "", "hash": ""}
        return self.reading("route", {}, answer, before=before)

    def state(self, path: str, value: object, *, store: str | None = None, before: bool = False) -> Self:
        """
        A store's value.
        """
        fields = {"path": path, **({} if store is None else {"store": store})}
        answer = {"found": True, "value": value, "path": path, "storeNames": ["app"]}
        return self.reading("state", fields, answer, before=before)

    def loss(self, channel: str = "*", dropped: int = 5, where: str = "ring") -> Self:
        """
        Evidence that was lost.
        """
        self._losses.append(Loss(Cursor(self._since), channel, dropped, where))
        return self

    def blind_spot(self, kind: str, count: int = 1) -> Self:
        """
        A place that cannot be watched.
        """
        self._blind_spots[kind] = count
        return self

    def connection_lost(self) -> Self:
        """
        The page went away.
        """
        self._connection_lost = True
        return self

    def budget_spent(self) -> Self:
        """
        Waiting ended because its time was over.
        """
        self._budget_spent = True
        return self

    def quiet(self, ms: int) -> Self:
        """
        How long the window stays open after its last event.
        """
        self._quiet_ms = ms
        return self

    def build(self) -> Window:
        """
        The window.
        """
        return Window(
            page=PAGE,
            since=Cursor(self._since),
            until=Cursor(self._seq),
            opened_t_ms=self._opened_t_ms,
            closed_t_ms=self._t_ms + self._quiet_ms,
            events=tuple(self._events),
            before=tuple(self._before),
            after=tuple(self._after),
            losses=tuple(self._losses),
            blind_spots=dict(self._blind_spots),
            action=self._action,
            connection_lost=self._connection_lost,
            document_id=self._document,
            new_document=self._new_document,
            budget_spent=self._budget_spent,
            open_requests_before=tuple(self._open_before),
            answers_before=tuple(self._answers_before),
            acted_at=tuple(self._acted_before),
            changes_before=tuple(self._changes_before),
            hidden=self._hidden,
            silent_ms=self._silent_ms,
            server=ServerSight(tuple(self._probes), tuple(self._facts)),
        )


def text_answer(
    text: str, *, there: bool = True, visible: bool = True, read_out: bool = False
) -> dict[str, object]:
    """
    A page's answer to a ``text`` question; what is not ``visible`` may be ``read_out``.
    """
    count = 1 if there else 0
    shown = count if visible else 0
    met = count if visible or read_out else 0
    samples = [{"ref": "e7", "text": text, "visible": visible}] if there else []
    return {
        "matched": there,
        "count": count,
        "visibleCount": shown,
        "perceivableCount": met,
        "samples": samples,
    }


def without(window: Window, seqs: Sequence[int], channel: str = "*") -> Window:
    """
    The same window with some events lost, and the loss declared.
    """
    kept = tuple(event for event in window.events if event.seq not in seqs)
    dropped = len(window.events) - len(kept)
    if not dropped:
        return window
    loss = Loss(window.since, channel, dropped, "ring")
    return attrs.evolve(window, events=kept, losses=(*window.losses, loss))


WindowStep: TypeAlias = Callable[[WindowBuilder], WindowBuilder]
"""
What a table test does to a window that is being written.
"""
