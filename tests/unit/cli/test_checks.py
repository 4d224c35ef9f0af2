"""
The doctor's rows: each fault ends with the command that mends it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from reticle.cli.checks import (
    Level,
    Row,
    check_chromium,
    check_daemon,
    check_directories,
    check_interpreter,
    check_pages,
    check_plugin,
    check_port,
    check_settings,
    check_storage,
    check_versions,
)
from reticle.cli.discovery import FoundDaemon
from reticle.cli.probe import Answering, Silent, Stranger, Unauthorised
from reticle.settings import Settings, read_settings
from reticle.storage.daemon_file import DaemonRecord
from reticle.storage.directories import Directories
from reticle.transport.port_holder import PortHolder

URL = "http://127.0.0.1:4400"


def levels(rows: Sequence[Row]) -> list[str]:
    """
    How the rows stand.
    """
    return [str(row.level) for row in rows]


def test_an_old_interpreter_is_a_fault() -> None:
    """
    Python 3.10 is named with what to run instead.
    """
    assert check_interpreter((3, 11, 7), "/usr/bin/python3") == [
        Row(Level.OK, "interpreter", "Python 3.11.7 at /usr/bin/python3")
    ]
    assert levels(check_interpreter((3, 10, 12), "/usr/bin/python3")) == ["fault"]


def test_missing_and_old_dependencies_are_faults() -> None:
    """
    Each is named with the version that is needed and the pip command.
    """
    wanted = ["twisted>=26.10", "attrs>=25", "click>=8.2", 'pytest>=9; extra == "test"', "plain"]
    have = {"twisted": "26.10.0", "attrs": "24.3", "plain": "0.1"}
    rows = check_versions(wanted, have.get)
    assert [(row.text, row.command) for row in rows] == [
        ("attrs 24.3, needed: 25 or newer", f"{sys.executable} -m pip install 'attrs>=25'"),
        ("click is missing, needed: 8.2 or newer", f"{sys.executable} -m pip install 'click>=8.2'"),
    ]
    good = check_versions(wanted, lambda _: "99.1.dev3")
    assert [row.text for row in good] == ["4 dependencies are new enough"]


def test_a_misspelt_variable_is_a_warning() -> None:
    """
    The doctor names the variable that was ignored.
    """
    rows = check_settings(read_settings({}, {"RETICLE_PROT": "1"}))
    assert [(row.level, row.command) for row in rows] == [(Level.WARN, "unset RETICLE_PROT")]
    assert check_settings(read_settings({}, {})) == [Row(Level.OK, "settings", "no reticle.toml")]


def test_a_directory_that_cannot_be_looked_at_is_a_fault(tmp_path: Path) -> None:
    """
    A path below somebody's closed folder is a row with what to do, and not a bug of the doctor.
    """
    strange = tmp_path / ("x" * 300) / "s"
    state, _runtime = check_directories(Directories(state=strange, runtime=tmp_path / "r"))
    assert (state.level, state.text) == (
        Level.FAULT,
        f"the state directory {strange} cannot be made: File name too long",
    )
    assert state.command == "set RETICLE_STATE_DIR to a directory that you own and can write"


def test_directories_are_checked_and_not_made(tmp_path: Path) -> None:
    """
    A missing directory is fine, an open one a fault with its chmod, and looking makes nothing.
    """
    loose = tmp_path / "loose"
    loose.mkdir()
    loose.chmod(0o755)
    rows = check_directories(Directories(state=loose, runtime=tmp_path / "a" / "b"))
    assert levels(rows) == ["fault", "ok"]
    assert rows[0].command == f"chmod 700 {loose}"
    assert rows[1].text == f"{tmp_path}/a/b will be made at the first start"
    assert not (tmp_path / "a").exists()


def test_a_stranger_on_the_port_is_a_fault_unless_a_daemon_runs_elsewhere(record: DaemonRecord) -> None:
    """
    The row names the program; with a daemon on another port it only warns.
    """
    holder = PortHolder("node x.js", 321)
    stranger = FoundDaemon(URL, 4400, Stranger("HTTP 404"))
    elsewhere = FoundDaemon("http://127.0.0.1:4401", 4401, Answering({}))
    assert check_port(4400, holder, [stranger]) == [
        Row(Level.FAULT, "port", "4400 is held by node x.js (pid 321)", "reticle serve --port 0")
    ]
    assert levels(check_port(4400, holder, [elsewhere])) == ["warn"]
    assert levels(check_port(4400, None, [])) == ["ok"]
    ours = FoundDaemon(URL, 4400, Silent(listening=True, reason="x"), record)
    assert check_port(4400, holder, [ours])[0].text == "4400 is ours"
    unseen = check_port(4400, PortHolder("a program of another user"), [])
    assert unseen[0].command == "sudo lsof -nP -iTCP:4400 -sTCP:LISTEN"


def test_a_wedged_daemon_is_a_fault_and_none_a_warning(record: DaemonRecord) -> None:
    """
    A daemon that does not answer is to be stopped; without one the doctor says how to start it.
    """
    wedged = FoundDaemon(URL, 4400, Silent(listening=True, reason="no answer within 2 s"), record)
    assert check_daemon([wedged]) == [
        Row(
            Level.FAULT,
            "daemon",
            f"{URL} lives but does not answer: no answer within 2 s",
            "reticle stop --port 4400",
        )
    ]
    locked = FoundDaemon(URL, 4400, Unauthorised("The presented token is not valid."), record)
    assert check_daemon([locked])[0].command == "unset RETICLE_TOKEN RETICLE_TOKEN_FILE"
    assert check_daemon([]) == [Row(Level.WARN, "daemon", "no daemon runs", "reticle serve")]
    assert levels(check_daemon([FoundDaemon(URL, 4400, Answering({}))])) == ["ok"]


def test_a_store_that_fails_is_a_fault() -> None:
    """
    The doctor says why calls are refused, and ends with what mends it; a store that works needs no row.
    """
    broken = {"storage": {"ok": False, "message": "the disk is full", "recovery": "Free disk space."}}
    assert check_storage([FoundDaemon(URL, 4400, Answering(broken))]) == [
        Row(Level.FAULT, "storage", "the disk is full", "Free disk space.")
    ]
    assert check_storage([FoundDaemon(URL, 4400, Answering({"storage": {"ok": True}}))]) == []
    assert check_storage([FoundDaemon(URL, 4400, Answering({}))]) == []


def test_pages_and_the_last_refusal_are_shown() -> None:
    """
    Without pages the doctor shows the script tag and the way without it; a refused page with its remedy.
    """
    dial = {
        "at": "2026-01-01T00:00:00Z",
        "origin": "http://x",
        "reason": "bad_origin",
        "next_step": "open it",
    }
    tag = f'<script src="{URL}/sdk.js"></script>'
    add = f"load the page again with this in its head: {tag} (or, unchanged: reticle drive URL)"
    rows = check_pages([FoundDaemon(URL, 4400, Answering({"pages": [], "refused_dials": [dial, dial]}))])
    assert [(row.level, row.name, row.command) for row in rows] == [
        (Level.WARN, "pages", add),
        (Level.OK, "app server", ""),
        (Level.WARN, "refusals", "open it"),
    ]
    skip = {"why": "a policy", "next_step": "use a nonce", "count": 1}
    skips = [skip, {**skip, "why": "a host"}]
    first, second = check_pages([FoundDaemon(URL, 4400, Answering({"skipped_insertions": skips}))])[-2:]
    assert (first.level, first.name, first.text, first.command) == (
        Level.WARN, "insertion", "a policy", "use a nonce",
    )  # fmt: skip
    assert second.text == "a host"
    slow = {"pages": [{"throttled": True}, {"throttled": False}]}
    assert (
        check_pages([FoundDaemon(URL, 4400, Answering(slow))])[0].text == "1 page of 2 slowed by the browser"
    )
    one = {"pages": [{"throttled": False}]}
    alone = "none: verdicts see the page alone (reticle run -- CMD shows the server)"
    assert check_pages([FoundDaemon(URL, 4400, Answering(one))]) == [
        Row(Level.OK, "pages", "1 page connected"),
        Row(Level.OK, "app server", alone),
    ]
    probe = {"framework": "flask 3.1.3", "project": "shop", "pid": 12}
    probed = {**one, "probes": [probe]}
    assert check_pages([FoundDaemon(URL, 4400, Answering(probed))])[1].text == "flask 3.1.3 (shop, pid 12)"
    reloaded = {**one, "probes": [probe, {**probe, "pid": 11}, {**probe, "project": "blog", "pid": 9}]}
    assert check_pages([FoundDaemon(URL, 4400, Answering(reloaded))])[1].text == (
        "flask 3.1.3 (shop, pid 12, and 1 before), flask 3.1.3 (blog, pid 9)"
    )
    assert check_pages([FoundDaemon(URL, 4400, Stranger("x"))]) == []


@pytest.mark.parametrize(
    ("installer", "command"),
    [("/usr/bin/apt-get", "sudo apt-get install chromium"), (None, "install Chromium or Chrome")],
)
def test_a_missing_browser_comes_with_the_command_that_installs_one(
    installer: str | None, command: str, tmp_path: Path
) -> None:
    """
    What is needed to drive pages is found as the daemon finds it, or its installation is named.
    """
    (row,) = check_chromium(Settings(), str(tmp_path), lambda _: installer)
    assert (row.level, row.command) == ("warn", command)
    program = tmp_path / "google-chrome"
    program.touch(0o755)
    (row,) = check_chromium(Settings(), str(tmp_path))
    assert (row.level, row.text) == ("ok", str(program))


def test_a_browser_that_was_named_is_the_one_that_is_looked_at(tmp_path: Path) -> None:
    """
    A setting that names no program is a fault, whatever else is installed; a running one is taken as told.
    """
    (row,) = check_chromium(Settings(chromium=tmp_path / "none"), "/usr/bin")
    assert (row.level, "none" in row.text) == ("fault", True)
    (row,) = check_chromium(Settings(cdp_url="http://127.0.0.1:9222"), "")
    assert (row.level, "http://127.0.0.1:9222" in row.text) == ("ok", True)


def test_the_plugin_is_looked_for_where_twistd_looks(tmp_path: Path) -> None:
    """
    A broken installation is found without running twistd and without writing its cache.
    """
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    assert levels(check_plugin([str(plugins)])) == ["fault"]
    (plugins / "reticle_plugin.py").touch()
    assert levels(check_plugin(["/nonexistent", str(plugins)])) == ["ok"]
    assert [path.name for path in plugins.iterdir()] == ["reticle_plugin.py"]
