"""
Limits of what a login keeps of IndexedDB; what a whole login may take is in ``limits``.
"""

from __future__ import annotations

from typing import Final

LOGIN_DATABASE_CHARS: Final = 1024 * 1024
"""
Of one origin's databases together, as the JSON that they are kept in. A sign-in kit keeps some kilobytes; an
app that keeps its documents there is larger, and they are no login.
"""

LOGIN_RECORDS: Final = 5_000
"""Records of one store: reading them and putting them back takes a part of a second."""

LOGIN_DATABASE_MS: Final = 2_000
"""How long the databases of one origin may take to be read, within the visit to it."""
