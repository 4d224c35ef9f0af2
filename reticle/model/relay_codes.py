"""
Words of the stdio front: ``error.data.code`` of what it answers itself when the daemon cannot.
"""

from __future__ import annotations

from enum import StrEnum

LINK_ERROR = -31005
"""The JSON-RPC number of every fault of the link to the daemon."""


CARRIER_HEADER = "Reticle-Carrier"
"""How the front says to the daemon what it is, for audit rows; nothing is allowed or denied by it."""

STDIO = "stdio"
"""The value of that header; a carrier of ``model.codes``, which the front does not load."""


class LinkCode(StrEnum):
    """What became of a request that the daemon did not answer."""

    OUTCOME_UNKNOWN = "outcome_unknown"
    """It was handed over and the link broke: it may have happened. Look before doing it again."""

    DAEMON_UNREACHABLE = "daemon_unreachable"
    """It was not handed over: nothing has happened. A retry makes sense once the daemon answers."""

    DAEMON_REFUSED = "daemon_refused"
    """The daemon did not take the message: the request, or the token, has to change."""
