"""
The key that signs what we hand to clients and take back: made once, kept (0600) in the state directory.

A state directory that comes out of a backup has forgotten what was ended since; every id that the key had
signed would be good again. So a restored directory gets a new key. It is recognised by a seal beside the
key, which says what a copy cannot repeat: the key file's inode and the moment of its last change (which no
program can set), the database's inode, and how many lives that database had seen.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import re
import secrets
import stat
from pathlib import Path
from typing import Final

import attrs
import msgspec

from reticle.storage.private_files import read_private, write_private

KEY_FILE: Final = "session-key"
SEAL_FILE: Final = "session-key.seal"

_KEY_BYTES: Final = 32
_KEY_TEXT: Final = re.compile(r"[0-9a-f]{64}\n?")


class Seal(msgspec.Struct, frozen=True):
    """
    What was true when the key was last opened. ``life`` counts the daemon's starts as the database does.
    """

    key_inode: int
    key_changed_ns: int
    database_inode: int
    life: int

    def holds_for(self, now: Seal) -> bool:
        """
        Whether ``now`` is a later life on the same files, and not a copy of them.
        """
        files = (self.key_inode, self.key_changed_ns, self.database_inode)
        return files == (now.key_inode, now.key_changed_ns, now.database_inode) and self.life < now.life


@attrs.frozen
class SigningKey:
    """
    The key, and whether it had to be made anew although there was one.
    """

    value: bytes = attrs.field(repr=False)
    replaced: bool = False

    def derive(self, purpose: str) -> bytes:
        """
        A key for one purpose alone; what one signs the other never takes.
        """
        return hmac.digest(self.value, purpose.encode("utf-8"), hashlib.sha256)


def fresh_key() -> SigningKey:
    """
    A key that nothing was signed with yet.
    """
    return SigningKey(secrets.token_bytes(_KEY_BYTES))


def open_signing_key(state_dir: Path, database: Path, life: int) -> SigningKey:
    """
    The directory's key, made where there is none, replaced where the directory was restored or others could
    read the key.

    Args:
        state_dir: Where it is kept.
        database: The database that counts lives; it exists.
        life: The number of this life in it.

    Raises:
        OSError: The directory cannot be written.
    """
    path = state_dir / KEY_FILE
    kept = _read_key(path)
    seal = _read_seal(state_dir / SEAL_FILE)
    if kept is not None and seal is not None and seal.holds_for(_seal(path, database, life)):
        key = SigningKey(kept)
    else:
        key = SigningKey(secrets.token_bytes(_KEY_BYTES), replaced=kept is not None or path.exists())
        write_private(path, key.value.hex() + "\n")
    write_private(state_dir / SEAL_FILE, msgspec.json.encode(_seal(path, database, life)).decode())
    return key


def _read_key(path: Path) -> bytes | None:
    with contextlib.suppress(OSError):
        if stat.S_IMODE(path.lstat().st_mode) & 0o077:
            return None
    text = read_private(path)
    return bytes.fromhex(text) if text is not None and _KEY_TEXT.fullmatch(text) else None


def _read_seal(path: Path) -> Seal | None:
    text = read_private(path)
    try:
        return None if text is None else msgspec.json.decode(text, type=Seal)
    except msgspec.MsgspecError:
        return None


def _seal(path: Path, database: Path, life: int) -> Seal:
    key = path.stat()
    return Seal(key.st_ino, key.st_ctime_ns, database.stat().st_ino, life)
