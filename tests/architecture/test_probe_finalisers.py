"""
What the probe does while garbage is collected in the midst of anything the app does.
"""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest

from reticle.probe import emission, harmless
from reticle.probe.daemon_link import Answer
from reticle.probe.exchange import Exchange
from reticle.probe.runtime_file import DaemonAddress
from reticle.probe.sender import Sender
from reticle.probe.small_facts import Raw
from reticle.probe.sql_sqlite import UntilDropped
from reticle.probe.wsgi_call import WSGICall, _Body

PROBE = Path(__file__).resolve().parents[2] / "reticle/probe"
WITH_FINALISERS = {"sql_sqlite.py:UntilDropped", "wsgi_call.py:_Body"}
"""Each is dropped below. Until Python 3.12 garbage is collected in the midst of any allocation, that of
``ContextVar.set`` too, and a second ``set`` inside the first one frees what it works on: the process ends."""


class NeverSet:
    """
    A context variable that only other threads may set.
    """

    def __init__(self, inner: ContextVar[Any]) -> None:
        self._inner = inner
        self._thread = threading.get_ident()

    def get(self, *default: Any) -> Any:
        """
        As it is.
        """
        return self._inner.get(*default)

    def set(self, value: Any) -> Any:
        """
        Not in a finaliser.
        """
        assert threading.get_ident() != self._thread, "a finaliser sets a context variable"
        return self._inner.set(value)

    def reset(self, mark: Any) -> None:
        """
        Nor this.
        """
        assert threading.get_ident() != self._thread, "a finaliser resets a context variable"
        self._inner.reset(mark)


class Line:
    """
    A daemon that takes everything.
    """

    def post(self, body: bytes) -> Answer:
        """
        Take a batch.
        """
        del body
        return Answer(200, None)

    def close(self) -> None:
        """
        Nothing is held.
        """


@pytest.fixture
def sending(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sender]:
    """
    The probe is on, and its thread does not run yet: the first fact starts it.
    """
    monkeypatch.setattr(harmless, "faults", [])
    address = DaemonAddress("127.0.0.1", 1, "/", "token", "/sdk.js", "")
    sender = Sender("bare", "/", find=lambda: address, dial=lambda _: Line())
    monkeypatch.setattr(emission, "sink", sender)
    yield sender
    assert harmless.faults == []
    sender.flush()


def open_write() -> Any:
    """
    A write in a transaction that nobody ends.
    """
    transactions = UntilDropped()
    transactions.joined(writes=True, place=("/app/views.py", 3))
    return transactions


def unclosed_body() -> Any:
    """
    A streamed answer that its server read to the end and did not close.
    """
    exchange = Exchange("GET", "/", "", lambda _: None, "127.0.0.1", scheme="http", relay="poll")
    call = WSGICall(exchange, lambda *_: lambda _: None)
    body = _Body(call, exchange, iter([b"x"]))
    assert list(body) == [b"x"]
    return body


def _has_callback(call: ast.AST) -> bool:
    """
    A reference that only asks whether its object is still there calls nobody.
    """
    return isinstance(call, ast.Call) and len(call.args) + len(call.keywords) != 1


def test_every_class_with_a_finaliser_is_known() -> None:
    """
    Nobody adds one whose work may end the app's process.
    """
    found = set()
    for file in sorted(PROBE.rglob("*.py")):
        tree = ast.parse(file.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                named = [each.name for each in node.body if isinstance(each, ast.FunctionDef)]
                found |= {f"{file.relative_to(PROBE)}:{node.name}"} if "__del__" in named else set()
            called = node.func if isinstance(node, ast.Call) else None
            name = getattr(called, "attr", None) or getattr(called, "id", "")
            is_called_back = name == "finalize" or (name in {"ref", "proxy"} and _has_callback(node))
            assert not is_called_back, f"{file}: a callback of a weak reference"
    assert found == WITH_FINALISERS


@pytest.mark.parametrize("make", [open_write, unclosed_body])
def test_a_finaliser_sets_no_context_variable(
    make: Callable[[], Any], sending: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    An app under Python 3.11 lives on when garbage is collected at a bad moment.
    """
    dropped = make()
    sending.after_fork()  # nothing waits, and the finaliser's fact starts the thread
    told: list[str] = []
    note = sending.note

    def heard(fact: Raw) -> None:
        told.append(fact[0].kind)
        note(fact)

    monkeypatch.setattr(sending, "note", heard)
    with monkeypatch.context() as refusing:
        for name, module in list(sys.modules.items()):
            for attribute, value in list(vars(module).items()) if name.startswith("reticle.probe") else ():
                if type(value) is ContextVar:  # a lazy object of the app would answer for another
                    refusing.setattr(module, attribute, NeverSet(value))
        dropped.__del__()
    assert told[-1:] in (["transaction"], ["request.handled"])
