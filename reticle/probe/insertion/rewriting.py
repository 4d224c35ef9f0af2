"""
One answer of the app on its way out: its head waits until it is known whether the tag goes in.

The adapter hands in head and body as the app makes them and sends what comes out. What comes out is what went
in, with or without the tag.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Final

from reticle.probe.insertion.candidates import OF_A_SCRIPT, Asked, Header, document_kind, judge
from reticle.probe.insertion.headers import plain_with_tag, shape_of, with_tag
from reticle.probe.insertion.policy import NAMES, UNRULED, Blocked, Permitted, ask
from reticle.probe.insertion.prescan import beside_charset, declares
from reticle.probe.insertion.prologue import Decision, NoPlace, Place, Prologue, common_end
from reticle.probe.insertion.tag import Offer
from reticle.probe.words import Skip

_name: Final = itemgetter(0)


class Answer:
    """
    Args:
        request: What was asked for.
        status: The app's.
        headers: The app's, in order; the list is its own from now on.
        offer: What may be inserted, or why nothing may.

    ``headers`` is what to send; it is final once ``is_held`` is false, which it may be from the start.
    ``skip`` is then why there is no tag, with the ``directive`` of a policy; None where there is one.
    ``permitted`` is what the policy allows. ``is_changed``: ``headers`` is other than what was given in.
    """

    # Slots, all of them written at once: to read what only the class has costs ten times as much.
    __slots__ = (
        "_held", "_is_navigation", "_is_xml", "_length_at", "_may_be_short", "_offset", "_prologue",
        "_settles_charset", "_tag", "directive", "headers", "is_changed", "is_held", "permitted", "skip",
        "status",
    )  # fmt: skip

    def __init__(self, request: Asked, status: int, headers: list[Header], offer: Offer | Skip) -> None:
        self.status = status
        self.headers = headers
        self.skip: Skip | None = None
        self.directive: str | None = None
        self.permitted: Permitted | None = None
        self.is_held = self.is_changed = False
        self._is_xml = self._is_navigation = self._settles_charset = self._may_be_short = False
        self._tag = b""
        self._held: bytearray | bytes = b""
        self._prologue: Prologue | None = None
        self._offset: int | None = None
        self._length_at: int | None = None
        """Where the length of a body stands whose head is plain (``Shape``); -1 where nowhere."""
        type_at, length_at, is_plain = shape_of(tuple(map(_name, headers)))
        kind = document_kind(headers[type_at][1]) if type_at >= 0 else None
        if kind is None:
            self.skip = Skip.NOT_HTML
            return
        is_xml, has_charset, is_wide = kind
        skip, is_navigation, is_head, _ = request
        said: Permitted | Blocked = UNRULED
        if is_plain and status == 200 and not is_wide:
            self.skip = skip
            self._length_at = length_at
        else:
            told = {name.lower(): value for name, value in headers}
            self.skip = skip or judge(status, kind, told)
            if self.skip is None and isinstance(offer, Offer) and not NAMES.isdisjoint(told):
                said = ask(self.headers, offer.origin, offer.bridge)
        if not isinstance(offer, Offer):
            self.skip = self.skip or offer
            return
        if self.skip is not None:
            return
        if isinstance(said, Blocked):
            self.skip, self.directive = Skip.POLICY, said.directive
            return
        self.permitted = said
        self._tag = offer.tag(said)
        if is_head:
            self.headers, self.is_changed = with_tag(self.headers, None), True
            return
        self._is_xml, self._is_navigation = is_xml, is_navigation
        self._settles_charset = is_xml or has_charset
        self._may_be_short = has_charset and not is_xml
        self.is_held = True

    @classmethod
    def untouched(cls, status: int, headers: list[Header], skip: Skip) -> Answer:
        """
        One that gets no tag whatever its head says, which is then not read.
        """
        answer = cls(OF_A_SCRIPT, status, [], skip)
        answer.headers, answer.skip = headers, skip
        return answer

    @property
    def is_inserted(self) -> bool:
        """
        Whether the tag is in what was handed out.
        """
        return not self.is_held and self._offset is not None

    @property
    def holds_bytes(self) -> bool:
        """
        Whether bytes of the body wait for the decision.
        """
        return bool(self._held)

    def feed(self, data: bytes) -> bytes:
        """
        The next bytes of the app's body; returns what to send now, nothing while the head is held.
        """
        if not self.is_held:
            return data
        if not self._held:
            self._held = bytes(data)  # nearly always the only chunk that is held
            if self._may_be_short:
                end = common_end(self._held)
                if end is not None:
                    return self._insert(end)
                self._may_be_short = False
        elif isinstance(self._held, bytes):
            self._held = bytearray(self._held + data)
        else:
            self._held += data
        decision = self._decide(data)
        return b"" if decision is None else self._release(decision)

    def end(self) -> bytes:
        """
        The app's body is over; returns what was held.
        """
        if not self.is_held:
            return b""
        return self._release(self._decide(None) or NoPlace(Skip.NO_DOCUMENT))

    def give_up(self) -> bytes:
        """
        No tag, for a body that the adapter does not get to see; returns what was held.
        """
        return self._release(NoPlace(Skip.SENDFILE)) if self.is_held else b""

    def _decide(self, data: bytes | None) -> Decision | None:
        """
        Where the head begins is not yet the place, as long as a declared encoding may stand in the way.
        """
        try:
            if self._offset is None:
                prologue = self._prologue
                if prologue is None:
                    prologue = Prologue(is_xml=self._is_xml, is_navigation=self._is_navigation)
                    self._prologue = prologue
                found = prologue.end() if data is None else prologue.feed(data)
                if found is None or isinstance(found, NoPlace):
                    return found
                self._offset = found.offset
            if self._settles_charset or declares(bytes(self._held[:3])):
                return Place(self._offset)
            return beside_charset(bytes(self._held), self._offset, len(self._tag), is_whole=data is None)
        except Exception:  # noqa: BLE001 - it must not cost the app its answer, and is told
            return NoPlace(Skip.FAULT)

    def _release(self, decision: Decision) -> bytes:
        if isinstance(decision, Place):
            return self._insert(decision.offset)
        held = bytes(self._held)
        self._prologue, self._held, self.is_held = None, b"", False
        self.skip, self._offset = decision.reason, None
        return held

    def _insert(self, offset: int) -> bytes:
        held = bytes(self._held)
        self._prologue, self._held, self.is_held = None, b"", False
        self._offset = offset
        plain, tag = self._length_at, self._tag
        self.headers = (
            with_tag(self.headers, len(tag))
            if plain is None
            else plain_with_tag(self.headers, plain, len(tag))
        )
        self.is_changed = True
        return held[:offset] + self._tag + held[offset:]
