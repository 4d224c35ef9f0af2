"""
Who asks, and what the trust rule is told about a request.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

import attrs

from reticle.model.codes import RefusalCode


class Secret:
    """
    A text that must never be shown: its repr and str are not the value.
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """
        The value, for a comparison in constant time and nothing else.
        """
        return self._value

    def __repr__(self) -> str:
        return "<Secret>"

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        return NotImplemented

    __hash__ = object.__hash__


class PrincipalKind(enum.Enum):
    """How a principal proved itself."""

    LOCAL = "local"
    PAIRING = "pairing"
    TOKEN = "token"


@attrs.frozen
class Principal:
    """
    Who a request speaks for. ``name`` is what an audit row says: ``local``, ``pairing``, ``token:<id>``.

    ``refused`` says why a token that was presented in good form does not count (invalid, revoked, expired):
    its tool calls get that as their result, everything else ends at the door (DESIGN §2).
    """

    kind: PrincipalKind
    token_id: str | None = None
    refused: RefusalCode | None = None

    name: str = attrs.field(init=False, eq=False, repr=False)

    @name.default
    def _name(self) -> str:
        """
        The text for logs and audit rows; never a secret. Kept, since each call asks for it several times.
        """
        return self.kind.value if self.token_id is None else f"{self.kind.value}:{self.token_id}"


LOCAL = Principal(PrincipalKind.LOCAL)
PAIRING = Principal(PrincipalKind.PAIRING)


@attrs.frozen
class TrustFacts:
    """
    What a transport knows about one request before it does anything with it.

    Header values are given as they were sent, every occurrence, undecoded beyond latin-1.
    ``peer`` is the address of the TCP peer, or None for a Unix socket.
    ``token_in_query`` is the ``token`` parameter's values where the route allows one, else empty.
    """

    peer: str | None
    hosts: Sequence[str]
    origins: Sequence[str]
    referers: Sequence[str]
    authorizations: Sequence[str]
    tokens_in_query: Sequence[str] = ()
    http_1_0: bool = False


@attrs.frozen
class Granted:
    """
    The request may go on, as this principal.
    """

    principal: Principal


@attrs.frozen
class Denied:
    """
    The request ends here.

    ``status`` is the HTTP status: 400 where the request is malformed, 401 where a credential could help,
    403 where none could. ``message`` says which header failed and which setting permits it.
    """

    status: int
    code: RefusalCode
    message: str


Decision = Granted | Denied
