"""
The steps of a sequence, checked whole before the first one runs.

Half a journey that ends at a misspelt step would leave the app somewhere nobody meant it to be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import attrs
import msgspec
from msgspec import Meta

from reticle.errors import Refusal
from reticle.model.codes import ActionName, RefusalCode
from reticle.model.limits import WAIT_MAX_MS
from reticle.tools.acting import Action, parse_action
from reticle.tools.claims import Claim, parse_claim
from reticle.tools.spelling import refuse_strange

EXAMPLE = (
    '{"steps": [{"action": "fill", "target": {"label": "Name"}, "args": {"value": "Ada"}}, '
    '{"action": "click", "target": {"role": "button", "name": "Next"}, "until": {"kind": "text", '
    '"contains": "Payment"}}]}'
)


class StepFields(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, omit_defaults=True):
    """
    One step as it arrives: what ``reticle_act`` takes for one element, and what must hold before the next.
    """

    action: ActionName
    ref: str | None = None
    target: dict[str, object] | None = None
    args: dict[str, object] | None = None
    until: dict[str, object] | None = None
    timeout_ms: Annotated[int, Meta(ge=0, le=WAIT_MAX_MS)] | None = None
    trusted: bool = False


STEP_FIELDS = tuple(field.encode_name for field in msgspec.structs.fields(StepFields))
"""The names that a step takes."""


@attrs.frozen
class Step:
    """
    One step, checked. ``seconds`` is its budget: for the act, and then for ``claim`` to hold.
    """

    action: Action
    claim: Claim | None
    seconds: float

    @property
    def refs(self) -> Sequence[str]:
        """
        Every ref that it names.
        """
        return [*self.action.refs, *(() if self.claim is None else self.claim.refs)]


def parse_steps(steps: Sequence[Mapping[str, object]], default_ms: int) -> Sequence[Step]:
    """
    All steps, or a refusal that names the step and what is wrong with it.

    Raises:
        Refusal: ``bad_arguments`` or ``bad_predicate``; nothing ran, a retry makes sense with it mended.
    """
    return [_step(step, f"steps[{number}]", default_ms) for number, step in enumerate(steps)]


def _step(step: Mapping[str, object], where: str, default_ms: int) -> Step:
    refuse_strange(list(step), STEP_FIELDS, where, EXAMPLE)
    try:
        fields = msgspec.convert(dict(step), StepFields)
    except msgspec.ValidationError as error:
        words = ", ".join(word.value for word in ActionName)
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"{where}: {error}. Nothing ran.",
            f"An action is one of {words}. For example {EXAMPLE}.",
        ) from error
    try:
        action = parse_action(fields)
        claim = None if fields.until is None else parse_claim(fields.until, None)
    except Refusal as refusal:
        refusal.message = f"{where}: {refusal.message}"
        raise
    milliseconds = default_ms if fields.timeout_ms is None else fields.timeout_ms
    return Step(action, claim, milliseconds / 1000)
