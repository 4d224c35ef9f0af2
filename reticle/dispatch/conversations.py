"""
Where transports get conversations from.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from twisted.internet.defer import Deferred, succeed

from reticle.dispatch.call import Caller
from reticle.dispatch.conversation import Conversation
from reticle.dispatch.shared import Shared
from reticle.errors import Refusal
from reticle.model.codes import Carrier
from reticle.model.mcp import Agreed, Preferences, RoutingHeaders
from reticle.model.trust import Principal, PrincipalKind
from reticle.ports import MessageSink, ReplySink

if TYPE_CHECKING:
    from reticle.dispatch.dual import DualConversation
    from reticle.dispatch.exchange import Exchange
    from reticle.dispatch.per_request import PerRequest


class Conversations:
    """
    Provides ``ports.Conversations``.

    Args:
        shared: What they all work with.
        new_id: A fresh, unguessable text of at least 16 characters each time; names a conversation in logs
            and for what tools remember of it.
        state_key: Gives what seals that 2026-07-28 clients carry for us; at least 32 random bytes.
    """

    def __init__(self, shared: Shared, *, new_id: Callable[[], str], state_key: Callable[[], bytes]) -> None:
        self._shared = shared
        self._new_id = new_id
        self._requests = itertools.count(1)
        self._state_key = state_key
        self._built: PerRequest | None = None

    def open(
        self, principal: Principal, carrier: Carrier, sink: MessageSink
    ) -> Conversation | DualConversation:
        """
        A fresh conversation; nothing of it outlives it. Over HTTP the transport has told the eras apart.
        """
        caller = Caller(principal, carrier, self._new_id())
        conversation = Conversation(caller=caller, shared=self._shared, sink=sink)
        if carrier is Carrier.HTTP:
            return conversation
        from reticle.dispatch.dual import DualConversation  # noqa: PLC0415 - when first needed

        return DualConversation(conversation, lambda: self._exchange(caller), sink)

    def restore(
        self,
        principal: Principal,
        carrier: Carrier,
        sink: MessageSink,
        agreed: Agreed,
        preferences: Preferences,
    ) -> Conversation:
        """
        A conversation that had its handshake in an earlier life of the daemon.
        """
        caller = Caller(principal, carrier, self._new_id())
        return Conversation(
            caller=caller, shared=self._shared, sink=sink, agreed=agreed, preferences=preferences
        )

    def exchange(
        self,
        principal: Principal,
        carrier: Carrier,
        body: bytes,
        headers: RoutingHeaders | None,
        replies: ReplySink,
    ) -> Exchange:
        """
        One request of 2026-07-28.
        """
        caller = Caller(principal, carrier, f"request-{next(self._requests)}", lasting=False)
        exchange = self._exchange(caller)
        exchange.receive(body, headers, replies)
        return exchange

    def _exchange(self, caller: Caller) -> Exchange:
        from reticle.dispatch.exchange import Exchange  # noqa: PLC0415 - when first needed

        return Exchange(self._per_request, caller)

    @property
    def _per_request(self) -> PerRequest:
        """
        Made for the first client of 2026-07-28: most daemons never see one, and a start does not wait.
        """
        if self._built is None:
            from reticle.dispatch.per_request import build_per_request  # noqa: PLC0415 - when first needed

            self._built = build_per_request(self._shared, state_key=self._state_key, new_id=self._new_id)
        return self._built

    def load(self) -> None:
        """
        Make what the first client of 2026-07-28 needs, so that it need not wait.
        """
        from reticle.dispatch import dual, exchange  # noqa: F401, PLC0415 - as said

        self._per_request  # noqa: B018 - made once

    def token_ids(self) -> Iterator[str]:
        """
        The tokens whose calls run on after their answer.
        """
        return iter(()) if self._built is None else self._built.tasks.token_ids()

    def dismiss(self, token_id: str, why: Refusal) -> None:
        """
        Stop those of a token, as ``why`` says.
        """
        if self._built is not None:
            self._built.tasks.dismiss(Principal(PrincipalKind.TOKEN, token_id), why)

    def drain_tasks(self, reason: str) -> Deferred[None]:
        """
        Stop the calls that run on after their answer; ready when their rows are written.
        """
        return succeed(None) if self._built is None else self._built.tasks.drain(reason)
