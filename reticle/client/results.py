"""
What a tool call gave back, with the fields every caller asks for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple


class CallResult(NamedTuple):
    """
    A tool's answer.

    ``fields`` is the flat result object (``ok``, ``method``, ``audit_id`` and the tool's own fields);
    ``text`` is what a model would read; ``is_error`` is MCP's own flag.
    """

    fields: Mapping[str, object]
    text: str
    is_error: bool

    def __repr__(self) -> str:
        """
        What a person reads at a prompt: the text, which has in lines what the fields hold.
        """
        return f"<{type(self).__name__}{' is_error' if self.is_error else ''}\n{self.text}>"

    @property
    def ok(self) -> bool:
        """
        Whether the tool did what was asked; says nothing about a verdict.
        """
        return not self.is_error and self.fields.get("ok") is not False

    @property
    def error(self) -> str | None:
        """
        The refusal's code, or None.
        """
        code = self.fields.get("error")
        return code if isinstance(code, str) else None

    @property
    def message(self) -> str:
        """
        The refusal's sentence, else the text.
        """
        message = self.fields.get("message")
        return message if isinstance(message, str) else self.text

    @property
    def verified(self) -> str | None:
        """
        ``yes``, ``no`` or ``unknown`` for a tool that bears a verdict, else None. Only ``yes`` is a pass.
        """
        verified = self.fields.get("verified")
        return verified if isinstance(verified, str) else None


def parse_call_result(result: Mapping[str, object]) -> CallResult:
    """
    Read a ``tools/call`` result; without structured content the text is tried as JSON.
    """
    content = result.get("content")
    blocks = content if isinstance(content, list) else []
    texts = [str(block["text"]) for block in blocks if isinstance(block, dict) and "text" in block]
    text = "\n".join(texts)
    fields = result.get("structuredContent")
    if not isinstance(fields, dict):
        fields = _object_in(text)
    return CallResult(fields, text, result.get("isError") is True)


def _object_in(text: str) -> Mapping[str, object]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
