"""
Which of several pages is meant, asked of the person where the client can do that.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import PageId
from reticle.model.limits import PAGES_OFFERED
from reticle.model.mcp import Question
from reticle.ports import CallContext, Page
from reticle.tools.fields import cut, one_line

WHICH_PAGE = "which_page"

_SHOWN_CHARS = 120


async def resolve_or_ask(context: CallContext, page_id: PageId | None) -> Page:
    """
    The page that a call means; of several equally likely ones, the one that the person names.

    Raises:
        Refusal: what the directory raises; ``multiple_sessions`` too when nobody can be asked or chose one.
    """
    try:
        return context.pages.resolve(page_id)
    except Refusal as refusal:
        if refusal.code != RefusalCode.MULTIPLE_SESSIONS:
            raise
        ambiguous = refusal
    question = which_page(sorted(context.pages.all()[:PAGES_OFFERED], key=_name))
    if not context.can_ask(question):
        raise ambiguous
    return context.pages.resolve(await _chosen(context, question, ambiguous))


def which_page(pages: Sequence[Page]) -> Question:
    """
    The choice among pages, by title and address.
    """
    return Question(
        "elicitation/create",
        {
            "message": "Several pages are open. Which one does the agent's call mean?",
            "requestedSchema": {
                "type": "object",
                "properties": {
                    "page": {
                        "type": "string",
                        "title": "Page",
                        "enum": [page.identity.page_id for page in pages],
                        "enumNames": [_shown(page) for page in pages],
                    }
                },
                "required": ["page"],
            },
        },
    )


async def _chosen(context: CallContext, question: Question, ambiguous: Refusal) -> PageId:
    try:
        answers = await context.ask({WHICH_PAGE: question})
    except Refusal as unanswered:
        if unanswered.code not in {RefusalCode.NOT_ANSWERED, RefusalCode.CANNOT_ASK}:
            raise
        raise ambiguous from None
    answer = answers[WHICH_PAGE]
    content = answer.get("content") if isinstance(answer, dict) else None
    page = content.get("page") if isinstance(content, dict) else None
    if not isinstance(answer, dict) or answer.get("action") != "accept" or not isinstance(page, str):
        raise ambiguous
    return PageId(page)


def _name(page: Page) -> str:
    return page.identity.page_id


def _shown(page: Page) -> str:
    identity = page.identity
    title = one_line(identity.title) or identity.page_id
    return f"{cut(title, _SHOWN_CHARS)}: {cut(identity.url, _SHOWN_CHARS)}"
