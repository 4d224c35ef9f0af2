"""
Finding elements with the published packages: our element query in, checked descriptors out.

Their traps (page-wire §9.4, §14.2): fields beside the locator are not enforced, a scope that does not
resolve becomes the whole page, more than about a hundred matches come back damaged, and their own panel is
found too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from reticle.bridge.dialect import Send
from reticle.bridge.published.overlay import overlay_refs
from reticle.bridge.published.refusals import published_refusal
from reticle.errors import Refusal
from reticle.model.codes import NOT_OBSERVED, RefusalCode

_LOCATORS = ("testid", "role", "text", "label", "placeholder", "alt", "component")
_FIELDS = frozenset({*_LOCATORS, "by", "value", "name", "scope", "source"})
_WHOLE_PAGE = frozenset({"body", "html", ":root"})
CUT = "[TRUNCATED]"
"""How a text ends that was cut on its way."""

OWN_SCRIPT_ADVICE = "Use another query, or this daemon's own page script, which supports it."


@attrs.frozen
class Query:
    """
    An element query in two parts: what the package is asked, and what we check ourselves afterwards.
    """

    asked: Mapping[str, object]
    name: str | None
    value: str | None
    scope: str | None

    def keeps(self, element: Mapping[str, object]) -> bool:
        """
        Whether a descriptor satisfies what the package does not enforce.
        """
        if self.name is not None and element.get("name") != self.name:
            return False
        return self.value is None or element.get("value", "") == self.value

    def cannot_tell(self, element: Mapping[str, object]) -> bool:
        """
        Whether an element that has the name came without the value that is asked for.
        """
        named = self.name is None or element.get("name") == self.name
        return named and self.value is not None and element.get("value") in NOT_OBSERVED

    @property
    def filters(self) -> bool:
        """
        Whether ``keeps`` can reject anything.
        """
        return self.name is not None or self.value is not None


@attrs.frozen
class Found:
    """
    What a query matched. ``complete`` is False when some matches came back damaged or not at all.
    """

    elements: Sequence[Mapping[str, object]]
    count: int
    complete: bool
    scope_missing: bool = False


def parse_query(query: Mapping[str, object]) -> Query:
    """
    Translate an element query of the page wire.

    Raises ``Refusal`` ``bad_arguments`` for what the packages cannot do; a retry needs another query.
    """
    strange = sorted(query.keys() - _FIELDS)
    if strange:
        raise _unsupported(f"{', '.join(strange)} in an element query")
    locators = [name for name in _LOCATORS if query.get(name) is not None]
    by, value, source = query.get("by"), query.get("value"), query.get("source")
    if source is not None:
        if locators or by is not None:
            raise _unsupported("source beside another way to find an element")
        fields = {"source": source}
    elif by is not None:
        locators, fields = [str(by)], {"by": by, "value": value}
        value = None
    elif len(locators) > 1:
        raise _unsupported(f"{' and '.join(locators)} in one element query")
    elif not locators:
        raise Refusal(RefusalCode.BAD_ARGUMENTS, "The element query names no element.")
    elif locators == ["component"]:
        fields = {"by": "component", "value": query["component"]}
    else:
        fields = {locators[0]: query[locators[0]]}
    name, scope = query.get("name"), query.get("scope")
    if locators == ["role"] and by is None and name is not None:
        fields["name"] = name
        name = None
    if scope is not None:
        fields["scope"] = scope
    return Query(fields, _text(name), _text(value), _text(scope))


async def find(send: Send, query: Query, *, state: str | None = None) -> Found:
    """
    Everything that a query matches. Raises ``Refusal``.
    """
    if query.scope is not None and not await scope_resolves(send, query.scope):
        return Found((), 0, complete=True, scope_missing=True)
    wanted: dict[str, object] = {"query": dict(query.asked)}
    if state is not None:
        wanted["state"] = state
    result = await send("match", wanted)
    if not result.ok:
        raise published_refusal(result)
    answer = result.result if isinstance(result.result, Mapping) else {}
    told, listed = answer.get("count"), answer.get("elements")
    sound = [each for each in listed if is_sound(each)] if isinstance(listed, list) else []
    count = told if isinstance(told, int) else len(sound)
    if count == 0 and "source" in query.asked:
        raise _unsupported_absence()
    complete = len(sound) == count and not any(map(query.cannot_tell, sound))
    theirs = await overlay_refs(send, query.asked, frozenset(str(each["ref"]) for each in sound))
    kept = [each for each in sound if query.keeps(each) and each["ref"] not in theirs]
    count = len(kept) if complete or query.filters else count - len(theirs)
    return Found(kept, count, complete)


async def scope_resolves(send: Send, scope: str) -> bool:
    """
    Whether a scope names something; the packages search the whole page when it does not.

    A ref is inspected; for CSS the scoped tree is compared with the whole one, which it then equals.
    """
    if scope.strip().lower() in _WHOLE_PAGE:
        return True
    if scope[:1] == "e" and scope[1:].isdigit():
        return await inspect(send, scope) is not None
    scoped, whole = await tree(send, {"scope": scope}), await tree(send, {})
    return scoped != whole


async def tree(send: Send, args: Mapping[str, object]) -> object:
    """
    The tree of a snapshot. Raises ``Refusal``, also for an invalid selector.
    """
    result = await send("snapshot", args)
    if not result.ok:
        raise published_refusal(result)
    return result.result.get("tree") if isinstance(result.result, Mapping) else None


async def inspect(send: Send, ref: str) -> Mapping[str, object] | None:
    """
    One element's description, or None when the ref does not resolve any more.
    """
    result = await send("inspect", {"ref": ref})
    if not result.ok:
        refusal = published_refusal(result)
        if refusal.code == RefusalCode.STALE_REF:
            return None
        raise refusal
    described = result.result
    if not isinstance(described, Mapping) or "error" in described:
        return None
    return described


def is_sound(element: object) -> bool:
    """
    Whether a descriptor arrived whole: of a long answer the last ones come cut, emptied or as plain text.
    """
    if not isinstance(element, Mapping) or not isinstance(element.get("visible"), bool):
        return False
    states = element.get("states")
    said = [element.get("ref"), element.get("role"), element.get("name"), *_listed(states)]
    return bool(element.get("ref")) and isinstance(states, list) and all(map(_is_whole, said))


def _listed(states: object) -> list[object]:
    return states if isinstance(states, list) else []


def _is_whole(text: object) -> bool:
    return isinstance(text, str) and text not in NOT_OBSERVED and not text.endswith(CUT)


def _unsupported(what: str) -> Refusal:
    return Refusal(
        RefusalCode.BAD_ARGUMENTS,
        f"The page runs a published @reticlehq package, which does not support {what}.",
        OWN_SCRIPT_ADVICE,
    )


def _unsupported_absence() -> Refusal:
    # it compares the file's spelling and stamped attributes alone, so that nothing found proves nothing
    return Refusal(
        RefusalCode.UNSUPPORTED_SURFACE,
        "The published @reticlehq package found nothing written at that place; it knows only places stamped "
        "in data-reticle-source, spelt just as there, so that this proves no absence.",
        "Find the element by role, name, text or testid.",
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
