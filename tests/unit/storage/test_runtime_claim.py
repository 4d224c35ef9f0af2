"""
Names in a runtime directory that several daemons share.
"""

from __future__ import annotations

from pathlib import Path

from reticle.storage.runtime_claim import claim_runtime


def test_the_first_daemon_has_the_plain_names(tmp_path: Path) -> None:
    """
    A command finds the one daemon of a machine by the documented names.
    """
    claim = claim_runtime(tmp_path, 4400)
    assert (claim.socket, claim.client_token) == (tmp_path / "daemon.sock", tmp_path / "client-token")
    claim.release()


def test_a_second_daemon_takes_nothing_away(tmp_path: Path) -> None:
    """
    It has names with its port, until the first one is gone; then the plain ones are free again.
    """
    first, second = claim_runtime(tmp_path, 4400), claim_runtime(tmp_path, 4401)
    assert (second.socket.name, second.client_token.name) == ("daemon-4401.sock", "client-token-4401")
    second.release()
    first.release()
    first.release()
    again = claim_runtime(tmp_path, 4402)
    assert again.socket.name == "daemon.sock"
    again.release()
