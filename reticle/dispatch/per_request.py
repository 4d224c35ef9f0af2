"""
What all clients of 2026-07-28 share, since none of them has a session of its own.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from reticle.dispatch.asked import Asked
from reticle.dispatch.features import Features
from reticle.dispatch.listening import Listeners
from reticle.dispatch.methods import Methods
from reticle.dispatch.notices import Notices
from reticle.dispatch.running_tasks import RunningTasks
from reticle.dispatch.shared import Shared
from reticle.errors import PeerFault
from reticle.mcp.capabilities import Offered
from reticle.mcp.modern.params import filter_of
from reticle.mcp.modern.request_state import RequestStates
from reticle.mcp.modern.subscriptions import Honoured, honoured
from reticle.model.codes import FaultCode
from reticle.model.limits import EXCHANGES_IN_FLIGHT
from reticle.model.trust import Principal


@attrs.define(eq=False)
class PerRequest:
    """
    What all exchanges of a daemon share. ``running`` counts the requests that take time, of all clients.
    """

    methods: Methods
    notices: Notices
    tasks: RunningTasks
    features: Features
    offered: Offered
    has_tasks: bool
    listeners: Listeners = attrs.field(factory=Listeners)
    running: int = 0

    def admit(self) -> None:
        """
        Raises:
            PeerFault: ``too_many_calls``; a retry makes sense.
        """
        if self.running >= EXCHANGES_IN_FLIGHT:
            raise PeerFault(
                FaultCode.TOO_MANY_CALLS, f"{EXCHANGES_IN_FLIGHT} requests are running; try again soon"
            )

    def wishes(self, asked: Asked) -> Honoured:
        """
        What of a listening client's wishes can be fulfilled: resources that it may read, tasks of its own.

        Raises:
            PeerFault: ``bad_params``.
        """
        wanted, principal = filter_of(asked.admitted.params), asked.caller.principal
        knows_tasks = self.has_tasks and asked.admitted.envelope.client.tasks
        what = honoured(wanted, self.offered, tasks=knows_tasks)
        readable = [uri for uri in what.uris if self._may_read(principal, uri)]
        return what.limited_to(readable, self.tasks.owned(principal, what.task_ids))

    def _may_read(self, principal: Principal, uri: str) -> bool:
        try:
            self.features.check_uri(principal, uri)
        except PeerFault:
            return False
        return True


def build_per_request(
    shared: Shared, *, state_key: Callable[[], bytes], new_id: Callable[[], str]
) -> PerRequest:
    """
    Wire it.

    Args:
        shared: What conversations of both eras work with.
        state_key: Gives what seals that clients carry from round to round; at least 32 random bytes.
        new_id: A fresh, unguessable text of at least 16 characters each time.
    """
    tasks = RunningTasks(clock=shared.clock, new_id=lambda: f"{new_id()}{new_id()}")
    methods = Methods(
        gate=shared.gate,
        features=shared.features,
        clock=shared.clock,
        offered=shared.offered,
        states=RequestStates(state_key),
        tasks=tasks,
        has_tasks=shared.gate.has_tasks,
    )
    return PerRequest(
        methods=methods,
        notices=shared.notices,
        tasks=tasks,
        features=shared.features,
        offered=shared.offered,
        has_tasks=shared.gate.has_tasks,
    )
