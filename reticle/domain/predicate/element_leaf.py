"""
The ``element`` leaf, which the live page answers.

What nobody meets is not there: neither a user who sees, at least after scrolling, nor one who is read to.
Only the states ``attached`` and ``hidden`` are about the document alone. A page that does not tell who meets
an element (a published package, an earlier version's script) leaves it open unless the element can be seen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.facts import brief, flag_of, list_of, literal, mapping_of, quoted, text_of, whole_of
from reticle.domain.predicate.grammar import UNMET_STATES
from reticle.domain.predicate.kinds import Element
from reticle.domain.predicate.reading_leaves import answer_or_unknown
from reticle.domain.predicate.refusals import nearest
from reticle.domain.predicate.styles import fits_style, misfits
from reticle.domain.predicate.whole_claims import met_doubtfully
from reticle.domain.predicate.whole_numbers import met_as_part, places
from reticle.model.codes import NOT_OBSERVED
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Reading

_TAKEN_OFF: Final = re.compile(
    r"(?i)discount|rebate|reduction|deduct|refund|rabatt|nachlass|remise|descuento|sconto"
)
"""Words for what is taken off: a discount of $7.40 is written with a minus, or without one. Not a credit
nor savings, which are balances too: below zero they are the opposite."""

_MINUS: Final = re.compile(r"[-\u2212\ufe63\uff0d\u2013](?=\s?\D?\s?\d)")

_SHOWN = 8
_UNTOLD = "whether anybody meets it this page does not tell: claim a state, such as visible or attached"


def evaluate_element(  # noqa: C901, PLR0911 -- each way in which an element is there or not to be told
    leaf: Element, readings: Sequence[Reading]
) -> Outcome:
    """
    An element in a state, or its absence, from a ``match`` reading.
    """
    assertion = _assertion(leaf)
    expected = _words(leaf)
    claim = f"no {expected}" if leaf.absent else expected
    answer = answer_or_unknown(leaf, readings, assertion)
    if isinstance(answer, Outcome):
        return attrs.evolve(answer, expected=claim)
    matched, count = flag_of(answer, "matched"), whole_of(answer, "count")
    if matched is None or count is None:
        return Outcome(Held.UNKNOWN, assertion, failure="the page's answer was not understood")
    described = [mapping_of(one) for one in list_of(answer, "elements")]
    there = _is_met(leaf, answer, described, matched=matched)
    if there is Held.YES and leaf.style is not None:
        there = _is_styled(leaf, leaf.style, described, count)
        if there is Held.NO and not leaf.absent:
            why = _style_miss(leaf, leaf.style, described)
            return Outcome(Held.NO, "element.style", (), why, _seen(described), expected)
    if there is Held.UNKNOWN:
        why = f"{expected} is in the document; {_UNTOLD if leaf.style is None else 'its style was not told'}"
        return Outcome(Held.UNKNOWN, assertion, failure=why, observed=_seen(described), expected=claim)
    partly = _only_in_part(leaf, answer, count) if there is Held.YES else None
    if partly is not None:
        return attrs.evolve(partly, observed=_seen(described), expected=claim)
    if leaf.absent:
        if flag_of(answer, "partly"):
            why = f"{expected} is there only as a part of another number: claim all that it says"
            return Outcome(Held.UNKNOWN, assertion, (), why, count, claim)
        held = Held.NO if there is Held.YES else Held.YES
        failure = f"{expected} is there" if there is Held.YES else None
        return Outcome(held, assertion, _evidence(described) if failure else (), failure, count, claim)
    if there is Held.YES:
        if _only_placeholders(leaf.query, described):
            return Outcome(
                Held.UNKNOWN, assertion, failure="what was compared was not sent (redacted or cut)"
            )
        return Outcome(Held.YES, assertion, _evidence(described), None, count, expected)
    return Outcome(Held.NO, assertion, (), _miss(leaf, answer, described), _seen(described), expected)


def _only_in_part(leaf: Element, answer: Mapping[str, object], count: int) -> Outcome | None:
    """
    What becomes of a text that the elements have only as a part of another number or word; None where one has
    it as it was claimed, and for pages that do not tell.
    """
    wanted = leaf.query.get("value" if leaf.query.get("by") == "text" else "text")
    texts = [str(text) for text in list_of(answer, "texts")]
    if not isinstance(wanted, str) or not texts:
        return None
    if any(_TAKEN_OFF.search(str(value)) for name, value in leaf.query.items() if name != "text"):
        texts = [_MINUS.sub("", text) for text in texts]
    folded = " ".join(wanted.split()).lower()
    # queries mind no case, numbers and words are those of the page
    parts = [(text[at:end], text) for text in texts for at, end in places(folded, text.lower())]
    if not parts or not all(
        met_as_part(part, [text]) or met_doubtfully(part, [text]) for part, text in parts
    ):
        return None
    told = sum(folded in text.lower() for text in texts)
    certain = all(met_as_part(part, [text]) for part, text in parts) and told == count
    held = Held.NO if certain and not leaf.absent and not texts[0].endswith("…") else Held.UNKNOWN
    why = f"{_words(leaf)} is there only as a part of {quoted(parts[0][1], 80)}"
    way_out = "" if held is Held.NO else ": claim all that it says there"
    return Outcome(held, _assertion(leaf), (), f"{why}{way_out}")


def _is_met(
    leaf: Element, answer: Mapping[str, object], described: Sequence[Mapping[str, object]], *, matched: bool
) -> Held:
    """
    Whether an element in the claimed state is there for somebody.
    """
    if not matched or leaf.state in UNMET_STATES:
        return Held.YES if matched else Held.NO
    told = flag_of(answer, "perceivable")
    if told is not None:
        return Held.YES if told else Held.NO
    return Held.YES if any(_is_shown(leaf, one) for one in described) else Held.UNKNOWN


def _is_shown(leaf: Element, one: Mapping[str, object]) -> bool:
    """
    Whether an element that can be seen is in the claimed state, by its description alone.
    """
    if one.get("visible") is not True:
        return False
    return leaf.state in {None, "present", "visible", "inViewport"} or leaf.state in list_of(one, "states")


def _is_styled(
    leaf: Element, style: Mapping[str, object], described: Sequence[Mapping[str, object]], count: int
) -> Held:
    """
    Whether one of the elements that are met has the style; open where not all of them were described.
    """
    met = [one for one in described if _counts(leaf, one)]
    fits = [fits_style(style, mapping_of(one.get("style"))) for one in met]
    if Held.YES in fits:
        return Held.YES
    return Held.UNKNOWN if Held.UNKNOWN in fits or count > len(described) else Held.NO


def _counts(leaf: Element, one: Mapping[str, object]) -> bool:
    states = list_of(one, "states")
    if leaf.state == "attached":
        return True
    if leaf.state != "hidden" and "present" not in states:
        return False
    return leaf.state in {None, "present", "inViewport"} or leaf.state in states


def _style_miss(leaf: Element, style: Mapping[str, object], described: Sequence[Mapping[str, object]]) -> str:
    met = [one for one in described if _counts(leaf, one)]
    wrong = misfits(style, mapping_of(met[0].get("style"))) if met else []
    return f"{_words(leaf)}: it is there, but {'; '.join(wrong[:3]) or 'in another style'}"


def _assertion(leaf: Element) -> str:
    if leaf.absent:
        return "element.absent"
    if leaf.state is not None and leaf.state != "present":
        return "element.state"
    for field in ("name", "value", "text"):
        if field in leaf.query and not (field == "value" and "by" in leaf.query):
            return "element.role+name" if field == "name" and "role" in leaf.query else f"element.{field}"
    return "element.role" if "role" in leaf.query else "element.present"


def _words(leaf: Element) -> str:
    fields = ", ".join(f"{name} {literal(value)}" for name, value in leaf.query.items())
    said = f"element ({brief(fields)})" + (f" in state {leaf.state}" if leaf.state else "")
    if leaf.style is None:
        return said
    return f"{said} with style {brief(literal(dict(leaf.style)), 80)}"


def _miss(leaf: Element, answer: Mapping[str, object], described: Sequence[Mapping[str, object]]) -> str:
    wanted = _words(leaf)
    unseen = text_of(answer, "unseen")
    if unseen is not None and flag_of(answer, "matched"):
        return f"{wanted}: it is in the document, but nobody can see it: it {unseen}"
    candidates = whole_of(answer, "candidates") or 0
    if candidates and leaf.state is not None:
        states = "; ".join(_one_element(one) for one in described[:3])
        why = f"; it {unseen}" if unseen else ""
        return f"{wanted}: {candidates} found, none in that state ({states}{why})"
    hint = mapping_of(answer.get("hint"))
    near = _near_testid(leaf, hint)
    if near is not None:
        return f"{wanted}{near}"
    if flag_of(answer, "partly"):
        return f"{wanted} is there only as a part of another number"
    route = text_of(hint, "route")
    return f"{wanted} is not on the page" + (f" (at {route})" if route else "")


def _near_testid(leaf: Element, hint: Mapping[str, object]) -> str | None:
    """
    What there is in place of a testid that was asked for, as the rest of the sentence; None for none.
    """
    testids = [str(name) for name in list_of(hint, "presentTestids")]
    asked = leaf.query.get("testid") or (leaf.query.get("by") == "testid" and leaf.query.get("value"))
    if not testids or not isinstance(asked, str):
        return None
    if asked in testids:
        others = [
            f"{name} {literal(value)}"
            for name, value in leaf.query.items()
            if value != asked and name not in {"by", "testid"}
        ]
        return f": that testid is there, but not with {brief(', '.join(others))}" if others else None
    near = nearest(asked, testids)
    if near:
        return f" is not on the page; did you mean testid {near!r}?"
    return f" is not on the page; testids there: {', '.join(testids[:_SHOWN])}"


def _one_element(one: Mapping[str, object]) -> str:
    states = " ".join(str(state) for state in list_of(one, "states"))
    return brief(f"{one.get('role', '')} {quoted(str(one.get('name', '')))} {states}".strip(), 80)


def _only_placeholders(query: Mapping[str, object], described: Sequence[Mapping[str, object]]) -> bool:
    """
    Whether every match owes itself to a value that was not sent.
    """
    asked = [name for name in ("value", "name", "text") if name in query]
    if not asked or not described:
        return False
    return all(any(str(one.get(name)) in NOT_OBSERVED for name in asked) for one in described)


def _evidence(described: Sequence[Mapping[str, object]]) -> tuple[Mapping[str, object], ...]:
    keep = ("ref", "role", "name", "states", "style", "source")
    return tuple({key: one[key] for key in keep if key in one} for one in described[:3])


def _seen(described: Sequence[Mapping[str, object]]) -> list[str]:
    return [_one_element(one) for one in described[:_SHOWN]]
