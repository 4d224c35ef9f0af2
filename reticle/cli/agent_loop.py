"""
``reticle agent-loop -- COMMAND``: a coding agent on a terminal of its own, told where its work is.

It starts the command, hands everything through, and ends with the command's exit code. It claims, completes
and releases nothing: that is the agent's.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import click

from reticle.agent.bootstrap import bootstrap_prompt, submit_key
from reticle.agent.environment import Whereabouts, child_environment, is_settable
from reticle.agent.launch import GRACE_SECONDS, Launch
from reticle.agent.program import find_program, would_run_prompt
from reticle.agent.restart import STARTS_AGAIN, Ending, Policy, Restarting
from reticle.agent.scrollback import OutputLog
from reticle.agent.token_folder import TokenFolder
from reticle.agent.typist import SUBMIT_SECONDS, Typing
from reticle.cli.agent_session import (
    AgentSession,
    Method,
    checked_session,
    folder_of,
    last_call,
    named_session,
    register_session,
    report_end,
    repository_id,
    take_session,
)
from reticle.cli.discovery import operators_token, runtime_directory
from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.options import settings_for_client
from reticle.cli.rpc import ask, choose_daemon, chosen_port, daemon_options
from reticle.cli.tls_later import load_reactor
from reticle.errors import ConfigurationFault
from reticle.settings import SecretText, Settings

_LAST_LINES = 20
_SOON_SECONDS = 5.0
"""For an answer that is not worth waiting for when the agent ends."""

_PROMPT_WAYS = ("type", "argument", "none")


@attrs.frozen
class Wishes:
    """
    What the operator wants of the start, beyond which session it is for.
    """

    command_line: tuple[str, ...]
    folder: Path
    asked_names: tuple[str, ...]
    token_in_environment: bool
    prompt: str
    extra: str
    grace_seconds: float


@click.command(
    name="agent-loop",
    context_settings={"ignore_unknown_options": False, "allow_interspersed_args": False},
)
@click.option("--role", metavar="ROLE", help="Register a session with this role, for the agent alone.")
@click.option("--session", metavar="ID", help="A session that there is [RETICLE_SESSION_ID].")
@click.option("--run", "run_id", metavar="ID", help="The run that it belongs to [RETICLE_RUN_ID].")
@click.option(
    "--repository", metavar="ID|FOLDER",
    help="The repository; with a folder, the agent starts in it [RETICLE_REPOSITORY_ID].",
)  # fmt: skip
@click.option(
    "--env", "names", multiple=True, metavar="NAME", help="Pass a variable on that is not on the list."
)
@click.option("--token-in-environment", is_flag=True, help="The token as RETICLE_MCP_TOKEN, not in a file.")
@click.option(
    "--prompt", type=click.Choice(_PROMPT_WAYS), default="type", show_default=True,
    help="Type the first prompt, give it as the last argument, or not at all.",
)  # fmt: skip
@click.option(
    "--prompt-file", type=click.Path(path_type=Path, dir_okay=False, exists=True), metavar="FILE",
    help="Words of your own at the end of the prompt.",
)  # fmt: skip
@click.option(
    "--prompt-delay", type=click.FloatRange(0, 600), default=0.0, metavar="SECONDS",
    help="Type nothing before, however ready the program looks.",
)  # fmt: skip
@click.option(
    "--submit-key", "key", default="\\r", show_default=True, metavar="KEY",
    envvar=["RETICLE_SUBMIT_SEQUENCE", "STRIATUM_SUBMIT_SEQUENCE"],
    help=r"What submits the prompt: \r, \n, \e, \t or \xNN [RETICLE_SUBMIT_SEQUENCE].",
)  # fmt: skip
@click.option(
    "--submit-delay", type=click.IntRange(0, 60_000), default=int(SUBMIT_SECONDS * 1000), show_default=True,
    metavar="MS", envvar=["RETICLE_SUBMIT_DELAY_MS", "STRIATUM_SUBMIT_DELAY_MS"],
    help="Milliseconds between the prompt and that key [RETICLE_SUBMIT_DELAY_MS].",
)  # fmt: skip
@click.option(
    "--log", type=click.Path(path_type=Path), metavar="FILE", help="Keep all output (0600, rotated)."
)
@click.option(
    "--restart", type=click.Choice([each.value for each in Policy]), default=Policy.NEVER.value,
    show_default=True, help="When to start the command again.",
)  # fmt: skip
@click.option(
    "--restart-limit", type=click.IntRange(1, 1000), default=STARTS_AGAIN, show_default=True, metavar="N",
    help="Starts again in a row.",
)  # fmt: skip
@click.option(
    "--grace", type=click.FloatRange(0, 3600), default=GRACE_SECONDS, show_default=True, metavar="SECONDS",
    help="For the command to end when asked to; then it is killed with all that it started.",
)  # fmt: skip
@click.argument("command_line", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND...")
@daemon_options
def command(
    *,
    command_line: tuple[str, ...],
    role: str | None,
    session: str | None,
    run_id: str | None,
    repository: str | None,
    names: tuple[str, ...],
    token_in_environment: bool,
    prompt: str,
    prompt_file: Path | None,
    prompt_delay: float,
    key: str,
    submit_delay: int,
    log: Path | None,
    restart: str,
    restart_limit: int,
    grace: float,
    **flags: str | None,
) -> int:
    """
    Run a coding agent on a terminal of its own. Such as: reticle agent-loop --run ID --role fixer -- claude.

    The agent gets a list of variables and no others, the address of the daemon, and a token of its own in a
    file. Ends with the command's exit code, or 128 and the number of the signal that ended it. Before that:
    2 wrong arguments; 4 no daemon; 5 refused; 78 no such program, or a token that is not fit.
    """
    typing = Typing(_key(key), submit_delay / 1000, prompt_delay)
    named = named_session(
        {"role": role, "session": session, "run": run_id, "repository": repository}, os.environ
    )
    if prompt == "type" and would_run_prompt(command_line):
        raise CommandFailure(
            ExitCode.USAGE, f"{command_line[0]} is a shell: it would run the prompt as a command",
            "name the agent's program, or give --prompt none",
        )  # fmt: skip
    wishes = Wishes(
        command_line, folder_of(named.repository) or Path.cwd(), _passed_on(names), token_in_environment,
        prompt, "" if prompt_file is None else prompt_file.read_text("utf-8", "replace"), grace,
    )  # fmt: skip
    settings = settings_for_client(flags)
    port = chosen_port(settings, flags)
    # A program that is none is told of before there is a session for it.
    find_program(
        command_line, child_environment(os.environ, names, _nowhere(), str(Path.home())), wishes.folder
    )
    output = _open_log(log)

    def call(method: Method, params: Mapping[str, object]) -> Mapping[str, Any]:
        return ask(settings, port, method, params)

    choose_daemon(settings, port)
    named = attrs.evolve(named, repository=repository_id(named, call))
    if named.role:
        agent = register_session(named, call)
    else:
        agent = checked_session(take_session(named, settings.token, lambda: _operators(settings, port)), call)
    ending = Ending(ExitCode.FAILED)
    try:
        ending = _with_token(
            settings, port, agent, wishes,
            typing=typing, restarting=Restarting(Policy(restart), restart_limit), output=output,
        )  # fmt: skip
    finally:
        against = report_end(agent, str(ending), call)
    if against is not None:
        say(f"the daemon was not told of the agent's end: {against}")
    return ending.exit_code


def _with_token(
    settings: Settings,
    port: int | None,
    agent: AgentSession,
    wishes: Wishes,
    *,
    typing: Typing,
    restarting: Restarting,
    output: OutputLog | None,
) -> Ending:
    """
    Supervise the agent while its token lies in a file.

    Raises:
        CommandFailure: It could not be started.
    """

    def call(method: Method, params: Mapping[str, object]) -> Mapping[str, Any]:
        return ask(settings, port, method, params, timeout_seconds=_SOON_SECONDS)

    def called() -> str:
        return last_call(agent, call)

    try:
        folder = TokenFolder(runtime_directory(settings), agent.token.reveal())
        try:
            return supervise(
                _launching(settings, port, agent, wishes, folder), typing, restarting, output,
                called if wishes.prompt == "type" else None,
            )  # fmt: skip
        finally:
            folder.remove()
            if output is not None:
                output.close()
    except OSError as fault:
        what = f"the agent could not be started: {fault}"
        raise CommandFailure(ExitCode.FAILED, what, "reticle doctor") from None


def _passed_on(names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if not is_settable(name) or "=" in name:
            raise CommandFailure(
                ExitCode.USAGE, f"--env {name}: it wants a name that is not the supervisor's own",
                "set the variable, then give its name",
            )  # fmt: skip
    return names


def supervise(
    launch: Callable[[], Launch],
    typing: Typing,
    restarting: Restarting,
    log: OutputLog | None,
    called: Callable[[], str] | None,
) -> Ending:
    """
    Run the reactor for one agent; how it ended.

    Args:
        launch: What to start.
        typing: How its prompt is typed.
        restarting: When it is started again.
        log: Where its output is kept.
        called: When it last called a tool; asked beside the reactor. None: it does not matter.

    Raises:
        ReticleError: There was no first start.
    """
    load_reactor()
    from twisted.internet import reactor  # noqa: PLC0415, TID251 - an entry point; loaded when needed
    from twisted.internet.threads import deferToThread  # noqa: PLC0415 - as above
    from twisted.python.failure import Failure  # noqa: PLC0415 - as above

    from reticle.agent.outer_terminal import OuterTerminal  # noqa: PLC0415 - as above
    from reticle.agent.supervisor import Plan, Supervisor  # noqa: PLC0415 - as above

    loop: Any = reactor
    terminal = OuterTerminal(0, 1)
    found: list[Ending | Failure] = []
    before: list[str] = []

    def has_called() -> bool:
        assert called is not None
        return called() != before[0]

    def start() -> Launch:
        if called is not None:
            before[:] = [_called_before(called)]
        return launch()

    ask_later = None if called is None else lambda: deferToThread(has_called)

    def begin() -> None:
        plan = Plan(start, say, typing, restarting, log, ask_later)
        supervisor = Supervisor(loop, plan, terminal, (0, 1))

        def over(result: Ending | Failure) -> None:
            found.append(result)
            loop.stop()
            lines = supervisor.scrollback.last_lines(_LAST_LINES)
            if isinstance(result, Ending) and result.exit_code and not terminal.answers and lines:
                say("the last lines of the agent:\n" + "\n".join(lines))

        try:
            supervisor.run().addBoth(over)
        except Exception:  # noqa: BLE001 - raised again below, outside of the reactor
            over(Failure())

    loop.callWhenRunning(begin)
    try:
        loop.run()
    finally:
        terminal.give_back()
    result = found[0]
    if isinstance(result, Failure):
        result.raiseException()
    assert isinstance(result, Ending)
    return result


def _called_before(called: Callable[[], str]) -> str:
    try:
        return called()
    except CommandFailure:
        return ""


def say(text: str) -> None:
    """
    Tell a person something that is not the agent's; one who has left (a pipe without a reader) misses it.
    """
    with contextlib.suppress(OSError):
        click.echo(f"reticle: {text}", err=True)


def _launching(
    settings: Settings, port: int | None, agent: AgentSession, wishes: Wishes, folder: TokenFolder
) -> Callable[[], Launch]:
    def launch() -> Launch:
        # Read anew for each start: a daemon that came back has another address.
        told = Whereabouts(
            choose_daemon(settings, port).mcp_url, agent.repository_id, agent.run_id, agent.session_id,
            str(folder.file), agent.token.reveal() if wishes.token_in_environment else None,
        )  # fmt: skip
        environment = child_environment(os.environ, wishes.asked_names, told, str(Path.home()))
        prompt = bootstrap_prompt(told, agent.role, wishes.extra)
        arguments = [*wishes.command_line, *([prompt] if wishes.prompt == "argument" else [])]
        return Launch(
            find_program(wishes.command_line, environment, wishes.folder), arguments, environment,
            wishes.folder, prompt if wishes.prompt == "type" else "", wishes.grace_seconds,
            token_folder=str(folder.path),
        )  # fmt: skip

    return launch


def _operators(settings: Settings, port: int | None) -> SecretText:
    return operators_token(runtime_directory(settings), choose_daemon(settings, port))


def _nowhere() -> Whereabouts:
    return Whereabouts("", "", "", "", "")


def _key(named: str) -> bytes:
    try:
        return submit_key(named)
    except ValueError as fault:
        raise CommandFailure(ExitCode.USAGE, f"--submit-key: {fault}", r"such as \r or \x1b\r") from None


def _open_log(path: Path | None) -> OutputLog | None:
    try:
        return None if path is None else OutputLog(path)
    except OSError as fault:
        raise ConfigurationFault(
            f"the log {path} cannot be written: {fault.strerror}", "name another"
        ) from None
