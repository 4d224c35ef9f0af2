"""
The examples of the protocol pages, run as a reader would run them.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from examples.journeys.children import Daemon
from tests.system.streamable import Answer, ask

PAGE = Path(__file__).resolve().parents[2] / "docs" / "protocol" / "streamable-http.md"


class Example(NamedTuple):
    """
    A command of the page, and what the page says will come.
    """

    command: str
    answer: str


def examples() -> list[Example]:
    """
    Every command of the page that is followed by its answer.
    """
    found = re.findall(r"```sh\n(.*?)\n```\n\n```answer\n(.*?)\n```", PAGE.read_text(), re.DOTALL)
    return [Example(*each) for each in found]


def run(command: str, port: int, session: str) -> Answer:
    """
    Do what ``curl`` would do with these arguments; the machine may have none.
    """
    program, *words = shlex.split(command.replace("$SESSION", session))
    assert program == "curl"
    url, method, body, headers = "", "GET", None, {"Accept": "*/*"}
    while words:
        match words.pop(0):
            case "-s" | "-i":
                pass
            case "-X":
                method = words.pop(0)
            case "-H":
                name, value = words.pop(0).split(": ", 1)
                headers[name] = value
            case "-d":
                method, body = "POST", words.pop(0)
            case word:
                url = word
    assert urlsplit(url).netloc == "127.0.0.1:4400"
    return ask(port, body, headers, method=method, path=urlsplit(url).path)


def test_the_examples_of_streamable_http(daemon: Daemon) -> None:
    """
    A reader who types what the page says sees what the page says.
    """
    session = ""
    assert len(examples()) >= 6
    for example in examples():
        answer = run(example.command, daemon.port, session)
        session = answer.headers.get("mcp-session-id", session)
        first, *parts = example.answer.split("\n")
        content_type = answer.headers.get("content-type", "").strip()
        assert f"{answer.status} {content_type}".strip() == first, (example.command, answer.text)
        assert all(part in answer.text for part in parts), (example.command, answer.text)
