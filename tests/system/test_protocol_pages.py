"""
The examples of the protocol pages, run as a reader would run them.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from examples.journeys.children import Daemon
from tests.system.streamable import Answer, ask
from tests.system.wire import WAIT_SECONDS

DOCS = Path(__file__).resolve().parents[2] / "docs" / "protocol"
PAGE = DOCS / "streamable-http.md"


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
    where = urlsplit(url)
    return ask(port, body, headers, method=method, path=f"{where.path}?{where.query}".rstrip("?"))


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


def test_the_examples_of_ingest(daemon: Daemon) -> None:
    """
    A program that sends what the page shows is answered as the page says.
    """
    page = (DOCS / "ingest.md").read_text()
    found = re.findall(r"```sh\n(.*?)\n```\n\n```answer\n(.*?)\n```", page, re.DOTALL)
    assert len(found) == 2
    for command, told in found:
        answer = run(command.replace("--data-binary", "-d"), daemon.port, "")
        first, *parts = told.split("\n")
        assert f"{answer.status} {answer.headers['content-type']}" == first, answer.text
        assert all(part in answer.text for part in parts), answer.text


def test_the_examples_of_http_sse(daemon: Daemon) -> None:
    """
    A reader who types what the page says sees on the stream, and in the second terminal, what the page says.
    """
    text = (DOCS / "http-sse.md").read_text("utf-8")
    blocks = re.findall(r"```(sh|answer|stream)\n(.*?)\n```", text, re.DOTALL)
    assert [kind for kind, _ in blocks] == ["sh", "stream", *["sh", "answer", "stream"] * 2]
    connection = HTTPConnection("127.0.0.1", daemon.port, timeout=WAIT_SECONDS)
    connection.request("GET", "/mcp/sse")
    stream = connection.getresponse()
    announced, answer = "", None
    for kind, block in blocks:
        if kind == "stream":
            frame = "".join(iter(lambda: stream.readline().decode(), "\n")).rstrip("\n")
            assert re.fullmatch(".*".join(map(re.escape, block.split("…"))), frame, re.DOTALL), frame
            announced = announced or frame.rpartition("data: ")[2]
        elif kind == "answer":
            assert answer is not None
            assert f"{answer.status}\n{answer.text}" == block
        elif "-sN" not in block:
            answer = run(block.replace("$ANNOUNCED", announced), daemon.port, "")
    stream.close()
    connection.close()


def test_the_example_of_the_socket(daemon: Daemon) -> None:
    """
    The line of the page about the socket, with a shell of any machine.
    """
    text = (DOCS / "socket.md").read_text("utf-8")
    [(command, shown)] = re.findall(r"```sh\n(.*?)\n```\n\n```answer\n(.*?)\n```", text, re.DOTALL)
    program, _, place = command.partition(' "${XDG_RUNTIME_DIR:-')
    assert place.endswith('/reticle/daemon.sock"')
    [door] = daemon.runtime_dir.glob("*.sock")
    done = subprocess.run(
        ["/bin/sh", "-c", f"{program} '{door}'"], capture_output=True, text=True, timeout=60, check=True
    )
    assert shown in done.stdout.replace(": ", ":").replace(", ", ",")
