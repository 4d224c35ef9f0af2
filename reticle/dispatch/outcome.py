"""
How an errand ended, between the gate's steps.
"""

from __future__ import annotations

import msgspec

from reticle.dispatch.audit import Decided
from reticle.errors import PeerFault, Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import AuditId
from reticle.ports import Answer


class Outcome(msgspec.Struct, eq=False):
    """
    How a call ended: with an answer or a refusal, and its row's id if there is a row. ``fault`` when the
    refusal stands for a broken protocol.
    """

    decided: Decided
    answer: Answer | None
    refusal: Refusal | None
    audit_id: AuditId | None = None
    fault: PeerFault | None = None


def input_required() -> Refusal:
    """
    What stands in place of the answer of a call that comes again.
    """
    return Refusal(RefusalCode.INPUT_REQUIRED, "the client has to answer first; nothing was done")
