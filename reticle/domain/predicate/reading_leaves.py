"""
Leaves that the live page answers: ``text`` and ``state`` (``element_leaf.py`` has ``element``).

A reading that is missing, failed, or had no scope to look in tells nothing, least of all "absent".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from reticle.domain.facts import brief, flag_of, list_of, literal, mapping_of, quoted, text_of, whole_of
from reticle.domain.predicate.kinds import UNSET, Leaf, State, Text
from reticle.domain.predicate.patterns import fits, has_delta
from reticle.domain.predicate.questions import reading_of
from reticle.domain.predicate.refusals import nearest
from reticle.domain.predicate.whole_claims import met_doubtfully
from reticle.domain.predicate.whole_numbers import met_as_part
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


def evaluate_text(leaf: Text, readings: Sequence[Reading]) -> Outcome:
    """
    A text on the page, or its absence, from a ``text`` reading.
    """
    assertion = "text.absent" if leaf.absent else "text.present"
    named = f"text {quoted(leaf.contains)}" + (" alone" if leaf.exact else "")
    claim = f"no {named}" if leaf.absent else named
    answer = answer_or_unknown(leaf, readings, assertion)
    if isinstance(answer, Outcome):
        return attrs.evolve(answer, expected=claim)
    count = whole_of(answer, "count")
    if count is None:
        return Outcome(Held.UNKNOWN, assertion, failure="the page's answer was not understood")
    there = _is_there(leaf, answer, count)
    samples = [mapping_of(one) for one in list_of(answer, "samples")]
    if there is None:
        why = f"{named} is in the document; whether anybody meets it this page does not tell: claim visible"
        return Outcome(Held.UNKNOWN, assertion, _texts(samples), why, count, claim)
    told = () if leaf.exact or not there else _texts_of(samples)
    part, doubt = met_as_part(leaf.contains, told), met_doubtfully(leaf.contains, told)
    in_text = part or doubt
    partly = None if in_text is None else f"{named} is there only as a part of {quoted(in_text, 80)}"
    if leaf.absent:
        failure = f"{partly}: claim exact" if partly else f"{named} is there" if there else None
        # what is left of it, hidden, is no evidence of its absence
        evidence = _texts(samples) if there else ()
        held = Held.UNKNOWN if partly else Held.NO if there else Held.YES
        return Outcome(held, assertion, evidence, failure, count, claim)
    if there:
        held = Held.NO if part and _are_all_told(samples, count) else Held.UNKNOWN if partly else Held.YES
        way_out = ": claim all that it says there" if partly and held is Held.UNKNOWN else ""
        return Outcome(
            held, assertion, _texts(samples), f"{partly}{way_out}" if partly else None, count, named
        )
    why = f"{named} is not on the page{_text_miss(leaf, answer, samples)}"
    return Outcome(Held.NO, assertion, _texts(samples), why, count, named)


def _is_there(leaf: Text, answer: Mapping[str, object], count: int) -> bool | None:
    """
    Whether the text is there in the way that is claimed; None where the page does not tell.
    """
    visible, met = whole_of(answer, "visibleCount"), whole_of(answer, "perceivableCount")
    if count == 0:
        return False
    if leaf.visible is True:
        return None if visible is None else visible > 0
    if leaf.visible is False:
        return None if visible is None else count > visible
    if met is not None:
        return met > 0
    return True if visible else None


def _texts_of(samples: Sequence[Mapping[str, object]]) -> Sequence[str]:
    return [text_of(one, "text") or "" for one in samples]


def _are_all_told(samples: Sequence[Mapping[str, object]], count: int) -> bool:
    """
    Whether the page sent all that it found the text in; where it has it as a whole, it sends that first.
    """
    return count <= len(samples) and not any(text.endswith("…") for text in _texts_of(samples))


def _text_miss(leaf: Text, answer: Mapping[str, object], samples: Sequence[Mapping[str, object]]) -> str:
    unseen = next((text_of(one, "unseen") for one in samples if one.get("visible") is not True), None)
    if unseen and leaf.visible is not False:
        return f" where it can be seen: what it stands in {unseen}"
    if samples and leaf.visible:
        return " (it is there, but hidden)"
    holding = [quoted(str(text), 60) for text in list_of(answer, "holding")]
    return f"; there is {', '.join(holding[:3])}" if leaf.exact and holding else ""


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
