"""
Whose app a page shows.
"""

from __future__ import annotations

import pytest

from reticle.model.browser import Attestation
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.model.page import App, PageIdentity

OPENED = Attestation(BrowserLeaseId("lease_1"), "http://localhost:1/start")


@pytest.mark.parametrize(
    ("url", "attested", "app"),
    [
        ("http://localhost:1/a", None, App("shop", "http://localhost:1")),
        ("http://localhost:2/a", None, App("shop", "http://localhost:2")),
        ("http://localhost:1/a", OPENED, App("shop", "http://localhost:1")),
        ("http://localhost:2/a", OPENED, App(None, "http://localhost:2")),
    ],
)
def test_an_agents_word_for_the_project_ends_at_another_origin(
    url: str, attested: Attestation | None, app: App
) -> None:
    """
    Who opened a page as one project's cannot lead it to another's site and have it pass for the first.
    """
    identity = PageIdentity(PageId("p1"), url, "", own_script=True, project_id="shop", attested=attested)
    assert identity.app == app
