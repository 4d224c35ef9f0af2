"""
The doctor's question about a PostgreSQL that daemons share.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticle.cli.checks import Level, Row
from reticle.errors import ConfigurationFault
from reticle.model.trust import Secret
from reticle.settings import Settings
from reticle.storage.postgres.address import PostgresAddress
from reticle.storage.postgres.connection import connect
from reticle.storage.postgres.faults import refusal_from


def check_database(settings: Settings) -> Sequence[Row]:
    """
    Whether the database of the settings lets this user in; no row where the file in ``state_dir`` is used.

    Its tables are the daemon's: the connection is closed at once.
    """
    if settings.database_url is None:
        return []
    address = PostgresAddress(Secret(settings.database_url.reveal()))
    try:
        connect(address, "", "doctor").connection.close()
    except ConfigurationFault as fault:
        return [Row(Level.FAULT, "database", fault.message, fault.recovery)]
    except Exception as fault:
        refusal = refusal_from(fault, address.shown)
        if refusal is None:
            raise
        return [Row(Level.FAULT, "database", refusal.message, refusal.recovery)]
    return [Row(Level.OK, "database", f"{address.shown} lets us in")]
