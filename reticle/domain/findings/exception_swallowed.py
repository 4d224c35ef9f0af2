"""
The app's server caught an exception, logged it, and answered as if all were well.

Claim: the request succeeded. Counter-evidence: an exception in its log at level error or above. Observed
behind a write, because the user was told that it was done; a doubt behind a read, and where an alert came up
whose words are not understood. Not at level warning, which the app itself calls harmless, not where the claim
names the log, nor where the page owned up to a failure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reticle.domain.facts import brief, mapping_of, text_of
from reticle.domain.findings.acknowledgement import acknowledged
from reticle.domain.findings.judged import asserted
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Log
from reticle.domain.requests import MUTATING
from reticle.domain.served import Served, own_served, place_of, thrown_at
from reticle.model.server_facts import ExceptionEnd, FactKind
from reticle.model.verdict import Finding, FindingTier, Held
from reticle.model.window import Window

KIND = "server-exception-swallowed"

_GRAVE = frozenset({"error", "critical", "fatal"})


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per place at which such an exception was thrown.
    """
    if any(isinstance(leaf, Log) and not leaf.absent for leaf in asserted(predicate)):
        return ()
    found: dict[tuple[str, str | None], Finding] = {}
    for one in own_served(window):
        owned_up = Held.NO if one.page is None else acknowledged(one.page, window)
        if not one.succeeded or owned_up is Held.YES:
            continue
        for exception, place, sure in _swallowed(one):
            kind = text_of(exception, "type") or "exception"
            counter = f"the server logged {kind}: {brief(text_of(exception, 'message') or '')}"
            is_certain = sure and owned_up is Held.NO and one.method in MUTATING
            tier = FindingTier.OBSERVED if is_certain else FindingTier.ABSENCE
            detail = {"request": str(one), "type": kind, "message": text_of(exception, "message")}
            told = Finding(KIND, tier, f"{one} succeeded", counter, detail, place or one.view)
            found.setdefault((kind, place), told)
    return tuple(found.values())


def _swallowed(one: Served) -> Iterator[tuple[Mapping[str, object], str | None, bool]]:
    """
    Exceptions with their places, and whether the app itself called them an error.
    """
    harmless: set[tuple[str | None, str | None]] = set()
    for fact in one.of(FactKind.LOG):
        thrown = mapping_of(fact.data.get("exception"))
        if not thrown or thrown.get("handled") == ExceptionEnd.UNHANDLED:
            continue
        if (text_of(fact.data, "level") or "").lower() in _GRAVE:
            yield thrown, thrown_at(thrown) or place_of(fact), True
        else:
            harmless.add((text_of(thrown, "type"), text_of(thrown, "message")))
    for fact in one.of(FactKind.EXCEPTION):
        named = (text_of(fact.data, "type"), text_of(fact.data, "message"))
        if fact.data.get("handled") == ExceptionEnd.LOGGED and named not in harmless:
            yield fact.data, place_of(fact), False
