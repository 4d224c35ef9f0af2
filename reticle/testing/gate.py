"""
The real gate over memory stores and scripted tools, for tests of whatever stands above it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Annotated

import attrs
from msgspec import Meta
from twisted.internet.defer import Deferred

from reticle.dispatch.conversations import Conversations
from reticle.dispatch.dual import DualConversation
from reticle.dispatch.features import Features
from reticle.dispatch.gate import Gate
from reticle.dispatch.grants import VERIFY_ALONE
from reticle.dispatch.notices import Notices
from reticle.dispatch.prompting import Prompts
from reticle.dispatch.readable import Readable
from reticle.dispatch.registry import Registry
from reticle.dispatch.shared import Shared
from reticle.errors import Refusal
from reticle.mcp.capabilities import Offered
from reticle.model.codes import Capability, Carrier, RefusalCode, Toolset
from reticle.model.tokens import Grant
from reticle.model.trust import LOCAL, Principal
from reticle.ports import CallContext
from reticle.prompts.debug import DEBUG
from reticle.prompts.verify import VERIFY
from reticle.resources.sessions import SESSIONS
from reticle.resources.snapshot import SNAPSHOT
from reticle.resources.verdict import VERDICT
from reticle.testing.browser import FakeBrowser
from reticle.testing.clock import FakeClock
from reticle.testing.grants import MemoryRepositories, MemoryTokens
from reticle.testing.leases import MemoryPageHolds
from reticle.testing.pages import FakePages
from reticle.testing.sinks import RecordedSink
from reticle.testing.stores import (
    MemoryAudit,
    MemoryBaselines,
    MemoryContracts,
    MemoryFeedback,
    MemoryPictures,
    MemoryVerdicts,
)
from reticle.testing.tokens import MemoryFolders, a_token, bearer_of
from reticle.testing.work import MemoryWork
from reticle.testing.worktrees import MemoryWorktrees
from reticle.tools.meta import meta_tools
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer


class EchoArguments(Arguments, frozen=True, kw_only=True):
    """
    What ``test_echo`` says again.
    """

    text: Annotated[str, Meta(description="Text to echo. It comes back unchanged.")]
    times: Annotated[int, Meta(ge=1, le=5, description="How often.")] = 1
    sessionId: Annotated[str | None, Meta(description="Page, unused.")] = None


class NoArguments(Arguments, frozen=True, kw_only=True):
    """
    Nothing.
    """


async def _echo(_: CallContext, arguments: EchoArguments) -> ToolAnswer:
    return ToolAnswer({"text": arguments.text * arguments.times, "sessionId": arguments.sessionId})


async def _refuse(_: CallContext, __: NoArguments) -> ToolAnswer:
    raise Refusal(RefusalCode.NO_SESSION, "no page is connected", "Open the app.", {"candidates": ["p1"]})


async def _break(_: CallContext, __: NoArguments) -> ToolAnswer:
    raise ZeroDivisionError("secret inside")


def scripted_tool(  # a tool in one line; the rest of a declaration does not matter to a test
    name: str,
    run: object,
    arguments: type[Arguments] = NoArguments,
    *,
    capability: Capability = Capability.OBSERVE,
    advertised: bool = True,
) -> Tool:
    """
    A tool that runs what the test says.
    """
    return Tool(
        name=name,
        title=name.replace("_", " ").capitalize(),
        summary=f"Does what {name} does.",
        arguments=arguments,
        capability=capability,
        annotations=ToolAnnotations(read_only=True),
        run=run,  # type: ignore[arg-type]  # a test may give any function of context and arguments
        example={"text": "hello"} if arguments is EchoArguments else {},
        advertised=advertised,
    )


class Waiting:
    """
    A tool that waits until the test lets it go on.

    ``waits`` holds one Deferred for each call that waits; ``cancelled`` counts those that were stopped.
    """

    def __init__(self) -> None:
        self.waits: list[Deferred[str]] = []
        self.cancelled = 0

    async def run(self, context: CallContext, _: NoArguments) -> ToolAnswer:
        """
        Tell progress once, wait, then answer what the test gave.
        """

        def count(_: Deferred[str]) -> None:
            self.cancelled += 1

        wait: Deferred[str] = Deferred(count)
        self.waits.append(wait)
        context.progress(1, 2, "waiting")
        said = await wait
        context.progress(2, 2, "done")
        return ToolAnswer({"said": said})


@attrs.define(eq=False)
class GateBench:
    """
    A gate with everything that a test may look at.

    The tools are ``test_echo``, ``test_refuse``, ``test_break``, ``test_wait``, the unlisted
    ``test_hidden``, the two meta tools and what was given beside them.
    """

    extra: Iterable[Tool] = ()
    clock: FakeClock = attrs.field(factory=FakeClock)
    audit: MemoryAudit = attrs.field(factory=MemoryAudit)
    verdicts: MemoryVerdicts = attrs.field(
        default=attrs.Factory(lambda self: MemoryVerdicts(self.audit), takes_self=True)
    )
    feedback: MemoryFeedback = attrs.field(factory=MemoryFeedback)
    pictures: MemoryPictures = attrs.field(factory=MemoryPictures)
    baselines: MemoryBaselines = attrs.field(factory=MemoryBaselines)
    app_contracts: MemoryContracts = attrs.field(factory=MemoryContracts)
    tokens: MemoryTokens = attrs.field(init=False)
    repositories: MemoryRepositories = attrs.field(init=False)
    folders: MemoryFolders = attrs.field(factory=MemoryFolders)
    worktrees: MemoryWorktrees = attrs.field(factory=MemoryWorktrees)
    holds: MemoryPageHolds = attrs.field(init=False)
    work: MemoryWork = attrs.field(init=False)
    toolsets: AbstractSet[Toolset] = VERIFY_ALONE
    pages: FakePages = attrs.field(factory=FakePages)
    browser: FakeBrowser = attrs.field(init=False)
    waiting: Waiting = attrs.field(factory=Waiting)
    told: list[tuple[str, str, float]] = attrs.field(factory=list)
    gate: Gate = attrs.field(init=False)
    notices: Notices = attrs.field(factory=Notices)
    features: Features = attrs.field(init=False)
    shared: Shared = attrs.field(init=False)
    conversations: Conversations = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        ids = itertools.count(1)
        self.tokens = MemoryTokens(self.audit)
        self.repositories = MemoryRepositories(self.tokens)
        self.holds = MemoryPageHolds(self.audit)
        self.work = MemoryWork(self.audit, self.tokens, self.clock)
        self.browser = FakeBrowser(self.pages, clock=self.clock)
        self.gate = Gate(
            registry=Registry(
                [
                    scripted_tool("test_echo", _echo, EchoArguments),
                    scripted_tool("test_refuse", _refuse),
                    scripted_tool("test_break", _break),
                    scripted_tool("test_wait", self.waiting.run),
                    scripted_tool("test_hidden", _echo, EchoArguments, advertised=False),
                    *meta_tools("grammar of predicates"),
                    *self.extra,
                ]
            ),
            audit=self.audit,
            verdicts=self.verdicts,
            feedback=self.feedback,
            pictures=self.pictures,
            baselines=self.baselines,
            app_contracts=self.app_contracts,
            tokens=self.tokens,
            repositories=self.repositories,
            folders=self.folders,
            holds=self.holds,
            work=self.work,
            worktrees=self.worktrees,
            browser=self.browser,
            pages=self.pages,
            clock=self.clock,
            new_id=lambda: f"id{next(ids):014}",
            random=lambda count: next(ids).to_bytes(count, "big"),
            daemon_url=lambda: "http://127.0.0.1:4400",
            on_call=lambda tool, outcome, seconds: self.told.append((tool, outcome, seconds)),
            toolsets=self.toolsets,
        )
        self.features = Features(
            gate=self.gate,
            readable=Readable([SESSIONS], [SNAPSHOT, VERDICT]),
            prompts=Prompts([VERIFY, DEBUG]),
        )
        self.shared = Shared(
            make_gate=lambda: self.gate,
            make_features=lambda _gate: self.features,
            notices=self.notices,
            clock=self.clock,
            offered=Offered(tools_changes=True, resources=True, prompts=True, completions=True, logging=True),
        )
        self.conversations = Conversations(
            self.shared, new_id=lambda: f"conversation_{next(ids)}", state_key=lambda: b"k" * 32
        )

    def token(self, *grants: Grant, name: str = "t1", expires_at: float | None = None) -> Principal:
        """
        Whoever has a token with these grants.
        """
        sealed = a_token(*grants, name=name, expires_at=expires_at)
        self.tokens.keep(sealed)
        return bearer_of(sealed)

    def open(self, principal: Principal = LOCAL) -> tuple[DualConversation, RecordedSink]:
        """
        A conversation over SSE and where its answers go.
        """
        sink = RecordedSink()
        conversation = self.conversations.open(principal, Carrier.SSE, sink)
        assert isinstance(conversation, DualConversation)
        return conversation, sink
