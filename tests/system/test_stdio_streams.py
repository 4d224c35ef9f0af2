"""
The standard streams of ``reticle mcp`` under abuse (SP-01): stdout carries JSON lines and nothing else.
"""

from __future__ import annotations

import json
import os
import pty
import re
import select
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.system.stdio import SERVER, StdioClient, hello

Begin = Callable[..., StdioClient]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """
    Start fronts that start no daemon, with an environment and a command of the test's.
    """
    started: list[StdioClient] = []

    def start_front(command: Sequence[str] = SERVER, **environment: str) -> StdioClient:
        client = StdioClient(tmp_path / "front", ["--no-start"], environment, command)
        started.append(client)
        return client

    yield start_front
    for client in started:
        client.end()


def use(client: StdioClient) -> None:
    """
    Handshake, list, a call that fails for want of a daemon; every line is one JSON-RPC message.
    """
    client.initialize()
    assert client.request("tools/list")["tools"]
    client.answer(client.ask("tools/call", {"name": "reticle_sessions", "arguments": {}}))
    assert len(client.lines) == 3
    for line in client.lines:
        assert b"\r" not in line
        assert json.loads(line.decode("utf-8"))["jsonrpc"] == "2.0"


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONWARNINGS": "always"},
        {"PYTHONWARNINGS": "default", "PYTHONDEVMODE": "1"},
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0"},
        {"PYTHONVERBOSE": "1"},
    ],
    ids="-".join,
)
def test_what_python_says_does_not_reach_the_client(environment: dict[str, str], begin: Begin) -> None:
    """
    Warnings, verbose imports and odd encodings leave stdout clean.
    """
    use(begin(**environment))


NOISE = {
    "prints_at_import": "print('hello from a plugin')",
    "writes_to_descriptor_1": "import os; os.write(1, b'raw bytes\\n')",
    "has_a_child_that_prints": "import subprocess; subprocess.run(['echo', 'child'], check=True)",
    "logs_through_twisted": "from twisted.python import log; log.startLogging(__import__('sys').stdout)",
    "warns": "import warnings; warnings.simplefilter('always'); warnings.warn('a warning')",
}


@pytest.mark.parametrize("noise", NOISE.values(), ids=list(NOISE))
def test_what_other_code_prints_does_not_reach_the_client(noise: str, begin: Begin, tmp_path: Path) -> None:
    """
    A module that prints, a child that prints and a misdirected log go to stderr.
    """
    # Whatever is imported after the descriptors were claimed: here the module with the settings.
    program = f"""
        import sys
        from reticle.__main__ import main
        class Noisy:
            def find_spec(self, name, path=None, target=None):
                if name == "reticle.settings":
                    sys.meta_path.remove(self)
                    exec({noise!r})
        sys.meta_path.insert(0, Noisy())
        sys.argv[1:1] = ["mcp"]
        sys.exit(main())
    """
    path = tmp_path / "noisy.py"
    path.write_text(textwrap.dedent(program))
    client = begin([sys.executable, str(path)])
    use(client)
    assert re.search("hello|raw bytes|child|Log opened|a warning", client.told())


def test_carriage_returns_are_taken_and_not_given(begin: Begin) -> None:
    """
    A client that ends its lines with CR LF is understood.
    """
    client = begin()
    message = {"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": hello()}
    client.send(json.dumps(message).encode() + b"\r\n")
    assert client.answer(7)["result"]["serverInfo"]["name"] == "reticle"
    assert not client.lines[0].endswith(b"\r")


def test_text_of_any_language_passes(begin: Begin) -> None:
    """
    Lines are UTF-8 whatever the locale says, and ids of any text come back as they were.
    """
    client = begin(LC_ALL="C")
    client.send('{"jsonrpc":"2.0","id":"žluťoučký 🦊\u2028","method":"ping"}\n'.encode())
    assert client.answer("žluťoučký 🦊\u2028")["result"] == {}


@pytest.mark.parametrize(
    "line", [b"hello\n", b"\xff\xfe\n", b"{}\n", b"[]\n", b"[" * 100_000 + b"\n", b'{"id":1e999}\n', b"\0\n"]
)
def test_nonsense_is_answered_and_forgotten(line: bytes, begin: Begin) -> None:
    """
    A line that is no message gets an error without an id; the next one is served.
    """
    client = begin()
    client.send(line)
    assert client.answer(None)["error"]["code"] in (-32700, -32600)
    assert client.request("ping") == {}


def test_a_line_that_never_ends_costs_no_memory(begin: Begin) -> None:
    """
    40 MiB without a line end are dropped as they come, told once, and the next line is served.
    """
    client = begin()
    client.initialize()
    for _ in range(40):
        client.send(b"x" * (1 << 20))
    client.send(b"\n")
    assert client.answer(None)["error"]["data"]["code"] == "malformed_body"
    assert client.request("ping") == {}
    status = Path(f"/proc/{client.process.pid}/status").read_text()
    peak = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert peak is not None
    assert int(peak[1]) < 80_000


def test_a_client_that_does_not_read_is_waited_for(begin: Begin) -> None:
    """
    5,000 lists of 12 KB that nobody reads yet do not pile up in the front, and all come in the end.
    """
    client = begin()
    client.initialize()
    requests = [b'{"jsonrpc":"2.0","id":%d,"method":"tools/list"}\n' % n for n in range(10, 1_510)]
    for line in requests:
        client.dialogue.sent(line)
    writer = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=client.process.stdin)
    assert writer.stdin is not None
    writer.stdin.write(b"".join(requests))
    writer.stdin.close()
    time.sleep(1.0)
    resident = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{client.process.pid}/status").read_text())
    assert resident is not None
    assert int(resident[1]) < 80_000
    for number in range(10, 1_510):
        client.answer(number)
    writer.wait(10)


def test_closed_descriptors_are_no_trap(tmp_path: Path) -> None:
    """
    A host that gives no standard error, or no input, gets answers or a clean end.
    """
    program = [*SERVER, "--no-start"]
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    environment = {
        **os.environ,
        "RETICLE_STATE_DIR": str(tmp_path / "s"),
        "RETICLE_RUNTIME_DIR": str(tmp_path),
    }
    for shell, expected in (('"$@" 2>&-', b'"id":1'), ('"$@" <&-', b"")):
        done = subprocess.run(
            ["/bin/sh", "-c", shell, "sh", *program],
            input=line.encode() + b"\n", capture_output=True, env=environment, timeout=30, check=False,
        )  # fmt: skip
        assert expected in done.stdout
        assert (done.returncode, b"Traceback" in done.stderr) == (0, False)


def test_under_a_terminal(tmp_path: Path) -> None:
    """
    A host that gives a pseudo-terminal gets the same lines, and can hang up.
    """
    ours, theirs = pty.openpty()
    environment = {
        **os.environ,
        "RETICLE_STATE_DIR": str(tmp_path / "s"),
        "RETICLE_RUNTIME_DIR": str(tmp_path),
    }
    process = subprocess.Popen(
        [*SERVER, "--no-start"], stdin=theirs, stdout=theirs, stderr=2, env=environment
    )
    os.close(theirs)
    os.write(ours, b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    got = b""
    deadline = time.monotonic() + 30
    while b'"result":{}' not in got:
        assert select.select([ours], [], [], deadline - time.monotonic())[0], got
        got += os.read(ours, 65_536)
    os.close(ours)
    assert process.wait(30) is not None


def test_signals_end_it_quietly(begin: Begin) -> None:
    """
    A host that sends SIGTERM or SIGINT sees the process go, without a traceback.
    """
    for number in (15, 2):
        client = begin()
        client.initialize()
        client.process.send_signal(number)
        client.process.wait(10)
        assert "Traceback" not in client.told()


def test_a_wrong_flag_is_told_on_standard_error(begin: Begin) -> None:
    """
    A misspelt entry ends at once with the flag's name, exit code 2, and nothing on stdout.
    """
    client = begin([*SERVER, "--prot", "1"])
    assert client.process.wait(30) == 2
    assert "--prot" in client.told()
    assert not client.receive(1.0)


def test_what_is_open_when_input_ends_is_answered(begin: Begin) -> None:
    """
    Who pipes calls in and closes the pipe reads one answer to each, also where the daemon never gives one.
    """
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = begin(RETICLE_PORT=str(silent.getsockname()[1]))
        client.initialize()
        asked = [client.ask("tools/call", {"name": "reticle_act", "arguments": {}}) for _ in range(3)]
        assert client.process.stdin is not None
        client.process.stdin.close()
        for identity in asked:
            assert "error" in client.answer(identity)
        assert client.process.wait(10) == 0
    assert [client.answers(identity) for identity in asked] == [1, 1, 1]


def test_the_first_answer_is_quick(tmp_path: Path) -> None:
    """
    A host that starts twenty servers does not wait for this one: 60 ms of work to the first answer, the
    interpreter's own start included (the least of ten; a busy machine makes the others longer).
    """
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPYCACHEPREFIX": str(tmp_path / "cache"), "RETICLE_STATE_DIR": str(tmp_path / "s")}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello()}).encode() + b"\n"
    needed = []
    for _ in range(11):
        process = subprocess.Popen(
            [*SERVER, "--no-start", "--url", "http://127.0.0.1:9"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line)
        process.stdin.flush()
        assert b'"result"' in process.stdout.readline()
        user, system = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        needed.append((int(user) + int(system)) * 1_000 / os.sysconf("SC_CLK_TCK"))
        process.kill()
        process.communicate()
    assert min(needed[1:]) <= 60


def test_the_start_loads_little(tmp_path: Path) -> None:
    """
    The first answer does not wait for libraries: none that has to be installed, no HTTP client, no threads.
    """
    program = (
        "import sys, atexit, os; from reticle.__main__ import main;"
        "atexit.register(lambda: os.write(2, repr([m for m in ('click','attr','attrs','msgspec','twisted',"
        "'platformdirs','http.client','threading','socket','subprocess','dataclasses','pathlib')"
        " if m in sys.modules]).encode()));"
        "sys.argv = ['reticle', 'mcp', '--help']; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"sys=__import__('sys'); sys.path.insert(0, {str(ROOT)!r});{program}"],
        capture_output=True, text=True, check=True, timeout=60, cwd=tmp_path,
    )  # fmt: skip
    assert done.stderr == "[]"
    assert done.stdout.startswith("Usage: reticle mcp")
