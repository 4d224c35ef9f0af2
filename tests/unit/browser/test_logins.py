"""
Logins that are kept by name.
"""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from twisted.internet.defer import Deferred, maybeDeferred

from reticle.browser.logins import Cookie, Login, Logins, Stored, login_path, read_login, write_login
from reticle.model.limits import BROWSER_LOGIN_BYTES
from reticle.testing.bridge import result_of

ANN = Login(
    "ann", [Cookie("sid", "s3cret", domain="a", expires=5.5)], {"http://a": Stored({"k": "v"}, {"t": "u"})}
)


def here(work: Callable[..., Any], *args: Any) -> Deferred[Any]:
    """
    No thread in a unit test.
    """
    return maybeDeferred(work, *args)


def test_a_login_is_read_back_as_it_was_kept(tmp_path: Path) -> None:
    """
    Under its name, and no other.
    """
    logins = Logins(tmp_path / "logins", here)
    result_of(Deferred.fromCoroutine(logins.keep(ANN)))
    assert result_of(Deferred.fromCoroutine(logins.read("ann"))) == ANN
    assert result_of(Deferred.fromCoroutine(logins.read("bob"))) is None


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    """
    The file holds what logs a person in.
    """
    write_login(tmp_path / "logins", ANN)
    [path] = (tmp_path / "logins").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o644)
    assert read_login(tmp_path / "logins", "ann") is None


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "a/b", "ann@shop", "x" * 5000, "\0", "\ud800", "é"])
def test_no_name_is_a_path(tmp_path: Path, name: str) -> None:
    """
    Whatever an agent calls its login, one file in this folder has it.
    """
    assert login_path(tmp_path, name).parent == tmp_path
    if name.isprintable():
        write_login(tmp_path, Login(name))
        kept = read_login(tmp_path, name)
        assert kept is not None
        assert kept.name == name
        assert [path.name for path in tmp_path.iterdir()] == [login_path(tmp_path, name).name]


def test_what_cannot_be_kept_leaves_what_there_was(tmp_path: Path) -> None:
    """
    A huge storage, or a folder that is none, ends no release.
    """
    logins = Logins(tmp_path, here)
    write_login(tmp_path, ANN)
    huge = Login("ann", origins={"http://a": Stored({"k": "x" * BROWSER_LOGIN_BYTES})})
    result_of(Deferred.fromCoroutine(logins.keep(huge)))
    assert read_login(tmp_path, "ann") == ANN
    assert len(list(tmp_path.iterdir())) == 1
    (tmp_path / "file").write_text("")
    result_of(Deferred.fromCoroutine(Logins(tmp_path / "file", here).keep(ANN)))


@pytest.mark.parametrize("damage", [b"", b"{", b'{"name":"bob"}', b'{"name":5}'])
def test_a_damaged_file_is_no_login(tmp_path: Path, damage: bytes) -> None:
    """
    The lease then begins with none.
    """
    write_login(tmp_path, ANN)
    login_path(tmp_path, "ann").write_bytes(damage)
    assert read_login(tmp_path, "ann") is None


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """
    What somebody put in its place is not believed.
    """
    write_login(tmp_path / "other", ANN)
    login_path(tmp_path, "ann").symlink_to(login_path(tmp_path / "other", "ann"))
    assert read_login(tmp_path, "ann") is None
