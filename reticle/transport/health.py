"""
``/healthz`` and ``/readyz``: for systemd and load balancers; no credential, no details (DESIGN §3).
"""

from __future__ import annotations

from twisted.web.iweb import IRequest

from reticle.domain.daemon_life import DaemonLife
from reticle.model.limits import RETRY_AFTER_SECONDS
from reticle.transport.resource import Leaf, answer_text


class HealthLeaf(Leaf):
    """
    200 while the process can answer at all, in every state: a daemon that starts slowly or drains is
    not to be killed for it.
    """

    def __init__(self) -> None:
        super().__init__("healthz", {b"GET": self._answer, b"HEAD": self._answer})

    def _answer(self, request: IRequest) -> bytes:
        return answer_text(request, 200, "ok")


class ReadyLeaf(Leaf):
    """
    200 exactly while MCP traffic is accepted, else 503 with ``Retry-After``.
    """

    def __init__(self, life: DaemonLife) -> None:
        super().__init__("readyz", {b"GET": self._answer, b"HEAD": self._answer})
        self._life = life

    def _answer(self, request: IRequest) -> bytes:
        if self._life.accepting:
            return answer_text(request, 200, "ready")
        request.setHeader(b"Retry-After", b"%d" % RETRY_AFTER_SECONDS)
        return answer_text(request, 503, "not ready")
