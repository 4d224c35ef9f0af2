"""
Which changed files are somebody else's work: several agents may work in one folder, each in a scope of its
own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from reticle.domain.work.calling import Holding
from reticle.domain.work.write_scope import covers
from reticle.model.work import Job, Run
from reticle.model.work_plan import WriteScope
from reticle.model.work_words import JobState, JobType

if TYPE_CHECKING:
    from reticle.ports.work import WorkReading

RUNS_LOOKED_AT: Final = 200
"""Runs of a repository that may have changed it meanwhile, the newest first."""

_HELD: Final = (JobState.CLAIMED, JobState.RUNNING)
_IDLE: Final = (JobState.BLOCKED,)


def not_others(
    book: WorkReading, held: Holding, changed: Iterable[str], since_us: int
) -> tuple[Sequence[str], Sequence[str]]:
    """
    Of files that changed since a moment those that this job must answer for: first those in its own scope,
    then those in no job's.

    A file outside of its scope is another job's where that job was held meanwhile and its scope has it;
    ``.git`` and ``.reticle`` are in nobody's.
    """
    own: list[str] = []
    strays: list[str] = []
    theirs: list[WriteScope | None] | None = None
    for path in changed:
        if covers(held.job.plan.write_scope, path):
            own.append(path)
            continue
        if theirs is None:
            theirs = [*_scopes(book, held, since_us)]
        if not any(covers(scope, path) for scope in theirs):
            strays.append(path)
    return own, strays


def _scopes(book: WorkReading, held: Holding, since_us: int) -> Iterator[WriteScope | None]:
    for run in book.runs(held.run.repository_id, limit=RUNS_LOOKED_AT):
        if _went_on(run, since_us):
            yield from (
                job.plan.write_scope
                for job in book.jobs(run.run_id)
                if job.job_id != held.job.job_id and _was_held(job, since_us) and _writes(job)
            )


def _went_on(run: Run, since_us: int) -> bool:
    started = run.started_at_us is not None
    return started and (run.ended_at_us is None or run.ended_at_us >= since_us)


def _writes(job: Job) -> bool:
    """
    A review that names no scope reads: nobody's changes are its.
    """
    return job.type is not JobType.REVIEW or job.plan.write_scope is not None


def _was_held(job: Job, since_us: int) -> bool:
    return job.state in _HELD or (
        job.changed_at_us >= since_us and job.fencing > 0 and job.state not in _IDLE
    )
