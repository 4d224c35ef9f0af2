"""
What one tool call may use and gives back; provided by ``reticle.dispatch``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reticle.model.audit import AuditDraft
    from reticle.model.codes import Capability, LogLevel
    from reticle.model.content import ContentBlock
    from reticle.model.ids import AuditId, PageId, RepositoryId, VerdictId
    from reticle.model.mcp import Question
    from reticle.model.tokens import Repository
    from reticle.model.trust import Principal
    from reticle.ports.browser import Browser
    from reticle.ports.clock import Clock
    from reticle.ports.detection import Detection
    from reticle.ports.journal import Journal
    from reticle.ports.leases import PageHolds
    from reticle.ports.pages import Page, Pages
    from reticle.ports.stores import (
        AuditLog,
        BaselineStore,
        ContractStore,
        FeedbackStore,
        PictureStore,
        VerdictStore,
    )
    from reticle.ports.tokens import Folders, RepositoryStore, TokenStore
    from reticle.ports.work import WorkStore
    from reticle.ports.worktrees import Worktrees


class Progress(Protocol):
    """
    Tells a waiting client that work goes on.
    """

    def __call__(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """
        Say how far it is; ignored where the client did not ask.
        """


class Answer(Protocol):
    """
    What a tool gives back: the fields of the flat result object, and their text.
    """

    @property
    def fields(self) -> Mapping[str, object]:
        """
        JSON values only; without ``ok``, ``method`` and ``audit_id``, which the gate adds.
        """

    @property
    def text(self) -> str | None:
        """
        The outline for ``content``; None asks the gate to make it from the fields.
        """

    @property
    def verdict_id(self) -> VerdictId | None:
        """
        For the audit row.
        """

    @property
    def actions(self) -> int:
        """
        How many actions it carried out on a page without a verdict on them.
        """

    @property
    def blocks(self) -> Sequence[ContentBlock]:
        """
        What is shown beside the text, such as an image.
        """


class CallContext(Protocol):
    """
    What one tool call may use.
    """

    @property
    def principal(self) -> Principal:
        """
        Who calls.
        """

    @property
    def pages(self) -> Pages:
        """
        The connected pages.
        """

    @property
    def verdicts(self) -> VerdictStore:
        """
        Where a verdict is recorded before it is answered; another principal's are as if they were not there.
        """

    @property
    def feedback(self) -> FeedbackStore:
        """
        Where notes about reticle are kept.
        """

    @property
    def pictures(self) -> PictureStore:
        """
        Where pictures of pages are kept.
        """

    @property
    def baselines(self) -> BaselineStore:
        """
        How pages were, under the names that agents gave.
        """

    @property
    def app_contracts(self) -> ContractStore:
        """
        What apps declare, in their projects.
        """

    @property
    def journal(self) -> Journal | None:
        """
        What pages reported, over restarts; None where it is off.
        """

    @property
    def detection(self) -> Detection:
        """
        Which detectors look at this daemon's windows, beside those that always do.
        """

    @property
    def audit(self) -> AuditLog:
        """
        The rows of earlier calls; the gate writes this call's own.
        """

    @property
    def tokens(self) -> TokenStore:
        """
        The capability tokens.
        """

    @property
    def repositories(self) -> RepositoryStore:
        """
        The registered repositories.
        """

    @property
    def folders(self) -> Folders:
        """
        Where on this machine a path leads.
        """

    @property
    def holds(self) -> PageHolds:
        """
        Which agent has which page to itself; the gate refuses acts on a page that another one holds.
        """

    @property
    def work(self) -> WorkStore:
        """
        The runs of repositories, and who does what in them.
        """

    @property
    def worktrees(self) -> Worktrees:
        """
        The files of repositories as they are on the disk now, and who serves them.
        """

    @property
    def wanted(self) -> bool:
        """
        Whether anybody still waits for the answer of this call, as far as is known.
        """

    def if_unheard(self, undo: Callable[[], object]) -> None:
        """
        Have this called when the answer cannot be given to anybody: its client cancelled the call or is gone.
        """

    @property
    def browser(self) -> Browser:
        """
        The browser that the daemon drives; the gate refuses acts on a page that another agent drives, and
        each call on a page renews its lease.
        """

    def place_to_open(self, url: str) -> RepositoryId | None:
        """
        The repository whose app is at an address, for a principal that may drive pages of some only; None for
        one that may open anything. Raises ``Refusal`` ``capability_scope_mismatch``.
        """

    def repository_of(self, page: Page) -> Repository | None:
        """
        The registered repository that a page belongs to.
        """

    @property
    def agent(self) -> str:
        """
        By what name this caller holds pages: its token, else its conversation, else its principal.
        """

    def shown_agent(self, agent: str) -> str | None:
        """
        An agent as people call it; None when there is no such agent to give a page to.
        """

    def may_hold(self, agent: str, page: Page) -> bool:
        """
        Whether an agent is there and may act on what the page shows now: else it holds nothing.
        """

    def refuse_held(self, page: Page) -> None:
        """
        For what a tool does that does not act on the page but is its holder's to do. Raises ``Refusal``
        ``page_held``.
        """

    @property
    def clock(self) -> Clock:
        """
        Time.
        """

    @property
    def progress(self) -> Progress:
        """
        Where a wait reports.
        """

    async def ask(self, questions: Mapping[str, Question]) -> Mapping[str, object]:
        """
        Ask the client in the middle of a call, several questions at once by names of the tool's own, and give
        each one's result object as the client sent it.

        Ask before anything has an effect: on 2026-07-28 the call ends here as ``input_required``, and the
        tool is run again from its start when the client comes back with the answers; what earlier rounds
        answered is then given without asking. The same question by the same name is put once in a call.

        Raises ``Refusal`` ``cannot_ask`` when this client or carrier cannot be asked that, and
        ``not_answered`` when it failed or did not answer in time; the tool then goes on without or refuses
        by itself.
        """

    def can_ask(self, question: Question) -> bool:
        """
        Whether the client declared that it can be asked that.
        """

    def log(self, level: LogLevel, data: object, logger: str | None = None) -> None:
        """
        Send a log message to the client if it wants that level during this call; ``data`` is any JSON value.
        """

    @property
    def conversation_id(self) -> str:
        """
        Names the agent's conversation: the same in all of its calls, another for every other agent.

        For what is remembered between two calls of one agent, such as its last snapshot. Not a secret.
        """

    @property
    def daemon_url(self) -> str:
        """
        Where a page on this machine reaches the daemon, such as ``http://127.0.0.1:4400``; no slash
        at the end.
        """

    def pages_showing(self, ref: str) -> Sequence[PageId]:
        """
        Pages of which this conversation was shown that ref. Refs are per page: two may have the same.
        """

    def may(self, capability: Capability) -> bool:
        """
        Whether the principal has a capability; the gate has already checked the tool's own.
        """

    @property
    def is_operator(self) -> bool:
        """
        Whether the principal has ``admin`` for all repositories.
        """

    def new_verdict_id(self) -> VerdictId:
        """
        A fresh, unguessable id.
        """

    def random(self, count: int) -> bytes:
        """
        That many unguessable bytes.
        """

    def mutate(self, change: Callable[[AuditDraft], Awaitable[AuditId]]) -> Awaitable[AuditId]:
        """
        Make the one change of this call, whose row is committed together with it.

        ``change`` gets that row and gives it to a store. From here on the call is not stopped any more. A
        change that raises has changed nothing, and the gate then writes the row of the refusal.
        """

    def contract(self) -> Mapping[str, object]:
        """
        Every method of this daemon as ``contracts/daemon_methods.json`` has it, with ``methods_etag``.
        """

    def call(self, tool: str, arguments: Mapping[str, object]) -> Awaitable[Answer]:
        """
        Run another tool through the same gate (for ``reticle_run``); audited as that tool.
        """

    def catalogue(self) -> Sequence[Mapping[str, object]]:
        """
        Every tool the principal may call, advertised or not: name, title, summary, inputSchema,
        outputSchema, example, advertised.
        """
