"""
Tokens from the shell, over the real daemon: made, presented on every carrier, ended.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect as dial_page

from examples.journeys.children import ChildFailedError, Daemon, daemon_environment, start_daemon
from reticle.cli.exits import ExitCode
from reticle.client import Client, Refused, StreamEnded, connect
from tests.system.pages import HELLO
from tests.system.starting import StartDaemon
from tests.system.stdio import StdioClient
from tests.system.streamable import Answer, ask
from tests.system.wire import WAIT_SECONDS, eventually

pytestmark = pytest.mark.system

STREAMABLE = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def run(daemon: Daemon, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
    """
    One command against that daemon.
    """
    folder = daemon.state_dir.parent
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("RETICLE_")}
    return subprocess.run(
        [sys.executable, "-m", "reticle", *arguments], capture_output=True, text=True, timeout=60,
        check=False, cwd=folder, env={**inherited, **daemon_environment(folder), **extra},
    )  # fmt: skip


def answer_of(daemon: Daemon, *arguments: str) -> Any:
    """
    What a command prints as JSON.
    """
    done = run(daemon, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def strict_url(daemon: Daemon) -> str:
    """
    Where agents with tokens connect.
    """
    return (daemon.runtime_dir / "mcp-http-endpoint").read_text().strip()


def post(daemon: Daemon, token: str | None, method: str, **params: object) -> Answer:
    """
    One request to the second listener.
    """
    port = int(strict_url(daemon).rpartition(":")[2].partition("/")[0])
    credential = {} if token is None else {"Authorization": f"Bearer {token}"}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    return ask(port, body, {**STREAMABLE, **credential})


def code_of(answer: Answer) -> tuple[int, str]:
    """
    Status and code of a refusal, in either of its forms.
    """
    message = json.loads(answer.text)
    if "error" in message:
        return answer.status, message["error"]["data"]["code"]
    return answer.status, message["result"]["structuredContent"]["error"]


@pytest.fixture
def daemon(start: StartDaemon) -> Daemon:
    """
    A daemon with its second listener.
    """
    return start()


def test_a_token_from_the_shell_is_used_by_an_agent_and_ends(daemon: Daemon) -> None:
    """
    The whole life of a token: made for a repository's agent, used, renewed, revoked; and nobody else gets in.
    """
    made = answer_of(daemon, "token", "create", "--capability", "observe", "--expires-in", "1h")
    listed = post(daemon, made["token"], "tools/list").result["tools"]
    assert {"reticle_sessions", "reticle_snapshot"} <= {tool["name"] for tool in listed}
    assert "reticle_act" not in {tool["name"] for tool in listed}
    called = post(daemon, made["token"], "tools/call", name="reticle_sessions", arguments={})
    assert called.result["structuredContent"]["ok"] is True

    assert code_of(post(daemon, None, "tools/list")) == (401, "token_missing")
    assert code_of(post(daemon, "pair", "tools/list"))[1] in {"token_invalid", "token_malformed"}
    denied = post(daemon, made["token"], "tools/call", name="daemon.token.list", arguments={})
    assert code_of(denied) == (200, "capability_missing")

    renewed = answer_of(daemon, "token", "rotate", made["token_id"], "--expires-in", "30m")
    assert code_of(post(daemon, made["token"], "tools/list")) == (401, "token_revoked")
    call = {"name": "reticle_sessions", "arguments": {}}
    assert code_of(post(daemon, made["token"], "tools/call", **call)) == (200, "token_revoked")
    assert post(daemon, renewed["token"], "tools/list").status == 200

    answer_of(daemon, "token", "revoke", renewed["token_id"])
    assert code_of(post(daemon, renewed["token"], "tools/list")) == (401, "token_revoked")
    shown = answer_of(daemon, "token", "list", "--ended")
    assert {each["token_id"] for each in shown["tokens"]} >= {made["token_id"], renewed["token_id"]}
    everything = (daemon.child.printed(), json.dumps(shown))
    for secret in (made["token"], renewed["token"]):
        assert not any(secret.partition(".")[2] in text for text in everything)


def test_open_streams_end_with_their_token(daemon: Daemon) -> None:
    """
    Who revokes a token need not restart anything: its agent hears why, and is not let in again.
    """
    made = answer_of(daemon, "token", "create", "--capability", "observe")
    streams: list[Client] = []
    for url in (daemon.mcp_url, f"{strict_url(daemon)}/sse"):
        client = connect(url, made["token"], WAIT_SECONDS)
        client.initialize()
        streams.append(client)
    answer_of(daemon, "token", "revoke", made["token_id"])
    for client in streams:
        client.wait_for_end(WAIT_SECONDS)
        with pytest.raises((Refused, StreamEnded)):
            client.request("tools/list")
        client.close()
    with pytest.raises(Refused) as caught:
        connect(daemon.mcp_url, made["token"], WAIT_SECONDS)
    assert caught.value.status == 401


def test_a_front_presents_the_token_it_was_handed(daemon: Daemon, tmp_path: Path) -> None:
    """
    An agent over standard input and output is its token, and may do what that may.
    """
    token = tmp_path / "lane"
    made = run(daemon, "token", "create", "--capability", "observe", "--out", str(token))
    assert (made.returncode, stat.S_IMODE(token.stat().st_mode)) == (0, 0o600)
    folder = daemon.state_dir.parent
    extra = {"RETICLE_MCP_TOKEN_FILE": str(token), "RETICLE_MCP_URL": strict_url(daemon)}
    client = StdioClient(folder, ["--no-start"], extra)
    try:
        client.initialize()
        told = client.call("reticle_sessions")
        assert told["structuredContent"]["ok"] is True
        denied = client.call("reticle_navigate", url="http://127.0.0.1:1/")
        assert denied["structuredContent"]["error"] == "capability_missing"
    finally:
        client.end()


def test_a_strict_daemon_lets_no_agent_in_without_a_token(start: StartDaemon) -> None:
    """
    With ``--require-token`` the first listener asks for one too; the operator's commands work as ever.
    """
    daemon = start(extra={"RETICLE_REQUIRE_TOKEN": "on", "RETICLE_MCP_HTTP_ADDR": "off"})
    assert strict_url(daemon) == f"{daemon.url}/mcp"
    with pytest.raises(Refused):
        connect(daemon.mcp_url, None, WAIT_SECONDS)
    made = answer_of(daemon, "token", "create", "--capability", "observe")
    with connect(daemon.mcp_url, made["token"], WAIT_SECONDS) as client:
        client.initialize()
        assert client.call("reticle_sessions").ok
    assert ask(daemon.port, None, {}, method="GET", path="/status").status == 401
    assert ask(daemon.port, None, {}, method="GET", path="/sdk.js").status == 200
    assert run(daemon, "status").returncode == 0
    assert run(daemon, "status", RETICLE_MCP_TOKEN=made["token"]).returncode == 0
    assert run(daemon, "status", RETICLE_MCP_TOKEN="dtok_wrong").returncode == 5


def test_a_status_shows_each_token_its_own_pages(start: StartDaemon, tmp_path: Path) -> None:
    """
    With ``--require-token`` a token for one repository reads no address and no title of another's pages, and
    one that may not look at pages none at all; the page follows when its origin is registered meanwhile.
    """
    daemon = start(extra={"RETICLE_REQUIRE_TOKEN": "on", "RETICLE_MCP_HTTP_ADDR": "off"})
    places: list[str] = []
    for name in ("shop", "blog"):
        (tmp_path / name).mkdir()
        places.append(answer_of(daemon, "repo", "add", str(tmp_path / name))["repository_id"])
    asked = [*(("observe", "--repository", place) for place in places), ("read",), ("observe",)]
    tokens = [answer_of(daemon, "token", "create", "--capability", *each)["token"] for each in asked]

    def seen() -> list[int]:
        headers = [{"Authorization": f"Bearer {token}"} for token in tokens]
        answers = [ask(daemon.port, None, each, method="GET", path="/status") for each in headers]
        return [len(json.loads(answer.text)["pages"]) for answer in answers]

    with dial_page(f"ws://127.0.0.1:{daemon.port}/reticle") as page:
        page.send(json.dumps({**HELLO, "url": "http://localhost:3000/cart"}))
        eventually(lambda: seen() == [0, 0, 0, 1], "the page is there for one of them")
        answer_of(daemon, "repo", "update", places[0], "--add-origin", "http://localhost:3000")
        assert seen() == [1, 0, 0, 1]
        refused = run(daemon, "repo", "update", places[1], "--add-origin", "http://localhost:3000")
        assert (refused.returncode, places[0] in refused.stderr) == (ExitCode.REFUSED, True)
        answer_of(daemon, "repo", "update", places[0], "--remove-origin", "http://localhost:3000")
        answer_of(daemon, "repo", "update", places[1], "--add-origin", "http://localhost:3000")
        assert seen() == [0, 1, 0, 1]


def test_a_page_that_is_led_elsewhere_leaves_its_past_behind(start: StartDaemon, tmp_path: Path) -> None:
    """
    The new repository's token reads nothing of what the page reported before, the old one's nothing of what
    it reports now; whoever may look at everything reads both.
    """
    daemon = start()
    tokens: list[str] = []
    for name, port in (("shop", 3000), ("blog", 5000)):
        (tmp_path / name).mkdir()
        served = ("--origin", f"http://localhost:{port}")
        place = answer_of(daemon, "repo", "add", str(tmp_path / name), *served)["repository_id"]
        granted = ("--capability", "observe", "--repository", place)
        tokens.append(answer_of(daemon, "token", "create", *granted)["token"])
    tokens.append(answer_of(daemon, "token", "create", "--capability", "observe")["token"])

    def told(token: str) -> str:
        with connect(strict_url(daemon), token, WAIT_SECONDS) as client:
            client.initialize()
            asked = {"sessionId": "bystander", "since": 0}
            answers = [client.call(name, asked) for name in ("reticle_observe", "reticle_network")]
            return str([(answer.fields, answer.text) for answer in answers])

    def visit(port: int, document: str, body: str) -> None:
        page.send(json.dumps({**HELLO, "url": f"http://localhost:{port}/", "documentId": document}))
        data = {"id": "n1", "url": "/api", "method": "GET", "status": 200, "responseBody": body}
        event = {"seq": 1, "t": 1, "type": "net.request", "documentId": document, "data": data}
        page.send(json.dumps({"kind": "event", "event": event}))
        eventually(lambda: body in told(tokens[2]), "the request is there")

    with dial_page(f"ws://127.0.0.1:{daemon.port}/reticle") as page:
        visit(3000, "document1", "of-the-shop")
        assert "of-the-shop" in told(tokens[0])
        visit(5000, "document2", "of-the-blog")
        shop, blog, everything = map(told, tokens)
    assert ("of-the-shop" in blog, "of-the-blog" in blog) == (False, True)
    assert ("of-the-blog" in shop, "capability_scope_mismatch" in shop) == (False, True)
    assert ("of-the-shop" in everything, "of-the-blog" in everything) == (True, True)


def test_the_operators_token_outlives_restarts_and_its_own_loss(start: StartDaemon) -> None:
    """
    The file is kept over a restart; where it is gone, as after a reboot, a new token takes its place.
    """
    daemon = start()
    path = daemon.runtime_dir / "client-token"
    first = path.read_text()
    daemon.child.terminate()
    daemon.child.wait_for_exit(WAIT_SECONDS)
    assert not (daemon.runtime_dir / "daemon.sock").exists()
    daemon = start()
    assert path.read_text() == first
    daemon.child.process.kill()
    daemon.child.wait_for_exit(WAIT_SECONDS)
    path.unlink()
    daemon = start()
    assert path.read_text() != first
    assert code_of(post(daemon, first.strip(), "tools/list")) == (401, "token_revoked")
    assert answer_of(daemon, "token", "list")["total"] == 1


def test_two_starts_at_once_make_one_operators_token(tmp_path: Path) -> None:
    """
    Whichever of two daemons gets the directory mints the one token; the other says that it is taken.
    """

    def begin(number: int) -> Daemon | None:
        del number
        try:
            return start_daemon(tmp_path)
        except ChildFailedError:
            return None

    with ThreadPoolExecutor(2) as both:
        started = [one for one in both.map(begin, range(2)) if one is not None]
    try:
        [daemon] = started
        tokens = answer_of(daemon, "token", "list", "--ended")["tokens"]
        assert [token["client_kind"] for token in tokens] == ["bootstrap"]
    finally:
        for one in started:
            one.child.stop()


def test_a_second_daemon_takes_nothing_from_the_first(start: StartDaemon) -> None:
    """
    Daemons that share a runtime directory have a socket and a token each.
    """
    first = start()
    second = start(extra={"RETICLE_STATE_DIR": str(first.state_dir.parent / "other")})
    for daemon in (first, second):
        shown = answer_of(daemon, "token", "list", "--port", str(daemon.port))
        assert shown["total"] == 1
    assert (first.runtime_dir / f"client-token-{second.port}").exists()
    assert "--port" in run(first, "token", "list").stderr
