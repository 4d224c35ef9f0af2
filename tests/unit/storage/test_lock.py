"""
One daemon per state directory.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from reticle.errors import ConfigurationFault
from reticle.storage.lock import LOCK_FILE, DirectoryLock, LockHolder

HOLDER = LockHolder(pid=4321, port=4400, started_at=1.5)


def test_the_second_daemon_is_told_who_holds_the_directory(state_dir: Path) -> None:
    """
    Two daemons never write one database; the second learns the first one's pid and port.
    """
    first, second = DirectoryLock(state_dir), DirectoryLock(state_dir)
    first.acquire(HOLDER)
    with pytest.raises(ConfigurationFault) as caught:
        second.acquire(LockHolder(pid=1, port=0, started_at=2.0))
    assert caught.value.message == (
        f"another reticle daemon (pid 4321, port 4400) uses the state directory {state_dir}"
    )
    assert "`reticle stop --port 4400`" in caught.value.recovery
    first.release()
    second.acquire(LockHolder(pid=1, port=0, started_at=2.0))
    second.release()


def test_the_port_is_told_once_it_is_known(state_dir: Path) -> None:
    """
    A daemon on a free port is named with the port it got.
    """
    first = DirectoryLock(state_dir)
    first.acquire(LockHolder(pid=7, port=0, started_at=1.0))
    with pytest.raises(ConfigurationFault, match=r"\(pid 7\)"):
        DirectoryLock(state_dir).acquire(HOLDER)
    first.rewrite(LockHolder(pid=7, port=39_001, started_at=1.0))
    with pytest.raises(ConfigurationFault, match=r"\(pid 7, port 39001\)"):
        DirectoryLock(state_dir).acquire(HOLDER)
    first.release()
    first.release()


def test_a_lock_file_full_of_nonsense_still_locks(state_dir: Path) -> None:
    """
    The message is poorer when the file cannot be read, the lock is as good.
    """
    first = DirectoryLock(state_dir)
    first.acquire(HOLDER)
    (state_dir / LOCK_FILE).write_text("{nonsense")
    with pytest.raises(ConfigurationFault) as caught:
        DirectoryLock(state_dir).acquire(HOLDER)
    assert caught.value.message == f"another reticle daemon uses the state directory {state_dir}"
    first.release()


def test_a_link_in_place_of_the_lock_file_is_refused(state_dir: Path) -> None:
    """
    A planted link does not make us write elsewhere.
    """
    (state_dir / LOCK_FILE).symlink_to("/dev/null")
    with pytest.raises(ConfigurationFault) as caught:
        DirectoryLock(state_dir).acquire(HOLDER)
    assert caught.value.recovery == f"mv {state_dir}/{LOCK_FILE} {state_dir}/{LOCK_FILE}.old"
