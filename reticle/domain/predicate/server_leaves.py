"""
Leaves that only a probe in the app's server can answer: ``server``, ``sql``, ``log``.

Without one they are never a yes and never a no.
"""

from __future__ import annotations

from typing import Final

from reticle.domain.predicate.kinds import Log, Server, ServerFact, Sql
from reticle.model.verdict import Held, Outcome

NO_PROBE: Final = "no probe connected: what the app's server does is not seen"

_ASSERTION: Final[dict[type[ServerFact], str]] = {
    Server: "server.present",
    Sql: "sql.present",
    Log: "log.present",
}


def evaluate_server_fact(leaf: ServerFact) -> Outcome:
    """
    Unknown, with the reason.
    """
    return Outcome(Held.UNKNOWN, _ASSERTION[type(leaf)], failure=NO_PROBE)
