"""
What can go wrong between a client and the daemon, as one class per thing a caller can do about it.
"""

from __future__ import annotations

from collections.abc import Mapping


class ClientError(Exception):
    """
    The root of what this package raises on purpose.
    """


class CannotConnect(ClientError):
    """
    Nobody listens there, or the connection broke before an answer came. A retry makes sense once the
    daemon runs.
    """


class Refused(ClientError):
    """
    The daemon answered with an HTTP status that is not success.

    A retry makes sense for 503 (it is starting or stopping) and, on a new connection, for 404 (this
    session is gone); for every other status the request has to change.

    Args:
        status: The HTTP status.
        text: The body as text, shortened; the daemon's own words.
        code: The stable word of the refusal where the body carries one, such as ``token_missing``.
    """

    def __init__(self, status: int, text: str, code: str | None = None) -> None:
        super().__init__(f"HTTP {status}: {text or 'no reason given'}")
        self.status = status
        self.text = text
        self.code = code


class StreamEnded(ClientError):
    """
    The stream that carries the answers is over; whether a call took effect is not known.

    ``planned`` is true when the daemon said farewell first: then it stopped on purpose, and a retry makes
    sense once it runs again.
    """

    def __init__(self, farewell: Mapping[str, object] | None) -> None:
        super().__init__(
            "the daemon stopped (it said farewell)"
            if farewell is not None
            else "the stream ended without a farewell"
        )
        self.farewell = farewell

    @property
    def planned(self) -> bool:
        """
        Whether a farewell came before the end.
        """
        return self.farewell is not None


class ReplyOverdue(ClientError):
    """
    No answer within the time given. The call may still be running: repeat reads, never actions.
    """


class RpcError(ClientError):
    """
    The daemon answered with a JSON-RPC error: the request was wrong, and the same one fails again.
    """

    def __init__(self, code: int, message: str, details: object = None) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        self.message = message
        self.details = details


class ProtocolBroken(ClientError):
    """
    What came is not what the protocol promises; the peer is probably not reticle.
    """
