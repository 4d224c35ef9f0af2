"""
Agents that do nothing but take packets and complete them, over plain POSTs; many at once, at any of several
daemons. An agent whose daemon is gone goes on at another one.
"""

from __future__ import annotations

import http.client
import itertools
import json
import random
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import attrs

from examples.journeys.children import Daemon

_NUMBERS = itertools.count(1)
_HTTP_SECONDS = 70.0
"""Longer than any wait for a packet."""


class Unanswered(Exception):
    """
    Nobody knows whether the call was done: its daemon is gone, or not there yet.
    """


class Line:
    """
    One kept connection to a daemon.

    Args:
        port: Its port.
        token: A capability token.
    """

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self.token = token
        self._http = http.client.HTTPConnection("127.0.0.1", port, timeout=_HTTP_SECONDS)

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """
        The fields of the answer to one call, good or bad.

        Raises:
            Unanswered: See there.
        """
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": next(_NUMBERS), "method": "tools/call", "params": params}
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {self.token}",
        }
        try:
            self._http.request("POST", "/mcp", json.dumps(message), headers)
            with self._http.getresponse() as answer:
                body = answer.read()
        except (OSError, http.client.HTTPException) as lost:
            self._http.close()
            raise Unanswered(str(lost)) from lost
        if answer.status == 503:
            raise Unanswered("503")
        if answer.headers.get_content_type() == "text/event-stream":
            lines = [line[5:] for line in body.decode().splitlines() if line.startswith("data:")]
            found = [json.loads(line) for line in lines if line.strip()]
            whole = next((each for each in found if each.get("id") == message["id"]), None)
            if whole is None:
                raise Unanswered("the stream ended")
        else:
            whole = json.loads(body)
        if "result" not in whole:
            return {"ok": False, "error": "protocol", "message": json.dumps(whole)}
        fields: dict[str, Any] = whole["result"]["structuredContent"]
        return fields

    def close(self) -> None:
        """
        Hang up.
        """
        self._http.close()


def operator_at(daemon: Daemon) -> Line:
    """
    The operator of a daemon.
    """
    return Line(daemon.port, (daemon.runtime_dir / "client-token").read_text().strip())


@attrs.frozen
class Session:
    """
    What an agent needs to take part.
    """

    repository_id: str
    run_id: str
    session_id: str
    token: str


def checked(fields: dict[str, Any]) -> dict[str, Any]:
    """
    The fields of a call that must go well.
    """
    if not fields.get("ok"):
        raise AssertionError(fields)
    return fields


def begin_run(operator: Line, folder: Path, packets: int, agents: int) -> Sequence[Session]:
    """
    A repository, a run of so many packets, and sessions for so many agents.
    """
    folder.mkdir(parents=True, exist_ok=True)
    added = checked(operator.call("repo.add", path=str(folder)))
    repository_id = added.get("repository_id") or added["repository"]["repository_id"]
    where = {"repository_id": repository_id}
    jobs = [{"id": f"j{number}", "role": "maker", "prompt": "make it"} for number in range(packets)]
    plan = {"title": "a crowd", "roles": {"maker": {"slots": agents}}, "jobs": jobs}
    # A call's arguments hold no more than some thousand jobs.
    (folder / "crowd.json").write_text(json.dumps(plan))
    prepared = checked(operator.call("run.prepare", **where, workflow="crowd.json"))
    run_id = prepared["run_id"]
    checked(operator.call("run.start", **where, run_id=run_id))
    sessions = []
    for _ in range(agents):
        made = checked(operator.call("session.register", **where, run_id=run_id, role="maker"))
        token = made["session_capability_token"]["token"]
        sessions.append(Session(repository_id, run_id, made["session_id"], token))
    return sessions


@attrs.define
class Tally:
    """
    What agents saw; appended to from many threads.
    """

    completed: list[str] = attrs.field(factory=list)
    claim_seconds: list[float] = attrs.field(factory=list)
    refused: list[str] = attrs.field(factory=list)
    unanswered: list[str] = attrs.field(factory=list)
    broken: list[BaseException] = attrs.field(factory=list)


@attrs.define
class Agent:
    """
    One agent, which goes on until its run is over.

    Args:
        session: Who it is.
        ports: The daemons that it may talk to, as they are at the moment.
        tally: Where it notes what it saw.
        chance: Which daemon it goes to next.
        lease_seconds: For how long it claims.
        wait_seconds: How long one wait for a packet lasts.
        work_seconds: How long it works on a packet, more or less.
    """

    session: Session
    ports: Callable[[], Sequence[int]]
    tally: Tally
    chance: random.Random
    lease_seconds: int = 600
    wait_seconds: float = 20.0
    work_seconds: float = 0.0
    line: Line | None = None
    over: bool = False

    def run(self, until: float) -> None:
        """
        Take packets and complete them; raises nothing.
        """
        try:
            while not self.over and time.monotonic() < until:
                self._step()
        except BaseException as fault:  # noqa: BLE001 - the test looks at it
            self.tally.broken.append(fault)
        finally:
            if self.line is not None:
                self.line.close()

    def _step(self) -> None:
        started = time.monotonic()
        try:
            got = self._call(
                "work.await_packet", lease_seconds=self.lease_seconds, wait_seconds=self.wait_seconds
            )
            if not got.get("ok") or "packet" not in got:
                self._idle(got)
                return
            self.tally.claim_seconds.append(time.monotonic() - started)
            packet = got["packet"]
            lease_id, job_id = packet["lease"]["lease_id"], packet["job"]["job_id"]
            self._until_answered("work.ack", lease_id)
            time.sleep(self.chance.uniform(0.0, 2 * self.work_seconds))
            done = self._until_answered("work.complete", lease_id)
        except Unanswered as lost:
            self._elsewhere(lost)
            return
        if done.get("ok"):
            self.tally.completed.append(job_id)
        else:
            self.tally.refused.append(str(done.get("error")))

    def _until_answered(self, tool: str, lease_id: str) -> dict[str, Any]:
        """
        Ask again where the answer was lost: the same lease makes it the same call.
        """
        for _ in range(60):
            try:
                fields = self._call(tool, lease_id=lease_id)
            except Unanswered as lost:
                self._elsewhere(lost)
                continue
            if fields.get("error") in ("storage_failed", "daemon_under_load", "not_ready", "shutting_down"):
                self._elsewhere(Unanswered(str(fields["error"])))
                continue
            return fields
        raise AssertionError(f"no daemon answered {tool} for a long time")

    def _idle(self, got: dict[str, Any]) -> None:
        if got.get("idle_behavior") == "exit_session" or got.get("type") == "session_terminal":
            self.over = True
        elif not got.get("ok"):
            self._elsewhere(Unanswered(str(got.get("error"))))

    def _call(self, tool: str, **arguments: object) -> dict[str, Any]:
        if self.line is None:
            ports = self.ports()
            if not ports:
                raise Unanswered("no daemon")
            self.line = Line(self.chance.choice(list(ports)), self.session.token)
        who = {"repository_id": self.session.repository_id, "session_id": self.session.session_id}
        return self.line.call(tool, **who, **arguments)

    def _elsewhere(self, lost: Unanswered) -> None:
        self.tally.unanswered.append(str(lost))
        if self.line is not None:
            self.line.close()
        self.line = None
        time.sleep(self.chance.uniform(0.05, 0.3))


def let_all_work(agents: Sequence[Agent], seconds: float) -> None:
    """
    Run agents side by side until each is done, or for so long.
    """
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=agent.run, args=(until,), daemon=True) for agent in agents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + _HTTP_SECONDS)
