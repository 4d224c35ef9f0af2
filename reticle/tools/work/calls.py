"""
What every method of the work shares: which repository, who calls, when, and how a rule is committed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

from msgspec import Meta

from reticle.domain.work.calling import WorkCaller
from reticle.domain.work.queue import Moment
from reticle.model.codes import Capability, RepositoryScope, Toolset
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
from reticle.model.work_limits import REASON_CHARS
from reticle.ports import CallContext
from reticle.tools.spec import Arguments, Tool

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from reticle.model.audit import AuditDraft
    from reticle.ports.work import WorkBook

T = TypeVar("T")

Name = Annotated[str, Meta(min_length=1, max_length=PEER_NAME_CHARS)]
Text = Annotated[str, Meta(max_length=REASON_CHARS)]

ID: Final = "0123456789abcdef0123456789abcdef"
"""Behind a prefix in examples."""


class WorkArguments(Arguments, frozen=True, kw_only=True):
    """
    Of which repository.
    """

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

    session_id: Annotated[Name, Meta(description="Your session; RETICLE_SESSION_ID has it.")]


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


def moment_of_call(context: CallContext) -> Moment:
    """
    Now, in the caller's name.
    """
    return Moment(
        round(context.clock.now() * 1_000_000),
        context.principal.name,
        lambda prefix: f"{prefix}{context.random(16).hex()}",
    )


async def changed(context: CallContext, rule: Callable[[WorkBook], T]) -> T:
    """
    Commit what a rule does, with the row of this call, and give its value.

    Raises:
        Refusal: What the rule raises, with nothing changed; ``storage_failed``.
    """
    seen: list[T] = []

    def change(draft: AuditDraft) -> Awaitable[AuditId]:
        return context.work.change(rule, draft, seen.append)

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
    The named session.
    """
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


OF_WORK = partial(Tool, scope=RepositoryScope.SINGLE_REPO, toolset=Toolset.WORK)
"""A method about the work of one repository."""

READING = partial(OF_WORK, capability=Capability.READ)
"""One that only looks."""
