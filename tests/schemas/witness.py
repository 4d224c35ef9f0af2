"""
Lets a ``Dialogue`` see what the other tests exchange, wherever they do it.

Two places see nearly all of it: ``Conversations``, through which every carrier of this process speaks to the
gate, and the ``Channel`` of ``reticle.client``, with which the system tests speak to daemons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from reticle.client.channel import Channel
from reticle.client.link import dial
from reticle.dispatch.conversations import Conversations
from reticle.errors import PeerFault
from reticle.ports import MessageSink, ReplySink
from tests.schemas.dialogue import Dialogue


class Witness:
    """
    ``wrong`` holds what was wrong since it was last taken; ``count`` is how many messages were seen.
    """

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.count = 0

    def saw(self, dialogue: Dialogue, message: bytes | Mapping[str, Any]) -> None:
        """
        One message of the daemon.
        """
        self.count += 1
        self.wrong += dialogue.received(message)

    def take(self) -> Sequence[str]:
        """
        Take out what was wrong.
        """
        taken, self.wrong = self.wrong, []
        return taken


class SeenSink:
    """
    Provides ``ports.MessageSink`` in front of another.
    """

    def __init__(self, sink: MessageSink, witness: Witness, dialogue: Dialogue) -> None:
        self._sink = sink
        self._witness = witness
        self._dialogue = dialogue

    def send(self, message: bytes) -> None:
        """
        Look at it and hand it on.
        """
        self._witness.saw(self._dialogue, message)
        self._sink.send(message)


class SeenReplies:
    """
    Provides ``ports.ReplySink`` in front of another.
    """

    def __init__(self, replies: ReplySink, witness: Witness, dialogue: Dialogue) -> None:
        self._replies = replies
        self._witness = witness
        self._dialogue = dialogue

    def tell(self, message: bytes) -> None:
        """
        Look at it and hand it on.
        """
        self._witness.saw(self._dialogue, message)
        self._replies.tell(message)

    def answer(self, message: bytes, fault: PeerFault | None = None) -> None:
        """
        Look at it and hand it on.
        """
        self._witness.saw(self._dialogue, message)
        self._replies.answer(message, fault)

    def done(self) -> None:
        """
        Hand it on.
        """
        self._replies.done()


def watch_conversations(patch: pytest.MonkeyPatch, witness: Witness) -> None:
    """
    See what passes between transports (or tests in their place) and the gate.
    """
    open_, restore, exchange = Conversations.open, Conversations.restore, Conversations.exchange

    def watched(conversation: Any, dialogue: Dialogue) -> Any:
        receive = conversation.receive

        def seen(body: bytes, replies: ReplySink | None = None) -> None:
            dialogue.sent(body)
            receive(body, None if replies is None else SeenReplies(replies, witness, dialogue))

        conversation.receive = seen
        return conversation

    def opening(self: Conversations, principal: Any, carrier: Any, sink: MessageSink) -> Any:
        dialogue = Dialogue()
        return watched(open_(self, principal, carrier, SeenSink(sink, witness, dialogue)), dialogue)

    def restoring(
        self: Conversations, principal: Any, carrier: Any, sink: MessageSink, agreed: Any, *more: Any
    ) -> Any:
        dialogue = Dialogue(agreed.revision)
        seen = SeenSink(sink, witness, dialogue)
        return watched(restore(self, principal, carrier, seen, agreed, *more), dialogue)

    def exchanging(self: Conversations, principal: Any, carrier: Any, body: bytes, *more: Any) -> Any:
        headers, replies = more
        dialogue = Dialogue()
        dialogue.sent(body)
        return exchange(self, principal, carrier, body, headers, SeenReplies(replies, witness, dialogue))

    patch.setattr(Conversations, "open", opening)
    patch.setattr(Conversations, "restore", restoring)
    patch.setattr(Conversations, "exchange", exchanging)


def watch_channels(patch: pytest.MonkeyPatch, witness: Witness) -> None:
    """
    See what ``reticle.client`` sends to a daemon and gets from it.
    """
    post, receive = Channel.post, Channel.receive
    dialogues: WeakKeyDictionary[Channel, Dialogue] = WeakKeyDictionary()

    def posting(self: Channel, message: Mapping[str, object]) -> None:
        dialogues.setdefault(self, Dialogue()).sent(message)
        post(self, message)

    def receiving(self: Channel, deadline: float, awaited: str) -> list[Mapping[str, object]]:
        messages = receive(self, deadline, awaited)
        # What a scripted link answers is no word of the daemon.
        for message in messages if self._dial is dial else ():
            witness.saw(dialogues.setdefault(self, Dialogue()), message)
        return messages

    patch.setattr(Channel, "post", posting)
    patch.setattr(Channel, "receive", receiving)
