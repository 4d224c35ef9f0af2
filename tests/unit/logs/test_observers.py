"""
Level, format, redaction and sink together.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from twisted.logger import Logger

from reticle.logs import make_observer
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
