"""
``reticle://sessions``: the connected pages, as JSON.
"""

from __future__ import annotations

import json

from reticle.model.limits import STALE_SECONDS
from reticle.ports import CallContext, Page
from reticle.resources.snapshot import snapshot_uri
from reticle.resources.spec import Content, Listed, Resource

SESSIONS_URI = "reticle://sessions"


async def read_sessions(context: CallContext) -> Content:
    """
    Every connected page, the most recently active first.
    """
    pages = [_page(page) for page in context.pages.all()]
    return Content("application/json", json.dumps({"sessions": pages}, ensure_ascii=False, default=str))


def _page(page: Page) -> dict[str, object]:
    identity = page.identity
    return {
        "sessionId": identity.page_id,
        "url": identity.url,
        "title": identity.title,
        "projectId": identity.project_id,
        "throttled": page.health().throttled(STALE_SECONDS),
        "control": page.steering.state.value,
        "snapshot": snapshot_uri(identity.page_id),
    }


SESSIONS = Resource(
    Listed(
        SESSIONS_URI,
        "sessions",
        "Connected pages",
        "The pages that reticle sees now, with what each is and how it is.",
        "application/json",
    ),
    read_sessions,
)
