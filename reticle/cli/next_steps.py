"""
What a person types where the daemon names a method: its refusals are written for agents.
"""

from __future__ import annotations

import re
from typing import Final

COMMANDS: Final = {
    "daemon.token.list": "reticle token list",
    "escalation.list": "reticle escalations",
    "escalation.resolve": "reticle escalations resolve",
    "list.artifacts": "reticle work artifacts",
    "list.jobs": "reticle work jobs",
    "list.runs": "reticle run list",
    "list.sessions": "reticle work sessions",
    "recovery.requeue_stale": "reticle work requeue",
    "repo.add": "reticle repo add FOLDER",
    "repo.list": "reticle repo list",
    "run.cancel": "reticle run cancel",
    "run.detail": "reticle run show",
    "run.prepare": "reticle run prepare",
    "run.start": "reticle run start RUN_ID",
    "session.close": "reticle work close",
    "session.register": "reticle agent-loop --role ROLE -- COMMAND",
    "work.packet_show": "reticle work packets",
}
"""By the method; one that only an agent calls has no command."""

_METHOD: Final = re.compile(r"\b[a-z]+(?:\.[a-z_]+)+\b")


def in_commands(step: str) -> str:
    """
    A next step with the commands in place of the methods.
    """
    return _METHOD.sub(lambda found: COMMANDS.get(found[0], found[0]), step)
