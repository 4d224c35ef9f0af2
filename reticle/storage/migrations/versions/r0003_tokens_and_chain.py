"""
Capability tokens, repositories, and audit rows as a chain.
"""

from __future__ import annotations

import sqlite3
from typing import Final

import sqlalchemy as sa
from alembic import op

from reticle.storage.audit_chain import append, begin_chain

revision = "0003"
down_revision = "0002"

_SLICE_ROWS: Final = 5_000
_OLD_ROWS: Final = (
    "SELECT seq, audit_id, at, principal, carrier, tool, decision, arguments_sha256, duration_ms, verdict_id"
    " FROM audit_unchained WHERE seq > ? ORDER BY seq LIMIT ?"
)


def upgrade() -> None:
    """
    Make the tables of issue #5; the audit rows of before become the first of the chain, numbered anew from 1.
    """
    op.drop_table("audit_unchained", if_exists=True)
    op.rename_table("audit", "audit_unchained")
    _make_chain()
    _make_grants()
    _chain_old_rows()
    op.drop_table("audit_unchained")


def _make_chain() -> None:
    op.create_table(
        "audit",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("audit_id", sa.Text(), nullable=False),
        sa.Column("at_us", sa.Integer(), nullable=False),
        sa.Column("principal", sa.Text(), nullable=False),
        sa.Column("transport", sa.Text(), nullable=False),
        sa.Column("carrier", sa.Text(), nullable=False),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.Column("repository_id", sa.Text(), nullable=True),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("arguments_sha256", sa.Text(), nullable=False),
        sa.Column("duration_us", sa.Integer(), nullable=False),
        sa.Column("verdict_id", sa.Text(), nullable=True),
        sa.Column("row_hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_audit"),
    )
    op.create_table(
        "audit_head",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("row_hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_head"),
    )
    op.create_table(
        "audit_segment",
        sa.Column("first_seq", sa.Integer(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("previous_hash", sa.LargeBinary(), nullable=False),
        sa.Column("last_hash", sa.LargeBinary(), nullable=False),
        sa.Column("sealed_at_us", sa.Integer(), nullable=False),
        sa.Column("pruned_at_us", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("first_seq", name="pk_audit_segment"),
        sa.UniqueConstraint("last_seq", name="uq_audit_segment_last_seq"),
    )


def _make_grants() -> None:
    op.create_table(
        "repository",
        sa.Column("repository_id", sa.Text(), nullable=False),
        sa.Column("root", sa.Text(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=False),
        sa.Column("origins", sa.Text(), nullable=False),
        sa.Column("registered_at", sa.Float(), nullable=False),
        sa.Column("removed_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("repository_id", name="pk_repository"),
    )
    op.create_index("ix_repository_root", "repository", ["root"])
    op.create_table(
        "token",
        sa.Column("token_id", sa.Text(), nullable=False),
        sa.Column("salt", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=True),
        sa.Column("revoked_at", sa.Float(), nullable=True),
        sa.Column("revoked_reason", sa.Text(), nullable=True),
        sa.Column("last_used_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("token_id", name="pk_token"),
    )
    op.create_table(
        "token_grant",
        sa.Column("grant_id", sa.Text(), nullable=False),
        sa.Column("token_id", sa.Text(), nullable=False),
        sa.Column("capability", sa.Text(), nullable=False),
        sa.Column("repository_id", sa.Text(), nullable=True),
        sa.Column("granted_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=True),
        sa.Column("revoked_at", sa.Float(), nullable=True),
        sa.Column("revoked_reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("grant_id", name="pk_token_grant"),
    )
    op.create_index("ix_token_grant_token_id", "token_grant", ["token_id"])


def _chain_old_rows() -> None:
    driver = op.get_bind().connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    begin_chain(driver)
    after = 0
    while rows := driver.execute(_OLD_ROWS, (after, _SLICE_ROWS)).fetchall():
        append(driver, [_unchained(row) for row in rows])
        after = rows[-1][0]


def _unchained(
    row: tuple[int, str, float, str, str, str, str, str, float, str | None],
) -> tuple[str, int, str, str, str, str, None, str, str, str, int, str | None]:
    _, audit_id, at, principal, carrier, tool, decision, digest, duration_ms, verdict_id = row
    word, _, reason = decision.partition(":")
    return (
        audit_id, round(at * 1e6), principal, "mcp", carrier, tool, None, word, reason, digest,
        round(duration_ms * 1000), verdict_id,
    )  # fmt: skip
