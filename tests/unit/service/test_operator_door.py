"""
The Unix socket and the token of the operator, over a reactor in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from twisted.internet.defer import Deferred, fail, succeed
from twisted.internet.error import CannotListenError
from twisted.internet.testing import MemoryReactorClock

from reticle.dispatch.rpc import Rpc
from reticle.domain.daemon_life import DaemonLife
from reticle.domain.trust import TrustPolicy
from reticle.errors import Refusal
from reticle.model.audit import AuditDraft
from reticle.model.codes import AuditTransport, Carrier, RefusalCode
from reticle.service.operator_door import OperatorDoor
from reticle.testing.gate import GateBench
from reticle.testing.grants import MemoryTokens
from reticle.transport.checker import Checker
from reticle.transport.rpc_socket import RpcFactory

DRAFT = AuditDraft(
    principal="local", transport=AuditTransport.RPC, carrier=Carrier.SOCKET, tool="", repository_id=None,
    decision="allowed", reason="", arguments_sha256="", duration_ms=0.0,
)  # fmt: skip


class Reactor(MemoryReactorClock):
    """
    Notes what is listened on; cannot where ``fault`` is set.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Twisted leaves it untyped
        self.sockets: list[tuple[str, int]] = []
        self.stopped = 0
        self.fault: Exception | None = None

    def listenUNIX(self, address: str, factory: object, *, mode: int) -> Reactor:  # type: ignore[override]  # as much as the door uses
        """
        Note it.
        """
        assert factory is not None
        if self.fault is not None:
            raise self.fault
        self.sockets.append((address, mode))
        return self

    def stopListening(self) -> Deferred[None]:
        """
        Count it.
        """
        self.stopped += 1
        return succeed(None)


def door(
    reactor: Any, runtime_dir: Path, tokens: MemoryTokens, well: Callable[[], bool] = lambda: True
) -> OperatorDoor:
    """
    A daemon's.
    """
    checker = Checker(TrustPolicy(strict=True), seconds=reactor.seconds)
    factory = RpcFactory(Rpc(GateBench().shared), checker.decide, DaemonLife(), reactor)
    return OperatorDoor(runtime_dir, tokens, factory, now=lambda: 1_750_000_000.0, well=well, reactor=reactor)


def run(work: Any) -> None:
    """
    Something that needs no time.
    """
    done: list[object] = []
    Deferred.fromCoroutine(work).addBoth(done.append)
    assert done == [None]


def test_an_open_door_is_a_socket_and_a_token(tmp_path: Path) -> None:
    """
    Both are for the owner alone, whatever an earlier life left there; a closed one gives its names back.
    """
    reactor, tokens = Reactor(), MemoryTokens()
    (tmp_path / "daemon.sock").write_text("left behind")
    ours = door(reactor, tmp_path, tokens)
    assert (ours.socket, ours.client_token) == ("", "")
    run(ours.open(4400))
    assert reactor.sockets == [(str(tmp_path / "daemon.sock"), 0o600)]
    assert (ours.socket, ours.client_token) == ("daemon.sock", "client-token")
    assert len(tokens.all()) == 1
    run(ours.close())
    run(ours.close())
    assert reactor.stopped == 1
    again = door(reactor, tmp_path, tokens)
    run(again.open(4401))
    assert again.socket == "daemon.sock"
    run(again.close())


def test_the_operator_is_never_without_a_token(tmp_path: Path) -> None:
    """
    Revoking one's own token does not lock one out, and a token that was rotated away stays its new holder's.
    """
    tokens = MemoryTokens()
    ours = door(Reactor(), tmp_path, tokens)
    run(ours.open(4400))
    first = (tmp_path / "client-token").read_text()
    [token] = tokens.all()
    tokens.revoke(token.token_id, 1_750_000_000.0, "", DRAFT)
    assert (tmp_path / "client-token").read_text() != first
    assert len(tokens.all()) == 2
    [fresh] = [each for each in tokens.all() if each.revoked_at is None]
    run(ours.close())
    tokens.revoke(fresh.token_id, 1_750_000_000.0, "", DRAFT)
    assert len(tokens.all()) == 2


def test_a_token_that_could_not_be_kept_comes_when_the_store_is_well_again(tmp_path: Path) -> None:
    """
    Nobody has to change another token or to start the daemon again after the disk was full; until then no
    attempt is made, and what an earlier life left in the file stays.
    """
    tokens, wells = MemoryTokens(), [True]
    ours = door(Reactor(), tmp_path, tokens, lambda: wells[-1])
    run(ours.open(4400))
    path = tmp_path / "client-token"
    first = path.read_text()
    wells.append(False)
    [token] = tokens.all()
    tokens.revoke(token.token_id, 1_750_000_000.0, "", DRAFT)
    ours.look_again()
    assert (path.read_text(), len(tokens.all())) == (first, 1)
    wells.append(True)
    ours.look_again()
    assert (path.read_text() == first, len(tokens.all())) == (False, 2)
    ours.look_again()
    assert len(tokens.all()) == 2
    run(ours.close())
    again = door(Reactor(), tmp_path, tokens, lambda: wells[-1])
    wells.append(False)
    kept = path.read_text()
    run(again.open(4400))
    wells.append(True)
    again.look_again()
    assert (path.read_text(), len(tokens.all())) == (kept, 2)
    run(again.close())
    path.unlink()
    last = door(Reactor(), tmp_path, tokens, lambda: wells[-1])
    wells.append(False)
    run(last.open(4400))
    wells.append(True)
    last.look_again()
    assert [each.revoked_at is None for each in tokens.all()].count(True) == 1
    run(last.close())


def test_a_store_that_refuses_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A store that seemed well and was not leaves no file that does not count, and gets another chance.
    """
    tokens = MemoryTokens()
    create = tokens.create
    refusal = Refusal(RefusalCode.STORAGE_FAILED, "the disk is full")
    monkeypatch.setattr(tokens, "create", lambda *_: fail(refusal))
    ours = door(Reactor(), tmp_path, tokens)
    run(ours.open(4400))
    assert not (tmp_path / "client-token").exists()
    ours.look_again()
    assert not (tmp_path / "client-token").exists()
    monkeypatch.setattr(tokens, "create", create)
    ours.look_again()
    assert (tmp_path / "client-token").exists()
    run(ours.close())
    ours.look_again()


@pytest.mark.parametrize("fault", [OSError("path too long"), CannotListenError(None, "x", OSError("no"))])
def test_a_daemon_without_a_socket_serves_all_the_same(tmp_path: Path, fault: Exception) -> None:
    """
    A runtime directory whose path is too long for a socket costs the commands and not the agents.
    """
    reactor, tokens = Reactor(), MemoryTokens()
    reactor.fault = fault
    ours = door(reactor, tmp_path, tokens)
    run(ours.open(4400))
    assert ours.socket == ""
    assert (tmp_path / ours.client_token).exists()
    run(ours.close())


def test_a_directory_that_cannot_be_written_costs_the_door_alone(tmp_path: Path) -> None:
    """
    The start goes on, and nobody is sent to a socket that is not there.
    """
    ours = door(Reactor(), tmp_path / "nowhere", MemoryTokens())
    run(ours.open(4400))
    assert (ours.socket, ours.client_token) == ("", "")
