"""
What a context remembers of its windows. ``test_driver.py`` has its everyday life.
"""

from __future__ import annotations

from itertools import count

from reticle.browser.context import Context
from reticle.browser.documents import Doors
from reticle.browser.tab import Attached, Fittings, Target
from reticle.model.browser import BrowserWish
from reticle.model.ids import PageId
from reticle.model.limits import BROWSER_LOGIN_ORIGINS
from reticle.testing.cdp import ScriptedBrowser


def test_the_sites_of_closed_windows_are_bounded() -> None:
    """
    A page that opens windows for an hour, each at a site of its own, takes no memory by it; neither
    does one window that is led from site to site.
    """
    browser, numbers = ScriptedBrowser(), count(1)
    context = Context(
        browser.conversation.session(),
        "c1",
        Fittings(
            script=lambda _: b'""',
            doors=Doors("b", "d", "w"),
            admit=lambda *_: None,
            wish=BrowserWish("http://a.test/"),
            headed=False,
        ),
        first=PageId("p0"),
        new_page=lambda: PageId(f"p{next(numbers)}"),
        on_tabs=lambda: None,
        clock=browser.clock,
    )

    def visit(window: int, host: str) -> None:
        frame = {"id": f"t{window}", "url": f"https://{host}.test/"}
        browser.tell("Page.frameNavigated", {"frame": frame}, f"s{window}")

    def opens(window: int) -> None:
        context.adopt(Attached(f"s{window}", Target(f"t{window}", browserContextId="c1")))

    for window in range(2 * BROWSER_LOGIN_ORIGINS):
        opens(window)
        visit(window, f"site{window}")
        assert context.left(f"s{window}")
    assert context.origins == [f"https://site{number}.test" for number in range(BROWSER_LOGIN_ORIGINS)]
    opens(99)
    for number in range(2 * BROWSER_LOGIN_ORIGINS):
        visit(99, f"other{number}")
    assert len(context.origins) == 2 * BROWSER_LOGIN_ORIGINS
