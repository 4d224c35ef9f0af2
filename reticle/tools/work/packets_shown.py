"""
``work.packet_show``: packets as they were handed over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from reticle.domain.work.calling import WorkCaller, not_found
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import JobId, MessageId, PacketId, RunId, WorkSessionId
from reticle.model.work import Packet
from reticle.model.work_limits import LISTED, RAW_CHARS
from reticle.ports import CallContext, WorkReading
from reticle.tools.spec import ToolAnswer
from reticle.tools.work.calls import Name, WorkArguments, caller_of
from reticle.tools.work.list_pages import After, behind, part_of
from reticle.tools.work.shown import packet_fields


class ShowArguments(WorkArguments, frozen=True, kw_only=True):
    """
    Which packets.
    """

    packet_id: Annotated[Name | None, Meta(description="One packet.")] = None
    message_id: Annotated[Name | None, Meta(description="Those of a queue message.")] = None
    job_id: Annotated[Name | None, Meta(description="Those of a job.")] = None
    session_id: Annotated[Name | None, Meta(description="Those of a session.")] = None
    run_id: Annotated[Name | None, Meta(description="Those of a run.")] = None
    raw: Annotated[bool, Meta(description="Also the packet as it was handed over.")] = False
    after: After = None
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=LISTED)], Meta(description="How many at most, the newest first.")
    ] = 20


async def show_packets(context: CallContext, arguments: ShowArguments) -> ToolAnswer:
    """
    Packets as they were handed over.

    Raises:
        Refusal: ``bad_arguments`` without anything named; ``not_found``.
    """
    named = (
        arguments.packet_id,
        arguments.message_id,
        arguments.job_id,
        arguments.session_id,
        arguments.run_id,
    )
    if not any(named):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "nothing says which packets. Nothing ran.",
            "Name a packet_id, message_id, job_id, session_id or run_id.",
        )
    caller = caller_of(context, arguments)

    def rule(book: WorkReading) -> Mapping[str, object]:
        packets = [each for each in _packets(book, caller, arguments) if _own(book, caller, each.run_id)]
        if arguments.packet_id is not None and not packets:
            raise not_found("packet", "work.packet_show with a run_id shows them.")
        most = len(_that_fit(packets[: arguments.limit])) if arguments.raw else arguments.limit
        shown, going_on = part_of(packets, most, lambda packet: packet.packet_id)
        return {
            "packets": [
                {
                    **packet_fields(each),
                    **({"packet": msgspec.json.decode(each.document)} if arguments.raw else {}),
                }
                for each in shown
            ],
            **going_on,
        }

    return ToolAnswer(await context.work.read(rule))


def _packets(book: WorkReading, caller: WorkCaller, arguments: ShowArguments) -> list[Packet]:
    if arguments.packet_id is not None:
        packet = book.packet(PacketId(arguments.packet_id))
        return [] if packet is None else [packet]
    return list(
        book.packets(
            run_id=None if arguments.run_id is None else RunId(arguments.run_id),
            job_id=None if arguments.job_id is None else JobId(arguments.job_id),
            message_id=None if arguments.message_id is None else MessageId(arguments.message_id),
            session_id=None if arguments.session_id is None else WorkSessionId(arguments.session_id),
            before=behind(book, caller, arguments.after, lambda text: book.packet(PacketId(text))),
            limit=arguments.limit + 1,
        )
    )


def _that_fit(packets: Sequence[Packet]) -> Sequence[Packet]:
    """
    As many as one answer may hold word for word, the first one in any case.
    """
    chars = 0
    for number, packet in enumerate(packets):
        chars += len(packet.document)
        if number and chars > RAW_CHARS:
            return packets[:number]
    return packets


def _own(book: WorkReading, caller: WorkCaller, run_id: RunId) -> bool:
    run = book.run(run_id)
    return run is not None and run.repository_id == caller.repository_id
