"""
The app announced a success while a request failed.
"""

from __future__ import annotations

from collections.abc import Iterator

from reticle.domain.channels import of_types
from reticle.domain.findings.acknowledgement import acknowledged
from reticle.domain.findings.judged import contradiction, undeclared_failures
from reticle.domain.predicate import Predicate
from reticle.domain.voices import strings
from reticle.domain.words import speaks_of_beginning, speaks_of_failure
from reticle.model.codes import EventType
from reticle.model.page import PageEvent
from reticle.model.verdict import Finding
from reticle.model.window import Window

KIND = "signal-contradicted"


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per failed request after whose beginning a signal claims success.

    Signals about a beginning ("checkout.started") or about a failure claim none; one from before the
    request cannot be about its outcome.
    """
    found: list[Finding] = []
    for one in undeclared_failures(window, predicate):
        claims = [signal for signal in _success_signals(window) if signal.seq > one.seq]
        if claims:
            name = str(claims[0].data.get("name"))
            detail = {"signal": name, "method": one.method, "url": one.url, "status": one.status}
            owned_up = acknowledged(one, window)
            found += contradiction(KIND, f"signal {name!r}", str(one), detail, owned_up)
    return tuple(found)


def _success_signals(window: Window) -> Iterator[PageEvent]:
    for event in of_types(window, EventType.SIGNAL):
        name = str(event.data.get("name") or "")
        said = " ".join([name, *strings(event.data.get("data"))])
        if not speaks_of_beginning(name) and not speaks_of_failure(said):
            yield event
