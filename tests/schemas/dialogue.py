"""
One client's dialogue with the daemon, every message of ours checked against ``mcp-types``.

It sees only what passes on the wire: the revision is what the handshake settled or, for 2026-07-28, what the
request itself names.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from mcp_types import jsonrpc, methods
from pydantic import TypeAdapter, ValidationError

from tests.schemas.words import newer_words, unknown_words

MODERN: Final = "2026-07-28"
BEFORE_HANDSHAKE: Final = "2025-11-25"
NAMESPACE: Final = "io.modelcontextprotocol/"

LEGACY_CODES: Final = frozenset({-32002, -32042})
MODERN_CODES: Final = frozenset({-32020, -32021, -32022})
STANDARD_CODES: Final = frozenset({-32700, -32600, -32601, -32602, -32603})
RESERVED: Final = range(-32768, -31999)
"""JSON-RPC and MCP keep these numbers; codes of our own stand outside."""

TASK: Final = frozenset({"taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs", "resultType"})
"""What a task has. ``mcp-types`` has no schema of the tasks extension."""
EXTENSION_WORDS: Final = frozenset({"params.notifications.taskIds"})
TASK_METHODS: Final = {"tasks/get": TASK, "tasks/update": {"resultType"}, "tasks/cancel": {"resultType"}}

adapter = cache(TypeAdapter)
"""The compiled check of one schema."""


class Dialogue:
    """
    Give it every message in the order of the wire; ``received`` tells what is wrong with ours.

    Args:
        revision: What an earlier handshake settled, for a session that is taken up again.
    """

    def __init__(self, revision: str = BEFORE_HANDSHAKE) -> None:
        self._revision = revision
        self._asked: dict[str, tuple[str, str]] = {}
        self._open: Counter[str] = Counter()

    def sent(self, body: bytes | Mapping[str, Any]) -> None:
        """
        What the client sent, broken or not: only requests that can be answered are kept.
        """
        try:
            parsed = json.loads(body) if isinstance(body, bytes) else body
        except (ValueError, RecursionError):
            return
        for message in parsed if isinstance(parsed, list) else [parsed]:
            if isinstance(message, dict) and "id" in message and isinstance(message.get("method"), str):
                key = json.dumps(message["id"])
                self._asked[key] = message["method"], self._revision_of(message)
                self._open[key] += 1

    def received(self, body: bytes | Mapping[str, Any]) -> list[str]:
        """
        What is wrong with a message of ours, a sentence each.
        """
        parsed = json.loads(body) if isinstance(body, bytes) else body
        if isinstance(parsed, list):
            return [told for message in parsed for told in self._check(message)]
        return list(self._check(parsed))

    def _revision_of(self, request: Mapping[str, Any]) -> str:
        params = request.get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        named = meta.get(f"{NAMESPACE}protocolVersion") if isinstance(meta, dict) else None
        return self._revision if named is None else MODERN

    def _check(self, message: Mapping[str, Any]) -> Iterator[str]:
        try:
            jsonrpc.jsonrpc_message_adapter.validate_python(message)
        except ValidationError as broken:
            yield f"no JSON-RPC message: {broken}"
            return
        extra = set(message) - {"jsonrpc", "id", "method", "params", "result", "error"}
        if extra or len({"method", "result", "error"} & set(message)) != 1:
            yield f"not one of request, notification, result and error: {sorted(message)}"
        elif "method" in message:
            yield from self._check_told(message)
        else:
            yield from self._check_answer(message)

    def _check_answer(self, message: Mapping[str, Any]) -> Iterator[str]:
        if message["id"] is None:
            yield from _check_error(message["error"], self._revision)
            return
        key = json.dumps(message["id"])
        if not self._open[key]:
            yield f"nobody waits for an answer to {key}"
            return
        self._open[key] -= 1
        method, revision = self._asked[key]
        if "error" in message:
            # A handshake on a stream of 2026-07-28 is refused in the words of that.
            late = method == "initialize" and message["error"]["code"] in MODERN_CODES
            yield from _check_error(message["error"], MODERN if late else revision)
            return
        if method == "initialize":
            revision = self._revision = str(message["result"].get("protocolVersion"))
        yield from _check_result(method, revision, message["result"])

    def _check_told(self, message: Mapping[str, Any]) -> Iterator[str]:
        """
        A notification or a request of ours; one of a stream of 2026-07-28 may come beside a handshake's.
        """
        table = methods.SERVER_REQUESTS if "id" in message else methods.SERVER_NOTIFICATIONS
        method = message["method"]
        meta = (message.get("params") or {}).get("_meta") or {}
        revision = MODERN if f"{NAMESPACE}subscriptionId" in meta else self._revision
        if method == "notifications/tasks":
            return
        schema = table.get((method, revision))
        if schema is None:
            yield f"{method} is no word of {revision} for us to say"
        else:
            yield from _compare(method, revision, adapter(schema), message)


def _check_result(method: str, revision: str, result: Mapping[str, Any]) -> Iterator[str]:
    meta = result.get("_meta") or {}
    if revision == MODERN and f"{NAMESPACE}serverInfo" not in meta:
        yield f"{method}: the result does not say whose it is"
    if revision != MODERN:
        yield from (f"{method}: {key} on a wire of {revision}" for key in meta if key.startswith(NAMESPACE))
    if result.get("resultType") == "task" or method in TASK_METHODS:
        missing = TASK_METHODS.get(method, TASK) - set(result)
        if missing:
            yield f"{method}: {sorted(missing)} missing"
        return
    schema = methods.SERVER_RESULTS.get((method, revision))
    if schema is None:
        yield f"{method} has a result, and is no method of {revision}"
    else:
        yield from _compare(method, revision, adapter(schema), result)


def _compare(
    method: str, revision: str, schema: TypeAdapter[Any], message: Mapping[str, Any]
) -> Iterator[str]:
    try:
        read = schema.validate_python(message, by_name=False)
    except ValidationError as broken:
        yield f"{method} of {revision}: {broken}"
        return
    kept = schema.dump_python(read, by_alias=True, mode="json", exclude_none=True)
    unknown = set(unknown_words(message, kept)) - EXTENSION_WORDS
    yield from (f"{method} of {revision}: unknown word {word}" for word in sorted(unknown))
    yield from (f"{method} of {revision}: newer word {word}" for word in newer_words(message, revision))


def _check_error(error: Mapping[str, Any], revision: str) -> Iterator[str]:
    code = error["code"]
    mine = MODERN_CODES if revision == MODERN else LEGACY_CODES
    if code in RESERVED and code not in STANDARD_CODES | mine:
        yield f"error {code} is no code of {revision}"
    if not isinstance((error.get("data") or {}).get("code"), str):
        yield f"error {code} says no word for programs: {error}"
