"""
Claims as Python has them: each function gives a predicate of ``docs/reference/predicates.md``.

Names of fields may be written as Python writes them (``url_contains``). The daemon reads a claim strictly: a
field that it does not know is refused with the nearest right spelling, and nothing runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Claim: TypeAlias = Mapping[str, object]
"""A predicate, as JSON has it."""


def text(contains: str, **fields: object) -> Claim:
    """
    A text that a user can see; ``visible=None`` counts hidden text too.
    """
    return _claim("text", contains=contains, **{"visible": True, **fields})


def element(**fields: object) -> Claim:
    """
    An element, by ``role`` and ``name``, ``text``, ``label`` or ``testid``; in ``state`` where one is named.
    """
    return _claim("element", **fields)


def net(method: str | None = None, url_contains: str | None = None, **fields: object) -> Claim:
    """
    A request that the page made: ``status``, ``ok``, ``count``, ``body``, ``request_body`` and more.
    """
    return _claim("net", method=method, url_contains=url_contains, **fields)


def route(pathname: str | None = None, **fields: object) -> Claim:
    """
    The page is at this path, or with ``contains`` at an address that has it.
    """
    return _claim("route", pathname=pathname, **fields)


def console(level: str | None = None, **fields: object) -> Claim:
    """
    The console was written.
    """
    return _claim("console", level=level, **fields)


def signal(name: str | None = None, **fields: object) -> Claim:
    """
    The app announced something.
    """
    return _claim("signal", name=name, **fields)


def state(path: str, **fields: object) -> Claim:
    """
    A registered store has this path, with ``equals`` this value.
    """
    return _claim("state", path=path, **fields)


def storage(key: str | None = None, **fields: object) -> Claim:
    """
    A value was stored under this key.
    """
    return _claim("storage", key=key, **fields)


def server(method: str | None = None, route: str | None = None, **fields: object) -> Claim:
    """
    The app's server handled a request: ``status``, ``exception``, ``count``. Needs the probe in the server.
    """
    return _claim("server", method=method, route=route, **fields)


def sql(verb: str | None = None, table: str | None = None, **fields: object) -> Claim:
    """
    The app's server ran a statement. Needs the probe in the server.
    """
    return _claim("sql", verb=verb, table=table, **fields)


def log(level: str | None = None, contains: str | None = None, **fields: object) -> Claim:
    """
    The app's server logged something. Needs the probe in the server.
    """
    return _claim("log", level=level, contains=contains, **fields)


def mail(to: str | None = None, **fields: object) -> Claim:
    """
    The app's server sent mail. Needs the probe in the server.
    """
    return _claim("mail", to=to, **fields)


def no(claim: Claim) -> Claim:
    """
    The claim does not hold.
    """
    return {"kind": "not", "predicate": claim}


def never(claim: Claim, **fields: object) -> Claim:
    """
    What the claim says does not happen, however long the window is watched.
    """
    return _claim("never", predicate=claim, **fields)


def within(ms: int, claim: Claim) -> Claim:
    """
    What the claim says happens at most so many milliseconds after the act.
    """
    return {"kind": "within", "ms": ms, "predicate": claim}


def all_of(*claims: Claim) -> Claim:
    """
    Every claim holds; one alone is itself.
    """
    return claims[0] if len(claims) == 1 else {"kind": "allOf", "predicates": list(claims)}


def any_of(*claims: Claim) -> Claim:
    """
    At least one claim holds.
    """
    return {"kind": "anyOf", "predicates": list(claims)}


def sequence(*claims: Claim) -> Claim:
    """
    What the claims say happens in this order.
    """
    return {"kind": "sequence", "predicates": list(claims)}


def _claim(kind: str, **fields: object) -> Claim:
    told = {_as_json_has_it(name): value for name, value in fields.items() if value is not None}
    return {"kind": kind, **told}


def _as_json_has_it(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)
