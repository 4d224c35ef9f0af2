"""
The gate: every tool call, by whatever carrier or through ``reticle_run``, takes this one road; so does the
reading of a resource and the making of a prompt.

Authorise, validate, run, audit, answer (DESIGN §5). One row for each call, refused and cancelled ones
included; an answer leaves only when its row is committed.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet

import attrs
from twisted.internet.defer import CancelledError, Deferred
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.dispatch.agents import Agent, Agents, LastPage
from reticle.dispatch.answers import CallResult, answered, as_refusal, check_fields, refused
from reticle.dispatch.asking import InputRequired
from reticle.dispatch.attended import AttendedPages
from reticle.dispatch.audit import ALLOWED, ASKED, CANCELLED, digest, failed_by, refused_by
from reticle.dispatch.call import Call, cancelled_by_client
from reticle.dispatch.context import GateContext, Surroundings
from reticle.dispatch.envelope import control, enclosed
from reticle.dispatch.errand import Errand, tool_errand, unknown_tool
from reticle.dispatch.grants import capabilities_of
from reticle.dispatch.listing import Listing
from reticle.dispatch.outcome import Outcome, input_required
from reticle.dispatch.outline import outline
from reticle.dispatch.registry import Entry, Registry
from reticle.errors import PeerFault, Refusal
from reticle.mcp.strict_json import shorten
from reticle.mcp.versions import Revision
from reticle.model.audit import AuditDraft
from reticle.model.codes import AuditTransport, Capability, TaskSupport
from reticle.model.limits import PEER_NAME_CHARS
from reticle.model.trust import Principal
from reticle.ports import Answer, AuditLog, Clock, FeedbackStore, Pages, VerdictStore

UNKNOWN_TOOL = "unknown"
"""What metrics call every tool that does not exist, so that callers cannot make labels up."""


class Gate:
    """
    Runs tools for whoever may.

    Args:
        registry: The tools.
        audit: Where rows go.
        verdicts: Where tools record verdicts.
        feedback: Where notes about reticle are kept.
        pages: The connected pages.
        clock: Time.
        new_id: A fresh, unguessable text of at least 16 characters each time.
        daemon_url: Where the daemon listens, as known when a call begins.
        on_call: Told of every call when it is over: tool, outcome (a ``Fate`` value), seconds.
        grants: What a principal may do.
    """

    _log = Logger()

    def __init__(
        self,
        *,
        registry: Registry,
        audit: AuditLog,
        verdicts: VerdictStore,
        feedback: FeedbackStore,
        pages: Pages,
        clock: Clock,
        new_id: Callable[[], str],
        daemon_url: Callable[[], str],
        on_call: Callable[[str, str, float], None],
        grants: Callable[[Principal], AbstractSet[Capability]] = capabilities_of,
    ) -> None:
        self._registry = registry
        self._audit = audit
        self._clock = clock
        self._new_id = new_id
        self._on_call = on_call
        self._grants = grants
        self._listing = Listing(registry)
        self._agents = Agents()
        self._pages = pages
        self._in_flight = 0
        self._surroundings = Surroundings(
            pages=pages,
            verdicts=verdicts,
            feedback=feedback,
            clock=clock,
            new_id=new_id,
            daemon_url=daemon_url,
            listing=self._listing,
        )

    @property
    def calls_in_flight(self) -> int:
        """
        Calls that have begun and are not answered yet, inner ones included.
        """
        return self._in_flight

    def tools_list(self, principal: Principal, revision: Revision) -> bytes:
        """
        The result of ``tools/list`` for a principal, one line of JSON.
        """
        return self._listing.tools_list(self._grants(principal), revision, self._pages)

    def tools(self, principal: Principal, revision: Revision, cursor: str | None) -> dict[str, object]:
        """
        The fields of one part of ``tools/list``. Raises ``PeerFault`` ``bad_params`` for the cursor.
        """
        return self._listing.tools(self._grants(principal), revision, self._pages, cursor)

    def grants(self, principal: Principal) -> AbstractSet[Capability]:
        """
        What a principal may do.
        """
        return self._grants(principal)

    @property
    def has_tasks(self) -> bool:
        """
        Whether a call of any tool may become a task.
        """
        return any(tool.task_support is not TaskSupport.FORBIDDEN for tool in self._registry.tools())

    def find(self, tool: str) -> Entry | None:
        """
        What is known of a tool before a call of it; nothing in it is for a caller who may not use the tool.
        """
        return self._registry.find(tool)

    async def call(self, call: Call) -> CallResult:
        """
        Run a call and give what its caller is to be told, whatever happened.

        Ready when the call's row is committed. A stopped call ends as a refusal with the reason it was
        stopped for; whether anybody is told is for the caller.
        """
        outcome = await self._perform(call, self._errand_of(call))
        name = shorten(call.name, PEER_NAME_CHARS)
        if outcome.answer is not None and outcome.audit_id is not None:
            return answered(name, outcome.audit_id, outcome.answer)
        assert outcome.refusal is not None
        return refused(name, outcome.audit_id, outcome.refusal)

    async def serve(self, call: Call, errand: Errand) -> Answer:
        """
        Run what is no tool, by the same road; ready when its row is committed.

        Raises:
            PeerFault: What is asked for does not exist, or is asked for wrongly.
            Refusal: As of a tool; for a stopped call the reason it was stopped for.
        """
        outcome = await self._perform(call, errand)
        if outcome.answer is not None and outcome.audit_id is not None:
            return outcome.answer
        assert outcome.refusal is not None
        raise outcome.fault or outcome.refusal

    def _again(self, outer: Call, inner: Call) -> Deferred[Answer]:
        """
        A call made by a running tool: its answer, or its refusal raised.

        Stopping the outer call stops the inner tool and lets the outer one go on at once; the inner row
        is written all the same.
        """

        def stop(_: Deferred[Answer]) -> None:
            inner.stop(outer.stopped or cancelled_by_client())

        def settle(outcome: Outcome) -> None:
            if told.called:
                return
            if outcome.answer is not None:
                told.callback(outcome.answer)
            elif outcome.decided is ASKED:
                told.errback(InputRequired())
            else:
                assert outcome.refusal is not None
                told.errback(outcome.refusal)

        told: Deferred[Answer] = Deferred(stop)
        performed = Deferred.fromCoroutine(self._perform(inner, self._errand_of(inner)))
        performed.addCallback(settle).addErrback(self._lost)
        return told

    def _lost(self, failure: Failure) -> None:
        self._log.failure("a call inside a call ended without an outcome", failure)

    def _errand_of(self, call: Call) -> Errand | None:
        entry = self._registry.find(call.name)
        return None if entry is None else tool_errand(entry, call)

    async def _perform(self, call: Call, errand: Errand | None) -> Outcome:
        started = self._clock.monotonic()
        agent = self._agents.of(call.caller.conversation_id) if call.caller.lasting else Agent()
        acts = errand is not None and errand.acts
        attended = AttendedPages(self._pages, agent, acts=acts, now=started)
        self._in_flight += 1
        try:
            outcome = await self._decide_and_run(call, errand, attended, agent)
            outcome = await self._recorded(call, errand, outcome, self._clock.monotonic() - started)
        finally:
            self._in_flight -= 1
        if errand is not None:
            outcome = self._enclosed(outcome, errand, attended, agent)
        name = UNKNOWN_TOOL if errand is None else errand.name
        self._on_call(name, outcome.decided.fate.value, self._clock.monotonic() - started)
        return outcome

    def _enclosed(self, outcome: Outcome, errand: Errand, attended: AttendedPages, agent: Agent) -> Outcome:
        """
        The outcome with what belongs to its page, and remembered for the agent's next call.

        Nothing is taken for a call that its client no longer wants. What is no tool may be wanted by the host
        and not by the agent: it takes no messages and changes no page, but its refs are shown.
        """
        page = attended.page
        if page is None or outcome.decided in {CANCELLED, ASKED}:
            return outcome
        identity = page.identity
        if errand.tool is None:
            if outcome.answer is not None:
                self._agents.show(agent, identity.page_id, outcome.answer.text or "")
            return outcome
        agent.last = LastPage(identity.page_id, identity.url, self._clock.monotonic())
        if outcome.answer is not None:
            answer = enclosed(outcome.answer, errand.tool, attended, agent)
            self._agents.show(agent, identity.page_id, answer.text or "")
            return attrs.evolve(outcome, answer=answer)
        assert outcome.refusal is not None
        refusal = outcome.refusal
        # What was asked for stands in the message; only the details name what the page has.
        self._agents.show(agent, identity.page_id, outline(refusal.details))
        refusal.details = {**refusal.details, **control(page.steering)}
        return outcome

    async def _decide_and_run(
        self, call: Call, errand: Errand | None, attended: AttendedPages, agent: Agent
    ) -> Outcome:
        """
        Everything up to the row. Raises nothing: every failure has its line in the table of ``answers``.
        """
        try:
            answer = await self._run(call, errand, attended, agent)
        except Refusal as refusal:
            return Outcome(refused_by(refusal.code), None, refusal)
        except PeerFault as fault:
            return Outcome(refused_by(fault.code), None, as_refusal(fault, ""), fault=fault)
        except CancelledError as cancelled:
            return self._ended(call, cancelled)
        except Exception as bug:  # noqa: BLE001 - a bug in a tool ends its call, not the daemon
            return self._incident(call, bug)
        return Outcome(ALLOWED, answer, None)

    async def _run(self, call: Call, errand: Errand | None, attended: AttendedPages, agent: Agent) -> Answer:
        capabilities = self._grants(call.caller.principal)
        if errand is None:
            raise unknown_tool(call.name, self._registry, capabilities)
        errand.check(capabilities)
        context = GateContext(self._surroundings, call, capabilities, attended, agent, self._again)
        answer = await call.run(errand.begin(context))
        if errand.tool is not None:
            check_fields(answer.fields)
        return answer

    def _ended(self, call: Call, cancelled: CancelledError) -> Outcome:
        if isinstance(cancelled, InputRequired):
            return Outcome(ASKED, None, input_required())
        if call.stopped is not None:
            return Outcome(refused_by(call.stopped.code), None, call.stopped)
        return self._incident(call, cancelled)

    def _incident(self, call: Call, bug: Exception) -> Outcome:
        incident = f"incident_{self._new_id()[:12]}"
        self._log.failure(
            "{incident}: {tool} failed", incident=incident, tool=shorten(call.name, PEER_NAME_CHARS)
        )
        return Outcome(failed_by(incident), None, as_refusal(bug, incident))

    async def _recorded(self, call: Call, errand: Errand | None, outcome: Outcome, seconds: float) -> Outcome:
        """
        The outcome with its row's id, or a refusal in its place: no row, no answer.
        """
        sent = call.arguments if errand is None or errand.sent is None else errand.sent
        try:
            audit_id = await self._audit.record(
                AuditDraft(
                    principal=call.caller.principal.name,
                    transport=AuditTransport.MCP,
                    carrier=call.caller.carrier,
                    tool=shorten(call.name, PEER_NAME_CHARS) if errand is None else errand.name,
                    repository_id=None,
                    decision=outcome.decided.fate.value,
                    reason=outcome.decided.why,
                    arguments_sha256=digest(sent),
                    duration_ms=seconds * 1000,
                    verdict_id=None if outcome.answer is None else outcome.answer.verdict_id,
                )
            )
        except Refusal as refusal:
            return Outcome(refused_by(refusal.code), None, refusal)
        except Exception as bug:  # noqa: BLE001 - the store's bug must not become an answer without a row
            return self._incident(call, bug)
        return Outcome(outcome.decided, outcome.answer, outcome.refusal, audit_id, outcome.fault)
