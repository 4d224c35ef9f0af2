"""
A driven page's dialogs: answered at once, as the lease's rule says, because the page stands still until then.

The page's own script tells of alert, confirm and prompt. That a page asked before it was left (beforeunload),
and what the answer was, only the browser knows; so it is with file choosers, which are always cancelled:
nobody is there to choose, and in front of a window it would open on a person's screen.
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
FILE_CHOOSER: Final = "filechooser"

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


class ChooserOpened(msgspec.Struct, frozen=True):
    """
    ``Page.fileChooserOpened``.
    """


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
        self._session.on("Page.fileChooserOpened", ChooserOpened, self._chooser_opened)
        self._session.post("Page.setInterceptFileChooserDialog", {"enabled": True, "cancel": True})

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
            self._say(told.type, told.message, answer=self._accept)

    def _chooser_opened(self, _: ChooserOpened) -> None:
        self._say(FILE_CHOOSER, "", answer=False)

    def _say(self, kind: str, message: str, *, answer: bool) -> None:
        said = {"id": f"u{next(self._numbers)}", "kind": kind, "message": message[:_MESSAGE_CHARS]}
        told = {**said, "state": "closed", "answer": answer, "by": BY_RULE}
        self._tell(event_message(EventType.DIALOG, told))

    def _closed(self, _: Closed) -> None:
        self._open = False
