"""
What all conversations of a daemon share.

The gate and what stands beside it are made when a request first needs them: a handshake does not, and they
bring most of the daemon's modules along.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from reticle.dispatch.notices import Notices
from reticle.mcp.capabilities import Offered
from reticle.ports import Clock

if TYPE_CHECKING:
    from reticle.dispatch.features import Features
    from reticle.dispatch.gate import Gate


class Shared:
    """
    Args:
        make_gate: Makes the gate, once.
        make_features: Makes what is listed and read through it, once.
        notices: Where changes are told.
        clock: Time.
        offered: What a handshake declares.
    """

    def __init__(
        self,
        *,
        make_gate: Callable[[], Gate],
        make_features: Callable[[Gate], Features],
        notices: Notices,
        clock: Clock,
        offered: Offered,
    ) -> None:
        self._make_gate = make_gate
        self._make_features = make_features
        self.notices = notices
        self.clock = clock
        self.offered = offered

    @cached_property
    def gate(self) -> Gate:
        """
        The one gate; made now, unless it was.
        """
        return self._make_gate()

    @cached_property
    def features(self) -> Features:
        """
        Lists, resources and prompts; made now, unless they were.
        """
        return self._make_features(self.gate)

    def forget(self, conversation_id: str) -> None:
        """
        A conversation is over: what it held is free.
        """
        # Without a gate it held nothing.
        if "gate" in self.__dict__:
            self.gate.forget(conversation_id)
