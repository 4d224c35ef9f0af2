"""
A daemon without a browser of its own.
"""

from __future__ import annotations

from reticle.browser.absent import AbsentBrowser
from reticle.model.browser import BrowserWish, Shot
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.model.leases import Lease
from reticle.testing.bridge import refusal_of, result_of


def test_nothing_is_opened_and_everything_says_so() -> None:
    """
    Each question has its usual answer, and each wish a refusal with what to do in place of it.
    """
    browser, page = AbsentBrowser(), PageId("p1")
    refused = refusal_of(browser.acquire(BrowserWish("http://x/"), Lease("me", "me", "", 0, 1)))
    assert (refused.code, bool(refused.recovery)) == ("no_browser", True)
    assert result_of(browser.release(BrowserLeaseId("l1"))) is False
    assert (browser.leases(), browser.waiting(), browser.of_page(page)) == ([], 0, None)
    assert browser.change(BrowserLeaseId("l1"), lambda there: there) is None
    for asked in (
        browser.picture(page, Shot()),
        browser.input(page, []),
        browser.answer_dialog(page, accept=True),
    ):
        assert refusal_of(asked).code == "not_driven"
