"""
The work session that ``reticle agent-loop`` runs an agent for: which it is, whose token it has, and its end.

These are all the calls that the supervisor makes; none is about work (seed 2, "Agent Loop").
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Protocol

import attrs

from reticle.cli.exits import CommandFailure, ExitCode
from reticle.settings import SecretText

_CAPABILITY_TOKEN: Final = "dtok_"  # noqa: S105 - how one begins
_FALLBACK: Final = "STRIATUM_"


class Method(StrEnum):
    """
    What the daemon is asked.
    """

    REGISTER = "session.register"
    RUNS = "list.runs"
    CLOSE = "session.close"
    RESOLVE = "repo.resolve"
    LIVENESS = "supervise.status"


class Call(Protocol):
    """
    Calls a method of the daemon. Raises ``CommandFailure``.
    """

    def __call__(self, method: Method, params: Mapping[str, object]) -> Mapping[str, Any]:
        """
        Its answer.
        """
        ...


@attrs.frozen
class Named:
    """
    What the command line and the environment say of the session; each may be empty.
    """

    run: str = ""
    session: str = ""
    role: str = ""
    repository: str = ""


@attrs.frozen
class AgentSession:
    """
    A session that an agent can work as.
    """

    session_id: str
    run_id: str
    repository_id: str
    role: str
    token: SecretText


def named_session(given: Mapping[str, str | None], environ: Mapping[str, str]) -> Named:
    """
    Each part from its flag, else from the variable that a supervisor exports, in either spelling.

    A role that was named asks for a session of its own, whatever session the environment knows.

    Raises:
        CommandFailure: Both or neither of session and role.
    """

    def told(part: str, variable: str) -> str:
        names = (f"RETICLE_{variable}", f"{_FALLBACK}{variable}")
        return given.get(part) or next((environ[name] for name in names if environ.get(name)), "")

    role = given.get("role") or ""
    if role and given.get("session"):
        raise CommandFailure(
            ExitCode.USAGE, "--session and --role exclude each other", "reticle agent-loop --help"
        )
    session = "" if role else told("session", "SESSION_ID")
    if not role and not session:
        raise CommandFailure(
            ExitCode.USAGE,
            "it is not said for which session the agent works",
            "give --role ROLE to register one, or --session ID with --token-file FILE",
        )
    return Named(told("run", "RUN_ID"), session, role, told("repository", "REPOSITORY_ID"))


def folder_of(repository: str) -> Path | None:
    """
    The folder, where a repository was named by its folder instead of by its id.
    """
    is_path = os.sep in repository or repository in (os.curdir, os.pardir)
    return Path(repository).absolute() if is_path else None


def repository_id(named: Named, call: Call) -> str:
    """
    The repository's id; a folder is looked up, and where none was named, the current one.

    Raises:
        CommandFailure: The folder is in no registered repository.
    """
    folder = folder_of(named.repository)
    if folder is None and named.repository:
        return named.repository
    return str(call(Method.RESOLVE, {"path": str(folder or Path.cwd())})["repository_id"])


def take_session(
    named: Named, presented: SecretText | None, operators: Callable[[], SecretText]
) -> AgentSession:
    """
    A session that there is already, with the token that was given for it.

    Args:
        named: With a session.
        presented: The token; the operator's own is never taken in its place.
        operators: What that is, to tell it apart.

    Raises:
        CommandFailure: There is no token for the agent, or it is the operator's.
    """
    if presented is None or not presented.reveal().startswith(_CAPABILITY_TOKEN):
        raise CommandFailure(
            ExitCode.CONFIGURATION,
            f"there is no capability token for the session {named.session}",
            "give --token-file the file with the token that session.register answered, or use --role",
        )
    if presented.reveal() == operators().reveal():
        raise CommandFailure(
            ExitCode.CONFIGURATION,
            "the token is the operator's own, which may do everything: no agent gets it",
            "make one for the agent: reticle token create, or use --role",
        )
    return AgentSession(named.session, named.run, named.repository, "", presented)


def checked_session(session: AgentSession, call: Call) -> AgentSession:
    """
    The same, once the daemon has said that its token may act as it, and that it goes on: an agent that finds
    out only at its first call has been started in vain.

    Raises:
        CommandFailure: It is another session's token, another run's session, or one that has ended; or the
            daemon refuses.
    """
    repository = {"repository_id": session.repository_id}
    try:
        known = call(Method.LIVENESS, repository)  # the token says which session it is of
    except CommandFailure as failure:
        if not failure.message.startswith("bad_arguments"):
            raise
        known = call(Method.LIVENESS, {**repository, "session_id": session.session_id})
    if known.get("session_id", session.session_id) != session.session_id:
        what = f"the token is of the session {known['session_id']}, and not of {session.session_id}"
    elif session.run_id and known.get("run_id", session.run_id) != session.run_id:
        what = f"the session is of the run {known['run_id']}, and not of {session.run_id}"
    elif known.get("state", "active") != "active":
        why = f": {known['reason']}" if known.get("reason") else ""
        what = f"the session is {known['state']}{why}"
    else:
        return session
    raise CommandFailure(
        ExitCode.REFUSED, what, "reticle work sessions RUN_ID shows them; --role registers a new one"
    )


def register_session(named: Named, call: Call) -> AgentSession:
    """
    A new session in the run, or in the only one that goes on, with a token that is bound to it.

    Raises:
        CommandFailure: No run is named and not exactly one goes on, or the daemon refuses.
    """
    run_id = named.run or _only_run(named.repository, call)
    asked = {"repository_id": named.repository, "run_id": run_id, "role": named.role}
    done = call(Method.REGISTER, asked)
    return AgentSession(
        str(done["session_id"]),
        run_id,
        named.repository,
        named.role,
        SecretText(str(done["session_capability_token"]["token"])),
    )


def _only_run(repository_id: str, call: Call) -> str:
    runs = call(Method.RUNS, {"repository_id": repository_id, "state": "running"})["runs"]
    if len(runs) == 1:
        return str(runs[0]["run_id"])
    step = "give --run ID; reticle run list shows them"
    if not runs:
        ready = call(Method.RUNS, {"repository_id": repository_id, "state": "ready"})["runs"]
        step = f"reticle run start {ready[0]['run_id']}" if ready else "reticle run prepare PLAN --start"
    raise CommandFailure(
        ExitCode.USAGE,
        f"--role needs the run that the session is for, and {len(runs) or 'none'} of them are running",
        step,
    )


def last_call(session: AgentSession, call: Call) -> str:
    """
    When the agent last called a tool, as the daemon says it; empty when it has not yet.

    Raises:
        CommandFailure: The daemon does not say.
    """
    told = {"repository_id": session.repository_id, "session_id": session.session_id}
    answer = call(Method.LIVENESS, told)
    when = str(answer["protocol_liveness"].get("last_call_at") or "")
    return "" if when == answer.get("registered_at") else when


def report_end(session: AgentSession, how: str, call: Call) -> str | None:
    """
    Tell the daemon that the agent has ended; what it says against that, or None.

    What becomes of a packet that it held is the daemon's rule, as after any other loss. The daemon has no
    objection to a session that has ended already.
    """
    told = {
        "repository_id": session.repository_id,
        "session_id": session.session_id,
        "reason": f"the agent ended with {how}",
    }
    try:
        call(Method.CLOSE, told)
    except CommandFailure as failure:
        return failure.message
    return None
