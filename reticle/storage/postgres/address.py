"""
Where a PostgreSQL database is, as people may see it: never with the password.
"""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit

import attrs

from reticle.model.trust import Secret


@attrs.frozen
class PostgresAddress:
    """
    A ``postgresql://`` URL, for libpq alone, and its place for everybody else.
    """

    url: Secret

    @property
    def shown(self) -> str:
        """
        ``PostgreSQL at host:port/database``. What the URL leaves open, libpq's variables say; then it stands
        as ``default``.
        """
        parts = urlsplit(self.url.reveal())
        given = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        host, _, port = parts.netloc.rpartition("@")[2].rpartition(":")
        if not port.isdigit():
            host, port = parts.netloc.rpartition("@")[2], ""
        host = unquote(host) or given.get("host") or given.get("hostaddr") or "default"
        port = port or given.get("port", "")
        database = unquote(parts.path.lstrip("/")) or given.get("dbname") or "default"
        return f"PostgreSQL at {host}{':' if port else ''}{port}/{database}"
