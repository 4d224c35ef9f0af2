"""
The one call by which anything in the process tells a fact.

It never raises and never waits. While the probe is off it is one look at an attribute.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final, Protocol


class Request(Protocol):
    """
    What a fact needs to know of the request it belongs to.
    """

    rid: str
    action: str | None
    whose: str | None
    uncommitted: dict[str, tuple[str | None, int | None]]


class Sink(Protocol):
    """
    Takes facts; ``put`` neither raises nor waits.
    """

    def put(self, kind: str, fields: dict[str, Any]) -> None:
        """
        Take one; the fields are its own from now on.
        """

    def miss(self, kind: str) -> None:
        """
        Count one that cannot be told.
        """

    def note(self, fact: tuple[Any, ...]) -> None:
        """
        Take one of ``reticle.probe.small_facts``.
        """

    def mark(self, fact: tuple[Any, ...]) -> None:
        """
        Take a ``HEAD``, which nobody is woken for: its request's other facts do so.
        """

    def hurry(self) -> None:
        """
        Somebody waits for what was told.
        """


sink: Sink | None = None
"""Where facts go; None while the probe is off."""

running: Final[ContextVar[Request | None]] = ContextVar("reticle_request", default=None)
"""The request that the running code belongs to; only ``reticle.probe.context`` sets it, and
in the threads of adbapi ``reticle.probe.sql_adbapi``."""


def miss(kind: str) -> None:
    """
    A fact of this kind happened and cannot be told: whoever reads the others learns that one is missing.
    """
    taker = sink
    if taker is not None:
        taker.miss(kind)


def emit(kind: str, *, within: Request | None = None, **fields: Any) -> None:
    """
    Tell a fact.

    Args:
        kind: A ``FactKind``.
        within: The request it belongs to, where the caller knows better than the running context.
        fields: As the contract of the lines names them; JSON values, redacted already.
    """
    taker = sink
    if taker is None:
        return
    request = within if within is not None else running.get()
    if request is None:
        fields["rid"] = fields["action"] = None
    else:
        fields["rid"], fields["action"] = request.rid, request.action
    taker.put(kind, fields)
