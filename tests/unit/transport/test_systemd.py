"""
What systemd is told and what it hands over.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reticle.transport.systemd import InheritedSocket, inherited_sockets, keep_from_children, notify


def test_without_a_manager_nothing_happens(tmp_path: Path) -> None:
    """
    Started by hand the same call does nothing.
    """
    assert notify("READY=1", {}) is False
    assert notify("READY=1", {"NOTIFY_SOCKET": "relative"}) is False
    assert notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "none")}) is False


def test_sockets_are_taken_by_name() -> None:
    """
    Socket activation passes descriptors from 3 on, with the names of the unit.
    """
    environ = {"LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "mcp:mcp"}
    assert inherited_sockets(environ, 7) == (InheritedSocket(3, "mcp"), InheritedSocket(4, "mcp"))
    assert inherited_sockets({"LISTEN_PID": "7", "LISTEN_FDS": "1"}, 7) == (InheritedSocket(3, ""),)


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"LISTEN_PID": "8", "LISTEN_FDS": "1"},
        {"LISTEN_PID": "7"},
        {"LISTEN_PID": "7", "LISTEN_FDS": "-1"},
    ],
)
def test_sockets_of_another_process_are_left_alone(environ: dict[str, str]) -> None:
    """
    A child that inherited our environment does not take our port.
    """
    assert inherited_sockets(environ, 7) == ()


def test_children_do_not_keep_the_port() -> None:
    """
    A browser started by the daemon does not hold the listening socket after the daemon's end.
    """
    read, write = os.pipe()
    os.set_inheritable(read, True)
    keep_from_children([InheritedSocket(read, "mcp")])
    assert os.get_inheritable(read) is False
    os.close(read)
    os.close(write)
