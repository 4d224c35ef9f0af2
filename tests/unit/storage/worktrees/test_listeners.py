"""
Who serves a page is told by the system and not by the app.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from reticle.storage.worktrees.listeners import is_apart, serving

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
PORT = 3000
NOW = 1_000_000.0


LOOPBACK, ANY = "0100007F", "00000000"
LOOPBACK_6, ANY_6 = "0" * 24 + "01000000", "0" * 32
MAPPED = "0" * 16 + "FFFF0000" + LOOPBACK


def row(port: int, inode: int, state: str = "0A", address: str = LOOPBACK) -> str:
    """
    One socket as proc(5) writes it.
    """
    queues = "00000000:00000000 00:00000000 00000000"
    return f"   0: {address}:{port:04X} 00000000:0000 {state} {queues}  1000        0 {inode} 1\n"


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    """
    A system with one listener on port 3000, in each family.
    """
    folder = tmp_path / "proc"
    (folder / "net").mkdir(parents=True)
    (folder / "net" / "tcp").write_text(HEAD + row(PORT, 11) + row(PORT, 12, "01") + row(3001, 13))
    (folder / "net" / "tcp6").write_text(HEAD + row(PORT, 14))
    return folder


def process(proc: Path, pid: int, inode: int, folder: Path, *words: str) -> None:
    """
    A process that holds a socket.
    """
    (proc / str(pid) / "fd").mkdir(parents=True)
    (proc / str(pid) / "fd" / "3").symlink_to(f"socket:[{inode}]")
    (proc / str(pid) / "cwd").symlink_to(folder)
    (proc / str(pid) / "exe").symlink_to("/usr/bin/python3")
    (proc / str(pid) / "cmdline").write_bytes("\0".join(("python3", *words, "")).encode())


def test_finds_who_listens_and_where(proc: Path, tmp_path: Path) -> None:
    """All processes on the port's sockets are told, with their folder; others are not."""
    shop = tmp_path / "shop"
    shop.mkdir()
    process(proc, 7, 11, shop)
    process(proc, 8, 14, shop)
    process(proc, 9, 13, shop)
    process(proc, 10, 12, shop)
    found = serving(f"http://localhost:{PORT}/cart", lambda: NOW, proc)
    assert [(one.pid, one.folder) for one in found.processes] == [(7, str(shop)), (8, str(shop))]
    assert found.trouble == ""


def test_tells_when_it_was_started(proc: Path, tmp_path: Path) -> None:
    """A server that was started before an edit is known to be older."""
    process(proc, 7, 11, tmp_path)
    (proc / "uptime").write_text("500.25 900.00\n")
    fields = " ".join(
        ["S", *(str(number) for number in range(4, 22)), str(400 * os.sysconf("SC_CLK_TCK")), "0"]
    )
    (proc / "7" / "stat").write_text(f"7 (a (b) c) {fields}\n")
    (one,) = serving(f"http://localhost:{PORT}/", lambda: NOW, proc).processes
    assert one.started_at == NOW - 100.25


def test_tells_what_a_command_line_names(proc: Path, tmp_path: Path) -> None:
    """A server that works in one folder and serves another is seen to do so."""
    shop, copy, logs = tmp_path / "shop", tmp_path / "copy", tmp_path / "logs"
    for folder in (shop, copy, logs):
        folder.mkdir()
    (copy / "app.py").write_text("")
    (logs / "a.log").write_text("")
    process(
        proc,
        7,
        11,
        shop,
        "../copy/app.py",
        f"--log-dir={logs}",
        "--directory",
        str(copy),
        "-m",
        "flask",
        "3000",
    )
    (one,) = serving(f"http://127.0.0.1:{PORT}/", lambda: NOW, proc).processes
    assert one.named == (str(copy / "app.py"), str(copy))


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://shop.example/", "not from a loopback address"),
        ("http://10.0.0.1:3000/", "not from a loopback address"),
        ("http://localhost:3000/", "another user's"),
        ("http://localhost:3999/", "nobody was seen to listen"),
        ("http://[::1]:x/", "not from a loopback address"),
    ],
)
def test_says_why_it_is_not_known(proc: Path, url: str, why: str) -> None:
    """Where nobody can be seen to serve a page, the reason is told."""
    found = serving(url, lambda: NOW, proc)
    assert found.processes == ()
    assert why in found.trouble


def test_a_system_without_proc_is_said(tmp_path: Path) -> None:
    """Elsewhere than on Linux nothing is claimed."""
    assert "no /proc" in serving("http://localhost:3000/", lambda: NOW, tmp_path).trouble


@pytest.mark.skipif(sys.byteorder != "little", reason="the rows are those of a little-endian machine")
@pytest.mark.parametrize(
    ("host", "reached"),
    [
        ("127.0.0.1", [1, 2, 4, 5]),
        ("[::1]", [3, 4]),
        ("localhost", [1, 2, 3, 4, 5]),
        ("127.0.0.2", [2, 4]),
    ],
)
def test_who_has_the_port_of_another_address_does_not_serve_the_page(
    proc: Path, tmp_path: Path, host: str, reached: list[int]
) -> None:
    """The real app beside the address does not vouch for the program at it."""
    rows = [(1, LOOPBACK), (2, ANY), (3, LOOPBACK_6), (4, ANY_6), (5, MAPPED)]
    for name, those in (("tcp", rows[:2]), ("tcp6", rows[2:])):
        lines = [row(PORT, inode, address=address) for inode, address in those]
        (proc / "net" / name).write_text(HEAD + "".join(lines))
    for inode, _ in rows:
        process(proc, inode, inode, tmp_path)
    found = serving(f"http://{host}:{PORT}/", lambda: NOW, proc)
    assert [one.pid for one in found.processes] == reached


def test_a_folder_that_is_another_one_for_the_server_is_told(tmp_path: Path) -> None:
    """Who mounts a copy over the repository, or works in a folder that is gone, is seen to."""
    shop = tmp_path / "shop"
    (tmp_path / "7" / "cwd").mkdir(parents=True)
    shop.mkdir()
    assert is_apart(tmp_path / "7", str(shop))
    assert is_apart(tmp_path / "7", f"{shop} (deleted)")
    assert not is_apart(tmp_path / "7", str(tmp_path / "7" / "cwd"))
    assert not is_apart(tmp_path / "8", str(shop))
    assert not is_apart(tmp_path / "7", None)


def test_a_server_is_as_old_as_it_is_however_long_the_look_waited(proc: Path, tmp_path: Path) -> None:
    """Under load the clock is read beside the system's time, and read again where something came between."""
    process(proc, 7, 11, tmp_path)
    (proc / "uptime").write_text("500.25 900.00\n")
    ticks = os.sysconf("SC_CLK_TCK") * 100
    (proc / "7" / "stat").write_text("7 (python3) S " + "0 " * 18 + f"{ticks} 0")
    readings = iter([NOW - 9, NOW, NOW, NOW])
    (one,) = serving(f"http://127.0.0.1:{PORT}/", lambda: next(readings), proc).processes
    assert one.started_at == NOW - 500.25 + 100
