"""
A mail server for the examples: takes every message and keeps none.
"""

from __future__ import annotations

import socketserver
import threading


class _Taking(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        """One client's messages."""
        self._say("220 mailbox")
        in_message = False
        for line in self.rfile:
            if in_message:
                in_message = line != b".\r\n"
                if not in_message:
                    self._say("250 taken")
            elif line[:4].upper() == b"DATA":
                in_message = True
                self._say("354 go on")
            elif line[:4].upper() == b"QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 fine")

    def _say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


def start() -> int:
    """
    Begin to take mail in a thread; gives the port.
    """
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Taking)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return int(server.server_address[1])
