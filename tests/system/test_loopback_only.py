"""
The whole demo on a machine that has nothing but loopback: nothing is looked for outside, and nothing is
written outside its own folders.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from examples.journeys.children import ROOT, find_browser

DEMO_SECONDS = 400

SYSCALLS = "connect,sendto,sendmsg,sendmmsg,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,symlink"
"""What reaches out, and what makes files."""

IPV6_PROBE = ("2001:4860:4860::8888", 443)
"""Chromium asks the kernel by this address whether there is a road for IPv6; it sends nothing there."""

_LINE = re.compile(r"(?P<pid>\d+)<(?P<program>.*?)> +(?P<call>\w+)\((?P<rest>.*)")
_IPV4 = re.compile(r'sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)')
_IPV6 = re.compile(r'sin6_port=htons\((\d+)\).*?inet_pton\(AF_INET6, "([^"]+)"')
_NAME = re.compile(r'(?:AT_FDCWD<(?P<folder>[^>]*)>, |\d+<(?P<other>[^>]*)>, )?"(?P<name>[^"]*)"')


class Call(NamedTuple):
    """
    One system call: by which program, which call, and its arguments as they were printed.
    """

    program: str
    name: str
    rest: str

    @property
    def is_ours(self) -> bool:
        """
        Whether demo, daemon or shop made it, and not the browser.
        """
        return self.program.startswith("python")

    @property
    def target(self) -> tuple[str, int] | None:
        """
        The address outside of this machine that it names, if it names one.
        """
        for form in (_IPV4, _IPV6):
            found = form.search(self.rest)
            if found is not None and not found[2].startswith("127.") and found[2] != "::1":
                return found[2], int(found[1])
        return None

    @property
    def written(self) -> Path | None:
        """
        The file or folder that it makes or opens for writing, if it does.
        """
        if self.name in {"connect", "sendto", "sendmsg", "sendmmsg"} or "ENOENT" in self.rest:
            return None
        if self.name == "openat" and not re.search(r"O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)", self.rest):
            return None
        names = [*_NAME.finditer(self.rest)]
        named = names[-1]
        return Path(named["folder"] or named["other"] or "/") / named["name"]


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory, tool: Callable[[str], str]) -> tuple[list[Call], Path]:
    """
    What the programs of a whole demo asked of the system, and the folder for its temporary ones.
    """
    if find_browser() is None:
        pytest.skip("no Chromium was found; install one or set CHROMIUM")
    folder = tmp_path_factory.mktemp("demo")
    trace, temporary = folder / "trace", folder / "tmp"
    temporary.mkdir()
    (folder / "home").mkdir()
    alone = [tool("unshare"), "--net", *(() if os.geteuid() == 0 else ("--map-root-user",))]
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no network namespace can be made here: that needs root or user namespaces")
    watched = [tool("strace"), "-f", "--seccomp-bpf", "-qq", "-y", "-s", "4096", "--decode-pids=comm"]
    watched += ["-e", "signal=none", "-e", f"trace={SYSCALLS}", "-o", str(trace)]
    up = f'{tool("ip")} link set lo up && exec "$@"'
    demo = [sys.executable, str(ROOT / "examples" / "demo.py")]
    # Without PYTHONPATH no other test's witness writes down what the demo's programs say.
    mine = ("RETICLE_", "XDG_", "PYTHONPATH", "MESSAGES_RECORDED_IN")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(mine)}
    ended = subprocess.run(
        [*alone, "sh", "-c", up, "sh", *watched, *demo],
        cwd=ROOT,
        env={
            **inherited,
            "HOME": str(folder / "home"),
            "TMPDIR": str(temporary),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        timeout=DEMO_SECONDS,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-4_000:] + ended.stderr[-4_000:]
    with trace.open(errors="replace") as lines:
        return [*_calls(lines)], temporary


def _calls(lines: Iterable[str]) -> Iterator[Call]:
    for line in lines:
        found = _LINE.match(line)
        if found is not None:
            yield Call(found["program"], found["call"], found["rest"])


@pytest.mark.full
def test_nothing_is_looked_for_outside(calls: tuple[list[Call], Path]) -> None:
    """
    Demo, daemon and shop name no address but loopback ones, not even of a name server; nor does the browser
    with the flags that we give it.
    """
    made, _ = calls
    asks = (
        'connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.0.0.1")}, 16)'
    )
    assert [call.target for call in _calls([f"17<python> {asks} = -1 ENETUNREACH"])] == [("10.0.0.1", 53)]
    assert sum(call.is_ours and call.name == "connect" for call in made) > 10, "the trace has seen nothing"
    assert [call for call in made if call.is_ours and call.target is not None] == []
    assert {call.target for call in made if call.target is not None} <= {IPV6_PROBE}


@pytest.mark.full
def test_nothing_is_written_outside(calls: tuple[list[Call], Path]) -> None:
    """
    What our programs write lies in the daemon's state and runtime directories; only the log of each child
    lies beside them, and all of it is gone when the demo is over.
    """
    made, temporary = calls
    written = {call.written for call in made if call.is_ours and call.written is not None}
    assert any(path.name.startswith("reticle.sqlite3") for path in written), "the trace has seen nothing"
    strange = [path for path in written if not _may_be_written(path, temporary)]
    assert strange == []
    assert [path.name for path in temporary.glob("reticle-demo-*")] == []


def _may_be_written(path: Path, temporary: Path) -> bool:
    if path == Path("/dev/null"):
        return True
    if not path.is_relative_to(temporary):
        return False
    parts = path.relative_to(temporary).parts
    return len(parts) < 2 or parts[1] in {"state", "runtime"} or path.suffix == ".log"
