"""
What a page message is once it is read; the contract is ``docs/protocol/page-wire.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import attrs
import msgspec

from reticle.model.ids import CommandId, DocumentId
from reticle.model.limits import CAUSE_CHARS, DOCUMENT_ID_CHARS, EVENT_TYPE_CHARS, REF_CHARS
from reticle.model.trust import Secret


class WireEvent(
    msgspec.Struct,
    frozen=True,
    gc=False,
    rename={
        "page_seq": "seq",
        "page_time": "t",
        "document_id": "documentId",
        "edit_epoch": "editEpoch",
    },
):
    """
    One event as the page sent it, its data still undecoded: most events are never read.
    """

    type: Annotated[str, msgspec.Meta(min_length=1, max_length=EVENT_TYPE_CHARS)]
    data: msgspec.Raw = msgspec.Raw(b"{}")
    ref: Annotated[str, msgspec.Meta(max_length=REF_CHARS)] | None = None
    page_seq: int | None = None
    page_time: float | None = None
    document_id: Annotated[str, msgspec.Meta(max_length=DOCUMENT_ID_CHARS)] | None = None
    edit_epoch: int | None = None
    cause: Annotated[str, msgspec.Meta(min_length=1, max_length=CAUSE_CHARS)] | None = None


@attrs.frozen
class Hello:
    """
    How a page introduces itself, cut to our bounds.

    ``protocol_version`` is whatever the page said, 0 when it said no integer. ``session_id`` may be empty.
    ``frame_depth`` and ``ancestors`` are as in ``PageIdentity``.
    """

    protocol_version: int
    session_id: str
    url: str
    title: str
    own_script: bool
    document_id: DocumentId | None = None
    project_id: str | None = None
    adapters: tuple[str, ...] = ()
    has_capabilities: bool = False
    script_version: str | None = None
    script_hash: str | None = None
    frame_depth: int = 0
    ancestors: tuple[str, ...] = ()
    invariants: tuple[str, ...] = ()
    token: Secret | None = None


class Events(msgspec.Struct, frozen=True, gc=False):
    """
    A batch, oldest first. ``malformed`` counts list members that were no events.
    """

    events: list[WireEvent]
    malformed: int = 0


@attrs.frozen
class CommandResult:
    """
    A page's answer to a command. ``code``, ``recovery`` and ``details`` come from our own script only.
    """

    command_id: CommandId
    ok: bool
    result: object = None
    error: str = ""
    code: str | None = None
    recovery: str = ""
    details: Mapping[str, object] | None = None


@attrs.frozen
class Ignored:
    """
    A message that means nothing to us. ``reason`` is a short phrase for the log. ``may_report``: it may have
    held events, and is accounted for as a loss.
    """

    reason: str
    may_report: bool = False


PageMessage = Hello | Events | CommandResult | Ignored
