"""
What holds for every test: Hypothesis profiles, and no failure that is logged and never looked at.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator

import hypothesis
import pytest
from twisted.logger import ILogObserver, LogEvent, globalLogPublisher
from twisted.python.failure import Failure
from zope.interface import implementer

from reticle.testing.postgresql import PostgresServer, running_postgres
from reticle.testing.postgresql import missing as missing_postgres
from tests.schemas.record import Recording
from tests.schemas.roads import listen_to_conversations
from tests.schemas.witness import Witness

# The same examples each time for every commit, many fresh ones for `make full`. No test sets its own number.
hypothesis.settings.register_profile("ci", max_examples=100, deadline=None, derandomize=True)
hypothesis.settings.register_profile("deep", max_examples=1_000, deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# A shell has what it runs in the background ignore SIGINT and SIGQUIT, and children would inherit that: what
# a test interrupts would not notice. A handler of Python's own is not inherited.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
for ignored in (signal.SIGQUIT, signal.SIGHUP):  # the latter as nohup has it
    if signal.getsignal(ignored) is signal.SIG_IGN:
        signal.signal(ignored, signal.SIG_DFL)

_BROWSERS = {"browser", "drives", "open_browser", "stage"}
"""The fixtures that open one."""

_SECOND_LANE = {
    "test_agent_work", "test_agents_tutorial", "test_apps", "test_clients", "test_examples",
    "test_late_duplicates", "test_pytest_plugin", "test_rebinding", "test_regressions", "test_server_howtos",
}  # fmt: skip
"""
Modules with browsers that together take as long as all others with one, so that there are two lanes. Those
whose daemons open browsers for several journeys at once are here, so that no two of them run side by side.
"""

TABLE = "table: "
"""A test's property so called is a line of a table that is shown at the end, under the rest of its name."""


@implementer(ILogObserver)
class LoggedFailures:
    """
    Failures that reached the log: an unhandled Deferred, a bug that a gate turned into an incident.
    """

    def __init__(self) -> None:
        self._failures: list[Failure] = []

    def __call__(self, event: LogEvent) -> None:
        """
        Observe one log event.
        """
        failure = event.get("log_failure")
        if failure is not None:
            self._failures.append(failure)

    def flush(self, *kinds: type[BaseException]) -> list[Failure]:
        """
        Take out the failures of these kinds (all, when none is named): the test expected them.
        """
        gc.collect()
        taken = [failure for failure in self._failures if not kinds or failure.check(*kinds)]
        self._failures = [failure for failure in self._failures if failure not in taken]
        return taken

    def take(self) -> list[Failure]:
        """
        Take out all of them.
        """
        taken, self._failures = self._failures, []
        return taken


@pytest.hookimpl(tryfirst=True)  # xdist reads the groups in a hook of its own
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """
    Where tests are spread over processes (`make test`), keep a module's in one, and all that open a browser
    in two, a lane each: a journey is judged by what a page did in time. The lanes come first, because they
    take longest.
    What asks a PostgreSQL is marked, for it is no unit test by itself: the same test runs on SQLite too.
    """
    for item in items:
        if _asks_postgres(item):
            item.add_marker(pytest.mark.postgres)
    if not hasattr(config, "workerinput"):
        return
    browsing = {item.path for item in items if _BROWSERS & set(getattr(item, "fixturenames", ()))}
    items.sort(key=lambda item: item.path not in browsing)
    for item in items:
        group = str(item.path)
        if item.path in browsing:
            group = "second lane" if item.path.stem in _SECOND_LANE else "first lane"
        item.add_marker(pytest.mark.xdist_group(group))


def _asks_postgres(item: pytest.Item) -> bool:
    callspec = getattr(item, "callspec", None)
    params = () if callspec is None else callspec.params.values()
    return "postgres" in params or any("postgres" in name for name in getattr(item, "fixturenames", ()))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """
    Show the tables that tests filled, also when all is well; the lines come from whichever process ran them.
    """
    tables: dict[str, list[str]] = {}
    for report in [each for told in terminalreporter.stats.values() for each in told]:
        for name, line in getattr(report, "user_properties", ()):
            if name.startswith(TABLE) and report.when == "call":
                tables.setdefault(name.removeprefix(TABLE), []).append(str(line))
    for name, lines in tables.items():
        terminalreporter.section(name)
        terminalreporter.write_line("\n".join(lines))


def pytest_collection_finish(session: pytest.Session) -> None:
    """
    Set aside what imports and collection made, so that the collections below look only at what tests made;
    and run no tests side by side whose groups were not heeded: any number of browsers would be open.
    """
    _collect()
    if hasattr(session.config, "workerinput") and not all("@" in item.nodeid for item in session.items):
        raise pytest.UsageError("pytest-xdist has not taken the groups of the tests: see pytest in setup.cfg")


def _collect() -> None:
    """
    Collect, and look at what is left no more: it is the libraries' and pytest's own, and after some hundred
    modules so much that looking at it again costs more than the tests of a module do.
    """
    gc.collect()
    gc.freeze()


_watch = LoggedFailures()
globalLogPublisher.addObserver(_watch)


@pytest.fixture
def logged_failures() -> LoggedFailures:
    """
    The failures logged so far, for a test that expects some.
    """
    return _watch


@pytest.fixture(autouse=True)
def _no_logged_failure() -> Iterator[None]:
    yield
    left = [failure.getTraceback() for failure in _watch.take()]
    if left:
        pytest.fail("a failure was logged and not expected:\n" + "\n".join(left))


@pytest.fixture(autouse=True, scope="module")
def _no_unhandled_deferred() -> Iterator[None]:
    """
    A Deferred in a reference cycle tells its unhandled failure only when it is collected.
    """
    yield
    _collect()
    left = [failure.getTraceback() for failure in _watch.take()]
    if left:
        pytest.fail("a Deferred of this module failed and nobody looked:\n" + "\n".join(left))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """
    A PostgreSQL of this test run's own; where its programs are missing, a test that needs it is skipped.
    """
    lack = missing_postgres()
    if lack is not None:
        pytest.skip(f"not on this machine: {lack}")
    with running_postgres() as server:
        yield server


_witness = Witness()


@pytest.fixture(autouse=True, scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recording]:
    """
    What is said in any test, here or in a daemon that it starts, is compared with the schema of its revision.
    """
    recording = Recording(tmp_path_factory.mktemp("messages"))
    with pytest.MonkeyPatch.context() as patch:
        listen_to_conversations(patch.setattr, _witness.listen)
        for name, value in recording.environment().items():
            patch.setenv(name, value)
        yield recording


@pytest.fixture(autouse=True)
def _no_wrong_message(recording: Recording) -> Iterator[None]:
    yield
    wrong = [*_witness.take(), *recording.wrong()]
    if wrong:
        pytest.fail("the daemon said what its revision has no word for:\n" + "\n".join(wrong))
