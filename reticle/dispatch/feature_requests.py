"""
Resources, prompts and completions of 2026-07-28.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from reticle.dispatch.asked import Asked, Work
from reticle.dispatch.asking import NOBODY
from reticle.dispatch.call import Call
from reticle.dispatch.features import Features
from reticle.dispatch.rounds import Round
from reticle.errors import PeerFault
from reticle.mcp.modern.params import arguments_of, completion_of, cursor_of, rounds_of, text_of
from reticle.mcp.modern.request_state import BoundTo, RequestStates
from reticle.mcp.modern.results import LISTED, READ, Freshness, stamped
from reticle.mcp.modern.words import PER_REQUEST
from reticle.mcp.versions import Revision
from reticle.model.codes import FaultCode, JsonRpcCode, RefusalCode
from reticle.model.trust import Principal
from reticle.ports import Clock

ListOf = Callable[[Principal, Revision, "str | None"], Mapping[str, object]]


class FeatureRequests:
    """
    Begins what has to do with resources and prompts.

    Args:
        features: What there is.
        clock: Time.
        states: Seals what goes from round to round.
    """

    def __init__(self, *, features: Features, clock: Clock, states: RequestStates) -> None:
        self._features = features
        self._clock = clock
        self._states = states

    def listed(self, of: ListOf, asked: Asked) -> bytes:
        """
        One of the lists.

        Raises:
            PeerFault: ``bad_params``.
        """
        cursor = cursor_of(asked.admitted.params)
        return stamped(of(asked.caller.principal, PER_REQUEST, cursor), freshness=LISTED)

    def read(self, asked: Asked) -> Work:
        """
        A resource's contents.

        Raises:
            PeerFault: ``bad_params`` or ``state_invalid``.
        """
        uri = text_of(asked.admitted.params.uri, "uri")
        rounds = self._rounds(asked, uri, b"{}")
        return Work(asked.call(uri, rounds.asker), partial(self._answer, self._features.read, rounds, READ))

    def get_prompt(self, asked: Asked) -> Work:
        """
        A prompt's messages.

        Raises:
            PeerFault: ``bad_params`` or ``state_invalid``.
        """
        params = asked.admitted.params
        name, arguments = text_of(params.name, "name"), arguments_of(params)
        rounds = self._rounds(asked, name, arguments)

        def get(call: Call) -> Awaitable[Mapping[str, object]]:
            return self._features.get_prompt(call, PER_REQUEST)

        call = asked.call(name, rounds.asker, arguments=arguments)
        return Work(call, partial(self._answer, get, rounds, None))

    def complete(self, asked: Asked) -> Work:
        """
        What an argument may be.

        Raises:
            PeerFault: ``bad_params``.
        """
        wanted = completion_of(asked.admitted.params)

        async def complete(call: Call) -> bytes:
            fields = await self._features.complete(
                asked.caller.principal,
                wanted.kind,
                call.name,
                wanted.argument.name,
                wanted.argument.value,
                wanted.context,
            )
            return stamped(fields)

        return Work(asked.call(wanted.name, NOBODY), complete)

    def _rounds(self, asked: Asked, name: str, arguments: bytes) -> Round:
        admitted = asked.admitted
        bound = BoundTo(asked.caller.principal.name, admitted.method, name, arguments)
        return Round(self._states, self._clock, bound, rounds_of(admitted.params), admitted.envelope.client)

    async def _answer(
        self,
        feature: Callable[[Call], Awaitable[Mapping[str, object]]],
        rounds: Round,
        freshness: Freshness | None,
        call: Call,
    ) -> bytes:
        try:
            fields = await feature(call)
        except PeerFault as fault:
            if rounds.asker.open:
                return rounds.result()
            if fault.code == RefusalCode.CANNOT_ASK and rounds.asker.lacking is not None:
                raise rounds.asker.lacking from None
            raise _in_this_revision(fault) from None
        return stamped(fields, freshness=freshness)


def _in_this_revision(fault: PeerFault) -> PeerFault:
    """
    The number of an unknown resource is another one in older revisions.
    """
    if fault.code != FaultCode.RESOURCE_UNKNOWN:
        return fault
    return PeerFault(fault.code, fault.message, JsonRpcCode.INVALID_PARAMS, fault.data)
