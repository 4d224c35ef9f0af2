"""
What every method of the work shares: which repository, who calls, when, and how a rule is committed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from reticle.domain.work.calling import WorkCaller
from reticle.domain.work.liveness import NOTHING_SEEN, Seen
from reticle.domain.work.queue import Moment
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode, RepositoryScope, Toolset
from reticle.model.ids import (
    AuditId,
    JobId,
    MessageId,
    RepositoryId,
    RunId,
    TokenId,
    WorkLeaseId,
    WorkSessionId,
)
from reticle.model.limits import PEER_NAME_CHARS
from reticle.model.tokens import SESSION_KIND
from reticle.model.work import WorkSession
from reticle.model.work_limits import REASON_CHARS
from reticle.ports import CallContext
from reticle.tools.spec import Arguments, Tool, ToolAnswer

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from reticle.model.audit import AuditDraft
    from reticle.ports.work import WorkBook

T = TypeVar("T")
A = TypeVar("A", bound="Arguments")
Run: TypeAlias = Callable[[CallContext, A], "Awaitable[ToolAnswer]"]

Name = Annotated[str, Meta(min_length=1, max_length=PEER_NAME_CHARS)]
Text = Annotated[str, Meta(max_length=REASON_CHARS)]

ID: Final = "0123456789abcdef0123456789abcdef"
"""Behind a prefix in examples."""


class WorkArguments(Arguments, frozen=True, kw_only=True):
    """
    Of which repository.
    """

    told_in_summary: ClassVar[frozenset[str]] = frozenset(
        {"repository_id", "run_id", "session_id", "job_id", "lease_id", "message_id", "reason", "after"}
    )
    """Answers name each of them so, and every list would say the same of it twenty times."""

    repository_id: Annotated[Name, Meta(description="The repository; repo.list shows them.")]


class RunArguments(WorkArguments, frozen=True, kw_only=True):
    """
    Of which run.
    """

    run_id: Annotated[Name, Meta(description="The run; list.runs shows them.")]


class SessionArguments(WorkArguments, frozen=True, kw_only=True):
    """
    As which session.
    """

    session_id: Annotated[
        Name | None, Meta(description="Your session. Without it that of the token which calls.")
    ] = None


class LeaseArguments(SessionArguments, frozen=True, kw_only=True):
    """
    With which claim.
    """

    lease_id: Annotated[Name, Meta(description="The packet's lease.lease_id.")]


def caller_of(context: CallContext, arguments: WorkArguments) -> WorkCaller:
    """
    Who calls, as the rules ask for it.
    """
    token_id = None if context.principal.token_id is None else TokenId(context.principal.token_id)
    sealed = None if token_id is None else context.tokens.find(token_id)
    return WorkCaller(
        principal=context.principal.name,
        repository_id=RepositoryId(arguments.repository_id),
        token_id=token_id,
        bound=sealed is not None and sealed.token.kind == SESSION_KIND,
    )


def seen_of(context: CallContext) -> Callable[[WorkSession], Seen]:
    """
    What this daemon saw of sessions beside the work: which tools their tokens called.
    """

    def seen(session: WorkSession) -> Seen:
        sealed = None if session.token_id is None else context.tokens.find(session.token_id)
        if sealed is None or session.token_id is None:
            return NOTHING_SEEN
        used, acted = sealed.token.last_used_at, context.tokens.acted_at(session.token_id)
        return Seen(
            None if used is None else round(used * 1_000_000),
            None if acted is None else round(acted * 1_000_000),
        )

    return seen


def moment_of_call(context: CallContext) -> Moment:
    """
    Now, in the caller's name.
    """
    return Moment(
        round(context.clock.now() * 1_000_000),
        context.principal.name,
        lambda prefix: f"{prefix}{context.random(16).hex()}",
    )


async def changed(
    context: CallContext, rule: Callable[[WorkBook], T], opens: tuple[WorkSessionId, int] | None = None
) -> T:
    """
    Commit what a rule does, with the row of this call, and give its value. ``opens`` as of
    ``WorkStore.change``.

    Raises:
        Refusal: What the rule raises, with nothing changed; ``storage_failed``.
    """
    seen: list[T] = []

    def change(draft: AuditDraft) -> Awaitable[AuditId]:
        return context.work.change(rule, draft, seen.append, opens)

    await context.mutate(change)
    return seen[-1]


def root_of(context: CallContext, arguments: WorkArguments) -> str:
    """
    The repository's folder.
    """
    repository = context.repositories.find(RepositoryId(arguments.repository_id))
    return "" if repository is None else repository.root


def run_id_of(arguments: RunArguments) -> RunId:
    """
    The named run.
    """
    return RunId(arguments.run_id)


def session_id_of(arguments: SessionArguments) -> WorkSessionId:
    """
    The named session; ``of_work`` has named the token's own where the caller named none.
    """
    assert arguments.session_id is not None
    return WorkSessionId(arguments.session_id)


def lease_id_of(arguments: LeaseArguments) -> WorkLeaseId:
    """
    The named lease.
    """
    return WorkLeaseId(arguments.lease_id)


def job_id_of(text: str | None) -> JobId | None:
    """
    A named job.
    """
    return None if text is None else JobId(text)


def message_id_of(text: str | None) -> MessageId | None:
    """
    A named queue message.
    """
    return None if text is None else MessageId(text)


def _as_own_session(run: Run[Any]) -> Run[Any]:
    """
    The same for a call that names no session: it is the one that its token was made for.
    """

    async def named(context: CallContext, arguments: SessionArguments) -> ToolAnswer:
        if arguments.session_id is None:
            own = await _own_session(context, arguments)
            arguments = msgspec.structs.replace(arguments, session_id=own)
        return await run(context, arguments)

    return named


async def _own_session(context: CallContext, arguments: SessionArguments) -> WorkSessionId:
    caller = caller_of(context, arguments)
    token_id = caller.token_id if caller.bound else None
    own = None if token_id is None else await context.work.read(lambda book: book.session_of_token(token_id))
    if own is None:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "nothing says as which session: no session_id was named, and the caller's token is of none. "
            "Nothing ran.",
            "Name the session_id; list.sessions shows the sessions.",
        )
    return own.session_id


def of_work(*, arguments: type[A], run: Run[A], **more: Any) -> Tool:
    """
    A method about the work of one repository.
    """
    if issubclass(arguments, SessionArguments):
        run = _as_own_session(run)
    return Tool(arguments=arguments, run=run, scope=RepositoryScope.SINGLE_REPO, toolset=Toolset.WORK, **more)


OF_WORK: Final = of_work

READING = partial(OF_WORK, capability=Capability.READ)
"""One that only looks."""
