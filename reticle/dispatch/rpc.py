"""
Calls over the Unix socket: the same gate, without a protocol around it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import attrs
from twisted.internet.defer import Deferred

from reticle.dispatch.call import Call, Caller
from reticle.dispatch.shared import Shared
from reticle.errors import Refusal
from reticle.model.codes import Carrier
from reticle.model.trust import Principal


@attrs.frozen(eq=False)
class RpcCall:
    """
    Provides ``ports.RpcCall``.
    """

    call: Call
    _answer: Deferred[Mapping[str, object]]

    def stop(self, why: Refusal) -> None:
        """
        See ``ports.RpcCall``.
        """
        self.call.stop(why)

    def was_unheard(self) -> None:
        """
        See ``ports.RpcCall``.
        """
        self.call.was_unheard()

    def answer(self) -> Deferred[Mapping[str, object]]:
        """
        See ``ports.RpcCall``.
        """
        return self._answer


class Rpc:
    """
    Provides ``ports.Rpc``.

    Args:
        shared: Has the gate, which runs tools.
    """

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._numbers = itertools.count(1)

    def begin(self, principal: Principal, method: str, params: bytes) -> RpcCall:
        """
        See ``ports.Rpc``.
        """
        caller = Caller(principal, Carrier.SOCKET, f"rpc-{next(self._numbers)}", lasting=False)
        call = Call(caller, method, params)
        return RpcCall(call, Deferred.fromCoroutine(self._run(call)))

    async def _run(self, call: Call) -> Mapping[str, object]:
        return (await self._shared.gate.call(call)).structured
