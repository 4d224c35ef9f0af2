"""
The three kinds of failure, and nothing else.

A ``Refusal`` is expected: the caller may not, or cannot now, have what was asked.
A ``PeerFault`` is a protocol broken by the other side.
A ``LocalMisuse``, like any other exception, is a bug of ours: it is logged once with an incident
number, and the peer sees only that number.
One table (``reticle.dispatch.answers``) turns each kind into what goes over the wire.
"""

from __future__ import annotations

from collections.abc import Mapping


class ReticleError(Exception):
    """
    The root of what this package raises on purpose.
    """


class Refusal(ReticleError):
    """
    The caller may not or cannot now; a retry makes sense once ``recovery`` has been followed.

    Args:
        code: A stable member of ``reticle.model.codes.RefusalCode``, as its string.
        message: One sentence that names what is at fault.
        recovery: What to do next, as one sentence or one command.
        details: Further fields for the flat result object, such as candidates.
    """

    def __init__(
        self, code: str, message: str, recovery: str = "", details: dict[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.recovery = recovery
        self.details = details or {}


class ConfigurationFault(Refusal):
    """
    The daemon cannot start as it was told to; retry once ``recovery`` has been followed, exit code 78.

    Met before there is anybody to answer, so its code never travels.

    Args:
        message: One sentence that names what is at fault.
        next_step: One sentence or command that mends it.
    """

    def __init__(self, message: str, next_step: str) -> None:
        super().__init__("bad_configuration", message, next_step)


class PeerFault(ReticleError):
    """
    The other side broke the protocol; the same bytes again will fail again.

    Args:
        code: A stable word such as ``malformed_body``, carried in ``error.data.code``.
        message: One sentence that names what is at fault.
        jsonrpc_code: The JSON-RPC number to answer with.
        data: What a client may go by, beside the code in ``error.data``.
    """

    def __init__(
        self,
        code: str,
        message: str,
        jsonrpc_code: int = -32600,
        data: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.data = data or {}
        self.code = code
        self.message = message
        self.jsonrpc_code = jsonrpc_code


class LocalMisuse(ReticleError):
    """
    Our own code drove a core wrongly; the core keeps its state and a retry is senseless.
    """
