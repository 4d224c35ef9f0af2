"""
What stands behind a page while it is judged for an agent that works under a token: the repository's files,
and who serves the app. A gate compares it later (``domain.work.verdict_gate``).

It costs a look at every file of the repository, so that nobody pays for it who has no packet to complete.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import attrs

from reticle.domain.requests import requests
from reticle.errors import Refusal
from reticle.model.codes import Capability
from reticle.model.ids import TokenId
from reticle.model.origins import origin_of
from reticle.model.page import Attestation
from reticle.model.provenance import Provenance, Serving, Snapshot
from reticle.model.tokens import Repository
from reticle.model.tree_limits import PATHS_RECORDED, RECENT_FILES
from reticle.model.trust import PrincipalKind
from reticle.model.window import Window
from reticle.ports import CallContext, Clock, Page, WorkReading

START_SLACK_SECONDS: Final = 0.1
"""How exactly it is told when a process started, in ticks; no server has read its code sooner than that."""

DOCUMENT_SLACK_SECONDS: Final = 0.001
"""How exactly it is told since when a document is there; the look at its files begins at once then."""


@attrs.frozen
class Beginning:
    """
    What was begun with a call: ``files`` is being looked at while the page is acted on, whose document was
    there since ``loaded_at``. ``work_lease_id`` is the claim that the caller's session held, if any.
    """

    repository: Repository
    at: float
    loaded_at: float
    files: Awaitable[Snapshot]
    work_lease_id: str


async def see_files(context: CallContext, page: Page) -> None:
    """
    Look at the files that a document was just loaded from: one that goes before the verdict has no time of
    its own, so that only who saw it can tell that the page may still show it.
    """
    repository = _worked_on(context, page)
    if repository is not None:
        await context.worktrees.snapshot(repository.root)


async def beginning(context: CallContext, page: Page) -> Beginning | None:
    """
    Begin to look, before anything is done to the page; None where nobody will ask for it.

    Raises:
        Refusal: ``storage_failed``.
    """
    repository = _worked_on(context, page)
    if repository is None:
        return None
    now = context.clock.now()
    loaded_at = now - page.document_ms() / 1000 - DOCUMENT_SLACK_SECONDS
    files = context.worktrees.snapshot(repository.root)
    return Beginning(repository, now, loaded_at, files, await _claim_held(context))


def opened_since(clock: Clock, opened: Attestation) -> float | None:
    """
    When a browser context was opened, in seconds since the epoch as the clock is set now: what happened after
    it must have a later time, also where the clock was set back meanwhile.
    """
    if opened.since is None or opened.since_monotonic is None:
        return opened.since
    return min(opened.since, clock.now() - (clock.monotonic() - opened.since_monotonic))


def _worked_on(context: CallContext, page: Page) -> Repository | None:
    """
    The repository of a page, where the caller may have a packet to complete there.
    """
    works = context.principal.kind is PrincipalKind.TOKEN and context.may(Capability.CLAIM)
    return context.repository_of(page) if works else None


async def _claim_held(context: CallContext) -> str:
    """
    The claim that the session of the caller's token holds, empty for none: no clock says which of two claims
    a verdict was taken under.
    """
    token_id = context.principal.token_id
    if token_id is None:
        return ""

    def held(book: WorkReading) -> str:
        session = book.session_of_token(TokenId(token_id))
        lease = None if session is None else book.active_lease(session_id=session.session_id)
        return "" if lease is None else lease.lease_id

    return await context.work.read(held)


async def provenance_of(
    context: CallContext, begun: Beginning | None, page: Page, window: Window
) -> Provenance | None:
    """
    What stood behind the page in the window that is judged, which may have begun before the call.
    """
    if begun is None:
        return None
    before = await begun.files
    # A document that came during the call may have been seen with a file that this look would not find.
    await context.worktrees.seen(begun.repository.root)
    after = context.worktrees.snapshot(begun.repository.root)
    serving = await _serving(context, page.identity.url)
    beside = [await _serving(context, origin) for origin in _asked_beside(begun.repository, page, window)]
    now = await after
    edited = await _edited(context, before, now)
    started = [
        process.started_at
        for each in (serving, *beside)
        for process in each.processes
        if process.started_at is not None
    ]
    span = (window.closed_t_ms - window.opened_t_ms) / 1000
    probes = [probe for probe in window.server.probes if probe.serves]
    opened = page.identity.attested
    return Provenance(
        repository_id=begun.repository.repository_id,
        began_at=min(begun.at, context.clock.now() - span),
        tree_before=before.tree,
        tree=now.tree,
        edited=edited,
        newer_than_page=_newer(now, begun.loaded_at, _is_any),
        newer_than_browser=()
        if opened is None
        else _newer(now, opened_since(context.clock, opened) or 0.0, _is_any),
        newer_than_server=_newer(now, max(started) + START_SLACK_SECONDS, _is_server_code) if started else (),
        commit=now.commit,
        tree_trouble=before.trouble or now.trouble,
        serving=serving,
        beside=tuple(beside),
        projects=tuple(sorted({probe.project for probe in probes if probe.attested and probe.project})),
        probes=len(probes),
        forgeable=any(not probe.attested for probe in probes),
        work_lease_id=begun.work_lease_id,
    )


async def _edited(context: CallContext, before: Snapshot, now: Snapshot) -> tuple[str, ...] | None:
    if before.tree is None or now.tree is None:
        return None
    try:
        changed = await context.worktrees.changed(before.tree, now.tree)
    except Refusal:
        return None
    # of a part it could be said that all of it is somebody else's
    return None if changed is None or len(changed) > PATHS_RECORDED else tuple(changed)


def _newer(seen: Snapshot, than: float, counts: Callable[[str], bool]) -> tuple[str, ...] | None:
    """
    The files that changed since a moment; None where there are more than can be told.
    """
    newer = [path for path, at in seen.recent if at > than]
    told = [path for path in newer if counts(path)]
    if len(newer) >= RECENT_FILES or len(told) > PATHS_RECORDED:
        return None
    return tuple(sorted(told))


def _is_any(path: str) -> bool:
    return bool(path)


def _is_server_code(path: str) -> bool:
    """
    Whether a server has it in memory once it was started; tests it has not.
    """
    *folders, name = path.split("/")
    tests = not {"test", "tests"}.isdisjoint(folders) or name.startswith(("test_", "conftest"))
    return name.endswith(".py") and not tests


def _asked_beside(repository: Repository, page: Page, window: Window) -> Sequence[str]:
    """
    The repository's other origins that the page sent requests to.
    """
    asked = {origin_of(request.url) for request in requests(window)}
    return sorted(asked.intersection(repository.origins) - {origin_of(page.identity.url)})


async def _serving(context: CallContext, url: str) -> Serving:
    try:
        return await context.worktrees.serving(url)
    except (Refusal, OSError) as fault:
        return Serving(trouble=str(fault))
