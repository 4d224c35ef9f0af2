"""
``reticle storage``: what a stopped daemon kept, taken elsewhere.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.options import setting_options
from reticle.errors import ConfigurationFault
from reticle.model.trust import Secret
from reticle.settings import read_settings, working_directory

if TYPE_CHECKING:
    from reticle.storage.connection import OpenDatabase
    from reticle.storage.postgres.connection import OpenPostgres


@click.group(name="storage")
def command() -> None:
    """
    Take what a stopped daemon kept elsewhere.
    """


@command.command()
@setting_options(
    "state_dir",
    "database_url",
    database_url="The empty PostgreSQL to copy to; a URL with a password stands in the variable alone."
    " [RETICLE_DATABASE_URL]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def copy(*, as_json: bool, **flags: str | None) -> None:
    """
    Copy the file of a stopped daemon to a PostgreSQL.

    Tokens, repositories, verdicts, the audit log and the work, all or nothing. The file keeps what is in it;
    that of an older release is migrated first, as at a start of the daemon, and a copy of it as it was is
    left beside it.
    """
    from reticle.storage.copying import copy as copied  # noqa: PLC0415 - loads what no other command needs
    from reticle.storage.directories import locate_directories  # noqa: PLC0415 - as above

    settings = read_settings(flags, os.environ, working_directory())
    if settings.database_url is None:
        raise click.UsageError("nothing says where to: pass --database-url, or set RETICLE_DATABASE_URL")
    state = locate_directories(settings.state_dir, settings.runtime_dir, os.environ).state
    with _file(state) as source, _server(settings.database_url.reveal()) as (target, shown):
        told = copied(source, target, shown, lambda name, rows: _tell(name, rows, as_json=as_json))
    if as_json:
        fields = {"from": str(state), "to": shown, "rows": told.rows, "head": told.head, "seq": told.seq}
        click.echo(json.dumps(fields))
    else:
        click.echo(f"copied to {shown}\nhead: {told.head} (row {told.seq})")
        click.echo("next: start the daemon with RETICLE_DATABASE_URL set, then reticle audit verify")


def _tell(name: str, rows: int, *, as_json: bool) -> None:
    if rows and not as_json:
        click.echo(f"{rows:>9}  {name}")


@contextmanager
def _file(state: Path) -> Iterator[OpenDatabase]:
    """
    The daemon's file, with the daemon kept from it meanwhile.
    """
    from reticle.storage.connection import open_database  # noqa: PLC0415 - loads what no other command needs
    from reticle.storage.lock import DirectoryInUse, DirectoryLock, LockHolder  # noqa: PLC0415 - as above
    from reticle.storage.store import DATABASE_FILE  # noqa: PLC0415 - as above

    path = state / DATABASE_FILE
    if not path.is_file():
        raise ConfigurationFault(f"there is no {path}, so there is nothing to copy", "name its --state-dir")
    lock = DirectoryLock(state)
    try:
        lock.acquire(LockHolder(os.getpid(), 0, time.time()))  # noqa: TID251 - an entry point
    except DirectoryInUse as fault:
        raise CommandFailure(ExitCode.FAILED, fault.message, "stop it with `reticle stop` first") from None
    try:
        with closing(open_database(path)) as opened:
            yield opened
    finally:
        lock.release()


@contextmanager
def _server(url: str) -> Iterator[tuple[OpenPostgres, str]]:
    """
    The PostgreSQL with its tables made, and its name for people.
    """
    from reticle.storage.postgres.address import PostgresAddress  # noqa: PLC0415 - as above
    from reticle.storage.postgres.connection import PostgresPlace  # noqa: PLC0415 - as above

    place = PostgresPlace(PostgresAddress(Secret(url)), "")
    try:
        with closing(place.open(full_sync=True)) as opened:
            yield opened, place.shown
    except Exception as fault:
        refusal = place.refusal_from(fault)
        if refusal is None:
            raise
        raise CommandFailure(ExitCode.FAILED, refusal.message, refusal.recovery) from None
