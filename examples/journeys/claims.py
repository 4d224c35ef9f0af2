"""
What journeys claim, in the words of the predicate grammar.
"""

from __future__ import annotations

from examples.journeys.walk import Claim


def every(*parts: Claim) -> Claim:
    """
    All of the parts.
    """
    return {"kind": "allOf", "predicates": list(parts)}


def post(path: str, status: int, count: int | None = None) -> Claim:
    """
    A POST that was answered so.
    """
    claim = {"kind": "net", "method": "POST", "urlContains": path, "status": status}
    return claim if count is None else {**claim, "count": count}


def text(words: str, scope: str | None = None) -> Claim:
    """
    Words that a user can read.
    """
    claim = {"kind": "text", "contains": words, "visible": True}
    return claim if scope is None else {**claim, "scope": scope}


def heading(name: str) -> Claim:
    """
    A heading in view.
    """
    return {"kind": "element", "query": {"role": "heading", "name": name}, "state": "visible"}


def stored(store: str, path: str, value: object) -> Claim:
    """
    A value in one of the app's stores.
    """
    return {"kind": "state", "store": store, "path": path, "equals": value}


def signal(name: str) -> Claim:
    """
    Something that the app announced.
    """
    return {"kind": "signal", "name": name}


COUNTING = text("people are looking")
"""A page without rest has begun to poll."""

NO_ERRORS: Claim = {"kind": "console", "level": "error", "absent": True}
