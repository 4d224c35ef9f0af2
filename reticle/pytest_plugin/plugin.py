"""
What pytest loads: the fixture, its settings, and what a report says of verdicts.

It is loaded in every test run of a project that has reticle installed, so it imports next to nothing until a
test asks for the fixture.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from reticle.client import CallResult, Client
    from reticle.pytest_plugin.daemon import TestDaemon
    from reticle.pytest_plugin.outcomes import Verdict, VerdictNotPassed
    from reticle.pytest_plugin.running import Reticle
    from reticle.pytest_plugin.serving import Served

PROPERTY = "reticle_verdict"
"""A property of the test in JUnit's XML for each verdict: its id."""

UNKNOWN = ("fail", "skip", "xfail")

LIVE_SERVER = "live_server"
"""The fixture of pytest-django, and of pytest-flask."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """
    The settings.
    """
    parser.addini(
        "reticle_unknown",
        f"what a verdict of unknown makes of a test: {', '.join(UNKNOWN)}; fail unless said",
        default="fail",
    )


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """
    Live servers of pytest-django and pytest-flask begin behind the probe, and after the daemon, whichever a
    test asks for first: another test of the run may share them.
    """
    if fixturedef.argname != LIVE_SERVER or not _is_wanted(request.session):
        return (yield)
    from reticle.pytest_plugin.probed import around_django, around_flask  # noqa: PLC0415 - see above

    request.getfixturevalue("reticle_daemon")
    if "app" in fixturedef.argnames:
        around_flask(request.getfixturevalue("app"))
    with around_django():
        return (yield)


def _is_wanted(session: pytest.Session) -> bool:
    return any("reticle" in getattr(item, "fixturenames", ()) for item in session.items)


@pytest.fixture(scope="session")
def reticle_daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestDaemon]:
    """
    The daemon of this test run; the app's server in this process tells it what it does.
    """
    from reticle.pytest_plugin.daemon import start  # noqa: PLC0415 - see above
    from reticle.pytest_plugin.probed import probe_of  # noqa: PLC0415 - see above

    daemon = start(tmp_path_factory.mktemp("reticle"))
    try:
        with probe_of(daemon.runtime_dir):
            yield daemon
    finally:
        daemon.stop()


@pytest.fixture
def reticle(reticle_daemon: TestDaemon, request: pytest.FixtureRequest) -> Iterator[Reticle]:
    """
    Opens pages, acts on them, and passes on verdicts of ``yes`` alone.
    """
    from reticle.client import connect  # noqa: PLC0415 - see above
    from reticle.pytest_plugin.running import Reticle  # noqa: PLC0415 - see above

    unknown = request.config.getini("reticle_unknown")
    if unknown not in UNKNOWN:
        raise pytest.UsageError(f"reticle_unknown = {unknown}: it is one of {', '.join(UNKNOWN)}")

    with connect(f"{reticle_daemon.url}/mcp/sse") as client:
        client.initialize("reticle-pytest", "1")

        def judge(tool: str, result: CallResult) -> Verdict:
            __tracebackhide__ = True
            return _judged(tool, result, request.node, unknown, client)

        opened = Reticle(client, reticle_daemon.url, judge, _serve, reticle_daemon.log)
        try:
            yield opened
        finally:
            opened.close()


def _serve(app: object) -> Served:
    from reticle.pytest_plugin.probed import asgi, wsgi  # noqa: PLC0415 - see above
    from reticle.pytest_plugin.serving import serve  # noqa: PLC0415 - see above

    return serve(app, wsgi, asgi)


def _judged(tool: str, result: CallResult, node: Any, unknown: str, client: Client) -> Verdict:
    """
    The verdict, noted in the test's report; one of unknown is what the project has chosen.
    """
    from reticle.pytest_plugin.outcomes import (  # noqa: PLC0415 - see above
        VerdictNo,
        VerdictUnknown,
        judged,
    )

    __tracebackhide__ = True
    recorded = result.fields.get("verdict_id")
    if recorded is not None:
        node.user_properties.append((PROPERTY, str(recorded)))
    try:
        return judged(tool, result)
    except VerdictUnknown as failure:
        if unknown == "skip":
            pytest.skip(str(failure))
        if unknown == "xfail":
            pytest.xfail(str(failure))
        _explain(failure, node, client)
        raise
    except VerdictNo as failure:
        _explain(failure, node, client)
        raise


def _explain(failure: VerdictNotPassed, node: Any, client: Client) -> None:
    """
    How the verdict was decided, below the failure: this run's daemon ends with it and cannot be asked later.
    """
    from reticle.client import ClientError  # noqa: PLC0415 - see above

    name = failure.verdict.id
    with contextlib.suppress(ClientError):
        told = client.call("reticle_verdict", {"action": "explain", "verdict_id": name})
        if told.ok:
            node.add_report_section("call", f"explanation of {name}", told.text)
