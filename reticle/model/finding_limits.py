"""
The bounds of detectors that compare what a page shows, keeps and hears; each with its reason.
"""

from __future__ import annotations

from typing import Final

MESSAGE_FOLLOWS_MS: Final = 3_000
"""How long after a write's answer a message may come up to be about it: toasts come within a second."""

STREAM_BEATS: Final = 6
"""Messages at an even pace that make a stream one that ticks; progress bars of five steps are none."""

STREAM_SILENT_BEATS: Final = 4
STREAM_SILENT_MS: Final = 2_000
"""
For how many of its beats, and for how long at least, a stream that ticked must be silent to have stopped: a
busy server is late by one or two.
"""

STREAM_RETURNS_MS: Final = 3_000
"""Within this time most clients have opened a stream again that broke."""

STREAM_FED: Final = 3
"""After so many of its messages the page had changed: it shows what the stream brings."""

ANSWERS_COMPARED: Final = 50
"""Answers of one window whose numbers are held against the screen; the newest ones count."""

NUMBERS_COMPARED: Final = 24
"""
Numbers of one answer of which any two may explain a third that is shown (a sum with tax); more would explain
nearly everything.
"""

ROWS_COMPARED: Final = 100
"""Rows of a list that are looked for on the page; longer ones are shown in parts."""

SIBLINGS_JUDGED: Final = 200
"""Changes of stores in one window that are held against what was written."""

PROJECT_FINDINGS: Final = 20
"""Findings of one detector of a project's own over one window: they are stored with it, and told."""
