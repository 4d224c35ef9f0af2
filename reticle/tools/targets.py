"""
Which element a call means: a ref, or a query that must match exactly one.

A query is the element query of the page wire. Its fields are checked here, before the page is asked:
a misspelt field would otherwise make the query match more than was meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.limits import REF_CHARS
from reticle.tools.spelling import refuse_strange

By = Literal["role", "text", "label", "placeholder", "testid", "alt", "component"]
LOCATORS = ("role", "text", "label", "placeholder", "testid", "alt", "component", "source")
"""Fields that find an element by themselves; all others only narrow."""

EXAMPLE = '{"role": "button", "name": "Save"}'
ADVICE = 'Give {"ref": "e12"} from a snapshot or query, or {"target": {"role": "button", "name": "Save"}}.'

_REF = re.compile(r"e\d{1,15}\Z", re.ASCII)

_Text = Annotated[str, Meta(min_length=1)]


class Place(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, omit_defaults=True):
    """
    A place in the code; of two paths to one file the shorter may be the end of the longer.
    """

    file: _Text
    line: Annotated[int, Meta(ge=0)]
    column: Annotated[int, Meta(ge=0)] | None = None


class ElementQuery(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, omit_defaults=True):
    """
    An element query as the page wire has it.
    """

    by: By | None = None
    value: str | None = None
    role: _Text | None = None
    name: str | None = None
    text: _Text | None = None
    label: _Text | None = None
    placeholder: _Text | None = None
    testid: _Text | None = None
    alt: _Text | None = None
    component: _Text | None = None
    source: Place | None = None
    attrs: dict[str, object] | list[str] | None = None
    scope: _Text | None = None
    self_: bool = msgspec.field(default=False, name="self")


QUERY_FIELDS = tuple(field.encode_name for field in msgspec.structs.fields(ElementQuery))
"""The names that an element query takes."""


def parse_query(value: Mapping[str, object], argument: str) -> dict[str, object]:
    """
    An element query that the page will understand, or a refusal that says what is wrong with it.

    Raises:
        Refusal: ``bad_arguments``; a retry makes sense with the query mended.
    """
    refuse_strange(list(value), QUERY_FIELDS, argument, EXAMPLE)
    try:
        query = msgspec.convert(dict(value), ElementQuery)
    except msgspec.ValidationError as error:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"{argument} is not an element query: {error}. Nothing ran.",
            f"Its fields are {', '.join(QUERY_FIELDS)}.",
        ) from error
    if query.by is not None and query.value is None:
        raise Refusal(RefusalCode.BAD_ARGUMENTS, f"{argument} has by but no value. Nothing ran.", ADVICE)
    if query.by is None and not _locates(query) and not (query.self_ and query.scope is not None):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"{argument} names no element: one of {', '.join(LOCATORS)}, or by and value, is needed. "
            "Nothing ran.",
            ADVICE,
        )
    built: dict[str, object] = msgspec.to_builtins(query)
    return built


def is_ref(text: str) -> bool:
    """
    Whether a text has the form of a ref; a scope may be one, or a CSS selector.
    """
    return _REF.match(text) is not None


def refs_of_scope(scope: str | None) -> Sequence[str]:
    """
    The ref that a scope is, if it is one.
    """
    return [scope] if scope and is_ref(scope) else []


def parse_address(ref: str | None, target: Mapping[str, object] | None) -> dict[str, object]:
    """
    ``{"ref": …}`` or ``{"target": …}`` for the page's ``act`` command.

    Raises:
        Refusal: ``bad_arguments`` unless exactly one of the two was given and is well formed.
    """
    if bool(ref) is (target is not None):
        both = "both ref and target" if ref else "neither ref nor target"
        raise Refusal(RefusalCode.BAD_ARGUMENTS, f"The call gives {both}. Nothing ran.", ADVICE)
    if target is not None:
        _refuse_ref_inside(target)
        return {"target": parse_query(target, "target")}
    return {"ref": checked_ref(ref)}


def _refuse_ref_inside(target: Mapping[str, object]) -> None:
    if "ref" in target:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "A ref stands beside the other arguments, not inside target. Nothing ran.",
            f'Pass {{"ref": {json.dumps(str(target["ref"])[:REF_CHARS])}}} in place of target.',
        )


def checked_ref(ref: str | None) -> str:
    """
    A ref that the page can have minted.

    Raises:
        Refusal: ``bad_arguments`` for a text of another form.
    """
    if not ref or not is_ref(ref):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS, f"{ref!r} is not a ref: a ref is e and a number. Nothing ran.", ADVICE
        )
    return ref


def _locates(query: ElementQuery) -> bool:
    return any(getattr(query, name) is not None for name in LOCATORS)
