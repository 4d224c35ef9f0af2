"""
A PostgreSQL of one's own for tests and measurements: in a private folder, behind a Unix socket alone.

Its programs are the distribution's. As root they run as another user, since PostgreSQL refuses root.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import attrs

from reticle.errors import ConfigurationFault
from reticle.model.trust import Secret
from reticle.storage.postgres.address import PostgresAddress

_FOLDERS: Final = "/usr/lib/postgresql/*/bin"
_USERS: Final = ("postgres", "nobody")
_USER: Final = "reticle"
_START_SECONDS: Final = 30.0
_STOP_SECONDS: Final = 20.0
_DIE_WITH_PARENT: Final = 1
"""``PR_SET_PDEATHSIG`` of prctl(2)."""

_QUICK: Final = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
"""For tests: nothing that they write has to outlive the machine."""


def missing() -> str | None:
    """
    What is not on this machine, or None where a server can be started.
    """
    if _programs() is None:
        return f"PostgreSQL (initdb and postgres, in {_FOLDERS} or on PATH): apt-get install postgresql"
    try:
        import psycopg  # noqa: F401, PLC0415 - an extra
    except ImportError:
        return 'psycopg: pip install "txreticle[postgres]"'
    return None


@contextmanager
def running_postgres(*, durable: bool = False, **options: str) -> Iterator[PostgresServer]:
    """
    A server that ends with the block.

    Args:
        durable: Whether commits wait for the disk, as they do by PostgreSQL's own defaults.
        options: Further settings of the server.

    Raises:
        ConfigurationFault: ``missing``, or it does not start; the server's own words are in the message.
    """
    lack = missing()
    programs = _programs()
    if lack is not None or programs is None:
        raise ConfigurationFault(f"not on this machine: {lack}", "install it")
    # Below /tmp itself: the path of a socket may have 107 bytes, and the other user must get there.
    folder = Path(tempfile.mkdtemp(prefix="reticle-pg-", dir="/tmp"))
    server = PostgresServer(programs, folder, _other_user(), {**({} if durable else _QUICK), **options})
    try:
        server.make()
        server.start()
        yield server
    finally:
        server.stop(signal.SIGQUIT)
        shutil.rmtree(folder, ignore_errors=True)


@attrs.define
class PostgresServer:
    """
    One server and its folder. It may be stopped and started again; its databases stay.
    """

    programs: Path
    folder: Path
    user: str | None
    options: dict[str, str]
    _process: subprocess.Popen[bytes] | None = None
    _names: Iterator[int] = attrs.field(factory=lambda: itertools.count(1))

    def make(self) -> None:
        """
        Make the cluster.
        """
        if self.user is not None:
            shutil.chown(self.folder, self.user)
        made = subprocess.run(  # noqa: S603 - the distribution's program
            [
                self.programs / "initdb", "--pgdata", self.folder / "data", "--username", _USER,
                "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions",
            ],
            check=False, capture_output=True, user=self.user, cwd=self.folder, env=_environment(),
        )  # fmt: skip
        if made.returncode:
            raise ConfigurationFault(f"initdb failed: {made.stderr.decode()}", "see there")

    def start(self) -> None:
        """
        Start it and wait until it takes connections.
        """
        libc = ctypes.CDLL(None)
        options = {
            "listen_addresses": "", "unix_socket_directories": str(self.folder), "max_connections": "60",
            "shared_buffers": "64MB", **self.options,
        }  # fmt: skip
        told = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - as above
                [self.programs / "postgres", "-D", self.folder / "data", *told],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, user=self.user, cwd=self.folder,
                env=_environment(),
                # A test run that is killed leaves no server behind.
                preexec_fn=lambda: libc.prctl(_DIE_WITH_PARENT, signal.SIGQUIT),  # noqa: PLW1509 - one call
            )  # fmt: skip
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise ConfigurationFault(f"postgres did not start: {self.log()[-2000:]}", "see there")
            time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """
        End it: SIGTERM waits for clients, SIGINT ends their connections, SIGQUIT is as a crash.
        """
        process, self._process = self._process, None
        if process is None:
            return
        if process.poll() is None:
            process.send_signal(how)
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def log(self) -> str:
        """
        What it has said.
        """
        return (self.folder / "log").read_text("utf-8", "replace")

    def url(self, database: str = "postgres") -> str:
        """
        The URL of a database of it.
        """
        return f"postgresql://{_USER}@/{database}?host={self.folder}"

    def address(self, database: str = "postgres") -> PostgresAddress:
        """
        The same, as storage takes it.
        """
        return PostgresAddress(Secret(self.url(database)))

    def name_of(self, address: PostgresAddress) -> str:
        """
        The name of the database that one of our addresses means.
        """
        return address.shown.rpartition("/")[2]

    def fresh_database(self) -> str:
        """
        The name of a new, empty database.
        """
        name = f"reticle_{os.getpid()}_{next(self._names)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        return name

    def drop(self, database: str) -> None:
        """
        Remove a database, whoever is connected to it.
        """
        self.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")

    def execute(self, statement: str, database: str = "postgres") -> Sequence[tuple[Any, ...]]:
        """
        Run one statement as the server's owner; its rows.
        """
        import psycopg  # noqa: PLC0415 - an extra

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def end_connections(self, database: str, role: str = "") -> int:
        """
        End the connections to a database from the server's side; how many there were.

        Args:
            database: Its name.
            role: Those of that role of ours alone, such as ``writer``.
        """
        which = f"datname = '{database}' AND application_name LIKE 'reticle {role}%'"
        found = self.execute(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {which}"  # noqa: S608 - a test's words
        )
        return len(found)

    def _answers(self) -> bool:
        import psycopg  # noqa: PLC0415 - an extra

        try:
            psycopg.connect(self.url(), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


def _programs() -> Path | None:
    on_path = shutil.which("postgres")
    folders = [*sorted(Path("/").glob(_FOLDERS.lstrip("/")), reverse=True)]
    if on_path is not None:
        folders.append(Path(on_path).resolve().parent)
    return next(
        (each for each in folders if (each / "initdb").exists() and (each / "postgres").exists()), None
    )


def _other_user() -> str | None:
    """
    As whom it runs; None for ourselves.
    """
    if os.geteuid() != 0:
        return None
    known = {each.pw_name for each in pwd.getpwall()}
    return next(user for user in _USERS if user in known)


def _environment() -> dict[str, str]:
    """
    No setting of libpq's, nor a language in which its messages would come.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**kept, "LC_ALL": "C"}
