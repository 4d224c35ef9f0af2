"""
Login states that are kept by name between browser leases: one private file each.

They are secrets: cookies and storage of whoever was logged in. Nobody but the daemon's user may read them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from twisted.logger import Logger

from reticle.browser.conversation import InThread
from reticle.model.limits import BROWSER_LOGIN_BYTES

_log = Logger()


class Cookie(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    One cookie as the browser gives it and takes it back; ``expires`` is seconds since the epoch, None for one
    that ends with the browser.
    """

    name: str
    value: str
    domain: str = ""
    path: str = ""
    expires: float | None = None
    httpOnly: bool = False
    secure: bool = False
    sameSite: str | None = None
    priority: str | None = None
    sourceScheme: str | None = None
    sourcePort: int | None = None
    partitionKey: msgspec.Raw | None = None


class Stored(msgspec.Struct, frozen=True):
    """
    What an origin keeps: ``localStorage``, ``sessionStorage`` of the tab, and the databases of IndexedDB that
    fit, as ``stored_databases`` has them.
    """

    local: Mapping[str, str] = {}
    session: Mapping[str, str] = {}
    databases: tuple[msgspec.Raw, ...] = ()


class Login(msgspec.Struct, frozen=True):
    """
    One login state. ``name`` is what it was kept under.
    """

    name: str
    cookies: Sequence[Cookie] = ()
    origins: Mapping[str, Stored] = {}


class Logins:
    """
    The files.

    Args:
        folder: Where they lie.
        in_thread: For what waits for the disk.
    """

    def __init__(self, folder: Path, in_thread: InThread) -> None:
        self._folder = folder
        self._in_thread = in_thread

    async def read(self, name: str) -> Login | None:
        """
        What was kept under a name; None where nothing was, or what there is cannot be believed.
        """
        login: Login | None = await self._in_thread(read_login, self._folder, name)
        return login

    async def keep(self, login: Login) -> None:
        """
        Keep it in place of what was there. One that is too large, or a full disk, leaves what was there.
        """
        try:
            await self._in_thread(write_login, self._folder, login)
        except (OSError, ValueError) as fault:
            _log.warn("the login {name} was not kept: {fault}", name=login.name, fault=fault)


def login_path(folder: Path, name: str) -> Path:
    """
    The file of a name: whatever the name is made of, it is no path.
    """
    return folder / (hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32] + ".json")


def read_login(folder: Path, name: str) -> Login | None:
    """
    See ``Logins.read``.
    """
    path = login_path(folder, name)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
            _log.warn("{path} is not private and not used", path=path)
            return None
        try:
            login = msgspec.json.decode(file.read(BROWSER_LOGIN_BYTES + 1), type=Login)
        except msgspec.MsgspecError:
            _log.warn("{path} is damaged and not used", path=path)
            return None
    return login if login.name == name else None


def write_login(folder: Path, login: Login) -> None:
    """
    See ``Logins.keep``.

    Raises:
        OSError: The disk is full, or not to be written.
        ValueError: It is too large.
    """
    text = msgspec.json.encode(login)
    if len(text) > BROWSER_LOGIN_BYTES:
        raise ValueError(f"it has {len(text)} bytes")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = login_path(folder, login.name)
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
        fresh.replace(path)
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink()
