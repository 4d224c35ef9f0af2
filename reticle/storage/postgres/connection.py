"""
One open PostgreSQL database, for the writer thread alone.

A connection that is lost before COMMIT was sent costs nothing: the work is done again over a new one, once.
One that is lost while COMMIT was under way leaves a question that only a look at the rows can answer, and
that is what is told.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from twisted.python.failure import Failure

from reticle.errors import ConfigurationFault, Refusal
from reticle.model.codes import RefusalCode
from reticle.model.limits import (
    POSTGRES_CONNECT_SECONDS,
    POSTGRES_LOCK_MS,
    POSTGRES_STATEMENT_MS,
    POSTGRES_TOGETHER,
    POSTGRES_TRIES,
    POSTGRES_TRY_AGAIN_SECONDS,
    POSTGRES_UNHEARD_SECONDS,
)
from reticle.storage.driver import Driver
from reticle.storage.place import AGAIN, ConnectionLost, InTheWay, Step
from reticle.storage.postgres.address import PostgresAddress
from reticle.storage.postgres.ahead import Ahead
from reticle.storage.postgres.faults import is_contention, is_lost, refusal_from, unknown_outcome
from reticle.storage.postgres.schema import bring_to_head
from reticle.storage.postgres_driver import Missed, PostgresDriver
from reticle.storage.two_levels import connected

if TYPE_CHECKING:
    import psycopg
    from sqlalchemy import Connection

T = TypeVar("T")


class PostgresPlace:
    """
    Provides ``Place``.

    Args:
        address: Where it is.
        origin: Names this daemon in words to the others, see ``PostgresDriver``.
    """

    def __init__(self, address: PostgresAddress, origin: str) -> None:
        self.address = address
        self.origin = origin

    @property
    def shown(self) -> str:
        """
        See ``Place``.
        """
        return self.address.shown

    @property
    def look(self) -> str:
        """
        See ``Place``.
        """
        return f"Look at what {self.shown} is doing, then retry."

    def open(self, *, full_sync: bool) -> OpenPostgres:
        """
        See ``Place``. With ``full_sync`` a commit waits for the server's disk, whatever the server's rule.
        """
        driver = connect(self.address, self.origin, "writer")
        try:
            if full_sync:
                driver.execute("SET synchronous_commit = on")
            opened = OpenPostgres(self.shown, driver)
            bring_to_head(driver, opened.core, self.shown)
        except BaseException:
            driver.connection.close()
            raise
        return opened

    def refusal_from(self, fault: BaseException) -> Refusal | None:
        """
        See ``Place``.
        """
        cause = fault.__cause__ if isinstance(fault, ConnectionLost) else fault
        return refusal_from(cause or fault, self.shown)


class OpenPostgres:
    """
    Provides ``OpenPlace``.
    """

    def __init__(self, shown: str, driver: PostgresDriver) -> None:
        self._shown = shown
        self._core: Connection | None = None
        self.driver = driver

    @property
    def changes(self) -> int:
        """
        See ``OpenPlace``.
        """
        return self.driver.changes

    def is_there(self) -> bool:
        """
        See ``OpenPlace``. A connection that was lost meanwhile is noticed by the next statement.
        """
        return not self.driver.is_lost

    def core(self) -> Connection:
        """
        SQLAlchemy above the connection.
        """
        if self._core is None:
            self._core = _core_above(self.driver)
        return self._core

    def transact(self, work: Callable[[Connection], T]) -> T:
        """
        See ``OpenPlace``.
        """

        def run() -> T:
            core = self.core()
            with core.begin():
                outcome = work(core)
                # By our own word, which tells a commit that failed from one that nobody knows about.
                self._commit()
            return outcome

        return self._until_through(run)

    def transact_on_driver(self, work: Callable[[Driver], T]) -> T:
        """
        See ``OpenPlace``.
        """

        def run() -> T:
            self.driver.begin()
            outcome = work(self.driver)
            self._commit()
            return outcome

        return self._until_through(run)

    @property
    def most_together(self) -> int:
        """
        See ``OpenPlace``: the wait for the server's disk is the most of a small transaction.
        """
        return POSTGRES_TOGETHER

    def together(self, steps: Sequence[Step]) -> Sequence[object]:
        """
        See ``OpenPlace``. Behind the first piece, and behind what several begin with, nothing is waited for:
        this transaction may hold the end of the audit log or other runs by then, which whoever is in the way
        may be waiting for.

        At first what they write goes with the commit; where one of them met what it did not expect, all are
        made again, and each answers for itself.
        """
        try:
            return self._in_one(steps, swift=True)
        except Missed:
            self.driver.chain_end.missed()
            return self._in_one(steps, swift=False)

    def _in_one(self, steps: Sequence[Step], *, swift: bool) -> Sequence[object]:
        core = self.core() if any(step.needs_core for step in steps) else None
        begun = None
        self.driver.swift = swift
        try:
            if core is None:
                self.driver.begin()
            else:
                begun = core.begin()
            outcomes = self._outcomes(steps)
            self._commit()
        except BaseException as fault:
            self._roll_back()
            if is_lost(fault):
                raise ConnectionLost from fault
            raise
        finally:
            self.driver.may_wait = True
            self.driver.swift = False
            if begun is not None:
                with contextlib.suppress(Exception):  # ours has ended; this only tells SQLAlchemy
                    begun.close()
        return outcomes

    def _outcomes(self, steps: Sequence[Step]) -> Sequence[object]:
        ahead = Ahead(self.driver, steps)
        try:
            return self._outcomes_with(ahead, steps)
        finally:
            ahead.forget()

    def _outcomes_with(self, ahead: Ahead, steps: Sequence[Step]) -> Sequence[object]:
        outcomes: list[object] = []
        for at, step in enumerate(steps):
            ahead.before(at)
            self.driver.mark()
            try:
                outcome = step.work(self)
                if self.driver.swift:
                    self.driver.settle()
                else:
                    # What it wrote is its own to answer for.
                    self.driver.flush()
                outcomes.append(outcome)
            except Exception as fault:
                ahead.forget()
                if is_lost(fault) or isinstance(fault, Missed):
                    raise
                self.driver.undo_to_mark()
                if isinstance(fault, InTheWay) or is_contention(fault):
                    # Those behind it too, so that all is done in its order.
                    return [*outcomes, *[AGAIN] * (len(steps) - len(outcomes))]
                outcomes.append(Failure())
            self.driver.may_wait = False
        return outcomes

    def close(self) -> None:
        """
        See ``OpenPlace``.
        """
        if self._core is not None:
            self._core.close()
            self._core.engine.dispose()
        self.driver.connection.close()

    def _until_through(self, run: Callable[[], T]) -> T:
        """
        Once, and again as long as others were in the way; swiftly at first.
        """
        for left in reversed(range(POSTGRES_TRIES)):
            self.driver.swift = left == POSTGRES_TRIES - 1
            try:
                return run()
            except Missed:
                self._roll_back()
                self.driver.chain_end.missed()
                continue
            except BaseException as fault:
                self._roll_back()
                if is_lost(fault):
                    raise ConnectionLost from fault
                if not is_contention(fault):
                    raise
                if not left:
                    raise under_load(self._shown) from fault
            finally:
                self.driver.swift = False
            time.sleep(POSTGRES_TRY_AGAIN_SECONDS)
        raise AssertionError("the last try has returned or raised")

    def _commit(self) -> None:
        # Apart: a connection that is lost here has surely kept nothing.
        self.driver.flush_before_commit()
        try:
            ended = self.driver.command(b"COMMIT")
        except Exception as fault:
            if is_lost(fault) or self.driver.is_lost:
                raise unknown_outcome(self._shown) from fault
            raise
        if ended != b"COMMIT":
            raise RuntimeError(f"a statement had failed and nobody looked: COMMIT came to {ended!r}")
        self.driver.chain_end.committed()

    def _roll_back(self) -> None:
        """
        Leave the connection without a transaction, unless it is lost and has none.
        """
        from psycopg.pq import TransactionStatus  # noqa: PLC0415 - an extra

        self.driver.forget()
        if self.driver.is_lost or self.driver.connection.pgconn.transaction_status == TransactionStatus.IDLE:
            return
        with contextlib.suppress(Exception):  # it is lost then, which the next statement tells
            self.driver.command(b"ROLLBACK")


def connect(address: PostgresAddress, origin: str, role: str) -> PostgresDriver:
    """
    A connection of ours, with bounds on everything that it might wait for.

    Args:
        address: Where to.
        origin: See ``PostgresDriver``.
        role: What the server's list of connections calls it.

    Raises:
        ConfigurationFault: psycopg is missing, or the server is older than we know.
        psycopg.Error: See ``faults.refusal_from``.
    """
    try:
        import psycopg  # noqa: PLC0415 - an extra, and 60 ms
    except ImportError:
        raise ConfigurationFault(
            "RETICLE_DATABASE_URL names a PostgreSQL, and psycopg is not installed",
            'pip install "txreticle[postgres]"',
        ) from None
    try:
        connection: psycopg.Connection[Any] = psycopg.connect(
            address.url.reveal(),
            autocommit=True,
            client_encoding="UTF8",
            connect_timeout=POSTGRES_CONNECT_SECONDS,
            fallback_application_name=f"reticle {role}",
            tcp_user_timeout=POSTGRES_UNHEARD_SECONDS * 1000,
            keepalives_idle=POSTGRES_UNHEARD_SECONDS,
        )
    except psycopg.ProgrammingError:
        # libpq's own words would repeat the URL.
        raise ConfigurationFault(
            "RETICLE_DATABASE_URL is no URL that libpq understands",
            "use postgresql://USER@HOST:PORT/DATABASE (docs/howto/postgresql.md)",
        ) from None
    try:
        connection.execute(
            f"SET lock_timeout = {POSTGRES_LOCK_MS}; SET statement_timeout = {POSTGRES_STATEMENT_MS};"
            f" SET idle_in_transaction_session_timeout = {POSTGRES_STATEMENT_MS};"
            " SET default_transaction_isolation = 'read committed';"
            # Ours are small: looked up in an index, also where the plan was made of an empty table and is
            # kept, and over before they are compiled.
            " SET enable_seqscan = off; SET jit = off"
        )
        found = connection.execute("SELECT current_schema()").fetchone()
    except BaseException:
        connection.close()
        raise
    schema = None if found is None else found[0]
    if schema is None:
        connection.close()
        raise ConfigurationFault(
            f"{address.shown} has no schema where tables may be made",
            "name one that exists: ?options=-csearch_path%3DNAME at the end of the URL",
        )
    return PostgresDriver(connection, schema, origin)


def under_load(shown: str) -> Refusal:
    """
    Why a change was not made, after several tries.
    """
    return Refusal(
        RefusalCode.DAEMON_UNDER_LOAD,
        f"other daemons were in the way at {shown} each of {POSTGRES_TRIES} times; nothing was changed.",
        "Retry in a second.",
    )


def _core_above(driver: PostgresDriver) -> Connection:
    from sqlalchemy import create_engine, event  # noqa: PLC0415 - loaded in the writer thread (DESIGN §10)
    from sqlalchemy.pool import StaticPool  # noqa: PLC0415 - as above

    engine = create_engine(
        "postgresql+psycopg://",
        creator=lambda: driver.connection,
        poolclass=StaticPool,
        # We end our transactions ourselves; of a lost connection SQLAlchemy would log that it cannot.
        pool_reset_on_return=None,
        use_native_hstore=False,
    )
    # What Core says comes behind what was said to the driver before.
    event.listen(engine, "before_cursor_execute", lambda *_: driver.flush())
    return connected(engine, driver, driver.begin)
