"""
Folders and files that only their owner may read.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reticle.errors import ConfigurationFault
from reticle.storage.private_files import prepare_directory, read_private, remove_if_holds, write_private

IS_ROOT = os.geteuid() == 0


def refusal_of(path: Path) -> ConfigurationFault:
    """
    Why a directory is refused.
    """
    with pytest.raises(ConfigurationFault) as caught:
        prepare_directory(path, "state directory", "RETICLE_STATE_DIR")
    return caught.value


def test_missing_directories_are_made_closed_to_others(tmp_path: Path) -> None:
    """
    A first start makes what it needs, readable by its owner only, whatever the umask.
    """
    before = os.umask(0)
    try:
        made = prepare_directory(tmp_path / "a" / "b", "state directory", "RETICLE_STATE_DIR")
    finally:
        os.umask(before)
    assert [oct(path.stat().st_mode & 0o777) for path in (made, made.parent)] == ["0o700", "0o700"]
    assert prepare_directory(made, "state directory", "RETICLE_STATE_DIR") == made


def test_an_open_directory_is_refused_with_the_command_that_closes_it(tmp_path: Path) -> None:
    """
    A state directory that others can read stops the start; one command mends it.
    """
    path = tmp_path / "state"
    path.mkdir()
    path.chmod(0o750)
    fault = refusal_of(path)
    assert fault.message == f"the state directory {path} is open to other users"
    assert fault.recovery == f"chmod 700 {path}"


def test_a_directory_that_anybody_may_replace_is_refused(tmp_path: Path) -> None:
    """
    A closed directory inside one that everybody may write is no protection.
    """
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    assert refusal_of(shared / "state").recovery == f"chmod o-w {shared}"
    shared.chmod(0o1777)
    assert prepare_directory(shared / "state", "state directory", "X") == shared / "state"


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    """
    A file where the directory should be, or above it, is one clear line.
    """
    (tmp_path / "state").write_text("")
    assert "is not a directory" in refusal_of(tmp_path / "state").message
    assert "cannot be made: Not a directory" in refusal_of(tmp_path / "state" / "deeper").message
    assert "has no absolute path (is HOME set?)" in refusal_of(Path("~/x")).message


@pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")
def test_a_directory_of_another_user_is_refused(tmp_path: Path) -> None:
    """
    State that another user could change is not used.
    """
    path = tmp_path / "state"
    path.mkdir(mode=0o700)
    os.chown(path, 4242, -1)
    fault = refusal_of(path)
    assert fault.message == f"the state directory {path} belongs to user 4242, not 0"
    assert fault.recovery == "set RETICLE_STATE_DIR to a directory that you own and can write"


@pytest.mark.skipif(IS_ROOT, reason="root may write everywhere")
def test_a_read_only_home_is_one_clear_line(tmp_path: Path) -> None:
    """
    Where nothing can be written the message says which variable chooses another place.
    """
    tmp_path.chmod(0o500)
    fault = refusal_of(tmp_path / "state")
    assert fault.message.endswith("cannot be made: Permission denied")
    assert fault.recovery == "set RETICLE_STATE_DIR to a directory that you own and can write"


def test_files_are_replaced_in_one_step_and_closed(tmp_path: Path) -> None:
    """
    A reader of the endpoint file never sees half a URL, and other users see none.
    """
    path = tmp_path / "file"
    write_private(path, "one")
    write_private(path, "two")
    assert read_private(path) == "two"
    assert oct(path.stat().st_mode & 0o777) == "0o600"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_removed_only_while_it_is_ours(tmp_path: Path) -> None:
    """
    A stopping daemon leaves its successor's announcement alone.
    """
    path = tmp_path / "file"
    write_private(path, "successor")
    assert remove_if_holds(path, "mine") is False
    assert read_private(path) == "successor"
    assert remove_if_holds(path, "successor") is True
    assert remove_if_holds(path, "successor") is False


def test_what_others_could_have_written_is_not_believed(tmp_path: Path) -> None:
    """
    A link, a file that others may write, a pipe or a huge file is read as nothing.
    """
    path = tmp_path / "file"
    write_private(path, "x")
    (tmp_path / "link").symlink_to(path)
    os.mkfifo(tmp_path / "pipe", 0o600)
    (tmp_path / "huge").write_bytes(b"x" * 20_000)
    assert [read_private(tmp_path / name) for name in ("link", "pipe", "huge", "none")] == [None] * 4
    path.chmod(0o622)
    assert read_private(path) is None
