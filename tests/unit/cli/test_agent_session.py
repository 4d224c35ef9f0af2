"""
``reticle agent-loop``: which session an agent works as, and whose token it gets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from reticle.cli.agent_session import (
    AgentSession,
    Method,
    Named,
    checked_session,
    last_call,
    named_session,
    register_session,
    report_end,
    repository_id,
    take_session,
)
from reticle.cli.exits import CommandFailure, ExitCode
from reticle.settings import SecretText

OWN, OPERATORS = SecretText("dtok_own.secret"), SecretText("dtok_op.secret")


class PlayedDaemon:
    """
    Answers as the daemon does, or refuses.
    """

    def __init__(
        self, *, refuses: bool = False, running: Sequence[str] = (), ready: Sequence[str] = ()
    ) -> None:
        self.refuses = refuses
        self.runs = {"running": running, "ready": ready}
        self.asked: list[tuple[str, Mapping[str, object]]] = []

    def __call__(self, method: Method, params: Mapping[str, object]) -> Mapping[str, Any]:
        """
        One call.
        """
        self.asked.append((method.value, params))
        if self.refuses:
            raise CommandFailure(ExitCode.REFUSED, "not_found: no such run", "")
        return {
            "session_id": "sess_1",
            "session_capability_token": {"token": OWN.reveal()},
            "repository_id": "shop",
            "runs": [{"run_id": run_id} for run_id in self.runs.get(str(params.get("state")), ())],
        }


def test_flags_go_before_the_environment() -> None:
    """
    What a supervisor exported names the session, in either spelling, unless the command line does.
    """
    environ = {"RETICLE_RUN_ID": "run_e", "STRIATUM_SESSION_ID": "sess_e", "STRIATUM_RUN_ID": "run_old"}
    assert named_session({"run": None}, environ) == Named("run_e", "sess_e", "", "")
    given = {"run": "run_f", "role": "fixer", "repository": "shop"}
    assert named_session(given, environ) == Named("run_f", "", "fixer", "shop")


@pytest.mark.parametrize("given", [{}, {"role": "fixer", "session": "sess_1"}])
def test_one_of_role_and_session_is_needed(given: dict[str, str | None]) -> None:
    """
    An agent works as exactly one session.
    """
    with pytest.raises(CommandFailure) as caught:
        named_session(given, {})
    assert caught.value.exit_code is ExitCode.USAGE


def test_a_role_registers_a_session() -> None:
    """
    The agent gets the token that is bound to its session.
    """
    daemon = PlayedDaemon()
    agent = register_session(Named("run_1", "", "fixer", "shop"), daemon)
    assert agent == AgentSession("sess_1", "run_1", "shop", "fixer", OWN)
    assert daemon.asked == [
        ("session.register", {"repository_id": "shop", "run_id": "run_1", "role": "fixer"})
    ]


def test_the_only_run_needs_no_name() -> None:
    """
    Who has one run going starts an agent for it without looking its id up; of two none is guessed.
    """
    unnamed = Named("", "", "fixer", "shop")
    daemon = PlayedDaemon(running=["run_7"])
    assert register_session(unnamed, daemon).run_id == "run_7"
    assert daemon.asked[0] == ("list.runs", {"repository_id": "shop", "state": "running"})
    for running in ([], ["run_7", "run_8"]):
        with pytest.raises(CommandFailure, match="are running") as caught:
            register_session(unnamed, PlayedDaemon(running=running))
        assert caught.value.exit_code is ExitCode.USAGE


@pytest.mark.parametrize(
    ("ready", "step"), [(["run_9"], "reticle run start run_9"), ([], "reticle run prepare PLAN --start")]
)
def test_without_a_run_one_is_told_how_to_have_one(ready: Sequence[str], step: str) -> None:
    """
    Who forgot to start the run, or to prepare one, reads the command that does it.
    """
    with pytest.raises(CommandFailure) as caught:
        register_session(Named("", "", "fixer", "shop"), PlayedDaemon(ready=ready))
    assert caught.value.next_step == step


@pytest.mark.parametrize("presented", [None, SecretText("pairing-token"), OPERATORS])
def test_no_token_but_its_own_is_taken(presented: SecretText | None) -> None:
    """
    Neither the operator's token nor a pairing token is ever handed to an agent.
    """
    with pytest.raises(CommandFailure) as caught:
        take_session(Named("run_1", "sess_1", "", "shop"), presented, lambda: OPERATORS)
    assert caught.value.exit_code is ExitCode.CONFIGURATION


def test_a_session_that_there_is_keeps_its_token() -> None:
    """
    What the operator made for the agent is handed on as it is.
    """
    agent = take_session(Named("run_1", "sess_1", "", "shop"), OWN, lambda: OPERATORS)
    assert agent == AgentSession("sess_1", "run_1", "shop", "", OWN)


ALIVE = {"session_id": "sess_1", "run_id": "run_1", "state": "active"}


@pytest.mark.parametrize(
    ("known", "told"),
    [
        (ALIVE, None),
        ({**ALIVE, "session_id": "sess_2"}, "the token is of the session sess_2, and not of sess_1"),
        ({**ALIVE, "run_id": "run_2"}, "the session is of the run run_2, and not of run_1"),
        ({**ALIVE, "state": "ended", "reason": "the run is completed"}, "ended: the run is completed"),
    ],
)
def test_no_agent_is_started_with_anothers_token_or_for_a_session_that_ended(
    known: Mapping[str, str], told: str | None
) -> None:
    """
    A mistake in the command line is told before an agent works in vain.
    """
    agent = AgentSession("sess_1", "run_1", "shop", "", OWN)
    if told is None:
        assert checked_session(agent, lambda *_: known) is agent
        return
    with pytest.raises(CommandFailure, match=told) as caught:
        checked_session(agent, lambda *_: known)
    assert caught.value.exit_code is ExitCode.REFUSED


def test_a_token_that_is_of_no_session_may_be_an_agents_too() -> None:
    """
    What an operator granted by hand names its session in each call; whatever else is refused stays refused.
    """
    asked = []

    def call(method: Method, params: Mapping[str, object]) -> Mapping[str, Any]:
        assert method is Method.LIVENESS
        asked.append(dict(params))
        if "session_id" not in params:
            raise CommandFailure(ExitCode.REFUSED, "bad_arguments: nothing says as which session", "")
        return ALIVE

    agent = AgentSession("sess_1", "", "shop", "", OWN)
    assert checked_session(agent, call) is agent
    assert asked == [{"repository_id": "shop"}, {"repository_id": "shop", "session_id": "sess_1"}]
    with pytest.raises(CommandFailure, match="no such run"):
        checked_session(agent, PlayedDaemon(refuses=True))


def test_a_repository_is_an_id_or_a_folder(tmp_path: Path) -> None:
    """
    A folder is looked up, the current one where nothing was said; an id is taken as it is.
    """
    daemon = PlayedDaemon()
    assert repository_id(Named(repository="shop-2"), daemon) == "shop-2"
    assert daemon.asked == []
    assert repository_id(Named(repository=str(tmp_path)), daemon) == "shop"
    assert repository_id(Named(), daemon) == "shop"
    assert daemon.asked == [
        ("repo.resolve", {"path": str(tmp_path)}),
        ("repo.resolve", {"path": str(Path.cwd())}),
    ]


def test_the_end_is_told_and_a_refusal_is_no_failure() -> None:
    """
    The daemon knows how the agent ended; one that is gone by then changes nothing.
    """
    agent, daemon = AgentSession("sess_1", "run_1", "shop", "fixer", OWN), PlayedDaemon()
    assert report_end(agent, "signal 9", daemon) is None
    assert daemon.asked == [
        (
            "session.close",
            {"repository_id": "shop", "session_id": "sess_1", "reason": "the agent ended with signal 9"},
        )
    ]
    assert report_end(agent, "signal 9", PlayedDaemon(refuses=True)) == "not_found: no such run"


def test_liveness_is_what_the_daemon_says() -> None:
    """
    An agent that has registered and called nothing has not begun, whatever it prints.
    """
    agent = AgentSession("sess_1", "run_1", "shop", "fixer", OWN)
    stamps = {"protocol_liveness": {"last_call_at": "10:00"}, "registered_at": "10:00"}
    assert last_call(agent, lambda _, __: stamps) == ""
    assert last_call(agent, lambda _, __: {**stamps, "registered_at": "09:59"}) == "10:00"
    assert last_call(agent, lambda _, __: {**stamps, "protocol_liveness": {}}) == ""
