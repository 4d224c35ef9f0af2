"""
The gate: every tool call, by whatever carrier or through ``reticle_run``, takes this one road; so does the
reading of a resource and the making of a prompt.

Authorise (``admission``), validate, run, audit, answer (DESIGN §5). One row for each call, refused and
cancelled ones included; an answer leaves only when its row is committed.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet

from twisted.internet.defer import CancelledError, Deferred
from twisted.logger import Logger

from reticle.dispatch.admission import admit
from reticle.dispatch.agents import Agent, Agents
from reticle.dispatch.answers import CallResult, answered, as_refusal, check_fields, refused
from reticle.dispatch.asking import InputRequired
from reticle.dispatch.attended import AttendedPages
from reticle.dispatch.audit import ALLOWED, ASKED, denied_by, failed_by, refused_by
from reticle.dispatch.call import Call
from reticle.dispatch.context import GateContext, Surroundings
from reticle.dispatch.contract import contract_of
from reticle.dispatch.driving import Driving
from reticle.dispatch.errand import Errand, tool_errand, unknown_tool
from reticle.dispatch.grants import VERIFY_ALONE, GrantedRights, Rights
from reticle.dispatch.holding import Holding
from reticle.dispatch.inner_calls import told_of
from reticle.dispatch.listing import Listing
from reticle.dispatch.outcome import Outcome, input_required
from reticle.dispatch.own_verdicts import own_verdicts
from reticle.dispatch.page_conclusion import on_its_page
from reticle.dispatch.permitted import permitted, repository_of
from reticle.dispatch.registry import Entry, Registry
from reticle.dispatch.row import CallRow
from reticle.domain.project_detectors import EVERY_DETECTOR
from reticle.errors import PeerFault, Refusal
from reticle.mcp.strict_json import shorten
from reticle.mcp.versions import Revision
from reticle.model.codes import Capability, TaskSupport, Toolset
from reticle.model.ids import PageId, RepositoryId, TokenId
from reticle.model.limits import PEER_NAME_CHARS
from reticle.model.trust import Principal
from reticle.ports import (
    Answer,
    AuditLog,
    BaselineStore,
    Browser,
    Clock,
    ContractStore,
    Detection,
    FeedbackStore,
    Folders,
    Journal,
    PageHolds,
    Pages,
    PictureStore,
    RepositoryStore,
    TokenStore,
    VerdictStore,
    WorkStore,
    Worktrees,
)

HEARTBEAT = "work.heartbeat"
"""The one method that says only that its caller lives."""

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
        pictures: Where pictures of pages are kept.
        baselines: How pages were, under names.
        app_contracts: What apps declare, in their projects.
        journal: What pages reported, over restarts; None where it is off.
        detection: Which detectors look at recorded windows.
        tokens: The capability tokens.
        repositories: The registered repositories.
        folders: Where on this machine a path leads.
        holds: Which agent has which page to itself.
        work: The runs, and who does what in them.
        worktrees: The files of repositories.
        browser: The browser that the daemon drives.
        pages: The connected pages.
        clock: Time.
        new_id: A fresh, unguessable text of at least 16 characters each time.
        random: That many unguessable bytes.
        daemon_url: Where the daemon listens, as known when a call begins.
        on_call: Told of every call when it is over: tool, outcome (a ``Fate`` value), seconds.
        toolsets: What principals without a capability token are shown.
    """

    _log = Logger()

    def __init__(
        self,
        *,
        registry: Registry,
        audit: AuditLog,
        verdicts: VerdictStore,
        feedback: FeedbackStore,
        pictures: PictureStore,
        baselines: BaselineStore,
        app_contracts: ContractStore,
        journal: Journal | None = None,
        detection: Detection = EVERY_DETECTOR,
        tokens: TokenStore,
        repositories: RepositoryStore,
        folders: Folders,
        holds: PageHolds,
        work: WorkStore,
        worktrees: Worktrees,
        browser: Browser,
        pages: Pages,
        clock: Clock,
        new_id: Callable[[], str],
        random: Callable[[int], bytes],
        daemon_url: Callable[[], str],
        on_call: Callable[[str, str, float], None],
        toolsets: AbstractSet[Toolset] = VERIFY_ALONE,
    ) -> None:
        self._registry = registry
        self._audit = audit
        self._clock = clock
        self._new_id = new_id
        self._on_call = on_call
        self._granted = GrantedRights(tokens, clock.now, toolsets)
        self._repositories = repositories
        self._listing = Listing(registry)
        self._agents = Agents()
        self._pages = pages
        self._in_flight = 0
        self._surroundings = Surroundings(
            pages=pages,
            verdicts=verdicts,
            feedback=feedback,
            pictures=pictures,
            baselines=baselines,
            app_contracts=app_contracts,
            journal=journal,
            detection=detection,
            audit=audit,
            tokens=tokens,
            repositories=repositories,
            folders=folders,
            holds=holds,
            work=work,
            worktrees=worktrees,
            browser=browser,
            conversations=self._agents.conversations,
            clock=clock,
            new_id=new_id,
            random=random,
            daemon_url=daemon_url,
            listing=self._listing,
            contract=contract_of(registry.tools()),
        )

    @property
    def calls_in_flight(self) -> int:
        """
        Calls that have begun and are not answered yet, inner ones included.
        """
        return self._in_flight

    def tools_list(self, principal: Principal, revision: Revision, repository_id: str | None = None) -> bytes:
        """
        The result of ``tools/list`` for a principal, one line of JSON: what it may use in that repository, or
        in at least one.
        """
        sight = self._granted.of(principal).sight(_as_id(repository_id))
        return self._listing.tools_list(sight, revision, self._pages)

    def tools(
        self, principal: Principal, revision: Revision, cursor: str | None, repository_id: str | None = None
    ) -> dict[str, object]:
        """
        The fields of one part of ``tools/list``. Raises ``PeerFault`` ``bad_params`` for the cursor.
        """
        sight = self._granted.of(principal).sight(_as_id(repository_id))
        return self._listing.tools(sight, revision, self._pages, cursor)

    def listed_now(self, pages: Pages) -> AbstractSet[str]:
        """
        Which tools that are not always listed are listed while those pages are connected.
        """
        return self._listing.listed_now(pages)

    def grants(self, principal: Principal) -> AbstractSet[Capability]:
        """
        What a principal may do in at least one repository.
        """
        return self._granted.of(principal).somewhere

    def visible(self, principal: Principal) -> Pages:
        """
        The pages that a principal may look at.
        """
        return permitted(self._pages, self._granted.of(principal), Capability.OBSERVE, self._repositories)

    def verdicts(self, principal: Principal) -> VerdictStore:
        """
        The verdicts that a principal may see.
        """
        return own_verdicts(self._surroundings.verdicts, principal, self._granted.of(principal))

    def forget(self, conversation_id: str) -> None:
        """
        A conversation is over: what it held is free.
        """
        self._agents.forget(conversation_id)

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
        outer.unheard.append(inner.was_unheard)
        errand = self._errand_of(inner)
        if _ends_with_connection(errand):
            outer.ends_with_connection = True
        return told_of(outer, inner, self._perform(inner, errand))

    def _errand_of(self, call: Call) -> Errand | None:
        entry = self._registry.find(call.name)
        return None if entry is None else tool_errand(entry, call)

    async def _perform(self, call: Call, errand: Errand | None) -> Outcome:
        started = self._clock.monotonic()
        call.ends_with_connection = call.ends_with_connection or _ends_with_connection(errand)
        agent = self._agents.of(call.caller.conversation_id) if call.caller.lasting else Agent()
        rights = self._granted.of(call.caller.principal)
        acts, capability = (False, None) if errand is None else (errand.acts, errand.capability)
        pages = permitted(self._pages, rights, capability, self._repositories)
        holding = Holding(self._surroundings.holds, call.caller, self._surroundings.may_hold, self._clock.now)
        driving = Driving(
            self._surroundings.browser,
            call.caller,
            self._surroundings.is_there,
            self._clock.now,
            self._shown_by,
        )
        attended = AttendedPages(
            pages,
            agent,
            acts=acts,
            now=started,
            keeps_away=lambda page_id: holding.keeps_away(page_id) or driving.keeps_away(page_id),
            driving=driving,
        )

        def repository_of_page() -> RepositoryId | None:
            return None if attended.found is None else repository_of(attended.found, self._repositories)

        row = CallRow(call, errand, self._clock, started, repository_of_page)
        self._in_flight += 1
        try:
            outcome = self._denied(row, rights) or await self._decide_and_run(row, rights, attended, agent)
            outcome = await self._recorded(row, outcome)
        finally:
            self._in_flight -= 1
        self._note_act(call, errand)
        now = self._clock.monotonic()
        if errand is not None and attended.page is not None:
            outcome = on_its_page(outcome, errand, attended, agents=self._agents, agent=agent, now=now)
        self._on_call(
            UNKNOWN_TOOL if errand is None else errand.name, str(outcome.decided.fate), now - started
        )
        return outcome

    def _note_act(self, call: Call, errand: Errand | None) -> None:
        """
        That an agent gets on: it called something else than that it lives.
        """
        token_id = call.caller.principal.token_id
        if token_id is not None and errand is not None and errand.name != HEARTBEAT:
            self._surroundings.tokens.acted(TokenId(token_id), self._clock.now())

    def _shown_by(self, page_id: PageId) -> RepositoryId | None:
        """
        The repository whose app a connected page shows.
        """
        identities = (page.identity for page in self._pages.all())
        shown = next((identity for identity in identities if identity.page_id == page_id), None)
        return None if shown is None else repository_of(shown, self._repositories)

    def _denied(self, row: CallRow, rights: Rights) -> Outcome | None:
        """
        How a call ended that may not begin; None for one that may.
        """
        call, errand = row.call, row.errand
        try:
            if errand is None:
                raise unknown_tool(call.name, self._registry, rights.sight())
            admit(errand, call.caller.carrier, rights, self._repositories)
        except Refusal as refusal:
            return Outcome(denied_by(refusal.code), None, refusal)
        return None

    async def _decide_and_run(
        self, row: CallRow, rights: Rights, attended: AttendedPages, agent: Agent
    ) -> Outcome:
        """
        Everything up to the row. Raises nothing: every failure has its line in the table of ``answers``.
        """
        call, errand = row.call, row.errand
        assert errand is not None
        try:
            context = GateContext(self._surroundings, call, rights, attended, agent, row, self._again)
            answer = await call.run(errand.begin(context))
            if errand.tool is not None:
                check_fields(answer.fields)
        except Refusal as refusal:
            return Outcome(refused_by(refusal.code), None, refusal)
        except PeerFault as fault:
            return Outcome(refused_by(fault.code), None, as_refusal(fault, ""), fault=fault)
        except CancelledError as cancelled:
            return self._ended(call, cancelled)
        except Exception as bug:  # noqa: BLE001 - a bug in a tool ends its call, not the daemon
            return self._incident(call, bug)
        return Outcome(ALLOWED, answer, None)

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

    async def _recorded(self, row: CallRow, outcome: Outcome) -> Outcome:
        """
        The outcome with its row's id, or a refusal in its place: no row, no answer. What a call changed has
        brought its row along.
        """
        audit_id = row.audit_id
        if audit_id is None:
            verdict_id = None if outcome.answer is None else outcome.answer.verdict_id
            try:
                audit_id = await self._audit.record(row.draft(outcome.decided, verdict_id))
            except Refusal as refusal:
                return Outcome(refused_by(refusal.code), None, refusal)
            except Exception as bug:  # noqa: BLE001 - the store's bug must not become an answer without a row
                return self._incident(row.call, bug)
        outcome.audit_id = audit_id
        return outcome


def _as_id(repository_id: str | None) -> RepositoryId | None:
    return None if repository_id is None else RepositoryId(repository_id)


def _ends_with_connection(errand: Errand | None) -> bool:
    """
    Whether a call waits for its client alone.
    """
    return errand is not None and errand.tool is not None and errand.tool.ends_with_connection
