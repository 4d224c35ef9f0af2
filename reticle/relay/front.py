"""
The front itself, without I/O: lines of the client in, lines for the client and bodies for the daemon out.

It answers the handshake, ``ping`` and, while no daemon is there, ``tools/list``; everything else, methods
it does not know included, goes to the daemon as it came. Each request gets exactly one answer (``Replies``).
"""

from __future__ import annotations

import json
from collections.abc import Callable

from reticle.model.relay_limits import LIST_SECONDS, PATIENCE_SECONDS, PENDING_BYTES, PENDING_REQUESTS
from reticle.relay import faults
from reticle.relay.answers import local_answer
from reticle.relay.carrier import Carrier
from reticle.relay.intake import Intake
from reticle.relay.ledger import Ledger, Pending, may_repeat
from reticle.relay.lessons import Lessons
from reticle.relay.listening import LISTEN, Listening
from reticle.relay.memory import Era, Memory
from reticle.relay.messages import (
    INVALID_REQUEST,
    PARSE_ERROR,
    Kind,
    Message,
    error_line,
    parse,
    result_line,
)
from reticle.relay.offer import Offer
from reticle.relay.questions import Questions
from reticle.relay.replies import Replies
from reticle.relay.tool_list import ToolList
from reticle.relay.trouble import Trouble


class Front:
    """
    One client's front.

    Args:
        offer: What can be said without the daemon.
        memory: What a fresh link has to know.
        say: Takes each line for the client, without its end.
    """

    def __init__(self, offer: Offer, memory: Memory, say: Callable[[bytes], None]) -> None:
        self._offer = offer
        self._memory = memory
        self._say = say
        self._ledger = Ledger()
        self._replies = Replies(say)
        self._intake = Intake(self._replies, memory)
        self._listening = Listening()
        self._list = ToolList(offer, memory)
        self._lessons = Lessons(offer, memory, self._list, self._listening, say)
        self._questions = Questions()
        self._carrier: Carrier | None = None

    def attach(self, carrier: Carrier) -> None:
        """
        Say where bodies go; needed before the first request that the front cannot answer.
        """
        self._carrier = carrier

    @property
    def busy(self) -> bool:
        """
        Whether a request is without an answer.
        """
        return len(self._ledger) > 0

    @property
    def waiting(self) -> bool:
        """
        Whether a request waits for a link; a listen that only goes on needs no daemon started for it.
        """
        return any(not (each.resent and each.message.method == LISTEN) for each in self._ledger.queued())

    @property
    def noted(self) -> frozenset[str]:
        """
        The keys of the requests of the last line: each of them is owed its answer, or has it.
        """
        return frozenset(self._replies.noted)

    def take_line(self, line: bytes, now: float) -> None:
        """
        One line of the client.
        """
        taken = self._intake.take(line)
        try:
            for message in taken.messages:
                self._take(message, now)
        finally:
            if taken.batch is not None:
                self._replies.settle(taken.batch)

    def start_over(self, why: str) -> None:
        """
        Something in here failed, and nobody knows what else is wrong: every request gets its answer now, and
        only what the client has agreed stays. The link has to be a fresh one.
        """
        self._listening.clear()
        self._memory.hidden.clear()
        self._answer_all(lambda key, pending: faults.failed(key, pending, why))
        for line in self._questions.withdraw():
            self._say(line)

    def leave(self) -> None:
        """
        The client asks no more and is not waited for any longer: every request gets its answer now.
        """
        self._answer_all(faults.left)

    def _answer_all(self, fault: Callable[[str, Pending | None], bytes]) -> None:
        pending = self._ledger.clear()
        for key in self._replies.owed:
            self._replies.answer(key, fault(key, pending.get(key)))

    def refuse_overlong(self) -> None:
        """
        A line was too long to be kept; whose request it was is not known.
        """
        self._say(error_line(None, PARSE_ERROR, "this line is longer than 8 MiB", "malformed_body"))

    def link_opened(self) -> None:
        """
        A fresh link: bring it to where the client is, then send what waits.
        """
        assert self._carrier is not None
        for body in self._memory.replay():
            self._carrier.post(body, "")
        if self._memory.era is not Era.UNDECIDED:
            self._carrier.post(self._list.ask(), "")
        for pending in self._ledger.queued():
            self._hand_over(pending)

    def left(self, key: str) -> None:
        """
        The last byte of a request was handed over.
        """
        self._ledger.left(key)

    def untaken(self, key: str) -> None:
        """
        The daemon did not take it now; it goes out again with the next link.
        """
        self._ledger.returned(key)

    def refused(self, key: str, status: int, text: str) -> None:
        """
        The daemon will not take this message.
        """
        if self._ledger.settle(key) is not None:
            self._listening.closed(key)
            self._replies.answer(key, faults.refused(key, status, text))

    def doubted(self, key: str) -> None:
        """
        The connection of one message broke before the daemon said that it had taken it.
        """
        self._settle_doubt({key}, "the connection broke while it was handed over", "")

    def arrived(self, text: str, now: float) -> None:
        """
        One message of the daemon.
        """
        body = text.encode("utf-8", "surrogatepass")
        for message in parse(body if "\n" not in text else body.replace(b"\n", b" ")):
            if isinstance(message, Message):
                self._from_daemon(message, now)

    def link_lost(self, trouble: Trouble) -> None:
        """
        The link is over; whatever had left and is not a read may have happened.
        """
        self._listening.lost()
        for line in self._questions.withdraw():
            self._say(line)
        self._memory.hidden.clear()
        self._settle_doubt(None, trouble.text, trouble.recovery)

    def attempt_failed(self, trouble: Trouble, now: float) -> None:
        """
        There is still no link: whoever has waited long enough is told why.
        """
        for pending in self._ledger.queued():
            if _is_list(pending):
                self._list_from_memory(pending)
            elif pending.message.method != LISTEN and (
                trouble.lasting or now - pending.since >= PATIENCE_SECONDS
            ):
                self._ledger.settle(pending.message.key)
                self._replies.answer(pending.message.key, faults.unreachable(pending, trouble))

    def deadline(self) -> float | None:
        """
        When ``tick`` has to be called at the latest.
        """
        lists = [each.since + LIST_SECONDS for each in self._ledger.queued() if _is_list(each)]
        ends = self._listening.deadline()
        return min([*lists, *([] if ends is None else [ends])], default=None)

    def tick(self, now: float) -> None:
        """
        What is due: tool lists from memory, and the ends of listens that were no farewell.
        """
        for pending in self._ledger.queued():
            if _is_list(pending) and now - pending.since >= LIST_SECONDS:
                self._list_from_memory(pending)
        for key, lines in self._listening.due(now):
            if self._ledger.settle(key) is not None:
                self._replies.withdraw(key)
                for line in lines:
                    self._say(line)

    def _take(self, message: Message, now: float) -> None:
        if message.kind is Kind.REQUEST:
            self._request(message, now)
        elif message.kind is Kind.NOTIFICATION:
            self._notification(message)
        elif self._questions.answered(message.key):
            self._pass_on(message.body)

    def _request(self, message: Message, now: float) -> None:
        key = message.key
        before = self._memory.has_handshake
        answer = local_answer(message, self._memory, self._offer)
        self._memory.decide(message)
        if answer is not None:
            self._replies.answer(key, answer)
            if self._memory.has_handshake and not before and self._ready:
                self._shake()
            return
        if len(self._ledger) >= PENDING_REQUESTS or self._ledger.size_bytes > PENDING_BYTES:
            text = f"{len(self._ledger)} requests are without an answer; wait for one of them"
            self._replies.answer(key, error_line(key, INVALID_REQUEST, text, "too_many_calls"))
            return
        self._memory.observe(message)
        repeatable = may_repeat(message, self._offer.reading_tools(self._memory.revision))
        pending = Pending(message, repeatable=repeatable, since=now)
        self._ledger.add(pending)
        if message.method == LISTEN:
            self._listening.opened(message, json.loads(key))
        if self._carrier is None:
            return  # it goes out with the first link
        if self._carrier.ready:
            self._hand_over(pending)
        else:
            self._carrier.want(now)

    def _hand_over(self, pending: Pending) -> None:
        assert self._carrier is not None
        pending.handed_over = True
        self._carrier.post(pending.message.body, pending.message.key)

    @property
    def _ready(self) -> bool:
        return self._carrier is not None and self._carrier.ready

    def _shake(self) -> None:
        """
        The client's handshake, on a link that was open before it came.
        """
        assert self._carrier is not None
        for body in self._memory.replay():
            self._carrier.post(body, "")
        self._carrier.post(self._list.ask(), "")

    def _notification(self, message: Message) -> None:
        self._memory.observe(message)
        if message.method == "notifications/cancelled":
            identity = message.params.get("requestId")
            key = json.dumps(identity)
            pending = self._ledger.settle(key)
            self._listening.closed(key)
            if pending is not None:
                self._replies.withdraw(key)
            if pending is None or not (pending.has_left or self._ready):
                return
        self._pass_on(message.body)

    def _pass_on(self, body: bytes) -> None:
        """
        What has no answer: without a link nobody misses it, a new link begins afresh.
        """
        if self._ready:
            assert self._carrier is not None
            self._carrier.post(body, "")

    def _from_daemon(self, message: Message, now: float) -> None:
        if message.kind is not Kind.RESPONSE:
            if self._listening.takes(message, now):
                return
            if message.kind is Kind.REQUEST:
                self._questions.asked(message.key)
            self._say(message.body)
            return
        hidden = self._memory.hidden.pop(message.key, None)
        if hidden is not None:
            further = self._lessons.learn(hidden, message)
            if further is not None:
                self._pass_on(further)
        elif message.key in self._ledger and not self._listening.takes(message, now):
            waiting = self._ledger.find(message.key)
            if waiting is not None and waiting.resent and faults.is_duplicate(message.params):
                return  # a read that was sent again runs already: its first one's answer is still to come
            pending = self._ledger.settle(message.key)
            assert pending is not None
            if _is_list(pending):
                self._list.shown(pending.message, message.params.get("result"))
            self._replies.answer(message.key, message.body)

    def _list_from_memory(self, pending: Pending) -> None:
        self._ledger.settle(pending.message.key)
        key = pending.message.key
        self._replies.answer(key, result_line(key, self._list.from_memory()))

    def _settle_doubt(self, keys: set[str] | None, why: str, recovery: str) -> None:
        torn = self._ledger.doubt(keys)
        for pending in torn.unknown:
            self._listening.closed(pending.message.key)
            self._replies.answer(pending.message.key, faults.outcome_unknown(pending, why, recovery))
        if torn.again and self._ready and keys is not None:
            for pending in torn.again:
                self._hand_over(pending)


def _is_list(pending: Pending) -> bool:
    return pending.message.method == "tools/list" and "cursor" not in pending.message.params
