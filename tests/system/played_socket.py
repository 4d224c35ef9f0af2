"""
Plays the daemon towards the operator's commands: announces itself, answers on its Unix socket, keeps what it
was asked.
"""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reticle.storage.daemon_file import DaemonRecord, announce
from reticle.storage.process_identity import process_identity

OPERATORS_TOKEN = "dtok_operator.everything"
SESSIONS_TOKEN = "dtok_session.only-its-own"

ANSWERS: Mapping[str, Mapping[str, Any]] = {
    "session.register": {
        "session_id": "sess_" + "5" * 32,
        "session_capability_token": {"token": SESSIONS_TOKEN},
    },
    "session.close": {"session_id": "sess_" + "5" * 32, "state": "closed"},
    "repo.resolve": {"repository_id": "shop"},
    "supervise.status": {"protocol_liveness": {"last_call_at": "t0"}, "registered_at": "t0"},
}


class PlayedSocket:
    """
    Listens at once; its announcement stands in the runtime directory.
    """

    def __init__(self, runtime: Path) -> None:
        runtime.mkdir(mode=0o700, exist_ok=True)
        self.runtime = runtime
        self.asked: list[dict[str, Any]] = []
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(runtime / "d.sock"))
        self._listening.listen()
        token = runtime / "client-token"
        token.touch(0o600)
        token.write_text(OPERATORS_TOKEN)
        self.move("http://127.0.0.1:4417/mcp")
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def move(self, mcp_url: str) -> None:
        """
        Announce another address, as a daemon that came back does.
        """
        identity = process_identity(os.getpid()) or ""
        announce(
            self.runtime,
            DaemonRecord(
                "http://127.0.0.1:4400", 4400, os.getpid(), identity, 1.5, "0", "/srv/state", mcp_url,
                "d.sock", "client-token",
            ),
        )  # fmt: skip

    def methods(self) -> list[str]:
        """
        What was called, in order.
        """
        return [each["method"] for each in self.asked]

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as lines:
                request = json.loads(lines.readline())
                self.asked.append(request)
                answer = ANSWERS.get(request["method"])
                error = {"code": "method_unknown", "message": "no such method", "suggestion": ""}
                said = {"ok": True, "data": answer} if answer is not None else {"ok": False, "error": error}
                connection.sendall(json.dumps(said).encode() + b"\n")

    def stop(self) -> None:
        """
        Listen no more.
        """
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(10)
