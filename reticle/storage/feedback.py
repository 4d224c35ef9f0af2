"""
Notes about reticle itself, one JSON object a line in a file that people can read; provides
``ports.FeedbackStore``.

Nothing sends it anywhere. The file is bounded; the oldest notes make room. It is replaced whole, so that a
full disk leaves the old one.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from twisted.internet.defer import Deferred

from reticle.model.limits import FEEDBACK_BYTES
from reticle.storage.database import Database
from reticle.storage.private_files import write_private

FEEDBACK_FILE: Final = "feedback.jsonl"


class StoredFeedback:
    """
    The notes in one state directory.

    Args:
        folder: The state directory.
        database: Whose writer thread does the writing.
        now: Seconds since the epoch.
        max_bytes: What the file may hold.
    """

    def __init__(
        self, folder: Path, database: Database, now: Callable[[], float], max_bytes: int = FEEDBACK_BYTES
    ) -> None:
        self._path = folder / FEEDBACK_FILE
        self._database = database
        self._now = now
        self._max_bytes = max_bytes

    @property
    def place(self) -> str:
        """
        See ``ports.FeedbackStore``.
        """
        return str(self._path)

    def keep(self, note: Mapping[str, object]) -> Deferred[int]:
        """
        See ``ports.FeedbackStore``.
        """
        at = dt.datetime.fromtimestamp(self._now(), dt.UTC).isoformat(timespec="seconds")
        line = json.dumps({"at": at, **note}, ensure_ascii=False)
        return self._database.run_beside(lambda: self._append(line))

    def _append(self, line: str) -> int:
        try:
            text = self._path.read_text("utf-8", "replace")
        except FileNotFoundError:
            text = ""
        # Only "\n" ends a line: splitlines would break a note at separators that JSON leaves as they are.
        kept = [*filter(None, text.split("\n")), line]
        size = sum(len(each.encode()) + 1 for each in kept)
        dropped = 0
        while size > self._max_bytes and len(kept) - dropped > 1:
            size -= len(kept[dropped].encode()) + 1
            dropped += 1
        write_private(self._path, "".join(f"{each}\n" for each in kept[dropped:]))
        return dropped
