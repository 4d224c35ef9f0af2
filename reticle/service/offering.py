"""
What one daemon offers to its agents: tools, resources, prompts, and who is told of their changes.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from reticle.dispatch.notices import Notices
from reticle.dispatch.shared import Shared
from reticle.mcp.capabilities import Offered
from reticle.model.codes import Toolset
from reticle.ports import Browser, Clock, Detection, Pages
from reticle.service.surface import all_tools
from reticle.storage.store import Store

if TYPE_CHECKING:
    from reticle.dispatch.features import Features
    from reticle.dispatch.gate import Gate

OFFERED = Offered(
    tools_changes=True,
    resources=True,
    resources_changes=True,
    prompts=True,
    completions=True,
    logging=True,
)
"""What a handshake declares; every change that it promises is published to ``Notices``."""


def offer(
    store: Store,
    pages: Pages,
    notices: Notices,
    clock: Clock,
    *,
    browser: Browser,
    new_id: Callable[[], str],
    daemon_url: Callable[[], str],
    on_call: Callable[[str, str, float], None],
    toolsets: AbstractSet[Toolset],
    detection: Callable[[], Detection],
) -> Shared:
    """
    The gate and what stands beside the tools, for all conversations.

    Args:
        store: What is kept.
        pages: The connected pages.
        notices: Where changes are told.
        clock: Time.
        browser: The browser that the daemon drives.
        new_id: A fresh, unguessable text each time.
        daemon_url: Where the daemon listens now.
        on_call: Told of every call when it is over.
        toolsets: What principals without a capability token are shown.
        detection: Gives the detectors that look at recorded windows.
    """

    def make_gate() -> Gate:
        from reticle.dispatch.announced_verdicts import AnnouncedVerdicts  # noqa: PLC0415 - when first used
        from reticle.dispatch.gate import Gate  # noqa: PLC0415 - as above
        from reticle.dispatch.registry import Registry  # noqa: PLC0415 - as above

        return Gate(
            registry=Registry(all_tools()),
            audit=store.audit,
            verdicts=AnnouncedVerdicts(store.verdicts, notices),
            feedback=store.feedback,
            pictures=store.pictures,
            baselines=store.baselines,
            app_contracts=store.app_contracts,
            journal=store.journal,
            detection=detection(),
            tokens=store.tokens,
            repositories=store.repositories,
            folders=store.folders,
            holds=store.holds,
            work=store.work,
            worktrees=store.worktrees,
            browser=browser,
            pages=pages,
            clock=clock,
            new_id=new_id,
            random=secrets.token_bytes,
            daemon_url=daemon_url,
            on_call=on_call,
            toolsets=toolsets,
        )

    return Shared(make_gate=make_gate, make_features=_features, notices=notices, clock=clock, offered=OFFERED)


def _features(gate: Gate) -> Features:
    from reticle.dispatch.features import Features  # noqa: PLC0415 - when first used
    from reticle.dispatch.prompting import Prompts  # noqa: PLC0415 - as above
    from reticle.dispatch.readable import Readable  # noqa: PLC0415 - as above
    from reticle.prompts.debug import DEBUG  # noqa: PLC0415 - as above
    from reticle.prompts.verify import VERIFY  # noqa: PLC0415 - as above
    from reticle.resources.sessions import SESSIONS  # noqa: PLC0415 - as above
    from reticle.resources.snapshot import SNAPSHOT  # noqa: PLC0415 - as above
    from reticle.resources.verdict import VERDICT  # noqa: PLC0415 - as above

    return Features(
        gate=gate, readable=Readable((SESSIONS,), (SNAPSHOT, VERDICT)), prompts=Prompts((VERIFY, DEBUG))
    )
