"""
What an agent is told of a browser lease, and who of the agents it is that asks.
"""

from __future__ import annotations

from typing import Final

import attrs

from reticle.domain.browser_lease import Asker
from reticle.domain.lease import alive, seconds_left
from reticle.domain.secrets import without_secrets
from reticle.model.browser import BrowserLease
from reticle.ports import CallContext, Page
from reticle.tools.fields import cut, told

URL_SHOWN_CHARS: Final = 300


@attrs.frozen(eq=False)
class _Gone:
    """
    The agents that cannot call any more.
    """

    _context: CallContext

    def __contains__(self, agent: object) -> bool:
        return isinstance(agent, str) and self._context.shown_agent(agent) is None


def asker_of(context: CallContext) -> Asker:
    """
    The agent of a call, now.
    """
    return Asker(context.agent, context.clock.now(), _Gone(context))


def lease_fields(context: CallContext, lease: BrowserLease) -> dict[str, object]:
    """
    A lease for a list of leases. What is kept under a login's name is told to its holder and to operators
    alone.
    """
    now = context.clock.now()
    mine = lease.lease.holder == context.agent
    return {
        "leaseId": lease.lease_id,
        "sessionId": lease.page_id,
        "url": cut(without_secrets(lease.wish.url).text, URL_SHOWN_CHARS),
        "by": "you" if mine else lease.lease.shown,
        "expiresInMs": max(0, round((lease.lease.until - now) * 1000)),
        **told(
            sessions=list(lease.pages) if list(lease.pages) != [lease.page_id] else None,
            projectId=lease.wish.project_id,
            login=lease.wish.login if mine or context.is_operator else None,
            headed=lease.wish.headed,
            shared=lease.wish.shared,
            gone=lease.lease.holder in asker_of(context).gone,
        ),
    }


def driven_fields(context: CallContext, page: Page) -> dict[str, object]:
    """
    Who drives a page, for a list of pages; nothing of a page that dialled in.
    """
    lease = context.browser.of_page(page.identity.page_id)
    if lease is None:
        return {}
    asker = asker_of(context)
    binding = alive(lease.lease, asker.now)
    by = "you" if lease.lease.holder == asker.agent else lease.lease.shown
    return {
        "driven": {
            "leaseId": lease.lease_id,
            "by": by,
            "secondsLeft": 0 if binding is None else seconds_left(binding, asker.now),
            **told(shared=lease.wish.shared, gone=lease.lease.holder in asker.gone),
        }
    }
