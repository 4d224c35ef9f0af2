"""
The file that tells MCP clients where to connect: one URL, owner-only (DESIGN §2).
"""

from __future__ import annotations

from pathlib import Path

import attrs

from reticle.storage.private_files import remove_if_holds, write_private

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
