"""
The agent loop from nothing: three agents mend three bugs and a reviewer accepts; one lies, one is killed.

``python examples/work/demo.py`` ends with 0 only when every job was done with its proof, no lie was believed,
and what the dead agent held was finished by another.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from textwrap import shorten
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from examples.journeys.children import (  # noqa: E402 - found by the line above
    Child,
    ChildFailedError,
    Daemon,
    daemon_environment,
    find_browser,
    start_daemon,
)
from examples.work.jobs import (  # noqa: E402
    FIXER,
    ORDER_SERVED,
    REVIEWER,
    ROLES,
    basket_total,
    orders_kept,
    review,
    search_case,
)
from reticle.client import Client, ClientError, connect  # noqa: E402

HERE = Path(__file__).parent
AGENTS = HERE / "agents"
LIES = (
    "nothing verified",
    "a verdict from before the claim",
    "another agent's verdict",
    "a verdict that is no yes",
    "a page that only says it is one",
    "the app served from another tree",
    "edited after the verdict",
)
FORGERY = "forged facts of the server"
ENDS_SECONDS = 60.0


class NotAsItShouldBeError(Exception):
    """
    Something that the demo shows did not come about.
    """


class Stage:
    """
    The daemon, the operator's connection to it, and whatever was started and has to end.
    """

    def __init__(self, folder: Path, cleanup: ExitStack) -> None:
        self.folder = folder
        self._cleanup = cleanup
        self.daemon: Daemon = start_daemon(folder)
        cleanup.callback(self.daemon.child.stop)
        token = (self.daemon.runtime_dir / "client-token").read_text("utf-8").strip()
        self._client: Client = cleanup.enter_context(connect(self.daemon.mcp_url, token))
        self._client.initialize("reticle-demo-work", "1")

    def call(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        """
        What the daemon answers to the operator.
        """
        result = self._client.call(tool, arguments)
        if result.is_error:
            raise NotAsItShouldBeError(f"{tool}: {result.text}")
        return result.fields

    def tree(self, name: str, port: int) -> tuple[Path, str, str]:
        """
        A copy of the shop with its bugs, registered; gives its folder, address and repository id.
        """
        tree = self.folder / name
        shutil.copytree(HERE / "tree", tree, ignore=shutil.ignore_patterns("__pycache__"))
        url = f"http://127.0.0.1:{port}/"
        added = self.call("repo.add", path=str(tree), origins=[url.rstrip("/")], display_name=name)
        return tree, url, str(added["repository_id"])

    def serve(self, tree: Path, port: int, *, probed: bool = False) -> Child:
        """
        The shop of a tree, running; with a probe where the daemon is to know what the server does.
        """
        under = (sys.executable, "-m", "reticle", "run", "--") if probed else ()
        command = ("env", "-C", tree, *under, sys.executable, "serve.py", str(port))
        child = Child("shop", command, self.folder / f"shop-{port}.log", daemon_environment(self.folder))
        self._cleanup.callback(child.stop)
        child.wait_for(lambda: "http://" in child.printed() or None, "address")
        return child

    def run(self, repository_id: str, jobs: Sequence[Mapping[str, Any]]) -> str:
        """
        A run of these jobs, prepared.
        """
        prepared = self.call("run.prepare", repository_id=repository_id, jobs=list(jobs), roles=ROLES)
        return str(prepared["run_id"])

    def started(self, repository_id: str, jobs: Sequence[Mapping[str, Any]]) -> str:
        """
        A run of these jobs, going.
        """
        run_id = self.run(repository_id, jobs)
        self.call("run.start", repository_id=repository_id, run_id=run_id)
        return run_id

    def tell_liars(self, tree: Path, url: str) -> None:
        """
        What a liar can find out by itself, in a file.
        """
        plan = {
            "root": str(tree), "url": url, "ingest": f"{self.daemon.url}/ingest",
            "bridge": f"{self.daemon.url.replace('http', 'ws', 1)}/reticle",
        }  # fmt: skip
        (self.folder / "plan.json").write_text(json.dumps(plan), "utf-8")

    def agent(self, name: str, role: str, run: tuple[str, str], command: Sequence[str | Path]) -> Child:
        """
        An agent under ``reticle agent-loop``.
        """
        repository_id, run_id = run
        supervised = (
            sys.executable, "-m", "reticle", "agent-loop", "--repository", repository_id, "--run", run_id,
            "--role", role, "--env", "WORK_DEMO_PLAN", "--port", str(self.daemon.port), "--", *command,
        )  # fmt: skip
        environment = {
            **daemon_environment(self.folder),
            "RETICLE_PORT": str(self.daemon.port),
            "WORK_DEMO_PLAN": str(self.folder / "plan.json"),
        }
        child = Child(name, supervised, self.folder / f"{name}.log", environment)
        self._cleanup.callback(child.stop)
        return child

    def state(self, repository_id: str, run_id: str) -> Mapping[str, Any]:
        """
        The run, as an operator sees it.
        """
        return self.call("run.detail", repository_id=repository_id, run_id=run_id)


def main() -> int:
    """
    Play both acts and print what happens.
    """
    if find_browser() is None:
        print("The demo needs a Chromium and found none; set CHROMIUM to its path.", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the children end with us
    started = time.monotonic()
    with ExitStack() as cleanup:
        folder = cleanup.enter_context(
            tempfile.TemporaryDirectory(prefix="reticle-work-", ignore_cleanup_errors=True)
        )
        try:
            stage = Stage(Path(folder), cleanup)
            stolen = three_bugs(stage)
            the_liar_and_the_dead(stage, stolen)
            the_forger(stage)
        except (ChildFailedError, ClientError, NotAsItShouldBeError) as broken:
            print(f"NOT AS IT SHOULD BE: {broken}")
            return 1
    print(f"\nThe work is done, and only with its proof ({time.monotonic() - started:.0f} s).")
    return 0


def three_bugs(stage: Stage) -> str:
    """
    Three agents, each in a language of its own, and a reviewer; gives a verdict that one of them earned.
    """
    port = free_port()
    tree, url, repository_id = stage.tree("corner-shop", port)
    stage.serve(tree, port)
    jobs = [basket_total(url), orders_kept(url), search_case(url)]
    run_id = stage.run(repository_id, [*jobs, *map(review, jobs)])
    run = (repository_id, run_id)
    print("Three bugs, three agents, one reviewer")
    agents = [
        stage.agent("python", FIXER, run, (sys.executable, AGENTS / "agent.py")),
        stage.agent("node", FIXER, run, ("node", AGENTS / "agent.mjs")),
        stage.agent("shell", FIXER, run, ("sh", AGENTS / "agent.sh")),
        stage.agent("reviewer", REVIEWER, run, (sys.executable, AGENTS / "agent.py")),
    ]
    stage.call("run.start", repository_id=repository_id, run_id=run_id)
    for agent in agents:
        _ended_well(agent)
        _show(agent, r"[\w-]+: (completed|accepted)|no more work")
    state = stage.state(repository_id, run_id)
    if state["state"] != "completed":
        raise NotAsItShouldBeError(f"the run is {state['state']}: {state}")
    print(f"  the run is {state['state']}, with all its {sum(state['jobs_by_state'].values())} jobs")
    earned = re.search(r"basket-total: completed with (verdict_\w+)", "".join(map(Child.printed, agents)))
    if earned is None:
        raise NotAsItShouldBeError("nobody said how basket-total was proved")
    return earned[1]


def the_liar_and_the_dead(stage: Stage, stolen: str) -> None:
    """
    One agent lies in each way it knows, one is killed with a packet in its hands; an honest one does it all.
    """
    port = free_port()
    tree, url, repository_id = stage.tree("second-shop", port)
    stage.tell_liars(tree, url)
    run = (repository_id, stage.started(repository_id, [basket_total(url)]))
    print("\nAn agent that lies")
    _refuted(stage.agent("liar", FIXER, run, (sys.executable, AGENTS / "liar.py", stolen)), LIES)

    print("\nAn agent that dies")
    doomed = stage.agent("doomed", FIXER, run, (sys.executable, AGENTS / "agent.py", "--hold", "3"))
    doomed.wait_for(lambda: "holding" in doomed.printed() or None, "a packet in its hands")
    os.killpg(doomed.pid, signal.SIGKILL)
    doomed.wait_for_exit(ENDS_SECONDS)
    print("  doomed    killed with the packet in its hands")
    stage.serve(tree, port)
    _finished(stage, run)


def the_forger(stage: Stage) -> None:
    """
    Where only the server can tell, a probe with the daemon's word has to be there.
    """
    port = free_port()
    tree, url, repository_id = stage.tree("third-shop", port)
    stage.tell_liars(tree, url)
    run = (repository_id, stage.started(repository_id, [orders_kept(url, ORDER_SERVED)]))
    print("\nAn agent that forges facts of the server")
    unwatched = stage.serve(tree, port)
    _refuted(stage.agent("forger", FIXER, run, (sys.executable, AGENTS / "liar.py", "forge")), (FORGERY,))
    unwatched.stop()
    stage.serve(tree, port, probed=True)
    _finished(stage, run)


def _refuted(liar: Child, lies: Sequence[str]) -> None:
    """
    Every lie was refused, each for what it lacks.
    """
    liar.wait_for_exit(ENDS_SECONDS)
    _show(liar, r"LIE|every lie")
    told = liar.printed()
    missing = [lie for lie in lies if not re.search(rf"LIE {re.escape(lie)}: verdict_missing", told)]
    if missing or "every lie was refused" not in told:
        raise NotAsItShouldBeError(f"not refused: {missing}\n{told}")


def _finished(stage: Stage, run: tuple[str, str]) -> None:
    """
    An honest agent does what is left.
    """
    honest = stage.agent("honest", FIXER, run, (sys.executable, AGENTS / "agent.py"))
    _ended_well(honest)
    _show(honest, r"[\w-]+: completed|no more work")
    state = stage.state(*run)
    print(f"  the run is {state['state']}, at attempt {state['jobs'][0]['attempt']}")
    if state["state"] != "completed":
        raise NotAsItShouldBeError(f"the run is {state['state']}: {state}")


def free_port() -> int:
    """
    A port that nobody has now: an origin is registered before its server runs.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _ended_well(agent: Child) -> None:
    code = agent.wait_for_exit(ENDS_SECONDS)
    if code != 0:
        raise NotAsItShouldBeError(f"{agent.name} ended with {code}:\n{agent.printed()[-2000:]}")


def _show(agent: Child, lines: str) -> None:
    for line in agent.printed().splitlines():
        found = re.search(lines, line)  # behind the prompt, where the terminal shows what was typed
        if found:
            print(f"  {agent.name:<9} {shorten(line[found.start() :], 150, placeholder=' …')}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
