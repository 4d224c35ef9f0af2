"""
Requests without an answer, and the rule that each gets exactly one (field report SP-05).

A request is *queued* until its last byte was handed to the kernel, then it has *left*. When the link is
lost, a queued one goes out again, a read that has left goes out once more, anything else may have happened.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from reticle.relay.messages import Message

REPEATABLE = frozenset(
    {
        "ping",
        "completion/complete",
        "logging/setLevel",
        "prompts/get",
        "prompts/list",
        "resources/list",
        "resources/read",
        "resources/subscribe",
        "resources/templates/list",
        "resources/unsubscribe",
        "server/discover",
        "subscriptions/listen",
        "tasks/get",
        "tasks/list",
        "tasks/result",
        "tools/list",
    }
)
"""Methods that may run twice with the same outcome; what is not known is taken to act."""


class Pending:
    """
    One request without an answer. ``since`` is when the client sent it, ``handed_over`` whether a link ever
    got it, ``resent`` whether it goes out for the second and last time.
    """

    __slots__ = ("handed_over", "has_left", "message", "repeatable", "resent", "since")

    def __init__(self, message: Message, *, repeatable: bool, since: float) -> None:
        self.message = message
        self.repeatable = repeatable
        self.since = since
        self.handed_over = False
        self.has_left = False
        self.resent = False


class Torn(NamedTuple):
    """
    What a lost link leaves: requests to send again, and requests of which nobody knows what became.
    """

    again: Sequence[Pending]
    unknown: Sequence[Pending]


class Ledger:
    """
    All requests without an answer, in the order in which they came; ``size_bytes`` is what they take.
    """

    def __init__(self) -> None:
        self._pending: dict[str, Pending] = {}
        self.size_bytes = 0

    def __len__(self) -> int:
        return len(self._pending)

    def __contains__(self, key: str) -> bool:
        return key in self._pending

    def add(self, pending: Pending) -> None:
        """
        Note a request; its key must not be in use.
        """
        self._pending[pending.message.key] = pending
        self.size_bytes += len(pending.message.body)

    def find(self, key: str) -> Pending | None:
        """
        The request of that key, unless it is settled.
        """
        return self._pending.get(key)

    def settle(self, key: str) -> Pending | None:
        """
        The request is answered or cancelled; None when it was already: then nothing may be said.
        """
        pending = self._pending.pop(key, None)
        if pending is not None:
            self.size_bytes -= len(pending.message.body)
        return pending

    def clear(self) -> Mapping[str, Pending]:
        """
        Forget all of them; gives what was without an answer, by its key.
        """
        pending, self._pending, self.size_bytes = self._pending, {}, 0
        return pending

    def queued(self) -> Iterator[Pending]:
        """
        Those that have not left, oldest first.
        """
        return (each for each in list(self._pending.values()) if not each.has_left)

    def left(self, key: str) -> None:
        """
        Its last byte was handed over.
        """
        pending = self._pending.get(key)
        if pending is not None:
            pending.has_left = True

    def returned(self, key: str) -> None:
        """
        The daemon said that it did not take it: it is queued again, as if it had not left.
        """
        pending = self._pending.get(key)
        if pending is not None:
            pending.has_left = False

    def doubt(self, keys: Collection[str] | None = None) -> Torn:
        """
        Nobody will tell what became of those that have left (of ``keys``, or of all).

        A read is queued for its second and last time; the others are settled here, and to be answered so.
        """
        again: list[Pending] = []
        unknown: list[Pending] = []
        for key, pending in list(self._pending.items()):
            if not pending.has_left or (keys is not None and key not in keys):
                continue
            if pending.repeatable and (
                not pending.resent or pending.message.method == "subscriptions/listen"
            ):
                pending.has_left = False
                pending.resent = True
                again.append(pending)
            else:
                self.settle(key)
                unknown.append(pending)
        return Torn(again, unknown)


def may_repeat(message: Message, reading_tools: Collection[str]) -> bool:
    """
    Whether a request may be sent twice: a tool only when its ``readOnlyHint`` says that it just reads.
    """
    if message.method == "tools/call":
        return message.params.get("name") in reading_tools
    return message.method in REPEATABLE
