"""
A driven page's dialogs: answered at once, as the lease's rule says, because the page stands still until then.

The page's own script tells of alert, confirm and prompt. That a page asked before it was left (beforeunload),
and what the answer was, only the browser knows.
"""

from __future__ import annotations

from itertools import count
from typing import Final

import msgspec

from reticle.browser.conversation import Session
from reticle.browser.failures import Rejected
from reticle.browser.sayings import Tell, event_message
from reticle.model.codes import DialogRule, EventType

BEFORE_UNLOAD: Final = "beforeunload"
PROMPT: Final = "prompt"

BY_RULE: Final = "rule"
"""Who answered: nobody in front of the page, the lease's rule."""

_MESSAGE_CHARS: Final = 500


class Opening(msgspec.Struct, frozen=True):
    """
    ``Page.javascriptDialogOpening``.
    """

    type: str = ""
    message: str = ""
    defaultPrompt: str = ""


class Closed(msgspec.Struct, frozen=True):
    """
    ``Page.javascriptDialogClosed``.
    """


class Dialogs:
    """
    The dialogs of one target; a prompt that is accepted gets the text that it proposes.

    Args:
        session: The target.
        rule: The lease's.
        tell: Takes what the page does not say itself.
    """

    def __init__(self, session: Session, rule: DialogRule, tell: Tell) -> None:
        self._session = session
        self._accept = rule is DialogRule.ACCEPT
        self._tell = tell
        self._numbers = count(1)
        self._open = False

    def watch(self) -> None:
        """
        Answer each from now on.
        """
        self._session.on("Page.javascriptDialogOpening", Opening, self._opened)
        self._session.on("Page.javascriptDialogClosed", Closed, self._closed)

    async def answer(self, *, accept: bool, text: str = "") -> bool:
        """
        Answer the one that is open, before the rule's answer has come there; False when none is.
        """
        if not self._open:
            return False
        try:
            await self._session.do("Page.handleJavaScriptDialog", {"accept": accept, "promptText": text})
        except Rejected:
            return False
        return True

    def _opened(self, told: Opening) -> None:
        self._open = True
        text = {"promptText": told.defaultPrompt} if self._accept and told.type == PROMPT else {}
        self._session.post("Page.handleJavaScriptDialog", {"accept": self._accept, **text})
        if told.type == BEFORE_UNLOAD:
            said = {
                "id": f"u{next(self._numbers)}",
                "kind": told.type,
                "message": told.message[:_MESSAGE_CHARS],
            }
            answer = {"state": "closed", "answer": self._accept, "by": BY_RULE}
            self._tell(event_message(EventType.DIALOG, {**said, **answer}))

    def _closed(self, _: Closed) -> None:
        self._open = False
