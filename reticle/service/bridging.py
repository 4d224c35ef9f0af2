"""
The page bridge's place in the daemon: made when the first page dials in or is asked for, and who is told of
its changes.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reticle import page as page_script
from reticle.bridge.late import LateDirectory
from reticle.dispatch.notices import Notices
from reticle.model.trust import Secret
from reticle.ports import Clock, ServerFacts
from reticle.storage.store import Store

if TYPE_CHECKING:
    from reticle.bridge.directory import Directory
    from reticle.dispatch.gate import Gate


def late_directory(
    store: Store,
    notices: Notices,
    reactor: Any,
    clock: Clock,
    *,
    check_token: Callable[[str | None], bool],
    pairing_token: Callable[[], Secret | None],
    on_redacted: Callable[[int], object],
    daemon_url: Callable[[], str],
    gate: Callable[[], Gate],
    server_facts: ServerFacts,
) -> LateDirectory:
    """
    The daemon's pages; nothing of the bridge is imported before the first one.

    Args:
        store: Remembers pages, and what they report, for the next life.
        notices: Where changes of pages are told.
        reactor: For timers.
        clock: For the time of day.
        check_token: Whether a hello's token is the pairing token, compared in constant time.
        pairing_token: The pairing token, which no page may leave in what it sends.
        on_redacted: Told how many credentials were taken out of what a page sent.
        daemon_url: Where pages find the daemon.
        gate: Knows which tools are listed only while some pages are connected.
        server_facts: What the servers behind them tell.
    """

    def make() -> Directory:
        from reticle.bridge.directory import Directory  # noqa: PLC0415 - when first used
        from reticle.dispatch.loaded_files import LoadedFiles  # noqa: PLC0415 - as above
        from reticle.dispatch.page_notices import PageNotices  # noqa: PLC0415 - as above
        from reticle.domain.raw_secrets import RawSecrets  # noqa: PLC0415 - as above
        from reticle.service.sources import source_maps  # noqa: PLC0415 - as above

        page_notices = PageNotices(notices, reactor)
        loaded = LoadedFiles(store.tokens, store.repositories, store.worktrees, clock.now)
        directory = Directory(
            reactor,
            now=clock.now,
            boot=secrets.token_hex(4),
            check_token=check_token,
            daemon_url=daemon_url,
            earlier_lives=lambda: store.earlier_lives,
            on_new_page=store.remember_page,
            on_document=loaded.document_came,
            on_page_change=page_notices.page_changed,
            served_script=page_script.content_hash(),
            atlas=source_maps(reactor),
            redaction=RawSecrets.of(pairing_token()),
            on_redacted=on_redacted,
            journal=store.journal,
            server_facts=server_facts,
        )
        page_notices.watch(directory, gate().listed_now)
        return directory

    return LateDirectory(make, server_facts.skipped)
