"""
The places in what one page reported: read ahead as errors arrive, and put in when an answer is made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import attrs

from reticle.bridge.sources.atlas import Atlas, Script
from reticle.bridge.sources.placing import Placing
from reticle.model.ids import DocumentId
from reticle.model.page import PageEvent, PageIdentity
from reticle.model.run_limits import TEXTS_FETCHED
from reticle.model.runs import Position
from reticle.model.window import ActionRecord, Effect, Reading, Window


class PagePlaces:
    """
    Args:
        atlas: Where maps are.
        identity: What the page says of itself now.
    """

    def __init__(self, atlas: Atlas, identity: Callable[[], PageIdentity]) -> None:
        self._atlas = atlas
        self._identity = identity

    def expect(self, data: Mapping[str, object], document_id: DocumentId | None) -> None:
        """
        An event arrived whose place will be asked for: have its scripts read.
        """
        if "frames" in data:
            self._placing(document_id).scripts(data)

    async def answer(self, told: object, wait_seconds: float) -> Any:
        """
        A command's answer with its places put in; waits so long at most for maps that are being read.
        """
        placing = self._placing(self._identity().document_id)
        named = placing.scripts(told)
        if not named:
            return told
        if any(self._atlas.known(script) is None for script in named):
            await self._atlas.settled(named, wait_seconds)
        return placing.placed(told)

    async def window(self, window: Window, wait_seconds: float) -> Window:
        """
        See ``ports.Page.placed``.
        """
        events = [event for event in (*window.events, *window.answers_before) if "frames" in event.data]
        answers = [
            reading.answer for reading in (*window.before, *window.after) if reading.answer is not None
        ]
        effect = window.action.effect.fields if window.action and window.action.effect else {}
        placings = {
            document: self._placing(document)
            for document in (window.document_id, *(event.document_id for event in events))
        }
        own = placings[window.document_id]
        if wait_seconds > 0:
            named: set[Script] = own.scripts([*answers, effect])
            for event in events:
                named |= placings[event.document_id].scripts(event.data)
            if any(self._atlas.known(script) is None for script in named):
                await self._atlas.settled(named, wait_seconds)
        return _placed(window, placings) if events or answers or "frames" in effect else window

    async def located(self, positions: Sequence[Position], wait_seconds: float) -> Sequence[str | None]:
        """
        See ``ports.Page.located``.
        """
        placing = self._placing(self._identity().document_id)
        scripts = {placing.script_of(one) for one in positions if not one.is_inline}
        for script in scripts:
            self._atlas.want(script)
        if any(self._atlas.known(script) is None for script in scripts):
            await self._atlas.settled(scripts, wait_seconds)
        return [placing.located(one) for one in positions]

    async def texts(self, addresses: Sequence[str]) -> Sequence[str]:
        """
        See ``ports.Page.texts``.
        """
        document = self._identity().document_id
        return [await self._atlas.text(Script(document, address)) for address in addresses[:TEXTS_FETCHED]]

    def _placing(self, document_id: DocumentId | None) -> Placing:
        return Placing(self._atlas, self._identity().app.origin, document_id)


def _placed(window: Window, placings: Mapping[DocumentId | None, Placing]) -> Window:
    own = placings[window.document_id]

    def events(given: Sequence[PageEvent]) -> Sequence[PageEvent]:
        return [
            attrs.evolve(event, data=placings[event.document_id].placed(event.data))
            if "frames" in event.data
            else event
            for event in given
        ]

    return attrs.evolve(
        window,
        events=events(window.events),
        answers_before=events(window.answers_before),
        before=_readings(window.before, own),
        after=_readings(window.after, own),
        action=_action(window.action, own),
    )


def _readings(readings: Iterable[Reading], placing: Placing) -> Sequence[Reading]:
    return [
        reading if reading.answer is None else attrs.evolve(reading, answer=placing.placed(reading.answer))
        for reading in readings
    ]


def _action(action: ActionRecord | None, placing: Placing) -> ActionRecord | None:
    if action is None or action.effect is None or "frames" not in action.effect.fields:
        return action
    fields = placing.placed(action.effect.fields)
    source = fields.get("source")
    return attrs.evolve(action, effect=Effect(fields), source=source if isinstance(source, str) else None)
