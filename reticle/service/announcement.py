"""
Telling others where the daemon is: the endpoint file for MCP clients, the daemon file for the command
line (DESIGN §2), ``probe.json`` for probes in apps. Written when the daemon serves, taken back when it
stops, if they are still ours.
"""

from __future__ import annotations

import os
from pathlib import Path

import attrs

from reticle._version import __version__
from reticle.model.trust import Secret
from reticle.storage.daemon_file import DaemonRecord, announce, withdraw
from reticle.storage.endpoint_file import EndpointFile
from reticle.storage.probe_file import ProbeFile
from reticle.storage.process_identity import process_identity


@attrs.frozen
class Announcement:
    """
    What one daemon says of itself in the runtime directory.
    """

    runtime_dir: Path
    endpoint: EndpointFile
    record: DaemonRecord
    probe: ProbeFile

    def make(self) -> None:
        """
        Write the three files.

        Raises:
            OSError: The runtime directory cannot be written.
        """
        announce(self.runtime_dir, self.record)
        self.endpoint.write()
        self.probe.write()

    def take_back(self) -> None:
        """
        Remove what is still ours. Clients that look for a daemon find another one that goes on, if there is.

        Raises:
            OSError: The runtime directory cannot be written.
        """
        self.probe.remove()
        withdraw(self.runtime_dir, self.record)
        self.endpoint.hand_over()


def announcement(
    runtime_dir: Path,
    *,
    url: str,
    mcp_url: str,
    port: int,
    started_at: float,
    state_dir: Path,
    ingest_token: Secret,
    socket: str = "",
    client_token: str = "",
) -> Announcement:
    """
    The announcement of this process, serving at ``url``, and agents at ``mcp_url``.
    """
    pid = os.getpid()
    record = DaemonRecord(
        url=url,
        port=port,
        pid=pid,
        identity=process_identity(pid) or "",
        started_at=started_at,
        version=__version__,
        state_dir=str(state_dir),
        mcp_url=mcp_url,
        socket=socket,
        client_token=client_token,
    )
    return Announcement(
        runtime_dir, EndpointFile(runtime_dir, mcp_url), record, ProbeFile(runtime_dir, url, ingest_token)
    )
