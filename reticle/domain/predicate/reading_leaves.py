"""
Leaves that the live page answers: ``element``, ``text`` and ``state``.

A reading that is missing, failed, or had no scope to look in tells nothing, least of all "absent".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from reticle.domain.facts import brief, flag_of, list_of, literal, mapping_of, text_of, whole_of
from reticle.domain.predicate.kinds import UNSET, Element, Leaf, State, Text
from reticle.domain.predicate.patterns import fits, has_delta
from reticle.domain.predicate.questions import reading_of
from reticle.domain.predicate.refusals import nearest
from reticle.model.codes import NOT_OBSERVED
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Reading

_SHOWN = 8


def answer_or_unknown(
    leaf: Leaf, readings: Sequence[Reading], assertion: str
) -> Mapping[str, object] | Outcome:
    """
    The page's answer to the leaf's question, or the UNKNOWN outcome that its lack makes.
    """
    reading = reading_of(leaf, readings)
    if reading is None:
        return Outcome(Held.UNKNOWN, assertion, failure="the page was not asked")
    if reading.error is not None or reading.answer is None:
        why = reading.error or "no answer"
        return Outcome(Held.UNKNOWN, assertion, failure=f"the page could not be read: {brief(why)}")
    if reading.answer.get("scopeMissing"):
        return Outcome(Held.UNKNOWN, assertion, failure="the scope to look in is not on the page")
    return reading.answer


def evaluate_element(leaf: Element, readings: Sequence[Reading]) -> Outcome:
    """
    An element in a state, or its absence, from a ``match`` reading.
    """
    assertion = _element_assertion(leaf)
    expected = _element_words(leaf)
    claim = f"no {expected}" if leaf.absent else expected
    answer = answer_or_unknown(leaf, readings, assertion)
    if isinstance(answer, Outcome):
        return attrs.evolve(answer, expected=claim)
    matched, count = flag_of(answer, "matched"), whole_of(answer, "count")
    if matched is None or count is None:
        return Outcome(Held.UNKNOWN, assertion, failure="the page's answer was not understood")
    described = [mapping_of(one) for one in list_of(answer, "elements")]
    if leaf.absent:
        held = Held.NO if matched else Held.YES
        failure = f"{expected} is there" if matched else None
        return Outcome(held, assertion, _elements(described, matched), failure, count, claim)
    if matched:
        if _only_placeholders(leaf.query, described):
            return Outcome(
                Held.UNKNOWN, assertion, failure="what was compared was not sent (redacted or cut)"
            )
        return Outcome(Held.YES, assertion, _elements(described, True), None, count, expected)
    return Outcome(Held.NO, assertion, (), _element_miss(leaf, answer, described), _seen(described), expected)


def evaluate_text(leaf: Text, readings: Sequence[Reading]) -> Outcome:
    """
    A text on the page, or its absence, from a ``text`` reading.
    """
    assertion = "text.absent" if leaf.absent else "text.present"
    quoted = f'text "{brief(leaf.contains)}"'
    claim = f"no {quoted}" if leaf.absent else quoted
    answer = answer_or_unknown(leaf, readings, assertion)
    if isinstance(answer, Outcome):
        return attrs.evolve(answer, expected=claim)
    count, visible = whole_of(answer, "count"), whole_of(answer, "visibleCount")
    if count is None or (leaf.visible is not None and visible is None):
        return Outcome(Held.UNKNOWN, assertion, failure="the page's answer was not understood")
    if leaf.visible is None:
        there = count > 0
    else:
        there = (visible or 0) > 0 if leaf.visible else count > (visible or 0)
    samples = [mapping_of(one) for one in list_of(answer, "samples")]
    if leaf.absent:
        failure = f"{quoted} is there" if there else None
        # what is left of it, hidden, is no evidence of its absence
        evidence = _texts(samples) if there else ()
        return Outcome(Held.NO if there else Held.YES, assertion, evidence, failure, count, claim)
    if there:
        return Outcome(Held.YES, assertion, _texts(samples), None, count, quoted)
    hidden = " (it is there, but hidden)" if leaf.visible and count else ""
    return Outcome(Held.NO, assertion, _texts(samples), f"{quoted} is not on the page{hidden}", count, quoted)


def evaluate_state(  # noqa: PLR0911 -- each way in which a value is not to be had
    leaf: State, readings: Sequence[Reading]
) -> Outcome:
    """
    A store's value, from a ``state`` reading.
    """
    answer = answer_or_unknown(leaf, readings, "state.unreadable")
    if isinstance(answer, Outcome):
        return answer
    where = f"{leaf.store}.{leaf.path}" if leaf.store else leaf.path
    unreadable = _state_unreadable(leaf, answer)
    if unreadable is not None:
        return unreadable
    found = flag_of(answer, "found")
    if found is None:
        return Outcome(Held.UNKNOWN, "state.unreadable", failure="the page's answer was not understood")
    value = answer.get("value") if found else UNSET
    pattern = {"$exists": True} if leaf.equals is UNSET else leaf.equals
    held = fits(pattern, value)
    assertion = "state.equals" if found and leaf.equals is not UNSET else "state.path-missing"
    evidence = ({"path": where, "value": value},) if found else ()
    if held is Held.YES:
        return Outcome(held, assertion, evidence, None, _shown(value), pattern)
    if held is Held.UNKNOWN and has_delta(pattern):
        why = f"there is no number of {where} from before an action to compare with"
        return Outcome(held, assertion, evidence, why, _shown(value), pattern)
    if held is Held.UNKNOWN:
        why = f"{where} was not sent whole (redacted, cut, or too long to compare)"
        return Outcome(held, assertion, evidence, why, _shown(value), pattern)
    return Outcome(held, assertion, evidence, _state_miss(leaf, answer, where, value), _shown(value), pattern)


def _state_unreadable(leaf: State, answer: Mapping[str, object]) -> Outcome | None:
    several = [str(name) for name in list_of(answer, "ambiguous")]
    if several:
        why = f"several stores have {leaf.path!r}: {', '.join(several)}; name one with store"
        return Outcome(Held.UNKNOWN, "state.unreadable", failure=why, observed=several)
    names = [str(name) for name in list_of(answer, "storeNames")]
    if answer.get("found") is True:
        return None
    if not names:
        why = "the app registered no store, so its state cannot be seen"
        return Outcome(Held.UNKNOWN, "state.store-missing", failure=why)
    if leaf.store is not None and leaf.store not in names:
        near = nearest(leaf.store, names)
        hint = f"; did you mean {near!r}?" if near else ""
        why = f"there is no store {leaf.store!r} to look in, only {', '.join(names[:_SHOWN])}{hint}"
        return Outcome(Held.UNKNOWN, "state.store-missing", failure=why, observed=names)
    return None


def _state_miss(leaf: State, answer: Mapping[str, object], where: str, value: object) -> str:
    if value is not UNSET:
        return f"{where} is {brief(literal(value))}"
    keys = [str(key) for key in list_of(answer, "availableKeys")]
    near = nearest(leaf.path.rpartition(".")[2], keys)
    hint = f"; did you mean {near!r}?" if near else ""
    return f"{where} does not exist; there are: {', '.join(keys[:_SHOWN]) or 'no keys'}{hint}"


def _element_assertion(leaf: Element) -> str:
    if leaf.absent:
        return "element.absent"
    if leaf.state is not None and leaf.state != "present":
        return "element.state"
    for field in ("name", "value", "text"):
        if field in leaf.query and not (field == "value" and "by" in leaf.query):
            return "element.role+name" if field == "name" and "role" in leaf.query else f"element.{field}"
    return "element.role" if "role" in leaf.query else "element.present"


def _element_words(leaf: Element) -> str:
    fields = ", ".join(f"{name} {literal(value)}" for name, value in leaf.query.items())
    return f"element ({brief(fields)})" + (f" in state {leaf.state}" if leaf.state else "")


def _element_miss(
    leaf: Element, answer: Mapping[str, object], described: Sequence[Mapping[str, object]]
) -> str:
    wanted = _element_words(leaf)
    candidates = whole_of(answer, "candidates") or 0
    if candidates and leaf.state is not None:
        states = "; ".join(_one_element(one) for one in described[:3])
        return f"{wanted}: {candidates} found, none in that state ({states})"
    hint = mapping_of(answer.get("hint"))
    testids = [str(name) for name in list_of(hint, "presentTestids")]
    asked = leaf.query.get("testid") or (leaf.query.get("by") == "testid" and leaf.query.get("value"))
    near = nearest(asked, testids) if isinstance(asked, str) else None
    if near:
        return f"{wanted} is not on the page; did you mean testid {near!r}?"
    if testids and isinstance(asked, str):
        return f"{wanted} is not on the page; testids there: {', '.join(testids[:_SHOWN])}"
    route = text_of(hint, "route")
    return f"{wanted} is not on the page" + (f" (at {route})" if route else "")


def _one_element(one: Mapping[str, object]) -> str:
    states = " ".join(str(state) for state in list_of(one, "states"))
    return brief(f'{one.get("role", "")} "{one.get("name", "")}" {states}'.strip(), 80)


def _only_placeholders(query: Mapping[str, object], described: Sequence[Mapping[str, object]]) -> bool:
    """
    Whether every match owes itself to a value that was not sent.
    """
    asked = [name for name in ("value", "name", "text") if name in query]
    if not asked or not described:
        return False
    return all(any(str(one.get(name)) in NOT_OBSERVED for name in asked) for one in described)


def _elements(described: Sequence[Mapping[str, object]], matched: bool) -> tuple[Mapping[str, object], ...]:  # noqa: FBT001 -- the page's own word
    if not matched:
        return ()
    keep = ("ref", "role", "name", "states", "source")
    return tuple({key: one[key] for key in keep if key in one} for one in described[:3])


def _seen(described: Sequence[Mapping[str, object]]) -> list[str]:
    return [_one_element(one) for one in described[:_SHOWN]]


def _texts(samples: Sequence[Mapping[str, object]]) -> tuple[Mapping[str, object], ...]:
    return tuple(
        {
            "ref": one.get("ref"),
            "text": brief(str(one.get("text", ""))),
            "visible": one.get("visible"),
        }
        for one in samples[:3]
    )


def _shown(value: object) -> object:
    return None if value is UNSET else value
