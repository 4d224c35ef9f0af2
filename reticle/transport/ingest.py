"""
``/ingest``, ``/v1/traces`` and ``/v1/logs``: what servers tell of themselves (DESIGN §3).

Behind the loopback rule, as the page script is; whoever has the token of the runtime file is believed, what
comes without it may only support. Each batch has its audit row, and is answered when that is committed.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from twisted.internet.defer import Deferred
from twisted.internet.error import ConnectionLost
from twisted.logger import Logger
from twisted.web.iweb import IRequest
from twisted.web.server import NOT_DONE_YET

from reticle.domain.daemon_life import DaemonLife
from reticle.errors import Refusal
from reticle.model.audit import AuditDraft
from reticle.model.codes import AuditTransport, Carrier, FaultCode, RefusalCode
from reticle.model.limits import RETRY_AFTER_SECONDS
from reticle.model.server_limits import (
    INGEST_BURST_BYTES,
    INGEST_BYTES,
    INGEST_BYTES_PER_SECOND,
    INGEST_PENDING,
)
from reticle.model.trust import Secret
from reticle.ports import AuditLog, ServerFacts
from reticle.transport.post_head import header_values
from reticle.transport.resource import Leaf, answer_json
from reticle.transport.trace import principal_of

if TYPE_CHECKING:
    from reticle.model.server_facts import FactBatch

TOKEN_HEADER: Final = b"X-Reticle-Ingest-Token"
NDJSON: Final = "application/x-ndjson"
JSON: Final = "application/json"

_BREAKING: Final = (
    "This endpoint reads OTLP in JSON. Set OTEL_EXPORTER_OTLP_PROTOCOL=http/json (or the exporter of your "
    "language for HTTP with JSON); protobuf is not read."
)

Read = Callable[[bytes, bool], "Sequence[FactBatch]"]
"""Made of a body, and whether the right token came along; what reads is loaded with the first batch."""


class Intake:
    """
    What the three endpoints share.

    Args:
        facts: Where batches go.
        audit: Where each has its row.
        life: Whether the daemon accepts.
        token: The ingest token of this life of the daemon.
        needs_token: Whether nobody is heard without it (``--require-token``).
        seconds: A clock that only goes up.
        wall: Seconds since the epoch.
    """

    def __init__(
        self,
        facts: ServerFacts,
        audit: AuditLog,
        life: DaemonLife,
        token: Secret,
        *,
        needs_token: bool,
        seconds: Callable[[], float],
        wall: Callable[[], float],
    ) -> None:
        self.facts = facts
        self.audit = audit
        self.life = life
        self.needs_token = needs_token
        self.seconds = seconds
        self.wall = wall
        self.pending = 0
        self._digest = _digest(token.reveal())
        self._room = float(INGEST_BURST_BYTES)
        self._looked = seconds()

    def is_attested(self, presented: Sequence[str]) -> bool:
        """
        Whether the right token came along; compared in constant time.
        """
        return len(presented) == 1 and hmac.compare_digest(self._digest, _digest(presented[0].strip()))

    def has_room(self, size: int) -> bool:
        """
        Whether so many bytes are within what may be sent now.
        """
        now = self.seconds()
        self._room = min(
            self._room + (now - self._looked) * INGEST_BYTES_PER_SECOND, float(INGEST_BURST_BYTES)
        )
        self._looked = now
        if size > self._room:
            return False
        self._room -= size
        return True


def ingest_leaf(intake: Intake) -> IngestLeaf:
    """
    ``/ingest``: the lines of a probe.
    """

    def read(body: bytes, attested: bool) -> Sequence[FactBatch]:  # noqa: FBT001 - a Read
        from reticle.transport.ingest_lines import read_batch  # noqa: PLC0415 - see ``Read``

        return [read_batch(body, attested=attested)]

    return IngestLeaf("ingest", intake, read, (NDJSON, JSON), "Send NDJSON as application/x-ndjson.")


def traces_leaf(intake: Intake) -> IngestLeaf:
    """
    ``/v1/traces``: spans of OpenTelemetry.
    """

    def read(body: bytes, attested: bool) -> Sequence[FactBatch]:  # noqa: FBT001 - a Read
        from reticle.transport.otlp import read_traces  # noqa: PLC0415 - see ``Read``

        return read_traces(body, wall=intake.wall(), attested=attested)

    return IngestLeaf("otlp_traces", intake, read, (JSON,), _BREAKING, otlp=True)


def logs_leaf(intake: Intake) -> IngestLeaf:
    """
    ``/v1/logs``: log records of OpenTelemetry.
    """

    def read(body: bytes, attested: bool) -> Sequence[FactBatch]:  # noqa: FBT001 - a Read
        from reticle.transport.otlp import read_logs  # noqa: PLC0415 - see ``Read``

        return read_logs(body, wall=intake.wall(), attested=attested)

    return IngestLeaf("otlp_logs", intake, read, (JSON,), _BREAKING, otlp=True)


class IngestLeaf(Leaf):
    """
    One endpoint.

    Args:
        route: Its name in logs, metrics and audit rows.
        intake: Shared with the others.
        read: Makes batches of a body, or raises a ``Refusal``.
        types: The content types that it takes.
        advice: What to do about another one.
        otlp: Whether it answers as OTLP has it.
    """

    _log = Logger()

    def __init__(
        self, route: str, intake: Intake, read: Read, types: Sequence[str], advice: str, *, otlp: bool = False
    ) -> None:
        super().__init__(route, {b"POST": self._take})
        self._intake = intake
        self._read = read
        self._types = types
        self._advice = advice
        self._otlp = otlp

    def _take(self, request: IRequest) -> bytes | int:
        try:
            self._check_head(request)
            attested = self._check_token(request)
            body = self._check_size(request.content.read())
            batches = self._batches(body, attested=attested)
        except _TurnedDownError as turned_down:
            return _refused(request, turned_down)
        self._intake.pending += 1
        answering = Deferred.fromCoroutine(self._answer(request, body, batches, attested=attested))
        answering.addErrback(self._broke, request)
        return NOT_DONE_YET

    def _check_head(self, request: IRequest) -> None:
        intake = self._intake
        if not intake.life.accepting or intake.pending >= INGEST_PENDING:
            raise _TurnedDownError(503, RefusalCode.NOT_READY, "The daemon takes no facts now.", "Try again.")
        types = header_values(request.requestHeaders, b"Content-Type")
        kind = types[0].partition(";")[0].strip().lower() if len(types) == 1 else ""
        if kind not in self._types:
            told = f"Content-Type {ascii(kind[:80]) if kind else 'absent'} is not read here."
            raise _TurnedDownError(415, FaultCode.UNSUPPORTED_MEDIA_TYPE, told, self._advice)
        encodings = [each for each in header_values(request.requestHeaders, b"Content-Encoding") if each]
        if encodings and encodings != ["identity"]:
            told, advice = "A compressed body is not read here.", "OTEL_EXPORTER_OTLP_COMPRESSION=none"
            raise _TurnedDownError(
                415, FaultCode.UNSUPPORTED_MEDIA_TYPE, told, f"Send it as it is ({advice})."
            )

    def _check_token(self, request: IRequest) -> bool:
        attested = self._intake.is_attested(header_values(request.requestHeaders, TOKEN_HEADER))
        if self._intake.needs_token and not attested:
            told = "This daemon takes facts only with the ingest token of its runtime directory."
            advice = "Read it from probe.json and send it as X-Reticle-Ingest-Token."
            raise _TurnedDownError(401, RefusalCode.TOKEN_MISSING, told, advice)
        return attested

    def _check_size(self, body: bytes) -> bytes:
        if len(body) > INGEST_BYTES:
            told = f"A batch of {len(body)} bytes is more than {INGEST_BYTES}."
            raise _TurnedDownError(413, FaultCode.BODY_TOO_LARGE, told, "Send smaller batches.")
        if not self._intake.has_room(len(body)):
            told = "Facts come faster than they are kept."
            raise _TurnedDownError(429, FaultCode.TOO_MANY_CALLS, told, "Send them later.")
        return body

    def _batches(self, body: bytes, *, attested: bool) -> Sequence[FactBatch]:
        try:
            return self._read(body, attested)
        except Refusal as refusal:
            raise _TurnedDownError(400, refusal.code, refusal.message, refusal.recovery) from refusal

    async def _answer(
        self, request: IRequest, body: bytes, batches: Sequence[FactBatch], *, attested: bool
    ) -> None:
        intake = self._intake
        gone: list[object] = []
        finished: Deferred[Any] = request.notifyFinish()  # type: ignore[attr-defined]  # IRequest does not name it
        finished.addErrback(lambda failure: gone.append(failure.trap(ConnectionLost, Exception)))
        # The row is begun first, so that no facts are kept of which nobody could tell whence they came.
        row = intake.audit.record(_draft(request, self.route, body, attested=attested))
        for batch in batches:
            intake.facts.take(batch)
        try:
            await row
        except Refusal as refusal:
            # no 503, which asks for the same again: the facts are taken already and would count twice
            answer = _refused(request, _TurnedDownError(500, refusal.code, refusal.message, refusal.recovery))
        else:
            answer = answer_json(request, 200, self._told(batches, attested=attested))
        finally:
            intake.pending -= 1
        if not gone:
            request.write(answer)
            request.finish()

    def _told(self, batches: Sequence[FactBatch], *, attested: bool) -> dict[str, object]:
        refused = sum(batch.refused for batch in batches)
        if self._otlp:
            name = "rejectedSpans" if self.route == "otlp_traces" else "rejectedLogRecords"
            return {"partialSuccess": {name: str(refused)}} if refused else {}
        return {
            "accepted": sum(len(batch.facts) for batch in batches),
            "refused": refused,
            "attested": attested,
            **({} if attested else {"note": "Without the token of probe.json facts may only support."}),
        }

    def _broke(self, failure: Any, request: IRequest) -> None:
        self._log.failure("facts could not be taken", failure)
        if not getattr(request, "_disconnected", False) and not getattr(request, "finished", False):
            told = "A fault of ours; it is logged."
            request.write(_refused(request, _TurnedDownError(500, FaultCode.INTERNAL_ERROR, told, "")))
            request.finish()


class _TurnedDownError(Exception):
    """
    A batch that is not taken, with the answer's status.
    """

    def __init__(self, status: int, code: str, message: str, recovery: str) -> None:
        super().__init__(message)
        self.status = status
        self.told = {"error": str(code), "message": message, "recovery": recovery}


def _refused(request: IRequest, turned_down: _TurnedDownError) -> bytes:
    if turned_down.status in (429, 503):
        request.setHeader(b"Retry-After", b"%d" % RETRY_AFTER_SECONDS)
    return answer_json(request, turned_down.status, turned_down.told)


def _draft(request: IRequest, route: str, body: bytes, *, attested: bool) -> AuditDraft:
    return AuditDraft(
        principal=principal_of(request).name,
        transport=AuditTransport.INGEST,
        carrier=Carrier.HTTP,
        tool=route,
        repository_id=None,
        decision="allowed",
        reason="" if attested else "unattested",
        arguments_sha256=hashlib.sha256(body).hexdigest(),
        duration_ms=0.0,
    )


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()
