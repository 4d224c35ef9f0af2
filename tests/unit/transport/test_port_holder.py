"""
Who has the port.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.storage.daemon_file import DaemonRecord, announce
from reticle.storage.process_identity import process_identity
from reticle.transport.port_holder import explain_port_in_use, find_port_holder, parse_listeners

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"


def row(local: str, inode: int, state: str = "0A") -> str:
    """
    A line of /proc/net/tcp.
    """
    queues = "00000000:00000000 00:00000000 00000000"
    return f"   0: {local} 00000000:0000 {state} {queues}  1000  0 {inode} 1 0 100 0\n"


def proc_with(folder: Path, tcp: str = "", tcp6: str = "", argv: tuple[str, ...] = ("node", "x.js")) -> Path:
    """
    A /proc with one process, 321, that owns socket 77.
    """
    (folder / "net").mkdir(parents=True)
    (folder / "net" / "tcp").write_text(HEAD + tcp)
    (folder / "net" / "tcp6").write_text(HEAD + tcp6)
    (folder / "321" / "fd").mkdir(parents=True)
    (folder / "321" / "fd" / "0").symlink_to("/dev/null")
    (folder / "321" / "fd" / "9").symlink_to("socket:[77]")
    (folder / "321" / "comm").write_text(argv[0] + "\n")
    (folder / "321" / "cmdline").write_bytes(b"\0".join(map(os.fsencode, argv)) + b"\0")
    return folder


@pytest.mark.parametrize(
    ("tcp", "tcp6", "host", "held"),
    [
        (row("0100007F:1130", 77), "", "127.0.0.1", True),
        (row("0100007F:1130", 77), "", "localhost", True),
        (row("0100007F:1130", 77), "", "0.0.0.0", True),
        (row("0100007F:1130", 77), "", "::1", False),
        (row("00000000:1130", 77), "", "127.0.0.1", True),
        ("", row("00000000000000000000000001000000:1130", 77), "::1", True),
        ("", row("00000000000000000000000000000000:1130", 77), "127.0.0.1", True),
        ("", row("0000000000000000FFFF00000100007F:1130", 77), "127.0.0.1", True),
        (row("0100007F:1131", 77), "", "127.0.0.1", False),
        (row("0100007F:1130", 77, state="06"), "", "127.0.0.1", False),
    ],
)  # fmt: skip
def test_a_stranger_is_named(tmp_path: Path, tcp: str, tcp6: str, host: str, held: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """
    A listener on the same or on every address is found, of either family; a socket in TIME_WAIT is none.
    """
    holder = find_port_holder(host, 4400, None, proc_with(tmp_path, tcp, tcp6))
    assert (holder is not None) is held
    if holder is not None:
        assert (holder.program, holder.pid) == ("node x.js", 321)


def test_a_failed_start_is_one_line_with_a_way_out(tmp_path: Path) -> None:
    """
    The line names program and pid, and --port 0.
    """
    proc = proc_with(tmp_path, row("0100007F:1130", 77))
    assert explain_port_in_use("127.0.0.1", 4400, None, proc) == (
        "port 4400 is in use by node x.js (pid 321); stop that program, or use --port 0 for a free one"
    )


def test_a_holder_we_may_not_see_is_not_guessed(tmp_path: Path) -> None:
    """
    A socket of another user is told as such, with the command that shows more.
    """
    proc = proc_with(tmp_path, row("0100007F:1130", 88))
    assert explain_port_in_use("127.0.0.1", 4400, None, proc) == (
        "port 4400 is in use by a program of another user;"
        " find it with `sudo lsof -nP -iTCP:4400 -sTCP:LISTEN`, or use --port 0 for a free one"
    )
    assert "a program that cannot be seen" in explain_port_in_use("127.0.0.1", 1, None, tmp_path / "none")


def test_our_own_daemon_is_recognised(tmp_path: Path) -> None:
    """
    A second start on the same port says that a reticle daemon runs there and how to stop it.
    """
    identity = process_identity(os.getpid()) or ""
    announce(tmp_path, DaemonRecord("http://127.0.0.1:4400", 4400, os.getpid(), identity, 1.0, "0.1.0", "/s"))
    line = explain_port_in_use("127.0.0.1", 4400, tmp_path, tmp_path / "no-proc")
    assert line.startswith(f"port 4400 is in use by a reticle daemon (pid {os.getpid()}); ")
    assert "`reticle stop --port 4400`" in line
    assert line.endswith("or start another with --port 0 and its own --state-dir")


@pytest.mark.parametrize(
    ("argv", "program"),
    [
        (("python3", "-m", "http.server", "4400"), "python3 -m http.server"),
        (("python3", "/srv/app/manage.py", "--token=SECRET123"), "python3 manage.py"),
        (("server", "--token", "SECRET123"), "server"),
        (("bad\x1b[31m",), "bad?[31m"),
    ],
)
def test_arguments_of_a_stranger_are_not_shown(tmp_path: Path, argv: tuple[str, ...], program: str) -> None:
    """
    Enough to recognise the program, and no secret from its command line.
    """
    holder = find_port_holder(
        "127.0.0.1", 4400, None, proc_with(tmp_path, row("0100007F:1130", 77), argv=argv)
    )
    assert holder is not None
    assert holder.program == program


@given(st.text())
def test_a_strange_table_does_no_harm(table: str) -> None:
    """
    Whatever the kernel's table says, the explanation of a failed start does not fail itself.
    """
    assert all(one.inode for one in parse_listeners(table))
