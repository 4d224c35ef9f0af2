"""
How a repository's files were when a packet was handed over; what changed since is held against its write
scope.
"""

from __future__ import annotations

from msgspec.structs import replace

from reticle.model.ids import WorkLeaseId
from reticle.model.work_plan import JobPlan
from reticle.model.work_words import LeaseState
from reticle.ports import CallContext, WorkBook, WorkReading
from reticle.tools.work.calls import WorkArguments, root_of


async def note_tree(
    context: CallContext, arguments: WorkArguments, lease_id: WorkLeaseId, *, again: bool
) -> None:
    """
    Note it for a claim, before its packet is answered; once, and for jobs alone whose end asks for it. What
    cannot be read stays unknown, which the completion says. ``again`` is for a claim that was answered
    before: who acknowledged that may have begun to write. At the first time nobody has, whatever they say
    they have: a look that an early acknowledgement could stop would leave a scope unchecked.

    Raises:
        Refusal: ``storage_failed``.
    """
    if not await context.work.read(lambda book: _wants_it(book, lease_id, again=again)):
        return
    seen = await context.worktrees.snapshot(root_of(context, arguments))
    if seen.tree is not None:
        tree = seen.tree
        await context.work.note(lambda book: _note(book, lease_id, tree, again=again))


def wants_tree(plan: JobPlan) -> bool:
    """
    Whether the end of such a job asks for how the files were when it began.
    """
    return plan.write_scope is not None or bool(plan.requires_verdict)


def _wants_it(book: WorkReading, lease_id: WorkLeaseId, *, again: bool) -> bool:
    lease = book.lease(lease_id)
    job = None if lease is None else book.job(lease.job_id)
    if lease is None or job is None or not wants_tree(job.plan):
        return False
    begun = again and lease.acked_at_us is not None
    return lease.state is LeaseState.ACTIVE and not begun and not lease.tree


def _note(book: WorkBook, lease_id: WorkLeaseId, tree: str, *, again: bool) -> None:
    lease = book.lease(lease_id)
    if lease is None or book.locked(lease.run_id) is None:
        return
    lease = book.lease(lease_id)
    if lease is not None and _wants_it(book, lease_id, again=again):
        book.replace(lease, replace(lease, tree=tree))
