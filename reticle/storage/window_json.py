"""
A recorded window as the compressed JSON that is stored, and back.

Structural as ``storage.verdict_json``: the fields of ``reticle.model.window`` are the schema, so a new field
with a default needs no migration.
"""

from __future__ import annotations

import zlib
from typing import Final

import attrs
import msgspec

from reticle.model.server_facts import ProbedProcess
from reticle.model.window import Window
from reticle.storage.surrogates import without_surrogates

LEVEL: Final = 1
"""Of zlib: a window of events shrinks to a tenth at any level, and this one is the quickest."""


def window_to_bytes(window: Window) -> bytes:
    """
    The bytes to store. Half surrogate pairs, which a page's text may hold and UTF-8 cannot, become ``?``.
    """
    try:
        plain = msgspec.json.encode(window)
    except UnicodeEncodeError:
        plain = msgspec.json.encode(without_surrogates(msgspec.to_builtins(window)))
    return zlib.compress(plain, LEVEL)


def window_from_bytes(stored: bytes) -> Window:
    """
    The window that was stored, equal to the one that was.

    Raises:
        msgspec.ValidationError: The bytes hold no window of this program.
        zlib.error: The bytes are damaged.
    """
    window = msgspec.json.decode(zlib.decompress(stored), type=Window)
    page, scrutiny, server = window.page, window.scrutiny, window.server
    return attrs.evolve(
        window,
        page=attrs.evolve(
            page,
            adapters=tuple(page.adapters),
            ancestors=tuple(page.ancestors),
            invariants=tuple(page.invariants),
        ),
        events=tuple(window.events),
        before=tuple(window.before),
        after=tuple(window.after),
        losses=tuple(window.losses),
        open_requests_before=tuple(window.open_requests_before),
        answers_before=tuple(window.answers_before),
        changes_before=tuple(window.changes_before),
        acted_at=tuple(window.acted_at),
        invariants=tuple(window.invariants),
        control=tuple(window.control),
        places=tuple(window.places),
        scrutiny=attrs.evolve(
            scrutiny, off=tuple(scrutiny.off), failed=tuple(scrutiny.failed), found=tuple(scrutiny.found)
        ),
        server=attrs.evolve(
            server, probes=tuple(map(_with_tuples, server.probes)), facts=tuple(server.facts)
        ),
    )


def _with_tuples(probe: ProbedProcess) -> ProbedProcess:
    return attrs.evolve(probe, unseen=tuple(probe.unseen), untold=tuple(probe.untold))
