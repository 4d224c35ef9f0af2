"""
Which daemon is dialled.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reticle.relay.supervisor import Where
from reticle.relay.trouble import Cause, Trouble
from reticle.relay.whereabouts import Whereabouts
from reticle.storage.process_identity import process_identity

Find = Callable[..., Whereabouts]


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    An empty runtime directory, and no configuration in sight.
    """
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "runtime"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def whereabouts(runtime: Path) -> Find:
    """
    Makes what a front with flags and an environment would.
    """

    def make(flags: dict[str, str] | None = None, **environ: str) -> Whereabouts:
        return Whereabouts(
            flags or {}, {"RETICLE_RUNTIME_DIR": str(runtime), "HOME": str(runtime), **environ}
        )

    return make


def announce(runtime: Path, port: int, pid: int | None = None, identity: str | None = None) -> None:
    """
    Write a record as a daemon does; of this very process unless told otherwise.
    """
    pid = pid or os.getpid()
    record = {"url": f"http://127.0.0.1:{port}", "port": port, "pid": pid}
    path = runtime / f"daemon-{port}.json"
    path.write_text(json.dumps({**record, "identity": identity or process_identity(pid)}))
    path.chmod(0o600)


def dialled(found: Where | Trouble) -> str:
    """
    Host, port and path that would be dialled.
    """
    assert isinstance(found, Where), found
    return found.address.authority + found.address.target


def test_without_any_sign_the_usual_port_is_tried(whereabouts: Find) -> None:
    """
    A daemon of another user, or one that could not announce itself, is found there.
    """
    assert dialled(whereabouts().find()) == "127.0.0.1:4400/mcp/sse"


def test_the_only_daemon_here_is_the_one(whereabouts: Find, runtime: Path) -> None:
    """
    Started on any port, a daemon is found when it is the only one.
    """
    announce(runtime, 5001)
    assert dialled(whereabouts().find()) == "127.0.0.1:5001/mcp/sse"


def test_of_several_the_port_decides(whereabouts: Find, runtime: Path) -> None:
    """
    The flag is nearer than the variable; a named port is never exchanged for another daemon's.
    """
    announce(runtime, 5001)
    announce(runtime, 5002)
    assert dialled(whereabouts({"port": "5002"}, RETICLE_PORT="5001").find()) == "127.0.0.1:5002/mcp/sse"
    assert dialled(whereabouts(RETICLE_PORT="5001").find()) == "127.0.0.1:5001/mcp/sse"
    assert dialled(whereabouts({"port": "5003"}).find()) == "127.0.0.1:5003/mcp/sse"


def test_a_dead_daemons_port_is_not_trusted(whereabouts: Find, runtime: Path) -> None:
    """
    Somebody else may listen there by now, and would get the token.
    """
    announce(runtime, 5001, identity="another life")
    found = whereabouts(RETICLE_PORT="0").find()
    assert isinstance(found, Trouble)
    assert found.cause is Cause.NOBODY


@pytest.mark.parametrize("content", ["", "{", "[]", '{"url": 1}', '{"url":"http://x","port":"x","pid":1}'])
def test_a_damaged_record_is_passed_over(content: str, whereabouts: Find, runtime: Path) -> None:
    """
    A half-written file does not end the front.
    """
    (runtime / "daemon-1.json").write_text(content)
    assert whereabouts().choose() is None


def test_a_url_leads_anywhere(whereabouts: Find) -> None:
    """
    A daemon behind a prefix, in a container or started by an agent's supervisor is named whole.
    """
    there = whereabouts({"url": "http://localhost:9000/app/mcp"})
    assert dialled(there.find()) == "localhost:9000/app/mcp"
    assert there.elsewhere
    assert dialled(whereabouts(RETICLE_MCP_URL="http://[::1]:9000/mcp").find()) == "[::1]:9000/mcp"
    assert not whereabouts({"port": "5001"}, RETICLE_URL="http://localhost:9000").elsewhere


def test_the_token_goes_along(whereabouts: Find) -> None:
    """
    The pairing token of the environment is for the daemon that is dialled.
    """
    found = whereabouts(RETICLE_TOKEN="secret").find()
    assert isinstance(found, Where)
    assert found.token == "secret"


@pytest.mark.parametrize(
    ("flags", "environ"),
    [({"url": "https://localhost:1"}, {}), ({"port": "many"}, {}), ({}, {"RETICLE_TOKEN": "x y"})],
)
def test_what_is_told_wrongly_is_a_reason(
    flags: dict[str, str], environ: dict[str, str], whereabouts: Find
) -> None:
    """
    A misspelt setting reaches the agent as the reason why there is no daemon; the front lives on.
    """
    found = whereabouts(flags, **environ).find()
    assert isinstance(found, Trouble)
    assert found.lasting
    assert found.recovery


def test_the_token_of_an_agents_supervisor_is_presented(whereabouts: Find, tmp_path: Path) -> None:
    """
    A front presents the capability token from the file that it was handed, rather than the pairing token.
    """
    handed = tmp_path / "lane-token"
    handed.touch(mode=0o600)
    handed.write_text("dtok_abc.def\n")
    for variable in ("RETICLE_MCP_TOKEN_FILE", "STRIATUM_MCP_TOKEN_FILE"):
        found = whereabouts(
            {"url": "http://127.0.0.1:1/mcp"}, RETICLE_TOKEN="pair", **{variable: str(handed)}
        )
        where = found.find()
        assert isinstance(where, Where)
        assert where.token == "dtok_abc.def"


def test_a_supervisors_url_is_dialled_under_its_older_name_too(whereabouts: Find) -> None:
    """
    An agent that was started for the second seed's daemon finds ours.
    """
    found = whereabouts(STRIATUM_MCP_URL="http://127.0.0.1:8765/mcp").find()
    assert dialled(found) == "127.0.0.1:8765/mcp"
