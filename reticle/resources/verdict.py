"""
``reticle://verdict/{id}``: a recorded verdict with its claim, findings and evidence, as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from reticle.domain.verdict_record import verdict_record
from reticle.model.completes import Completes
from reticle.model.ids import VerdictId
from reticle.ports import CallContext
from reticle.resources.spec import Content, Listed, ResourceTemplate
from reticle.resources.uri_template import expand

TEMPLATE = "reticle://verdict/{id}"


def verdict_uri(verdict_id: VerdictId) -> str:
    """
    The address of a verdict.
    """
    return expand(TEMPLATE, {"id": verdict_id})


async def read_verdict(context: CallContext, values: Mapping[str, str]) -> Content | None:
    """
    The verdict; None when it never was or is no longer kept.

    Raises:
        Refusal: ``storage_failed``.
    """
    verdict = await context.verdicts.get(VerdictId(values["id"]))
    if verdict is None:
        return None
    return Content("application/json", json.dumps(verdict_record(verdict), ensure_ascii=False, default=str))


VERDICT = ResourceTemplate(
    Listed(
        TEMPLATE,
        "verdict",
        "A verdict",
        "A recorded verdict: what was claimed, what was seen, and what follows.",
        "application/json",
    ),
    read_verdict,
    completes={"id": Completes.VERDICT},
)
