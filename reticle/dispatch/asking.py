"""
Asking the client in the middle of a call: what a call holds for it.

Each era has its own way (a live request on handshake revisions, ``input_required`` on 2026-07-28); a tool
sees one ``ask()``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Protocol

from twisted.internet.defer import CancelledError, Deferred, fail

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.mcp import ClientCapabilities, Question


class Asker(Protocol):
    """
    Asks one call's client.
    """

    def can_ask(self, question: Question) -> bool:
        """
        See ``ports.CallContext.can_ask``.
        """

    def ask(self, questions: Mapping[str, Question]) -> Awaitable[Mapping[str, object]]:
        """
        See ``ports.CallContext.ask``.
        """


class InputRequired(CancelledError):
    """
    Ends a call whose client has to answer first; it is run again from its start when the answers come.

    A ``CancelledError``, so that no tool takes it for a refusal that it could do without.
    """


class NobodyToAsk:
    """
    An ``Asker`` where there is no client that could answer.
    """

    def can_ask(self, question: Question) -> bool:
        """
        Never.
        """
        del question
        return False

    def ask(self, questions: Mapping[str, Question]) -> Deferred[Mapping[str, object]]:
        """
        Refused at once.
        """
        return fail(cannot_ask(next(iter(questions.values()))))


NOBODY = NobodyToAsk()


def allows(client: ClientCapabilities, question: Question) -> bool:
    """
    Whether a client with these capabilities can be asked this; an elicitation is a form unless its mode says
    ``url`` (MCP 2025-11-25 "Elicitation").
    """
    match question.method:
        case "elicitation/create":
            return client.elicitation_url if question.params.get("mode") == "url" else client.elicitation_form
        case "sampling/createMessage":
            return client.sampling
        case "roots/list":
            return client.roots


def cannot_ask(question: Question) -> Refusal:
    """
    Why a question was not put.
    """
    return Refusal(RefusalCode.CANNOT_ASK, f"this client cannot be asked {question.method}")
