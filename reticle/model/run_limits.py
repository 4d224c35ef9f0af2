"""
Limits of noting which functions of a driven page run, each with its reason.
"""

from __future__ import annotations

from typing import Final

ROUTINES_KEPT: Final = 20_000
"""Functions of a page that are remembered; those of an app that one agent works on are a tenth of that."""

RUN_SCRIPTS: Final = 300
"""Scripts whose text is read for one answer; a development server serves each module as one."""

RUN_CHARS: Final = 6_000_000
"""Text of scripts that is looked through for one answer, together: half a second of looking."""

RUNS_SECONDS: Final = 2.0
"""How long an answer that is no ``yes`` waits for what ran; a busy machine needed more than one second."""

RUNS_CALM_SECONDS: Final = 1.0
"""How long after its load a document is taken to have come to rest."""

RUNS_ANEW_SECONDS: Final = 0.012
"""
To count anew holds the page up, the longer the more functions there are; where it took longer than that, an
action is not held up by it.
"""

TEXTS_FETCHED: Final = 12
"""Scripts of a document that was left whose text is fetched again for one answer."""

PLACES_NAMED: Final = 3
"""Places of one answer: whoever mends the fault reads each of them."""

SUSPECTS_MAPPED: Final = 24
"""Functions that are looked up in source maps to find those few: most of a bundle are libraries'."""

QUERIES_ASKED: Final = 4
"""Elements of a claim whose names are asked of the page for one answer."""

CLAIM_WORDS: Final = 60
"""Words of a claim that are looked for."""
