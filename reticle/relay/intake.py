"""
A line of the client, taken apart: what is to be done, and answers to what cannot be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from reticle.model.relay_limits import BATCH_MESSAGES
from reticle.relay.memory import Memory
from reticle.relay.messages import INVALID_REQUEST, Kind, Malformed, Message, error_line, parse
from reticle.relay.replies import Batch, Replies

_LAST_WITH_BATCHES = "2025-03-26"


class Taken(NamedTuple):
    """
    The messages of a line. ``batch`` has to be settled when all are begun; None when the line is no array.
    """

    messages: Sequence[Message]
    batch: Batch | None


class Intake:
    """
    Args:
        replies: Told of each request before anything is done: whatever goes wrong then, none is forgotten.
        memory: Knows the revision, which allows arrays or not.
    """

    def __init__(self, replies: Replies, memory: Memory) -> None:
        self._replies = replies
        self._memory = memory

    def take(self, line: bytes) -> Taken:
        """
        Take one line.
        """
        self._replies.begin()
        found = parse(line)
        first = found[0]
        is_batch = line.lstrip().startswith(b"[") and not (isinstance(first, Malformed) and first.is_whole)
        refusal = self._refusal(len(found)) if is_batch else None
        if refusal is not None:
            self._replies.beside("", refusal, None)
            return Taken((), None)
        batch = Batch() if is_batch else None
        noted = [self._note(each, batch) for each in found]
        return Taken([each for each in noted if each is not None], batch)

    def _refusal(self, count: int) -> bytes | None:
        """
        Why an array is not taken at all.
        """
        revision = self._memory.revision
        if revision > _LAST_WITH_BATCHES:
            text = f"revision {revision} has no batches; send one message per line"
            return error_line(None, INVALID_REQUEST, text, "batch_unsupported")
        if count > BATCH_MESSAGES:
            text = f"a batch holds 1 to {BATCH_MESSAGES} messages, this one {count}"
            return error_line(None, INVALID_REQUEST, text, "invalid_request")
        return None

    def _note(self, message: Message | Malformed, batch: Batch | None) -> Message | None:
        """
        The message, if it is to be taken; what is none is answered here.
        """
        if isinstance(message, Malformed):
            self._replies.beside(message.key, message.answer, batch)
            return None
        if message.kind is not Kind.REQUEST:
            return message
        if message.key in self._replies:
            text = f"request {message.key} is still running"
            line = error_line(message.key, INVALID_REQUEST, text, "duplicate_request")
        elif batch is not None and message.method == "initialize":
            text = "initialize must not be part of a batch"
            line = error_line(message.key, INVALID_REQUEST, text, "invalid_request")
        else:
            self._replies.expect(message.key, batch)
            return message
        self._replies.beside(message.key, line, batch)
        return None
