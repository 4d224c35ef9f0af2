"""
The file that an agent's token is in.
"""

from __future__ import annotations

from pathlib import Path

from reticle.agent.token_folder import TokenFolder


def test_only_its_owner_reads_it_and_it_goes_with_the_agent(tmp_path: Path) -> None:
    """
    Folder and file are closed to others; afterwards nothing is left.
    """
    folder = TokenFolder(tmp_path, "dtok_a.b")
    assert folder.file.read_text() == "dtok_a.b\n"
    assert (folder.path.stat().st_mode & 0o777, folder.file.stat().st_mode & 0o777) == (0o700, 0o600)
    folder.remove()
    folder.remove()
    assert list(tmp_path.iterdir()) == []
