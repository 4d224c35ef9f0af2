"""
One agent of the handshake revisions: its MCP session, its principal, its requests in flight.

The protocol core decides what a message is, the gate what a call may do; this module keeps them together:
which answer belongs to which request and body, and what happens to work that nobody waits for any more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from twisted.internet.defer import Deferred
from twisted.logger import Logger

from reticle.dispatch.call import Call, Caller
from reticle.dispatch.in_flight import InFlight, Running
from reticle.dispatch.live_questions import LiveQuestions
from reticle.dispatch.outstanding import BatchToSink, Outstanding, ToSink
from reticle.dispatch.progress import ToldProgress, untold
from reticle.dispatch.shared import Shared
from reticle.dispatch.wishes import Wishes
from reticle.errors import PeerFault, Refusal
from reticle.mcp.down_convert import tool_result
from reticle.mcp.events import (
    CancelReceived,
    CompletionRequested,
    Event,
    Initialized,
    LevelSet,
    Listable,
    ListRequested,
    PromptRequested,
    Replied,
    ResourceRequested,
    ResponseReceived,
    SubscriptionRequested,
    ToolCallRequested,
)
from reticle.mcp.jsonrpc import error_message, result_message
from reticle.mcp.session import Session
from reticle.mcp.strict_json import encode
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.mcp import Agreed, ClientCapabilities, Notice, Preferences
from reticle.ports import MessageSink, ReplySink

_NO_CLIENT: Final = ClientCapabilities()


class Conversation:
    """
    Provides ``ports.Conversation``.

    Args:
        caller: Who speaks, for the gate.
        shared: What it works with.
        sink: Where goes what belongs to no body.
        agreed: The handshake of an earlier life of the daemon.
        preferences: What the client wished for in that life.
    """

    _log = Logger()

    def __init__(
        self,
        *,
        caller: Caller,
        shared: Shared,
        sink: MessageSink,
        agreed: Agreed | None = None,
        preferences: Preferences | None = None,
    ) -> None:
        self._caller = caller
        self._shared = shared
        self._sink = sink
        self._session = Session(shared.offered, agreed)
        self._agreed = agreed
        self._closed = False
        self._in_flight = InFlight()
        self._questions = LiveQuestions(shared.clock, caller.conversation_id)
        self._wishes = Wishes(preferences)
        self._to_sink = ToSink(sink)
        self._unsubscribe: Callable[[], None] | None = None
        if agreed is not None:
            self._hear_notices()

    @property
    def agreed(self) -> Agreed | None:
        """
        What the handshake settled.
        """
        return self._agreed

    @property
    def preferences(self) -> Preferences:
        """
        What the client wished for.
        """
        return self._wishes.preferences

    @property
    def busy(self) -> bool:
        """
        Whether a request is in flight.
        """
        return self._in_flight.busy

    def receive(self, body: bytes, replies: ReplySink | None = None) -> None:
        """
        Take one body; see ``ports.Conversation``. After ``close`` it is dropped.
        """
        if self._closed:
            return
        events = self._session.receive(body)
        if replies is None:
            is_batch = body[:1] != b"{" and body.lstrip()[:1] == b"["
            replies = BatchToSink(self._send) if is_batch else self._to_sink
        received = Outstanding(replies)
        for event in events:
            if self._closed:
                break  # an answer to an earlier message of the batch ended the stream
            self._take(event, received)
        received.settle()

    def hung_up(self, replies: ReplySink) -> None:
        """
        A connection is gone; see ``ports.Conversation``.
        """
        self._in_flight.hung_up(replies)

    def drain(self, reason: str, why: Refusal | None = None) -> Deferred[None]:
        """
        Answer what runs, refuse what comes; see ``ports.Conversation``.

        Waits for the rows of the calls, so the store has to be open still.
        """
        return self._in_flight.drain(reason, why)

    def close(self) -> None:
        """
        Stop everything silently; see ``ports.Conversation``.
        """
        self._closed = True
        self._session.close()
        self._shared.forget(self._caller.conversation_id)
        if self._unsubscribe is not None:
            self._unsubscribe()
        for uri in self._wishes.uris:
            self._shared.notices.unwatch(uri, self._hear)
        self._in_flight.close()

    def _take(self, event: Event, body: Outstanding) -> None:
        match event:
            case ToolCallRequested():
                self._start_call(event, body)
            case ListRequested():
                self._list(event, body)
            case Replied(message, fault):
                body.answer_now(message, fault)
            case ResourceRequested() | PromptRequested() | CompletionRequested():
                self._start_feature(event, body)
            case SubscriptionRequested():
                self._subscribe(event, body)
            case Initialized():
                self._initialized(event)
            case _:
                self._heed(event)

    def _heed(self, event: CancelReceived | ResponseReceived | LevelSet) -> None:
        """
        What needs no answer, or has had it.
        """
        match event:
            case CancelReceived(request_id):
                self._in_flight.cancel(request_id)
            case ResponseReceived(request_id, result):
                self._questions.answered(request_id, result)
            case LevelSet(level):
                self._wishes.set_level(level)

    def _initialized(self, event: Initialized) -> None:
        self._agreed = event.agreed
        self._hear_notices()
        self._log.info(
            "{conversation}: {client} speaks {revision}",
            conversation=self._caller.conversation_id,
            client=event.client,
            revision=event.revision.name,
        )

    def _hear_notices(self) -> None:
        self._unsubscribe = self._shared.notices.subscribe(self._hear)
        for uri in self._wishes.uris:
            self._shared.notices.watch(uri, self._hear)

    def _hear(self, notice: Notice) -> None:
        message = self._wishes.told_of(notice, self._shared.offered)
        if message is not None and self._shared.features.may_hear(self._caller.principal, notice):
            self._send(message)

    def _list(self, event: ListRequested, body: Outstanding) -> None:
        try:
            result = self._listed(event)
        except PeerFault as fault:
            body.answer_now(error_message(event.request_id, fault), fault)
        else:
            body.answer_now(result_message(event.request_id, result))

    def _listed(self, event: ListRequested) -> bytes:
        principal, revision = self._caller.principal, self._session.revision
        features = self._shared.features
        if event.listable is Listable.TOOLS and event.cursor is None:
            return self._shared.gate.tools_list(principal, revision, event.repository_id)
        if event.listable is Listable.TOOLS:
            return encode(features.tools_list(principal, revision, event.cursor, event.repository_id))
        read = {
            Listable.RESOURCES: features.resources_list,
            Listable.TEMPLATES: features.templates_list,
            Listable.PROMPTS: features.prompts_list,
        }[event.listable]
        return encode(read(principal, revision, event.cursor))

    def _subscribe(self, event: SubscriptionRequested, body: Outstanding) -> None:
        try:
            if event.wanted:
                self._shared.features.check_uri(self._caller.principal, event.uri)
                self._wishes.subscribe(event.uri)
                self._shared.notices.watch(event.uri, self._hear)
            else:
                self._wishes.unsubscribe(event.uri)
                self._shared.notices.unwatch(event.uri, self._hear)
        except PeerFault as fault:
            told = _in_older_words(fault)
            body.answer_now(error_message(event.request_id, told), told)
        else:
            body.answer_now(result_message(event.request_id, b"{}"))

    def _start_call(self, event: ToolCallRequested, body: Outstanding) -> None:
        progress = None
        if event.progress_token is not None:
            progress = ToldProgress(
                event.progress_token, self._session.revision, self._shared.clock, body.tell
            )
        call = self._call(body, event.name, event.arguments, event.repository_id, progress)
        self._in_flight.start(Running(event.request_id, call, body, progress), self._result_of)

    async def _result_of(self, call: Call) -> bytes:
        result = await self._shared.gate.call(call)
        return tool_result(
            result.text,
            result.structured,
            is_error=result.is_error,
            revision=self._session.revision,
            blocks=result.blocks,
        )

    def _start_feature(
        self, event: ResourceRequested | PromptRequested | CompletionRequested, body: Outstanding
    ) -> None:
        features, revision = self._shared.features, self._session.revision

        async def work(call: Call) -> bytes:
            try:
                return await serve(call)
            except PeerFault as fault:
                raise _in_older_words(fault) from None

        async def serve(call: Call) -> bytes:
            match event:
                case ResourceRequested():
                    return encode(await features.read(call))
                case PromptRequested():
                    return encode(await features.get_prompt(call, revision))
                case CompletionRequested():
                    principal = self._caller.principal
                    completed = await features.complete(
                        principal, event.kind, event.name, event.argument, event.given, event.context
                    )
                    return encode(completed)

        match event:
            case ResourceRequested(_, uri):
                call = self._call(body, uri)
            case PromptRequested(_, name, arguments):
                call = self._call(body, name, arguments)
            case CompletionRequested(_, _, name):
                call = self._call(body, name)
        self._in_flight.start(Running(event.request_id, call, body), work)

    def _call(
        self,
        body: Outstanding,
        name: str,
        arguments: bytes = b"{}",
        repository_id: str | None = None,
        progress: ToldProgress | None = None,
    ) -> Call:
        client = _NO_CLIENT if self._agreed is None else self._agreed.client
        return Call(
            self._caller,
            name,
            arguments,
            repository_id,
            untold if progress is None else progress,
            self._questions.asker(client, self._session.revision, body.tell),
            self._wishes.logger(body.tell),
        )

    def _send(self, message: bytes) -> None:
        if not self._closed:
            self._sink.send(message)


def _in_older_words(fault: PeerFault) -> PeerFault:
    """
    A resource that is not there has a number of its own before 2026-07-28 (MCP 2025-11-25 "Resources").
    """
    if fault.code != FaultCode.RESOURCE_UNKNOWN:
        return fault
    return PeerFault(fault.code, fault.message, JsonRpcCode.RESOURCE_NOT_FOUND, fault.data)
