"""
What is said when the browser cannot do something: each with the step that helps.
"""

from __future__ import annotations

from typing import Final

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode

AGAIN: Final = "Acquire a browser lease again: another browser is started for it."

HOW_TO_GET_ONE: Final = (
    "Install Chromium, Chrome, Edge or Brave, or say where it is: RETICLE_CHROMIUM=/path/to/chrome in the"
    " daemon's environment. RETICLE_CDP_URL=http://127.0.0.1:9222 drives one that runs already."
)


class Rejected(Refusal):
    """
    The browser answered a command with an error; ``reason`` is what it said.
    """

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(
            RefusalCode.BROWSER_FAILED,
            f"The browser did not do {method}: {reason}",
            "Look at the page, then try again; release the browser lease and acquire another if it stays so.",
        )
        self.reason = reason


def failed(what: str, recovery: str = AGAIN) -> Refusal:
    """
    The browser ended, or does not answer.
    """
    return Refusal(RefusalCode.BROWSER_FAILED, what, recovery)


def no_browser(what: str, recovery: str = HOW_TO_GET_ONE) -> Refusal:
    """
    There is none to start or to reach.
    """
    return Refusal(RefusalCode.NO_BROWSER, what, recovery)


def not_driven(page_id: str) -> Refusal:
    """
    The page is in no browser of this daemon, or not any more.
    """
    return Refusal(
        RefusalCode.NOT_DRIVEN,
        f"Page {page_id} is in no browser that this daemon drives: it dialled in, or its lease is over.",
        'Open the app with reticle_lease {"action": "acquire", "url": "…"} and use the page that it gives.',
    )


def in_a_frame(page_id: str, tab: str) -> Refusal:
    """
    Where a frame of another origin is in its tab, neither it nor the page around it can tell.
    """
    return Refusal(
        RefusalCode.UNSUPPORTED_SURFACE,
        f"Page {page_id} lies in a frame of page {tab}; a picture is of a whole tab or a part of one.",
        f"Take a picture of page {tab}.",
    )
