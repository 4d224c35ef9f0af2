"""
A call context for tests of single tools, without gate and conversation.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property

import attrs
from twisted.internet.defer import Deferred, fail, succeed

from reticle.domain.browser_lease import Asker, keeps_away
from reticle.domain.lease import held, held_by_another
from reticle.domain.project_detectors import EVERY_DETECTOR
from reticle.errors import Refusal
from reticle.model.audit import AuditDraft
from reticle.model.codes import Capability, LogLevel, RefusalCode
from reticle.model.ids import AuditId, PageId, RepositoryId, VerdictId
from reticle.model.mcp import Question
from reticle.model.tokens import Repository
from reticle.model.trust import LOCAL, Principal
from reticle.ports import Answer, Detection, Page, Pages
from reticle.testing.browser import FakeBrowser
from reticle.testing.clock import FakeClock
from reticle.testing.drafts import a_draft
from reticle.testing.grants import MemoryRepositories, MemoryTokens
from reticle.testing.journal import MemoryJournal
from reticle.testing.leases import MemoryPageHolds
from reticle.testing.pages import FakePages
from reticle.testing.stores import (
    MemoryBaselines,
    MemoryContracts,
    MemoryFeedback,
    MemoryPictures,
    MemoryVerdicts,
)
from reticle.testing.tokens import MemoryFolders
from reticle.testing.work import MemoryWork
from reticle.testing.worktrees import MemoryWorktrees


@attrs.frozen
class Told:
    """
    One progress report of a tool.
    """

    progress: float
    total: float | None = None
    message: str | None = None


class RecordedProgress:
    """
    Provides ``ports.Progress``; ``told`` holds every report, in order.
    """

    def __init__(self) -> None:
        self.told: list[Told] = []

    def __call__(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """
        Remember one report.
        """
        self.told.append(Told(progress, total, message))


class FakeContext:
    """
    Provides ``ports.CallContext``.

    Args:
        pages: Where the tool looks for pages.
        capabilities: What ``may`` says yes to; everything unless given.
        listing: What ``catalogue`` returns.
        tools: What ``call`` runs, by name: a function from the arguments to an answer, which may raise
            ``Refusal``.

    ``shown`` says of which pages the conversation was shown a ref. ``asked`` holds the questions of each
    ``ask``, ``logged`` what was told to the client. Only the questions in ``answers``, by their names, can be
    asked.
    """

    def __init__(
        self,
        pages: Pages,
        *,
        clock: FakeClock | None = None,
        verdicts: MemoryVerdicts | None = None,
        principal: Principal = LOCAL,
        capabilities: Sequence[Capability] = tuple(Capability),
        listing: Sequence[Mapping[str, object]] = (),
        tools: Mapping[str, Callable[[Mapping[str, object]], Answer]] | None = None,
        conversation_id: str = "conversation_1",
        daemon_url: str = "http://127.0.0.1:4400",
    ) -> None:
        self.pages = pages
        self.clock = FakeClock() if clock is None else clock
        self.verdicts = MemoryVerdicts() if verdicts is None else verdicts
        self.feedback = MemoryFeedback()
        self.pictures = MemoryPictures()
        self.baselines = MemoryBaselines()
        self.app_contracts = MemoryContracts()
        self.journal: MemoryJournal | None = MemoryJournal()
        self.detection: Detection = EVERY_DETECTOR
        self.audit = self.verdicts.audit
        self.tokens = MemoryTokens()
        self.repositories = MemoryRepositories(self.tokens)
        self.folders = MemoryFolders()
        self.worktrees = MemoryWorktrees()
        self.holds = MemoryPageHolds(self.audit)
        self.wanted = True
        self.unheard: list[Callable[[], object]] = []
        self.browser = FakeBrowser(pages if isinstance(pages, FakePages) else None, clock=self.clock)
        self.agent = "agent:me"
        self.agents: dict[str, str] = {"agent:me": "me"}
        self.places: dict[str, RepositoryId] = {}
        self.told_contract: Mapping[str, object] = {}
        self.shown: dict[str, list[PageId]] = {}
        self.principal = principal
        self.progress = RecordedProgress()
        self.conversation_id = conversation_id
        self.daemon_url = daemon_url
        self.called: list[tuple[str, Mapping[str, object]]] = []
        self.answers: dict[str, object] = {}
        self.asked: list[Mapping[str, Question]] = []
        self.logged: list[tuple[LogLevel, object]] = []
        self._capabilities = frozenset(capabilities)
        self._listing = listing
        self._tools = {} if tools is None else tools
        self._minted = 0

    @cached_property
    def work(self) -> MemoryWork:
        """
        Made when it is asked for: most tools have nothing to do with it.
        """
        return MemoryWork(self.audit, self.tokens, self.clock)

    def if_unheard(self, undo: Callable[[], object]) -> None:
        """
        Remember it.
        """
        self.unheard.append(undo)

    def pages_showing(self, ref: str) -> Sequence[PageId]:
        """
        What ``shown`` says.
        """
        return self.shown.get(ref, [])

    async def ask(self, questions: Mapping[str, Question]) -> Mapping[str, object]:
        """
        What ``answers`` says; refused when it lacks one.
        """
        self.asked.append(questions)
        if not questions.keys() <= self.answers.keys():
            raise Refusal(RefusalCode.CANNOT_ASK, "this client cannot be asked")
        return {name: self.answers[name] for name in questions}

    def can_ask(self, question: Question) -> bool:
        """
        Whether there are any answers.
        """
        del question
        return bool(self.answers)

    def log(self, level: LogLevel, data: object, logger: str | None = None) -> None:
        """
        Remember one message.
        """
        del logger
        self.logged.append((level, data))

    def place_to_open(self, url: str) -> RepositoryId | None:
        """
        What ``places`` says: by the beginning of an address; without any, everything may be opened.
        """
        if not self.places:
            return None
        for start, place in self.places.items():
            if url.startswith(start):
                return place
        raise Refusal(RefusalCode.CAPABILITY_SCOPE_MISMATCH, f"{url} is of no repository of yours")

    def repository_of(self, page: Page) -> Repository | None:
        """
        By its origin alone.
        """
        return self.repositories.by_origin(page.identity.app.origin)

    def shown_agent(self, agent: str) -> str | None:
        """
        What ``agents`` says.
        """
        return self.agents.get(agent)

    def may_hold(self, agent: str, page: Page) -> bool:  # noqa: ARG002 -- whatever the page shows
        """
        Whoever ``agents`` knows.
        """
        return agent in self.agents

    def refuse_held(self, page: Page) -> None:
        """
        As the gate refuses, by what ``holds`` and ``browser`` have.
        """
        now = self.clock.now()
        other = held_by_another(self.holds.of(page.identity.page_id), self.agent, now)
        lease = self.browser.of_page(page.identity.page_id)
        if other is None and lease is not None:
            other = keeps_away(lease, Asker(self.agent, now))
        if other is not None:
            raise held(other, self.agent, now)

    def may(self, capability: Capability) -> bool:
        """
        Whether it was among the given capabilities.
        """
        return capability in self._capabilities

    @property
    def is_operator(self) -> bool:
        """
        Whether ``admin`` was among the given capabilities.
        """
        return Capability.ADMIN in self._capabilities

    def new_verdict_id(self) -> VerdictId:
        """
        ``verdict_1``, ``verdict_2`` and so on.
        """
        self._minted += 1
        return VerdictId(f"verdict_{self._minted}")

    def random(self, count: int) -> bytes:
        """
        Other bytes each time, the same in each run.
        """
        self._minted += 1
        return self._minted.to_bytes(count, "big")

    async def mutate(self, change: Callable[[AuditDraft], Awaitable[AuditId]]) -> AuditId:
        """
        Make the change with a row of a test.
        """
        return await change(a_draft())

    def contract(self) -> Mapping[str, object]:
        """
        What ``told_contract`` says.
        """
        return self.told_contract

    def call(self, tool: str, arguments: Mapping[str, object]) -> Deferred[Answer]:
        """
        Run one of the given tools; an unknown one is refused as the gate refuses it.
        """
        self.called.append((tool, arguments))
        run = self._tools.get(tool)
        if run is None:
            return fail(Refusal(RefusalCode.METHOD_UNKNOWN, f"there is no tool named {tool}"))
        try:
            return succeed(run(arguments))
        except Refusal as refusal:
            return fail(refusal)

    def catalogue(self) -> Sequence[Mapping[str, object]]:
        """
        The given listing.
        """
        return self._listing
