"""
Dialogs of a driven page are answered at once, and the page stands still for nobody.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from twisted.internet.defer import Deferred

from reticle.browser.dialogs import Dialogs
from reticle.model.codes import DialogRule
from reticle.testing.bridge import result_of
from reticle.testing.cdp import ScriptedBrowser

OPENING = "Page.javascriptDialogOpening"
ANSWER = "Page.handleJavaScriptDialog"


def watched(rule: DialogRule) -> tuple[ScriptedBrowser, Dialogs, list[Any]]:
    """
    A target under a rule, and what its page is told.
    """
    browser, told = ScriptedBrowser(), []
    dialogs = Dialogs(
        browser.conversation.session("s1"), rule, lambda payload: told.append(msgspec.json.decode(payload))
    )
    dialogs.watch()
    return browser, dialogs, told


@pytest.mark.parametrize(("rule", "accept"), [(DialogRule.ACCEPT, True), (DialogRule.DISMISS, False)])
@pytest.mark.parametrize("kind", ["alert", "confirm", "beforeunload"])
def test_each_is_answered_as_the_lease_says(rule: DialogRule, kind: str, *, accept: bool) -> None:
    """
    An act that opens a dialog goes on at once.
    """
    browser, _, _ = watched(rule)
    browser.tell(OPENING, {"type": kind, "message": "Sure?"}, "s1")
    assert browser.asked(ANSWER) == [{"accept": accept}]


def test_an_accepted_prompt_gets_the_text_that_it_proposes() -> None:
    """
    As a person who only presses Enter.
    """
    browser, _, _ = watched(DialogRule.ACCEPT)
    browser.tell(OPENING, {"type": "prompt", "message": "Name?", "defaultPrompt": "Ada"}, "s1")
    assert browser.asked(ANSWER) == [{"accept": True, "promptText": "Ada"}]


def test_only_what_the_page_cannot_say_is_said_for_it() -> None:
    """
    alert, confirm and prompt are in the page's own report; that it asked before it was left is not.
    """
    browser, _, told = watched(DialogRule.DISMISS)
    browser.tell(OPENING, {"type": "confirm", "message": "Sure?"}, "s1")
    assert told == []
    browser.tell(OPENING, {"type": "beforeunload", "message": ""}, "s1")
    assert [one["event"] for one in told] == [
        {
            "type": "dialog",
            "data": {
                "id": "u1", "kind": "beforeunload", "message": "", "state": "closed", "answer": False,
                "by": "rule",
            },
        }
    ]  # fmt: skip


def test_a_file_chooser_opens_on_nobody_s_screen() -> None:
    """
    It is cancelled, whatever the rule, and the page's record says that there was one.
    """
    browser, _, told = watched(DialogRule.ACCEPT)
    assert browser.asked("Page.setInterceptFileChooserDialog") == [{"enabled": True, "cancel": True}]
    browser.tell("Page.fileChooserOpened", {"frameId": "f1", "mode": "selectSingle"}, "s1")
    (said,) = [one["event"]["data"] for one in told]
    assert (said["kind"], said["state"], said["answer"], said["by"]) == (
        "filechooser",
        "closed",
        False,
        "rule",
    )


def test_a_dialog_can_be_answered_only_while_it_is_open() -> None:
    """
    Whoever asks to answer one is told whether there was one.
    """
    browser, dialogs, _ = watched(DialogRule.DISMISS)
    assert result_of(Deferred.fromCoroutine(dialogs.answer(accept=True))) is False
    browser.tell(OPENING, {"type": "prompt"}, "s1")
    assert result_of(Deferred.fromCoroutine(dialogs.answer(accept=True, text="x"))) is True
    browser.tell("Page.javascriptDialogClosed", {}, "s1")
    assert result_of(Deferred.fromCoroutine(dialogs.answer(accept=True))) is False
