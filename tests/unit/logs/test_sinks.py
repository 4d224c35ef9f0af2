"""
Bounded files, and no silent loss.
"""

from __future__ import annotations

import contextlib
import io
import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from reticle.errors import ConfigurationFault
from reticle.logs.sinks import CountingSink, file_sink, goes_to_journal, stream_sink


def test_a_log_file_is_rotated_and_bounded(tmp_path: Path) -> None:
    """
    However much is logged, only the newest part stays on disk, readable by its owner only.
    """
    path = tmp_path / "reticle.log"
    sink = file_sink(path, size_bytes=100, kept=3)
    for number in range(100):
        sink.write(f"{number:>49}\n")
    sink.close()
    files = sorted(tmp_path.iterdir())
    assert [one.name for one in files] == ["reticle.log", "reticle.log.1", "reticle.log.2", "reticle.log.3"]
    assert sum(one.stat().st_size for one in files) <= 4 * 150
    assert path.read_text().splitlines()[-1].strip() == "99"
    sink.write("late\n")
    assert sink.lost == 1
    assert {oct(one.stat().st_mode & 0o777) for one in files} == {"0o600"}


def test_a_log_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    """
    A wrong --log-file is one clear line, not a traceback.
    """
    with pytest.raises(ConfigurationFault) as caught:
        file_sink(tmp_path / "none" / "reticle.log")
    assert caught.value.message.startswith(f"the log file {tmp_path}/none/reticle.log cannot be opened: ")


def test_lost_lines_are_counted_and_told() -> None:
    """
    After a full disk the log says how many lines are missing.
    """
    written: list[str] = []
    full = [True]

    def put(text: str) -> None:
        if full[0]:
            raise OSError(28, "No space left on device")
        written.append(text)

    sink = CountingSink(put)
    for number in range(3):
        sink.write(f"{number}\n")
    full[0] = False
    sink.write("3\n")
    sink.write("4\n")
    assert written == ["reticle: 3 log lines could not be written\n", "3\n", "4\n"]


@contextlib.contextmanager
def small_files() -> Iterator[None]:
    """
    A disk on which no file grows beyond 1,000 bytes.

    No fixture: pytest writes its progress before a fixture ends, and that may go to a longer file.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_leaves_no_half_line(tmp_path: Path) -> None:
    """
    A program that reads the log line by line sees whole lines only, also where the disk was full.
    """
    path = tmp_path / "reticle.log"
    sink = file_sink(path)
    with small_files():
        for number in range(12):
            sink.write(f"{number:>99}\n")
    assert sink.lost == 2
    assert [int(line) for line in path.read_text().splitlines()] == list(range(10))
    os.truncate(path, 0)
    sink.close()
    sink = file_sink(path)
    sink.lost = 2
    sink.write("again\n")
    sink.close()
    assert path.read_text() == "reticle: 2 log lines could not be written\nagain\n"


def test_a_rotation_that_fails_ends_no_log(tmp_path: Path) -> None:
    """
    A daemon that has run out of descriptors just then loses a line, which is counted, and not its log.
    """
    path = tmp_path / "reticle.log"
    sink = file_sink(path, size_bytes=10)
    sink.write("0123456789\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        sink.write("lost\n")
        lost = sink.lost
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    sink.write("again\n")
    sink.close()
    assert lost == 1
    written = "".join(one.read_text() for one in sorted(tmp_path.iterdir(), reverse=True))
    assert written == "0123456789\nreticle: 1 log lines could not be written\nagain\n"


def test_a_closed_stream_does_no_harm() -> None:
    """
    A daemon whose terminal went away goes on.
    """
    stream = io.StringIO()
    sink = stream_sink(stream)
    sink.write("one\n")
    assert stream.getvalue() == "one\n"
    stream.close()
    sink.write("two\n")
    assert sink.lost == 1


def test_the_journal_is_recognised_by_its_file(tmp_path: Path) -> None:
    """
    Only a stream that really is the journal's gets priorities: a child's redirected output does not.
    """
    with (tmp_path / "out").open("w") as stream:
        status = os.fstat(stream.fileno())
        assert goes_to_journal(stream, {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}) is True
        assert goes_to_journal(stream, {"JOURNAL_STREAM": "1:2"}) is False
        assert goes_to_journal(stream, {}) is False
    assert goes_to_journal(io.StringIO(), {"JOURNAL_STREAM": "1:2"}) is False


def test_a_pipe_that_nobody_reads_holds_nothing_up() -> None:
    """
    A daemon started with a pipe as its log goes on when nobody reads it, and says later what is missing.
    """
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb", buffering=0) as reader, os.fdopen(writing, "w") as stream:
        sink = stream_sink(stream)
        for number in range(3_000):
            sink.write(f"{number:>99}\n")
        assert sink.lost > 0
        kept = 3_000 - sink.lost
        lines = os.read(reader.fileno(), 1_000_000).decode().splitlines()
        assert [line.strip() for line in lines] == [str(number) for number in range(kept)]
        lost = sink.lost
        sink.write("again\n")
        told = f"reticle: {lost} log lines could not be written\nagain\n"
        assert os.read(reader.fileno(), 1_000).decode() == told


def test_a_long_line_that_was_cut_is_ended() -> None:
    """
    The line after one that found no room half-way begins at its own place.
    """
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb", buffering=0) as reader, os.fdopen(writing, "w") as stream:
        sink = stream_sink(stream)
        sink.write("x" * 1_000_000 + "\n")
        assert sink.lost == 1
        assert set(os.read(reader.fileno(), 1_000_000)) == {ord("x")}
        sink.write("again\n")
        assert os.read(reader.fileno(), 1_000) == b"\nreticle: 1 log lines could not be written\nagain\n"
