"""
A write was answered with a cookie that nothing of the server reads.

Claim: the write, which succeeded. Counter-evidence: its answer sets a cookie under a name that stands nowhere
in the app but where it is set, while the app reads another: what the cookie was to keep is lost with the next
request, whatever the page shows now.
Tier: a doubt; a program beside the app, such as a proxy, may read it.
Guards: those of the probe, which tells it only where all is plain (``reticle.probe.unread_cookies``): names
that stand elsewhere or are made of what is not known, jars that are handed on, scripts that may read it. Here
it counts where it is tied to the action by id, attested, and of a write that succeeded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reticle.domain.facts import list_of, mapping_of, text_of, whole_of
from reticle.domain.predicate import Predicate
from reticle.domain.requests import MUTATING
from reticle.domain.served import Served, own_served
from reticle.model.server_facts import FactKind
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND: Final = "cookie-unread"


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding for each name.
    """
    del predicate
    found: dict[object, Finding] = {}
    for one in own_served(window):
        if one.method in MUTATING and one.ended and one.succeeded:
            for finding in _of(one):
                found.setdefault(finding.detail["cookie"], finding)
    return tuple(found.values())


def _of(one: Served) -> Iterator[Finding]:
    for fact in one.of(FactKind.CALLS):
        for told in map(mapping_of, list_of(fact.data, "cookies")):
            name, reads, file = (text_of(told, each) for each in ("name", "reads", "file"))
            if name and reads and file:
                claim = f"{one} set the cookie {name}"
                counter = f"the app reads {reads}, and {name} stands nowhere else in it"
                detail = {"cookie": name, "reads": reads, "request": str(one)}
                place = f"{file}:{whole_of(told, 'line')}"
                yield Finding(KIND, FindingTier.ABSENCE, claim, counter, detail, place)
