"""
The file that tells MCP clients where to connect: one URL, owner-only (DESIGN §2). Daemons that share a
runtime directory share it: it names the one that started last of those that live.
"""

from __future__ import annotations

from pathlib import Path

import attrs

from reticle.storage.daemon_file import daemon_file, living_daemons
from reticle.storage.private_files import remove_if_holds, write_private, write_private_if_none

ENDPOINT_FILE = "mcp-http-endpoint"


@attrs.frozen
class EndpointFile:
    """
    ``mcp-http-endpoint`` in a runtime directory.
    """

    runtime_dir: Path
    url: str

    @property
    def path(self) -> Path:
        """
        Where it lies.
        """
        return self.runtime_dir / ENDPOINT_FILE

    def write(self) -> None:
        """
        Announce the URL, in one step, in place of whatever was announced before.

        Raises:
            OSError: The runtime directory cannot be written.
        """
        write_private(self.path, self.url + "\n")

    def remove(self) -> bool:
        """
        Withdraw it unless another daemon has announced itself since; True when it was ours.
        """
        return remove_if_holds(self.path, self.url + "\n")

    def hand_over(self) -> bool:
        """
        Withdraw it as ``remove`` does, for the daemon that started last of those that go on. Our own record
        must be withdrawn before: of two that stop at once neither is named then.

        Raises:
            OSError: The runtime directory cannot be written.
        """
        if not self.remove():
            return False
        while heirs := [record for record in living_daemons(self.runtime_dir) if record.mcp_url]:
            heir = max(heirs, key=lambda record: record.started_at)
            if not write_private_if_none(self.path, heir.mcp_url + "\n"):
                break  # one that has just started
            if daemon_file(self.runtime_dir, heir.port).exists():
                break
            # It began to stop before it was named, and would not have withdrawn this.
            remove_if_holds(self.path, heir.mcp_url + "\n")
        return True
