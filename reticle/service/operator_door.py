"""
What the operator of this machine has: the daemon's Unix socket, and a token in a file (DESIGN §5).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.error import CannotListenError
from twisted.internet.interfaces import IListeningPort
from twisted.logger import Logger

from reticle.errors import Refusal
from reticle.ports import TokenStore
from reticle.service.bootstrap import OPERATOR, ensure_client_token
from reticle.storage.runtime_claim import RuntimeClaim, claim_runtime
from reticle.transport.answering import answered_in_time
from reticle.transport.rpc_socket import RpcFactory

_ONLY_OWNER = 0o600


class OperatorDoor:
    """
    Without it agents and pages are served all the same, so what goes wrong here is logged and no more.

    Args:
        runtime_dir: A directory of our user alone.
        tokens: Where the operator's token is kept.
        factory: What speaks on the socket.
        now: Seconds since the epoch.
        well: Whether the store of the tokens can be written, as far as that is known.
        reactor: The reactor to listen on.
        name: The token's name, see ``ensure_client_token``.
    """

    _log = Logger()

    def __init__(
        self,
        runtime_dir: Path,
        tokens: TokenStore,
        factory: RpcFactory,
        *,
        now: Callable[[], float],
        well: Callable[[], bool],
        reactor: Any,
        name: str = OPERATOR,
    ) -> None:
        self._runtime_dir = runtime_dir
        self._tokens = tokens
        self._factory = factory
        self._now = now
        self._well = well
        self._reactor = reactor
        self._name = name
        self._claim: RuntimeClaim | None = None
        self._listening: IListeningPort | None = None
        self._minting = False
        self._owed: bool | None = None
        """Whether the token that could not be seen to replaces earlier ones; None when none is owed."""

    @property
    def socket(self) -> str:
        """
        The socket's name in the directory; empty while there is none.
        """
        return "" if self._claim is None or self._listening is None else self._claim.socket.name

    @property
    def client_token(self) -> str:
        """
        The name of the token's file; empty while there is none.
        """
        return "" if self._claim is None else self._claim.client_token.name

    async def open(self, port: int) -> None:
        """
        Listen, and see to the token. Raises nothing.

        Args:
            port: The daemon's own, for names where a plain one is taken.
        """
        try:
            self._claim = claim = claim_runtime(self._runtime_dir, port)
        except OSError as fault:
            self._log.error("cannot open a Unix socket in the runtime directory: {fault}", fault=fault)
            return
        try:
            # The lock says that nobody lives who could have bound it.
            claim.socket.unlink(missing_ok=True)
            self._listening = self._reactor.listenUNIX(str(claim.socket), self._factory, mode=_ONLY_OWNER)
        except (OSError, CannotListenError) as fault:
            self._log.error("cannot open the Unix socket of the operator's commands: {fault}", fault=fault)
        await self._ensure_token(claim.client_token, replaces=True)
        self._tokens.on_change(self._look)

    def look_again(self) -> None:
        """
        See to the token if that went wrong and may go well now; to be called now and then. Raises nothing.
        """
        if self._owed is not None and self._well():
            self._see_to_token(replaces=self._owed)

    def _look(self) -> None:
        """
        A token changed. If it is the operator's own (rotated, revoked, or gone with a database that was
        exchanged below us), the file gets another at once: no command is locked out until a restart.
        """
        self._see_to_token(replaces=self._owed or False)

    def _see_to_token(self, *, replaces: bool) -> None:
        if self._claim is None or self._minting:
            return
        self._minting = True
        minting = Deferred.fromCoroutine(self._ensure_token(self._claim.client_token, replaces=replaces))
        minting.addErrback(lambda failure: self._log.failure("the operator's token was not kept", failure))

    async def _ensure_token(self, path: Path, *, replaces: bool) -> None:
        # A stop may come while this waits; it has the claim then.
        self._minting = True
        was_owed, self._owed = self._owed, replaces
        try:
            if not self._well():
                # What is in the file may count: without its store nobody knows.
                return
            made = await ensure_client_token(
                path,
                self._tokens,
                now=self._now,
                random=secrets.token_bytes,
                replaces=replaces,
                name=self._name,
            )
        except (OSError, Refusal) as fault:
            if was_owed is None:
                self._log.error("cannot keep the operator's token: {fault}", fault=fault)
            return
        finally:
            self._minting = False
        self._owed = None
        if made:
            self._log.info("a new operator's token is in {path}", path=str(path))

    async def close(self) -> None:
        """
        Take nothing more, answer what runs, hang up. May be called when nothing is open.
        """
        listening, self._listening = self._listening, None
        if listening is not None:
            stopped = listening.stopListening()
            await answered_in_time(self._reactor, [self._factory.drain()])
            if stopped is not None:
                await stopped
        claim, self._claim = self._claim, None
        if claim is not None:
            claim.release()
