"""
What one daemon offers to its agents: tools, resources, prompts, and who is told of their changes.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from collections.abc import Set as AbstractSet

from reticle.dispatch.announced_verdicts import AnnouncedVerdicts
from reticle.dispatch.conversation import Shared
from reticle.dispatch.features import Features
from reticle.dispatch.gate import Gate
from reticle.dispatch.grants import VERIFY_ALONE
from reticle.dispatch.notices import Notices
from reticle.dispatch.prompting import Prompts
from reticle.dispatch.readable import Readable
from reticle.dispatch.registry import Registry
from reticle.mcp.capabilities import Offered
from reticle.model.codes import Toolset
from reticle.ports import Browser, Clock, Pages
from reticle.prompts.debug import DEBUG
from reticle.prompts.verify import VERIFY
from reticle.resources.sessions import SESSIONS
from reticle.resources.snapshot import SNAPSHOT
from reticle.resources.verdict import VERDICT
from reticle.storage.store import Store

RESOURCES = (SESSIONS,)
TEMPLATES = (SNAPSHOT, VERDICT)
PROMPTS = (VERIFY, DEBUG)

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
    registry: Registry,
    store: Store,
    pages: Pages,
    notices: Notices,
    clock: Clock,
    *,
    browser: Browser,
    new_id: Callable[[], str],
    daemon_url: Callable[[], str],
    on_call: Callable[[str, str, float], None],
    toolsets: AbstractSet[Toolset] = VERIFY_ALONE,
) -> Shared:
    """
    The gate and what stands beside the tools, for all conversations.

    Args:
        registry: The tools.
        store: What is kept.
        pages: The connected pages.
        notices: Where changes are told.
        clock: Time.
        browser: The browser that the daemon drives.
        new_id: A fresh, unguessable text each time.
        daemon_url: Where the daemon listens now.
        on_call: Told of every call when it is over.
        toolsets: What principals without a capability token are shown.
    """
    verdicts = AnnouncedVerdicts(store.verdicts, notices)
    gate = Gate(
        registry=registry,
        audit=store.audit,
        verdicts=verdicts,
        feedback=store.feedback,
        pictures=store.pictures,
        tokens=store.tokens,
        repositories=store.repositories,
        folders=store.folders,
        holds=store.holds,
        browser=browser,
        pages=pages,
        clock=clock,
        new_id=new_id,
        random=secrets.token_bytes,
        daemon_url=daemon_url,
        on_call=on_call,
        toolsets=toolsets,
    )
    features = Features(
        gate=gate,
        readable=Readable(RESOURCES, TEMPLATES),
        prompts=Prompts(PROMPTS),
    )
    return Shared(gate=gate, features=features, notices=notices, clock=clock, offered=OFFERED)
