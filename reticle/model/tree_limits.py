"""
Limits of what is looked at of a repository's files, each with its reason.
"""

from __future__ import annotations

from typing import Final

TREE_FILES: Final = 50_000
"""Files of one repository; more take seconds to look at, at each verdict."""

TREE_HASHED_BYTES: Final = 536_870_912
"""Contents read for one look, of files that changed since the last one: about a second."""

TREE_LISTING_SECONDS: Final = 20.0
"""How long git may take to list the files."""

TREE_LISTING_BYTES: Final = 33_554_432
"""What git may say in that time."""

HASHES_REMEMBERED: Final = 200_000
"""Files whose contents are known as long as their times stay, over all repositories; 40 MB."""

MANIFESTS_KEPT: Final = 2_000
"""States of files that two can be compared in; the oldest ones make room."""

MANIFESTS_BYTES: Final = 134_217_728
"""The same, compressed."""

RECENT_FILES: Final = 1_000
"""Files that changed last, of which it is told when; more at once are a checkout, not an edit."""

REPOSITORIES_SEEN: Final = 32
"""Repositories of which it is known when each file was seen last; more are not worked on at once."""

PATHS_RECORDED: Final = 200
"""Files that one record of a verdict names in each of its lists."""

PROCESSES_LOOKED_AT: Final = 20_000
"""Processes whose sockets are looked through for a listener."""

CHUNK_BYTES: Final = 1_048_576
"""What is read of a file at a time."""
