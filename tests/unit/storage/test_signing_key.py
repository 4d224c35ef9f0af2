"""
The signing key: the same in every life, another after the directory was restored.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from reticle.storage.signing_key import KEY_FILE, SEAL_FILE, SigningKey, fresh_key, open_signing_key


def open_key(folder: Path, life: int) -> SigningKey:
    """
    The key of a directory whose database is there.
    """
    database = folder / "db"
    database.touch()
    return open_signing_key(folder, database, life)


def test_the_key_outlives_the_daemon(tmp_path: Path) -> None:
    """
    Sessions go on after a restart, and after many.
    """
    first = open_key(tmp_path, 1)
    assert len(first.value) == 32
    assert not first.replaced
    for life in (2, 3, 7):
        assert open_key(tmp_path, life) == first


def test_key_and_seal_are_the_owners_alone(tmp_path: Path) -> None:
    """
    Nobody else on the machine can make session ids.
    """
    open_key(tmp_path, 1)
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in (KEY_FILE, SEAL_FILE)} == {0o600}
    assert fresh_key().value.hex() not in repr(fresh_key())


def copied(folder: Path) -> None:
    """
    The whole directory comes out of a backup.
    """
    shutil.copytree(folder, folder.with_name("backup"))
    shutil.rmtree(folder)
    shutil.copytree(folder.with_name("backup"), folder)


def copied_in_place(folder: Path) -> None:
    """
    As ``copied``, into the files that are there.
    """
    shutil.copytree(folder, folder.with_name("backup"))
    shutil.copytree(folder.with_name("backup"), folder, dirs_exist_ok=True)


def database_replaced(folder: Path) -> None:
    """
    Only the database comes out of a backup.
    """
    (folder / "older").touch()
    (folder / "older").replace(folder / "db")


def opened_to_others(folder: Path) -> None:
    """
    Somebody may have read the key.
    """
    (folder / KEY_FILE).chmod(0o644)


def seal_removed(folder: Path) -> None:
    """
    Nothing says what the key was sealed with.
    """
    (folder / SEAL_FILE).unlink()


def seal_broken(folder: Path) -> None:
    """
    As ``seal_removed``.
    """
    (folder / SEAL_FILE).write_text("{")


def key_broken(folder: Path) -> None:
    """
    A disk lost the end of the key.
    """
    (folder / KEY_FILE).write_text("00")


@pytest.mark.parametrize(
    "harm",
    [copied, copied_in_place, database_replaced, opened_to_others, seal_removed, seal_broken, key_broken],
)
def test_a_restored_directory_gets_a_new_key(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    """
    What was ended since the backup stays ended: every id of before is refused, and the log says why.
    """
    folder = tmp_path / "state"
    folder.mkdir()
    first = open_key(folder, 5)
    harm(folder)
    second = open_key(folder, 6)
    assert second.value != first.value
    assert second.replaced
    assert open_key(folder, 7) == SigningKey(second.value)


def test_a_database_that_went_back_in_time_is_a_restored_one(tmp_path: Path) -> None:
    """
    A dump read back into the same file is recognised by the lives that it has not seen.
    """
    first = open_key(tmp_path, 5)
    assert open_key(tmp_path, 5).value != first.value


def test_keys_for_different_purposes_differ(tmp_path: Path) -> None:
    """
    What one part signs, another never takes.
    """
    key = open_key(tmp_path, 1)
    assert len({key.value, key.derive("a"), key.derive("b")}) == 3
    assert key.derive("a") == open_key(tmp_path, 2).derive("a")
