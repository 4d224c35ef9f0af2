"""
What each example needs before it serves: a new database and somebody who takes its mail.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import mailbox_server

HERE = Path(__file__).parent
DATABASE = HERE / "desk.db"


def prepare() -> None:
    """
    Make the database anew; take mail on ``DESK_MAIL_PORT``.
    """
    DATABASE.unlink(missing_ok=True)
    with sqlite3.connect(DATABASE) as new:
        new.executescript((HERE / "desk.sql").read_text())
    os.environ["DESK_MAIL_PORT"] = str(mailbox_server.start())
