"""
``reticle call``: one tool from the shell, through the same gate as an agent's call.
"""

from __future__ import annotations

import difflib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from reticle._version import __version__
from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.options import setting_options
from reticle.client import (
    CallResult,
    CannotConnect,
    Client,
    ClientError,
    ProtocolBroken,
    Refused,
    ReplyOverdue,
    RpcError,
    StreamEnded,
    connect,
)
from reticle.model.codes import RefusalCode
from reticle.model.limits import HTTP_BODY_BYTES
from reticle.relay.supervisor import Where
from reticle.relay.trouble import Cause, Trouble
from reticle.relay.whereabouts import Whereabouts

CALL_SECONDS: Final = 60.0
"""The longest wait of a tool is shorter; what takes longer is told as overdue."""

_AROUND_BYTES: Final = 4_096
"""What a message has besides the arguments of its call, and more."""

_VERDICTS: Final = {"yes": ExitCode.OK, "no": ExitCode.VERDICT_NO}
_UNKNOWN_TOOL: Final = RefusalCode.METHOD_UNKNOWN


@click.command(name="call")
@click.argument("tool", required=False)
@click.option("--json", "given", metavar="JSON", help="The arguments: a JSON object, @FILE, or - for stdin.")
@click.option("--session", metavar="PAGE", help="The page, as the argument sessionId.")
@click.option(
    "--timeout",
    type=click.FloatRange(0.1),
    default=CALL_SECONDS,
    show_default=True,
    help="Seconds for the answer.",
)
@click.option("--url", metavar="URL", help="The whole URL of a daemon, such as http://127.0.0.1:4400.")
@click.option("--list", "as_list", is_flag=True, help="List the tools instead of calling one.")
@click.option(
    "--output", type=click.Choice(["text", "json"]), default="text", help="How to print the answer."
)
@setting_options("port", "runtime_dir", "token_file", "config", port="Only the daemon on this port.")
def command(
    *,
    tool: str | None,
    given: str | None,
    session: str | None,
    timeout: float,
    url: str | None,
    as_list: bool,
    output: str,
    **flags: str | None,
) -> int:
    """
    Call TOOL and print its answer.

    Exit codes: 0 done, and of a verdict yes; 3 verdict no; 6 verdict unknown; 5 refused; 2 wrong arguments or
    no such tool; 4 no daemon; 1 anything else, the outcome unknown.
    """
    if as_list == (tool is not None):
        raise CommandFailure(ExitCode.USAGE, "name a tool, or give --list", "reticle call --list")
    arguments = read_arguments(given)
    if session is not None:
        arguments = {**arguments, "sessionId": session}
    told = {name: value for name, value in {**flags, "url": url}.items() if value is not None}
    where = Whereabouts(told, os.environ).find()
    if isinstance(where, Trouble):
        code = ExitCode.UNREACHABLE if where.cause is Cause.NOBODY else ExitCode.CONFIGURATION
        raise CommandFailure(code, where.text, where.recovery)
    try:
        with open_session(where, timeout) as client:
            if tool is None:
                click.echo(listed(client.list_tools(), output))
                return ExitCode.OK
            result = client.call(tool, arguments, timeout)
            if result.error == _UNKNOWN_TOOL:
                raise unknown_tool(tool, [str(each["name"]) for each in client.list_tools()])
    except ClientError as fault:
        raise explain(fault, where) from None
    click.echo(shown(result, output))
    return judge(result)


def read_arguments(given: str | None) -> Mapping[str, Any]:
    """
    The arguments as ``--json`` gives them: text, a file's, or standard input's.

    Raises:
        CommandFailure: It is no JSON object, or its file cannot be read.
    """
    example = """reticle call reticle_snapshot --json '{"mode": "full"}'"""
    if given is None:
        return {}
    try:
        found = json.loads(_text_of(given))
        # What the daemon would refuse as no JSON: half characters, NaN and numbers beyond any float.
        size = len(json.dumps(found, ensure_ascii=False, allow_nan=False).encode())
    except OSError as fault:
        what = f"{given[1:]} cannot be read: {fault.strerror}"
        raise CommandFailure(ExitCode.USAGE, what, f"ls -l {given[1:]}") from None
    except (ValueError, RecursionError) as fault:
        raise CommandFailure(ExitCode.USAGE, f"--json is not JSON: {fault}", example) from None
    if not isinstance(found, dict):
        raise CommandFailure(ExitCode.USAGE, "--json is not a JSON object", example)
    if size > HTTP_BODY_BYTES - _AROUND_BYTES:
        what = f"--json is longer than the {HTTP_BODY_BYTES // 1024**2} MiB that the daemon takes"
        raise CommandFailure(ExitCode.USAGE, what, example)
    return found


def _text_of(given: str) -> str:
    if given == "-":
        return sys.stdin.read(HTTP_BODY_BYTES)
    return Path(given[1:]).read_text("utf-8") if given.startswith("@") else given


def open_session(where: Where, timeout_seconds: float) -> Client:
    """
    A session of the daemon, its handshake done. Raises ``ClientError``.
    """
    client = connect(f"http://{where.address.authority}{where.address.target}", where.token, timeout_seconds)
    try:
        client.initialize("reticle-call", __version__)
    except BaseException:
        client.close()
        raise
    return client


def unknown_tool(name: str, known: Sequence[str]) -> CommandFailure:
    """
    The failure that names the nearest tools.
    """
    bare = {each.removeprefix("reticle_"): each for each in known}
    near = difflib.get_close_matches(name.removeprefix("reticle_"), bare, n=3, cutoff=0.4)
    hint = f"; did you mean {', '.join(bare[each] for each in near)}?" if near else ""
    return CommandFailure(ExitCode.USAGE, f"there is no tool {name[:80]!r}{hint}", "reticle call --list")


def shown(result: CallResult, output: str) -> str:
    """
    An answer for people, or its fields as one JSON object for programs.
    """
    return json.dumps(result.fields, ensure_ascii=False) if output == "json" else result.text


def listed(tools: Sequence[Mapping[str, object]], output: str) -> str:
    """
    The tools with the first sentence of each, or all of their declarations.
    """
    if output == "json":
        return json.dumps(tools, ensure_ascii=False)
    width = max(len(str(tool["name"])) for tool in tools)
    return "\n".join(
        f"{tool['name']:<{width}}  {str(tool.get('description', '')).partition('. ')[0].rstrip('.')}."
        for tool in tools
    )


def judge(result: CallResult) -> ExitCode:
    """
    The exit code of an answer. Only a verdict ``yes`` is a pass.
    """
    if not result.ok:
        return ExitCode.USAGE if result.error == RefusalCode.BAD_ARGUMENTS else ExitCode.REFUSED
    return (
        ExitCode.OK if result.verified is None else _VERDICTS.get(result.verified, ExitCode.VERDICT_UNKNOWN)
    )


def explain(fault: ClientError, where: Where) -> CommandFailure:
    """
    What went wrong between us and the daemon.
    """
    port = where.address.port
    match fault:
        case Refused(status=401 | 403):
            mend = "set RETICLE_MCP_TOKEN_FILE to a token of the daemon's, or unset RETICLE_TOKEN"
            return CommandFailure(ExitCode.REFUSED, f"the daemon refused us: {fault.text}", mend)
        case CannotConnect() | Refused(status=503):
            return CommandFailure(ExitCode.UNREACHABLE, f"no daemon answers: {fault}", "reticle serve")
        case Refused() | ProtocolBroken():
            what = f"what listens on port {port} is no reticle daemon: {fault}"
            return CommandFailure(ExitCode.UNREACHABLE, what, f"reticle doctor --port {port}")
        case RpcError():
            return CommandFailure(
                ExitCode.FAILED, f"the daemon refused the message: {fault}", "reticle doctor"
            )
        case ReplyOverdue() | StreamEnded():
            what = f"{fault}; the outcome is unknown"
            return CommandFailure(ExitCode.FAILED, what, "look at the state before you call it again")
    return CommandFailure(ExitCode.FAILED, str(fault), "reticle doctor")
