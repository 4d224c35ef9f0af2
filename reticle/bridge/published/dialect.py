"""
The published packages behind the commands of our own page wire.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from urllib.parse import urljoin

from reticle.bridge.dialect import Answered, Send
from reticle.bridge.identity import with_identity, without_identity
from reticle.bridge.published.acts import act
from reticle.bridge.published.elements import CUT, find, inspect, parse_query, scope_resolves
from reticle.bridge.published.focus import Focus
from reticle.bridge.published.given_refs import GivenRefs, refs_in
from reticle.bridge.published.losses import UndeclaredLosses
from reticle.bridge.published.overlay import without_overlay
from reticle.bridge.published.page_clocks import PageClocks
from reticle.bridge.published.panel import PanelState
from reticle.bridge.published.readings import UNREACHED, answer_question, match
from reticle.bridge.published.refusals import REQUERY, published_refusal
from reticle.bridge.published.state import is_cut, read_state
from reticle.bridge.wire import WireEvent
from reticle.errors import Refusal
from reticle.model.codes import CommandName, RefusalCode
from reticle.model.ids import DocumentId
from reticle.model.limits import QUERY_ELEMENTS
from reticle.model.page import PageIdentity
from reticle.model.window import Question

SNAPSHOT_NODES = 400
"""The package stops there and says so; at depth 20 it stops without a word (page-wire §9.2)."""

Way = Callable[[Send, PageIdentity, Mapping[str, object]], Awaitable[object]]
"""How one command of our wire is carried out."""

REDACTED = "[REDACTED]"
"""Stands in an address for a credential that the page had left in it."""

_MAX_DEPTH = 20
_INDENT = 2


class PublishedDialect:
    """
    Provides ``Dialect`` for pages whose hello names no script.
    """

    def __init__(self) -> None:
        self._losses = UndeclaredLosses()
        self._focus = Focus()
        self._panel = PanelState()
        self._refs = GivenRefs()
        self._clocks = PageClocks()

    async def ask(
        self, send: Send, identity: PageIdentity, command: CommandName, args: Mapping[str, object]
    ) -> object:
        """
        See ``Dialect``.
        """
        refs = self._refs.within(identity.document_id)
        for ref in refs_in(args):
            refs.check(ref)
        self._panel.telling(command, args)
        try:
            answer = await self._carry_out(refs.heard_by(send), identity, command, args)
        except Refusal as refusal:
            if refusal.code not in UNREACHED:
                await self._panel.tell_again(send, command)
            raise
        await self._panel.tell_again(send, command)
        return answer

    async def _carry_out(
        self, send: Send, identity: PageIdentity, command: CommandName, args: Mapping[str, object]
    ) -> object:
        if command is CommandName.ACT:
            return await act(send, args, self._focus.within(identity.document_id))
        if command is CommandName.ANIMATIONS:
            raise Refusal(
                RefusalCode.UNSUPPORTED_SURFACE,
                "The page runs a published @reticlehq package, which does not tell on what element an "
                "animation runs, and counts those of its own panel.",
                "Use this daemon's own page script, which tells both apart.",
            )
        way = _WAYS.get(command)
        if way is None:
            raise Refusal(
                RefusalCode.UNSUPPORTED_SURFACE,
                f"The page runs a published @reticlehq package, which does not know {command}.",
                "Use this daemon's own page script, which knows the command.",
            )
        return await way(send, identity, args)

    async def read(
        self, send: Send, identity: PageIdentity, questions: Sequence[Question], *, rest_ms: int = 0
    ) -> Sequence[Answered]:
        """
        See ``Dialect``. Asked one after the other, so the answers are not of one instant, and at once: such a
        page does not know when it rests.
        """
        del rest_ms
        heard = self._refs.within(identity.document_id).heard_by(send)
        answers = [await answer_question(heard, identity, question) for question in questions]
        if questions:
            await self._panel.tell_again(send)
        return answers

    def speaker(self, events: Sequence[WireEvent], present: DocumentId, now: float) -> DocumentId:
        """
        See ``Dialect``.
        """
        speaker = self._clocks.speaker(events, present, now)
        self._refs.within(speaker).note(event.ref for event in events)
        return speaker

    def undeclared_losses(self, events: Sequence[WireEvent], now: float) -> Sequence[tuple[str, int]]:
        """
        See ``Dialect``.
        """
        return self._losses.observe(events, now)

    def reconnected(self, now: float) -> None:
        """
        See ``Dialect``.
        """
        self._losses.reconnected(now)
        self._clocks.reconnected(now)


async def _match(send: Send, identity: PageIdentity, args: Mapping[str, object]) -> object:
    del identity
    query = args.get("query")
    return await match(send, query if isinstance(query, Mapping) else {}, args.get("state"))


async def _state_read(send: Send, identity: PageIdentity, args: Mapping[str, object]) -> object:
    del identity
    answer = await read_state(send, args)
    told = answer.get("value") if "found" in answer else answer.get("stores")
    return {**answer, "truncated": True} if is_cut(told) else answer


async def _snapshot(send: Send, identity: PageIdentity, args: Mapping[str, object]) -> object:
    del identity
    scope = args.get("scope")
    missing = isinstance(scope, str) and not await scope_resolves(send, scope)
    asked = {name: args[name] for name in ("scope", "mode") if args.get(name) is not None}
    result = await send("snapshot", asked)
    if not result.ok:
        raise published_refusal(result)
    answer = dict(result.result) if isinstance(result.result, Mapping) else {}
    outline = answer.get("tree")
    if missing:
        return {**answer, "tree": "", "nodes": 0, "truncated": False, "scopeMissing": True}
    if not isinstance(outline, str):
        return answer
    cut = outline.endswith(CUT) or any(
        line.startswith(" " * _INDENT * (_MAX_DEPTH - 1)) for line in outline.split("\n")
    )
    return {
        **answer,
        "tree": without_overlay(outline),
        "truncated": answer.get("truncated") is True or cut,
    }


async def _query(send: Send, identity: PageIdentity, args: Mapping[str, object]) -> object:
    del identity
    fields = {name: value for name, value in args.items() if name not in {"limit", "count_only", "attrs"}}
    if args.get("attrs"):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "The page runs a published @reticlehq package, which does not report attributes.",
            "Leave attrs out.",
        )
    query = parse_query(fields)
    found = await find(send, query)
    limit = args.get("limit")
    shown = found.elements[: limit if isinstance(limit, int) else QUERY_ELEMENTS]
    answer: dict[str, object] = {"elements": list(shown), "count": found.count}
    if args.get("count_only") is True:
        answer["elements"] = []
    elif len(shown) < found.count:
        answer["truncated"] = True
    if found.scope_missing:
        answer["scopeMissing"] = True
    elif not found.count:
        hint = await send("query", query.asked)
        if hint.ok and isinstance(hint.result, Mapping) and "hint" in hint.result:
            answer["hint"] = hint.result["hint"]
    return answer


async def _navigate(send: Send, identity: PageIdentity, args: Mapping[str, object]) -> object:
    # The package names its session anew in each document unless the URL carries the name.
    url = with_identity(urljoin(identity.url, str(args.get("url", ""))), identity)
    result = await send("navigate", {"url": url}, acts=True)
    if not result.ok:
        raise published_refusal(result)
    answer = dict(result.result) if isinstance(result.result, Mapping) else {}
    if isinstance(answer.get("url"), str):
        answer["url"] = without_identity(answer["url"])
    return answer


async def _refresh(send: Send, identity: PageIdentity, args: Mapping[str, object]) -> object:
    del args
    if REDACTED in identity.url:
        raise Refusal(
            RefusalCode.UNSUPPORTED_SURFACE,
            "The page's address held a credential, which is not kept: it cannot be loaded again from here.",
            "Use reticle_navigate with the whole address.",
        )
    return await _navigate(send, identity, {"url": identity.url.split("#", 1)[0]})


async def _inspect(send: Send, identity: PageIdentity, args: Mapping[str, object]) -> object:
    del identity
    ref = str(args.get("ref", ""))
    element = await inspect(send, ref)
    if element is None:
        raise Refusal(RefusalCode.STALE_REF, f"Ref {ref} no longer resolves to an element.", REQUERY)
    return element


async def _scroll(send: Send, identity: PageIdentity, args: Mapping[str, object]) -> object:
    # A ref that is gone would scroll the document, and a share outside of 0 to 1 would be another distance.
    del identity
    ref, fraction = args.get("ref"), args.get("fraction")
    if isinstance(ref, str) and await inspect(send, ref) is None:
        raise Refusal(RefusalCode.STALE_REF, f"Ref {ref} no longer resolves to an element.", REQUERY)
    if fraction is not None and not (isinstance(fraction, int | float) and 0 <= fraction <= 1):
        raise Refusal(RefusalCode.BAD_ARGUMENTS, "fraction is a number from 0 to 1. Nothing was scrolled.")
    result = await send(
        "scroll", {name: value for name, value in args.items() if value is not None}, acts=True
    )
    if not result.ok:
        raise published_refusal(result)
    return result.result


def _as_it_is(name: str) -> Way:
    """
    The way of a command that the packages know under the same name and shape.
    """

    async def ask(send: Send, identity: PageIdentity, args: Mapping[str, object]) -> object:
        del identity
        result = await send(name, args)
        if not result.ok:
            raise published_refusal(result)
        return result.result

    return ask


_WAYS: Mapping[CommandName, Way] = {
    CommandName.SNAPSHOT: _snapshot,
    CommandName.QUERY: _query,
    CommandName.MATCH: _match,
    CommandName.STATE_READ: _state_read,
    CommandName.NAVIGATE: _navigate,
    CommandName.REFRESH: _refresh,
    CommandName.INSPECT: _inspect,
    CommandName.SCROLL: _scroll,
    CommandName.CAPABILITIES: _as_it_is("capabilities"),
    CommandName.NARRATE: _as_it_is("narrate"),
    CommandName.PRESENTER: _as_it_is("presenter"),
    CommandName.SESSION_CONFIG: _as_it_is("session_config"),
}
