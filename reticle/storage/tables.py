"""
The schema, once: what the migrations must have made and what every statement is built from.

Imported in the writer thread only: SQLAlchemy takes some 0.2 s to load (DESIGN §10).
A test compares it with the migrated database.
"""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, LargeBinary, MetaData, Table, Text

from reticle.storage.column_types import Whole

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

verdict = Table(
    "verdict",
    metadata,
    Column("seq", Whole, primary_key=True, comment="order of recording; the oldest go first"),
    Column("verdict_id", Text, nullable=False, unique=True),
    Column("at", Float, nullable=False, comment="seconds since the epoch"),
    Column("tool", Text, nullable=False),
    Column("principal", Text, nullable=False),
    Column("page_id", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("verified", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("document", Text, nullable=False, comment="the whole verdict as JSON"),
)

verdict_window = Table(
    "verdict_window",
    metadata,
    Column("seq", Whole, primary_key=True, comment="order of recording; the oldest go first"),
    Column("verdict_id", Text, nullable=False, unique=True),
    Column(
        "bytes_until",
        Whole,
        nullable=False,
        index=True,
        comment="bytes of all windows ever recorded, with this",
    ),
    Column("document", LargeBinary, nullable=False, comment="the window as JSON, compressed"),
)

journal_chunk = Table(
    "journal_chunk",
    metadata,
    Column("seq", Whole, primary_key=True, comment="order of recording; the oldest go first"),
    Column("page_id", Text, nullable=False, index=True),
    Column("first_seq", Whole, nullable=False, comment="number of its first event"),
    Column("last_seq", Whole, nullable=False, comment="number of the newest event"),
    Column("at", Float, nullable=False, index=True, comment="seconds since the epoch"),
    Column("bytes_until", Whole, nullable=False, index=True, comment="bytes of all chunks, with this"),
    Column("document", LargeBinary, nullable=False, comment="events and notes, compressed"),
)

audit = Table(
    "audit",
    metadata,
    Column(
        "seq",
        Whole,
        primary_key=True,
        autoincrement=False,
        comment="place in the chain, from 1, no gaps",
    ),
    # No index: ids are random, so that a batch of rows would touch as many pages of it (measured: 12 µs a row
    # against 21), and a copied row is found by the chain.
    Column("audit_id", Text, nullable=False),
    Column("at_us", Whole, nullable=False, comment="microseconds since the epoch"),
    Column("principal", Text, nullable=False),
    Column("transport", Text, nullable=False),
    Column("carrier", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("repository_id", Text, nullable=True),
    Column("decision", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("arguments_sha256", Text, nullable=False),
    Column("duration_us", Whole, nullable=False),
    Column("verdict_id", Text, nullable=True),
    Column("row_hash", LargeBinary, nullable=False, comment="covers the row and the hash before it"),
)

audit_head = Table(
    "audit_head",
    metadata,
    Column("id", Whole, primary_key=True, autoincrement=False, comment="1: there is one row"),
    Column("seq", Whole, nullable=False, comment="the last row of the chain"),
    Column("row_hash", LargeBinary, nullable=False),
)

audit_segment = Table(
    "audit_segment",
    metadata,
    Column("first_seq", Whole, primary_key=True, autoincrement=False),
    Column("last_seq", Whole, nullable=False, unique=True),
    Column("previous_hash", LargeBinary, nullable=False),
    Column("last_hash", LargeBinary, nullable=False),
    Column("sealed_at_us", Whole, nullable=False),
    Column(
        "pruned_at_us", Whole, nullable=True, comment="when its rows made room; null while they are there"
    ),
)

repository = Table(
    "repository",
    metadata,
    Column("repository_id", Text, primary_key=True),
    Column("root", Text, nullable=False, index=True, comment="absolute path"),
    Column("display_name", Text, nullable=False),
    Column("origins", Text, nullable=False, comment="a JSON array of origins of its app"),
    Column("registered_at", Float, nullable=False, comment="seconds since the epoch"),
    Column("removed_at", Float, nullable=True),
)

token = Table(
    "token",
    metadata,
    Column("token_id", Text, primary_key=True),
    Column("salt", Text, nullable=False),
    Column("digest", Text, nullable=False, comment="HMAC-SHA256 of the secret; the secret is nowhere"),
    Column("kind", Text, nullable=False),
    Column("display_name", Text, nullable=False),
    Column("created_at", Float, nullable=False, comment="seconds since the epoch"),
    Column("expires_at", Float, nullable=True),
    Column("revoked_at", Float, nullable=True),
    Column("revoked_reason", Text, nullable=True),
    Column("last_used_at", Float, nullable=True),
)

token_grant = Table(
    "token_grant",
    metadata,
    Column("grant_id", Text, primary_key=True),
    Column("token_id", Text, nullable=False, index=True),
    Column("capability", Text, nullable=False),
    Column("repository_id", Text, nullable=True, comment="null: every repository"),
    Column("granted_at", Float, nullable=False),
    Column("expires_at", Float, nullable=True),
    Column("revoked_at", Float, nullable=True),
    Column("revoked_reason", Text, nullable=True),
)

page_hold = Table(
    "page_hold",
    metadata,
    Column("daemon", Text, primary_key=True, comment="whose page it is; empty where one daemon has it all"),
    Column("page_id", Text, primary_key=True),
    Column("holder", Text, nullable=False, comment="an agent's name"),
    Column("shown", Text, nullable=False, comment="the agent as people call it"),
    Column("purpose", Text, nullable=False, comment="what it said it does"),
    Column("since", Float, nullable=False, comment="seconds since the epoch"),
    Column("until", Float, nullable=False, comment="seconds since the epoch; then it binds nobody"),
)

page_seen = Table(
    "page_seen",
    metadata,
    Column("project_id", Text, primary_key=True, comment="empty for pages that name no project"),
    Column("pages", Whole, nullable=False, comment="how many have connected, over all lives"),
    Column("last_at", Float, nullable=False, comment="seconds since the epoch"),
)

daemon_start = Table(
    "daemon_start",
    metadata,
    Column("seq", Whole, primary_key=True),
    Column("at", Float, nullable=False, comment="seconds since the epoch"),
    Column("version", Text, nullable=False),
    Column("pid", Whole, nullable=False),
)

mcp_session = Table(
    "mcp_session",
    metadata,
    Column("session", Text, primary_key=True, comment="a digest of the id; empty for the floor, see there"),
    Column("issued_at", Whole, nullable=False, index=True, comment="whole seconds since the epoch"),
    Column("ended", Boolean, nullable=False, comment="it must not come back; else it has wishes"),
    Column("log_level", Text, nullable=True),
    Column("subscriptions", Text, nullable=False, comment="a JSON array of URIs"),
)
