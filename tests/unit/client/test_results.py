"""
A tool's answer is read from structured content, else from its text.
"""

from __future__ import annotations

from reticle.client.results import CallResult, parse_call_result


def test_structured_content_wins() -> None:
    """
    The flat object gives verdict and code, the text stays what a model reads.
    """
    result = parse_call_result(
        {
            "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, "odd"],
            "structuredContent": {"ok": True, "verified": "yes"},
        }
    )
    assert result == CallResult({"ok": True, "verified": "yes"}, "a\nb", is_error=False)
    assert (result.ok, result.verified, result.error, result.message) == (True, "yes", None, "a\nb")


def test_refusal_is_read_from_text() -> None:
    """
    Without structured content a JSON text still tells the code and the sentence.
    """
    text = '{"ok":false,"error":"no_session","message":"No page."}'
    result = parse_call_result({"content": [{"type": "text", "text": text}], "isError": True})
    assert (result.ok, result.error, result.message, result.verified) == (
        False,
        "no_session",
        "No page.",
        None,
    )


def test_plain_text_has_no_fields() -> None:
    """
    An answer that is only prose, a list, or nothing gives empty fields and does not fail.
    """
    assert parse_call_result({"content": [{"type": "text", "text": "[1]"}]}).fields == {}
    assert parse_call_result({}).fields == {}


def test_at_a_prompt_an_answer_is_its_text() -> None:
    """
    Who tries things out at Python's prompt reads lines, and the answer once.
    """
    assert repr(CallResult({"ok": True}, "verified: yes\nverdict_id: v", is_error=False)) == (
        "<CallResult\nverified: yes\nverdict_id: v>"
    )
    assert repr(CallResult({}, "no page", is_error=True)) == "<CallResult is_error\nno page>"
