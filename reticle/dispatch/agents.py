"""
What is remembered of an agent between two of its calls: which page it used, which refs it was shown, how
many actions it has not proved yet.

Only to keep it from acting on a page that it does not mean, and from forgetting to prove. It is bounded, and
forgetting makes the gate less careful, never wrong.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import attrs

from reticle.model.ids import PageId
from reticle.model.limits import (
    AGENTS_REMEMBERED,
    ALL_REFS_REMEMBERED,
    PAGES_REMEMBERED,
    REFS_REMEMBERED,
    UNPROVED_ACTIONS,
)

_REF: Final = re.compile(r"\be(\d{1,15})\b", re.ASCII)


@attrs.frozen
class LastPage:
    """
    The page of an agent's last call; ``used_at`` is monotonic seconds. ``driven`` says that the daemon had
    opened it.
    """

    page_id: PageId
    url: str
    used_at: float
    project_id: str | None = None
    driven: bool = False


@attrs.define(eq=False)
class Agent:
    """
    One conversation's memory.
    """

    last: LastPage | None = None
    _unproved: int = 0
    _shown: OrderedDict[PageId, set[int]] = attrs.field(factory=OrderedDict)

    def was_shown(self, page_id: PageId, text: str) -> None:
        """
        An answer about a page named these refs to it.
        """
        refs = {int(number) for number in _REF.findall(text)}
        if not refs:
            return
        known = self._shown.pop(page_id, None)
        if known is None or len(known) + len(refs) > REFS_REMEMBERED:
            known = set()
        known |= refs
        self._shown[page_id] = known
        if len(self._shown) > PAGES_REMEMBERED:
            self._shown.popitem(last=False)

    def refs_held(self) -> int:
        """
        How many refs are remembered of it.
        """
        return sum(map(len, self._shown.values()))

    def forget_refs(self) -> None:
        """
        Make room for others' refs.
        """
        self._shown.clear()

    def pages_showing(self, ref: str) -> Sequence[PageId]:
        """
        Pages of which it was shown that ref, the last first.
        """
        found = _REF.fullmatch(ref)
        if found is None:
            return []
        number = int(found[1])
        return [page_id for page_id in reversed(self._shown) if number in self._shown[page_id]]

    def acted(self, actions: int, *, proved: bool) -> int | None:
        """
        Count actions; gives how many are unproved when it is time to remind of a verdict.

        That is each time when ``UNPROVED_ACTIONS`` more have come together.
        """
        if proved:
            self._unproved = 0
            return None
        reminded = self._unproved // UNPROVED_ACTIONS
        self._unproved += actions
        return self._unproved if self._unproved // UNPROVED_ACTIONS > reminded else None


class Agents:
    """
    The conversations, the least recently used forgotten first.
    """

    def __init__(self, kept: int = AGENTS_REMEMBERED, refs: int = ALL_REFS_REMEMBERED) -> None:
        self._kept = kept
        self._max_refs = refs
        self._refs = 0
        self._agents: OrderedDict[str, Agent] = OrderedDict()

    def of(self, conversation_id: str) -> Agent:
        """
        The memory of a conversation; an empty one when it is new or forgotten.
        """
        agent = self._agents.get(conversation_id)
        if agent is not None:
            self._agents.move_to_end(conversation_id)
            return agent
        agent = self._agents[conversation_id] = Agent()
        if len(self._agents) > self._kept:
            _, forgotten = self._agents.popitem(last=False)
            self._refs -= forgotten.refs_held()
        return agent

    def conversations(self) -> Sequence[str]:
        """
        The conversations that are remembered.
        """
        return list(self._agents)

    def forget(self, conversation_id: str) -> None:
        """
        A conversation is over.
        """
        forgotten = self._agents.pop(conversation_id, None)
        if forgotten is not None:
            self._refs -= forgotten.refs_held()

    def show(self, agent: Agent, page_id: PageId, text: str) -> None:
        """
        An answer about a page named refs to an agent of ``of``; one that was forgotten meanwhile stays so.
        """
        if all(other is not agent for other in self._agents.values()):
            return
        before = agent.refs_held()
        agent.was_shown(page_id, text)
        self._refs += agent.refs_held() - before
        for other in self._agents.values():
            if self._refs <= self._max_refs:
                break
            if other is not agent:
                self._refs -= other.refs_held()
                other.forget_refs()
