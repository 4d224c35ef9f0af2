"""
Calls that come without MCP around them: over the daemon's Unix socket. Provided by ``reticle.dispatch``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reticle.errors import Refusal
    from reticle.model.trust import Principal


class RpcCall(Protocol):
    """
    One call in flight.
    """

    def stop(self, why: Refusal) -> None:
        """
        End it: its answer is then this refusal, unless it had one already.
        """

    def was_unheard(self) -> None:
        """
        Its answer reaches nobody, because its connection is gone: undo what was done for its peer.
        """

    def answer(self) -> Awaitable[Mapping[str, object]]:
        """
        The flat result object of DESIGN §4, a refusal's too; ready when its row is committed. Ask once.
        """


class Rpc(Protocol):
    """
    Where a transport gets calls from.
    """

    def begin(self, principal: Principal, method: str, params: bytes) -> RpcCall:
        """
        Run a method through the gate. ``params`` is a JSON object, and what is wrong with it is answered.
        """
