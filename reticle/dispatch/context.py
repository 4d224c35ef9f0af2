"""
What a tool gets to work with; made by the gate for one call.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

import attrs
import msgspec

from reticle.dispatch.agents import Agent
from reticle.dispatch.attended import AttendedPages
from reticle.dispatch.call import Call
from reticle.dispatch.grants import Rights
from reticle.dispatch.holding import agent_name, is_there, may_act, shown_name
from reticle.dispatch.listing import Listing
from reticle.dispatch.openable import place_to_open
from reticle.dispatch.own_verdicts import own_verdicts
from reticle.dispatch.permitted import repository_of
from reticle.dispatch.row import CallRow
from reticle.mcp.strict_json import encode
from reticle.model.audit import AuditDraft
from reticle.model.codes import Capability, LogLevel
from reticle.model.ids import AuditId, PageId, RepositoryId, VerdictId
from reticle.model.mcp import Question
from reticle.model.tokens import Repository
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
    Page,
    PageHolds,
    Pages,
    PictureStore,
    Progress,
    RepositoryStore,
    TokenStore,
    VerdictStore,
    WorkStore,
    Worktrees,
)


@attrs.frozen(kw_only=True, eq=False)
class Surroundings:
    """
    What all calls of a daemon share.

    ``new_id`` gives a fresh unguessable text each time, ``random`` that many such bytes, ``daemon_url`` where
    the daemon listens now; ``contract`` is as of ``ports.CallContext``.
    """

    pages: Pages
    verdicts: VerdictStore
    feedback: FeedbackStore
    pictures: PictureStore
    baselines: BaselineStore
    app_contracts: ContractStore
    journal: Journal | None
    detection: Detection
    audit: AuditLog
    tokens: TokenStore
    repositories: RepositoryStore
    folders: Folders
    holds: PageHolds
    work: WorkStore
    worktrees: Worktrees
    browser: Browser
    conversations: Callable[[], Iterable[str]]
    clock: Clock
    new_id: Callable[[], str]
    random: Callable[[int], bytes]
    daemon_url: Callable[[], str]
    listing: Listing
    contract: Mapping[str, object]

    def is_there(self, agent: str) -> bool:
        """
        Whether an agent of that name can still call something.
        """
        return is_there(agent, self.tokens, self.conversations(), self.clock.now())

    def may_hold(self, agent: str, page_id: PageId) -> bool:
        """
        Whether such an agent is there and may act on the page as it is now.
        """
        if not self.is_there(agent):
            return False
        shown = (page.identity.app for page in self.pages.all() if page.identity.page_id == page_id)
        now = self.clock.now()
        return all(may_act(agent, app, self.tokens, self.repositories, now) for app in shown)


class GateContext(msgspec.Struct, eq=False):
    """
    Provides ``ports.CallContext``.

    ``row`` is the call's one row. ``again`` runs a second call, made by the first, through the same gate and
    gives its answer or raises its refusal.
    """

    _surroundings: Surroundings
    _call: Call
    _rights: Rights
    _attended: AttendedPages
    _agent: Agent
    _row: CallRow
    _again: Callable[[Call, Call], Awaitable[Answer]]
    _asked: dict[str, tuple[Question, object]] = {}

    @property
    def principal(self) -> Principal:
        """
        Who calls.
        """
        return self._call.caller.principal

    @property
    def pages(self) -> Pages:
        """
        The connected pages, as this call may use them.
        """
        return self._attended

    @property
    def verdicts(self) -> VerdictStore:
        """
        Where verdicts are recorded, and those that the principal may see.
        """
        return own_verdicts(self._surroundings.verdicts, self.principal, self._rights)

    @property
    def feedback(self) -> FeedbackStore:
        """
        Where notes about reticle are kept.
        """
        return self._surroundings.feedback

    @property
    def pictures(self) -> PictureStore:
        """
        Where pictures are kept.
        """
        return self._surroundings.pictures

    @property
    def baselines(self) -> BaselineStore:
        """
        How pages were.
        """
        return self._surroundings.baselines

    @property
    def app_contracts(self) -> ContractStore:
        """
        What apps declare.
        """
        return self._surroundings.app_contracts

    @property
    def journal(self) -> Journal | None:
        """
        What pages reported, over restarts.
        """
        return self._surroundings.journal

    @property
    def detection(self) -> Detection:
        """
        Which detectors look.
        """
        return self._surroundings.detection

    @property
    def audit(self) -> AuditLog:
        """
        The rows of earlier calls.
        """
        return self._surroundings.audit

    @property
    def tokens(self) -> TokenStore:
        """
        The capability tokens.
        """
        return self._surroundings.tokens

    @property
    def repositories(self) -> RepositoryStore:
        """
        The registered repositories.
        """
        return self._surroundings.repositories

    @property
    def folders(self) -> Folders:
        """
        Where a path leads.
        """
        return self._surroundings.folders

    @property
    def holds(self) -> PageHolds:
        """
        Which agent has which page to itself.
        """
        return self._surroundings.holds

    @property
    def work(self) -> WorkStore:
        """
        The runs, and who does what in them.
        """
        return self._surroundings.work

    @property
    def worktrees(self) -> Worktrees:
        """
        The files of repositories, and who serves them.
        """
        return self._surroundings.worktrees

    @property
    def wanted(self) -> bool:
        """
        Whether anybody still waits for the answer.
        """
        return not self._call.given_up

    def if_unheard(self, undo: Callable[[], object]) -> None:
        """
        What to do when the answer reaches nobody.
        """
        self._call.unheard.append(undo)

    @property
    def browser(self) -> Browser:
        """
        The browser that the daemon drives.
        """
        return self._surroundings.browser

    def place_to_open(self, url: str) -> RepositoryId | None:
        """
        The repository whose app is at an address, where that matters.
        """
        around = self._surroundings
        return place_to_open(url, self._rights, around.repositories, around.pages)

    def repository_of(self, page: Page) -> Repository | None:
        """
        The repository that a page belongs to.
        """
        repositories = self._surroundings.repositories
        place = repository_of(page.identity, repositories)
        return None if place is None else repositories.find(place)

    @property
    def agent(self) -> str:
        """
        By what name this caller holds pages.
        """
        return agent_name(self._call.caller)

    def shown_agent(self, agent: str) -> str | None:
        """
        An agent as people call it.
        """
        known = agent == self.agent or self._surroundings.is_there(agent)
        return shown_name(agent, self._surroundings.tokens) if known else None

    def may_hold(self, agent: str, page: Page) -> bool:
        """
        Whether a hold of that agent's binds others.
        """
        page_id = page.identity.page_id
        return agent == self.agent or self._surroundings.may_hold(agent, page_id)

    def refuse_held(self, page: Page) -> None:
        """
        Refuse what only the holder of a page may do.
        """
        self._attended.refuse_held(page)

    @property
    def clock(self) -> Clock:
        """
        Time.
        """
        return self._surroundings.clock

    @property
    def progress(self) -> Progress:
        """
        Where a wait reports.
        """
        return self._call.progress

    async def ask(self, questions: Mapping[str, Question]) -> Mapping[str, object]:
        """
        Ask the client of this call what this call has not asked it before.
        """
        new = {name: question for name, question in questions.items() if not self._has_asked(name, question)}
        if new:
            answers = await self._call.asker.ask(new)
            self._asked.update({name: (question, answers[name]) for name, question in new.items()})
        return {name: self._asked[name][1] for name in questions}

    def _has_asked(self, name: str, question: Question) -> bool:
        return name in self._asked and self._asked[name][0] == question

    def can_ask(self, question: Question) -> bool:
        """
        Whether the client of this call can be asked that.
        """
        return self._call.asker.can_ask(question)

    def log(self, level: LogLevel, data: object, logger: str | None = None) -> None:
        """
        Tell the client of this call.
        """
        self._call.log(level, data, logger)

    @property
    def conversation_id(self) -> str:
        """
        The agent's conversation.
        """
        return self._call.caller.conversation_id

    @property
    def daemon_url(self) -> str:
        """
        Where a page reaches the daemon.
        """
        return self._surroundings.daemon_url()

    def pages_showing(self, ref: str) -> Sequence[PageId]:
        """
        Pages of which this conversation was shown that ref.
        """
        return self._agent.pages_showing(ref)

    def may(self, capability: Capability) -> bool:
        """
        Whether the principal has a capability, in at least one repository.
        """
        return capability in self._rights.somewhere

    @property
    def is_operator(self) -> bool:
        """
        Whether the principal has ``admin`` for all repositories.
        """
        return self._rights.is_operator

    def new_verdict_id(self) -> VerdictId:
        """
        A fresh id.
        """
        return VerdictId(f"verdict_{self._surroundings.new_id()}")

    def random(self, count: int) -> bytes:
        """
        Unguessable bytes.
        """
        return self._surroundings.random(count)

    def mutate(self, change: Callable[[AuditDraft], Awaitable[AuditId]]) -> Awaitable[AuditId]:
        """
        Make the change of this call, with its row.
        """
        return self._row.commit(change)

    def contract(self) -> Mapping[str, object]:
        """
        Every method.
        """
        return self._surroundings.contract

    def call(self, tool: str, arguments: Mapping[str, object]) -> Awaitable[Answer]:
        """
        Run another tool, with a row of its own.
        """
        outer = self._call
        inner = Call(
            outer.caller,
            tool,
            encode(arguments),
            outer.repository_id,
            progress=outer.progress,
            asker=outer.asker,
            log=outer.log,
        )
        return self._again(outer, inner)

    def catalogue(self) -> Sequence[Mapping[str, object]]:
        """
        The tools that this principal may call.
        """
        return self._surroundings.listing.catalogue(self._rights.sight())
