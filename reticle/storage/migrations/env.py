"""
What Alembic runs for every command: connect, compare with the tables of ``reticle.storage``, migrate.

The daemon hands over its own connection inside its own transaction, so that a migration that fails
leaves nothing behind. A developer's ``alembic revision --autogenerate`` gives a URL instead.
"""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection, create_engine

from reticle.storage.work_tables import METADATA


def migrate(connection: Connection) -> None:
    """
    Run the migrations that were asked for; ``render_as_batch`` because SQLite cannot alter columns.
    """
    context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


def main() -> None:
    """
    Use the daemon's connection, else the URL of a developer's command.
    """
    given = context.config.attributes.get("connection")
    if given is not None:
        migrate(given)
        return
    engine = create_engine(context.config.get_main_option("sqlalchemy.url") or "sqlite://")
    with engine.connect() as own:
        migrate(own)
    engine.dispose()


main()
