"""
What a call claims: one predicate under either of its two names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from reticle.domain.predicate import Predicate, as_json, leaves, parse, questions
from reticle.domain.predicate.kinds import Animation, Element, Leaf, Same, Text
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.window import Question
from reticle.tools.targets import is_ref

EXAMPLE = '{"kind": "net", "method": "POST", "urlContains": "/api/orders", "ok": true}'


@attrs.frozen
class Claim:
    """
    A parsed predicate, its JSON form as a verdict keeps it, and what it must ask of the live page.
    """

    predicate: Predicate
    canonical: Mapping[str, object]
    questions: Sequence[Question]

    @property
    def refs(self) -> Sequence[str]:
        """
        Every ref that it names; all of them must be of the page that it is about.
        """
        named = (place for leaf in leaves(self.predicate) for place in _places(leaf))
        return [ref for ref in named if isinstance(ref, str) and is_ref(ref)]


def parse_claim(
    until: Mapping[str, object] | None,
    predicate: Mapping[str, object] | None,
    default: Mapping[str, object] | None = None,
) -> Claim:
    """
    The claim of a call. One that was given is never dropped.

    Raises:
        Refusal: ``bad_predicate`` from the parser; ``bad_arguments`` when there is none, or when ``until``
            and ``predicate`` differ.
    """
    given = [_claim(value) for value in (until, predicate) if value is not None]
    if not given:
        if default is None:
            raise Refusal(
                RefusalCode.BAD_ARGUMENTS,
                "The call names nothing that must hold: predicate is missing. Nothing ran.",
                f"For example {EXAMPLE}.",
            )
        return _claim(default)
    if any(claim.canonical != given[0].canonical for claim in given):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "until and predicate are two names of one argument, and they differ. Nothing ran.",
            "Give one of them; join two claims as {kind: allOf, predicates: [...]}.",
        )
    return given[0]


def _claim(value: Mapping[str, object]) -> Claim:
    predicate = parse(value)
    return Claim(predicate, as_json(predicate), questions(predicate))


def _places(leaf: Leaf) -> Iterable[object]:
    """
    What a leaf is confined to: refs, selectors or nothing.
    """
    match leaf:
        case Element(query=query):
            return [query.get("scope")]
        case Same(sides=sides):
            return [side.of.get("scope") for side in sides if isinstance(side.of, Mapping)]
        case Text(scope=place) | Animation(target=place):
            return [place]
        case _:
            return []
