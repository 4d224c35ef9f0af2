"""
The file clients find the daemon by.
"""

from __future__ import annotations

from pathlib import Path

from reticle.storage.endpoint_file import EndpointFile


def test_it_holds_one_url_and_goes_with_the_daemon(tmp_path: Path) -> None:
    """
    A client reads one URL while the daemon runs and finds nothing afterwards.
    """
    endpoint = EndpointFile(tmp_path, "http://127.0.0.1:4400/mcp")
    endpoint.write()
    path = tmp_path / "mcp-http-endpoint"
    assert path.read_text() == "http://127.0.0.1:4400/mcp\n"
    assert oct(path.stat().st_mode & 0o777) == "0o600"
    assert endpoint.remove() is True
    assert not path.exists()


def test_a_stopping_daemon_leaves_its_successors_url(tmp_path: Path) -> None:
    """
    A restart on another port stays reachable when the old daemon stops late.
    """
    old, new = (
        EndpointFile(tmp_path, "http://127.0.0.1:1/mcp"),
        EndpointFile(tmp_path, "http://127.0.0.1:2/mcp"),
    )
    old.write()
    new.write()
    assert old.remove() is False
    assert new.path.read_text() == "http://127.0.0.1:2/mcp\n"
