"""
Level, format, redaction and sink together.
"""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from twisted.logger import Logger, LogLevel
from twisted.python.logfile import LogFile

from reticle.logs import make_observer
from reticle.model.limits import LOG_LINES_HELD
from reticle.model.log_marks import SETTLED
from reticle.settings import SecretText, Settings


class FullOnce(io.StringIO):
    """
    A stream whose first write finds the disk full.
    """

    full = True

    def write(self, text: str) -> int:
        """
        Fail once.
        """
        if self.full:
            self.full = False
            raise OSError(28, "No space left on device")
        return super().write(text)


def logged(settings: Settings) -> str:
    """
    What three events leave behind.
    """
    stream = io.StringIO()
    observer = make_observer(settings, {}, stream)
    source = Logger(namespace="reticle.test", observer=observer)
    source.debug("looked at {what}", what="it")
    source.info("listening with {token}", token="s3cret-token")
    source.warn("odd")
    observer.close()
    return stream.getvalue()


@pytest.mark.parametrize(("level", "lines"), [("debug", 3), ("info", 2), ("warn", 1), ("error", 0)])
def test_lower_levels_are_not_written(level: str, lines: int) -> None:
    """
    --log-level keeps what is below it out of the log.
    """
    assert len(logged(Settings(log_level=level)).splitlines()) == lines


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_the_pairing_token_is_never_written(log_format: str) -> None:
    """
    Even code that logs the token by mistake does not leak it, in either format.
    """
    text = logged(Settings(log_format=log_format, token=SecretText("s3cret-token")))
    assert "s3cret-token" not in text
    assert "listening with [REDACTED]" in text


def test_json_lines_are_json() -> None:
    """
    Each line of --log-format json is one object.
    """
    levels = [json.loads(line)["level"] for line in logged(Settings(log_format="json")).splitlines()]
    assert levels == ["info", "warn"]


def test_missing_lines_are_told_in_the_form_of_the_others() -> None:
    """
    A program that reads JSON line by line also reads that lines are missing.
    """
    stream = FullOnce()
    observer = make_observer(Settings(log_format="json"), {}, stream)
    source = Logger(namespace="reticle.test", observer=observer)
    source.info("lost")
    source.info("written")
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [(line["level"], line["message"]) for line in lines] == [
        ("warn", "1 log lines could not be written"),
        ("info", "written"),
    ]
    assert lines[0]["lost"] == 1


def test_a_log_file_is_used_when_named(tmp_path: Path) -> None:
    """
    --log-file takes the lines, and nothing goes to the terminal.
    """
    assert logged(Settings(log_file=tmp_path / "x.log")) == ""
    assert len((tmp_path / "x.log").read_text().splitlines()) == 2


class Held:
    """
    A log file whose lines may wait, and what would write them.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "x.log"
        self.observer = make_observer(Settings(log_file=self.path), {}, io.StringIO())
        self.source = Logger(namespace="reticle.test", observer=self.observer)
        self.later: list[Callable[[], None]] = []
        self.observer.hold(self.later.append)

    def said(self) -> list[str]:
        """
        The last word of each line in the file.
        """
        return [line.split()[-1] for line in self.path.read_text().splitlines()]


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Held]:
    """
    One that is closed behind the test.
    """
    held = Held(tmp_path)
    yield held
    held.observer.close()


def test_lines_that_wait_are_written_together(held: Held) -> None:
    """
    Lines of a log file are there a moment later, in their order, and each batch waits for one moment.
    """
    held.source.info("one")
    held.source.info("two")
    assert (held.said(), len(held.later)) == ([], 1)
    held.later.pop()()
    assert held.said() == ["one", "two"]
    held.source.info("three")
    held.later.pop()()
    assert held.said() == ["one", "two", "three"]


def test_lines_of_settled_events_are_made_later(held: Held) -> None:
    """
    The access log stands in its order among other lines, and each line has the time of its request.
    """
    held.source.info("one")
    held.observer({
        "log_level": LogLevel.info, "log_namespace": "x", "log_format": "{n}", "n": "two", SETTLED: True,
        "log_time": 0.5,
    })  # fmt: skip
    held.source.info("three")
    held.later.pop()()
    assert held.said() == ["one", "two", "three"]
    assert "1970-01-01T00:00:00.500Z info     x: two\n" in held.path.read_text()


def test_lines_that_are_made_later_show_no_secret(held: Held) -> None:
    """
    One line with a token among others costs that token, and nothing of the other lines.
    """
    held.source.info("one basic")
    for path in ("/a", "/mcp?token=abcdef", "/b"):
        held.observer({
            "log_level": LogLevel.info, "log_namespace": "x", "log_format": "{path}", "path": path,
            SETTLED: True,
        })  # fmt: skip
    held.later.pop()()
    assert held.said() == ["basic", "/a", "/mcp?token=[REDACTED]", "/b"]


def test_a_warning_waits_for_nothing(held: Held) -> None:
    """
    What went wrong stands in the log file at once, behind what came before it.
    """
    held.source.info("before")
    held.source.warn("odd")
    assert held.said() == ["before", "odd"]


def test_few_lines_wait(held: Held) -> None:
    """
    A busy daemon holds no more than some lines in memory.
    """
    for number in range(LOG_LINES_HELD):
        held.source.info("{number}", number=number)
    assert len(held.said()) == LOG_LINES_HELD


def test_a_stop_writes_what_waits(held: Held) -> None:
    """
    No line is lost on a normal stop, and what would have written it does nothing more.
    """
    held.source.info("last")
    held.observer.hold_no_more()
    assert held.said() == ["last"]
    held.later.pop()()
    assert held.said() == ["last"]


def test_a_log_that_is_closed_writes_what_waits(tmp_path: Path) -> None:
    """
    Closing the log file loses no line.
    """
    held = Held(tmp_path)
    held.source.info("last")
    held.observer.close()
    assert held.said() == ["last"]


def test_another_thread_writes_at_once(held: Held) -> None:
    """
    The writer thread, which has no timers, writes its own lines.
    """
    thread = threading.Thread(target=lambda: held.source.info("aside"))
    thread.start()
    thread.join()
    assert (held.said(), held.later) == (["aside"], [])


def test_every_line_of_a_lost_batch_is_counted(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    When the disk is full, the log says later how many lines are missing, also of those that waited.
    """
    held.source.info("one")
    held.source.info("two")
    with monkeypatch.context() as full:
        full.setattr(LogFile, "shouldRotate", lambda _: (_ for _ in ()).throw(OSError(28, "full")))
        held.later.pop()()
    held.source.info("three")
    held.observer.hold_no_more()
    assert "2 log lines could not be written" in held.path.read_text()


def test_a_terminal_waits_for_nothing() -> None:
    """
    Who watches a terminal or a pipe sees each line when it is logged.
    """
    stream = io.StringIO()
    observer = make_observer(Settings(), {}, stream)
    observer.hold(lambda _: None)
    Logger(namespace="reticle.test", observer=observer).info("now")
    assert stream.getvalue().endswith("now\n")
