"""
What a client may be asked.
"""

from __future__ import annotations

import pytest
from twisted.python.failure import Failure

from reticle.dispatch.asking import NOBODY, allows
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.mcp import ClientCapabilities, Question

FORM = Question("elicitation/create", {"mode": "form", "message": "?"})
OLD_FORM = Question("elicitation/create", {"message": "?"})
ADDRESS = Question("elicitation/create", {"mode": "url", "message": "?"})
MODEL = Question("sampling/createMessage", {})
FOLDERS = Question("roots/list", {})
ALL = [FORM, OLD_FORM, ADDRESS, MODEL, FOLDERS]


@pytest.mark.parametrize(
    ("client", "asked"),
    [
        (ClientCapabilities(), []),
        (ClientCapabilities(tasks=True), []),
        (ClientCapabilities(elicitation_form=True), [FORM, OLD_FORM]),
        (ClientCapabilities(elicitation_url=True), [ADDRESS]),
        (ClientCapabilities(sampling=True), [MODEL]),
        (ClientCapabilities(roots=True), [FOLDERS]),
    ],
)
def test_a_client_is_asked_only_what_it_declared(client: ClientCapabilities, asked: list[Question]) -> None:
    """
    A client that knows no address form never gets one, and so on for each kind of question.
    """
    assert [question for question in ALL if allows(client, question)] == asked


def test_where_there_is_no_client_a_tool_hears_it_at_once() -> None:
    """
    A question that nobody can answer is a refusal and not a call that hangs.
    """
    failed: list[Failure] = []
    asking = NOBODY.ask({"sure": FORM})
    asking.addErrback(failed.append)
    [failure] = failed
    assert isinstance(failure.value, Refusal)
    assert failure.value.code == RefusalCode.CANNOT_ASK
    assert not NOBODY.can_ask(FORM)
