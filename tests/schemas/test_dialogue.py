"""
The check that watches the other tests sees a wrong reply.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.schemas.dialogue import NAMESPACE, Dialogue

TOOL = {"name": "reticle_sessions", "description": "Lists.", "inputSchema": {"type": "object"}}
RETICLE = {"name": "reticle", "version": "1"}
META = {f"{NAMESPACE}protocolVersion": "2026-07-28", f"{NAMESPACE}clientCapabilities": {}}
SERVER = {f"{NAMESPACE}serverInfo": RETICLE}
PROGRESS = {"progressToken": 1, "progress": 1, "message": "x"}


def opened(revision: str) -> Dialogue:
    """
    A dialogue whose handshake settled a revision.
    """
    dialogue = Dialogue()
    hello = {"protocolVersion": revision, "capabilities": {}, "serverInfo": RETICLE}
    assert answered(dialogue, "initialize", hello) == []
    return dialogue


def answered(dialogue: Dialogue, method: str, result: Mapping[str, Any], **params: object) -> list[str]:
    """
    What is told about a result.
    """
    dialogue.sent({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    return dialogue.received({"jsonrpc": "2.0", "id": 1, "result": result})


def modern(method: str, result: Mapping[str, Any]) -> list[str]:
    """
    What is told about a result of 2026-07-28.
    """
    return answered(Dialogue(), method, result, _meta=META)


def told(revision: str, method: str, params: Mapping[str, Any]) -> list[str]:
    """
    What is told about a notification.
    """
    return opened(revision).received({"jsonrpc": "2.0", "method": method, "params": params})


def refused(revision: str, code: int, data: object = None) -> list[str]:
    """
    What is told about an error.
    """
    dialogue = opened(revision)
    dialogue.sent({"jsonrpc": "2.0", "id": "a", "method": "tools/list"})
    error = {"code": code, "message": "no", "data": {"code": "no"} if data is None else data}
    return dialogue.received({"jsonrpc": "2.0", "id": "a", "error": error})


def test_right_replies_pass() -> None:
    """
    Every revision's own words are taken.
    """
    assert answered(opened("2024-11-05"), "tools/list", {"tools": [TOOL]}) == []
    titled = {**TOOL, "title": "Sessions", "annotations": {"title": "S", "readOnlyHint": True}}
    assert answered(opened("2025-06-18"), "tools/list", {"tools": [titled]}) == []
    cached = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "_meta": SERVER}
    assert modern("tools/list", {"tools": [titled], **cached}) == []
    assert told("2025-03-26", "notifications/progress", PROGRESS) == []
    assert refused("2025-11-25", -32601) == []


@pytest.mark.parametrize(
    ("revision", "entry", "word"),
    [
        ("2024-11-05", {"annotations": {"readOnlyHint": True}}, "newer word tools.annotations"),
        ("2025-03-26", {"title": "Sessions"}, "newer word tools.title"),
        ("2025-03-26", {"outputSchema": {"type": "object"}}, "newer word tools.outputSchema"),
        ("2025-06-18", {"execution": {"taskSupport": "optional"}}, "newer word tools.execution"),
        (
            "2025-11-25",
            {"annotations": {"readonlyHint": True}},
            "unknown word tools.annotations.readonlyHint",
        ),
        ("2025-11-25", {"inputSchema": {"type": "array"}}, "Input should be 'object'"),
    ],
)
def test_a_word_that_the_revision_lacks(revision: str, entry: Mapping[str, Any], word: str) -> None:
    """
    A newer word, a misspelt one and a wrong value are each told.
    """
    [complaint] = answered(opened(revision), "tools/list", {"tools": [{**TOOL, **entry}]})
    assert word in complaint


@pytest.mark.parametrize(
    "result",
    [
        {"content": [{"type": "text"}]},
        {"content": [{"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}]},
        {"content": [], "resultType": "complete"},
        {"content": [], "_meta": SERVER},
        {},
    ],
)
def test_a_wrong_result_of_a_call(result: Mapping[str, Any]) -> None:
    """
    A block without its text, a newer block, a word of 2026-07-28, and no content at all.
    """
    assert len(answered(opened("2024-11-05"), "tools/call", result)) == 1


def test_a_wrong_result_of_2026() -> None:
    """
    A result must say what kind it is, how long it may be kept, and whose it is.
    """
    assert len(modern("tools/list", {"tools": [TOOL], "_meta": SERVER})) == 1
    assert len(modern("tools/call", {"resultType": "complete", "content": []})) == 1
    assert len(modern("ping", {"resultType": "complete", "_meta": SERVER})) == 1
    assert len(modern("tools/call", {"resultType": "task", "taskId": "t", "_meta": SERVER})) == 1


def test_wrong_notifications() -> None:
    """
    One that the revision lacks, one without its token, and one with a newer word.
    """
    assert len(told("2025-11-25", "notifications/subscriptions/acknowledged", {})) == 1
    assert len(told("2025-11-25", "notifications/progress", {"progress": 1})) == 1
    assert len(told("2024-11-05", "notifications/progress", PROGRESS)) == 1


def test_wrong_errors() -> None:
    """
    Codes of another era, codes that are not ours to take, and an error without a word for programs.
    """
    assert len(refused("2025-11-25", -32020)) == 1
    assert len(refused("2025-11-25", -32001)) == 1
    assert refused("2025-11-25", -31001) == []
    assert len(refused("2025-11-25", -32601, data={})) == 1


def test_answers_that_nobody_waits_for() -> None:
    """
    A second answer, and an id that is a text where a number was asked.
    """
    dialogue = opened("2025-11-25")
    assert answered(dialogue, "ping", {}) == []
    assert len(dialogue.received({"jsonrpc": "2.0", "id": 1, "result": {}})) == 1
    dialogue.sent(b'{"jsonrpc": "2.0", "id": 7, "method": "ping"}')
    assert len(dialogue.received(b'{"jsonrpc": "2.0", "id": "7", "result": {}}')) == 1


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "id": 1},
        {"id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "result": {}, "error": {"code": 1, "message": "x"}},
        {"jsonrpc": "2.0", "id": 1.5, "result": {}},
    ],
)
def test_what_is_no_message(message: Mapping[str, Any]) -> None:
    """
    Neither result nor error, both of them, no version, an id that is no id.
    """
    dialogue = opened("2025-11-25")
    dialogue.sent({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert len(dialogue.received(message)) == 1
