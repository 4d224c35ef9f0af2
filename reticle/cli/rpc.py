"""
One call over a running daemon's Unix socket, as its operator: what ``reticle token``, ``repo`` and ``audit``
are made of. No command opens the database (DESIGN §5).
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from reticle.cli.discovery import operators_token, runtime_directory
from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.next_steps import in_commands
from reticle.cli.options import setting_options
from reticle.model.codes import RefusalCode
from reticle.model.limits import HTTP_BODY_BYTES
from reticle.settings import SecretText, Settings
from reticle.storage.daemon_file import DaemonRecord, living_daemons

CALL_SECONDS: Final = 60.0
_READ_BYTES: Final = 256 * 1024
_CAPABILITY_TOKEN: Final = "dtok_"  # noqa: S105 - how one begins
_ABOUT_TOKENS: Final = frozenset(
    {
        RefusalCode.TOKEN_MALFORMED,
        RefusalCode.TOKEN_INVALID,
        RefusalCode.TOKEN_REVOKED,
        RefusalCode.TOKEN_EXPIRED,
        RefusalCode.CAPABILITY_MISSING,
        RefusalCode.CAPABILITY_SCOPE_MISMATCH,
        RefusalCode.CAPABILITY_EXPIRED,
    }
)
"""Refusals that another token would not meet."""

F = TypeVar("F", bound=Callable[..., Any])

Dial = Callable[[str, bytes, float], bytes]
"""Sends one line to a socket and gives the line that comes back; raises ``OSError``."""


def daemon_options(function: F) -> F:
    """
    Decorate a command with the flags that say which daemon is meant, and as whom to call.
    """
    meanings = {
        "port": "Only the daemon on this port.",
        "token_file": "File with a capability token to use in place of the operator's.",
    }
    return setting_options("port", "runtime_dir", "token_file", "config", **meanings)(function)


def chosen_port(settings: Settings, flags: Mapping[str, object]) -> int | None:
    """
    The port that the command line named.
    """
    return settings.port if flags.get("port") is not None else None


def dial(path: str, line: bytes, timeout_seconds: float) -> bytes:
    """
    Send one line to the socket at ``path`` and wait for the answer, empty when there was none.

    Raises:
        OSError: Nobody is there, or nothing came in time.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connected:
        connected.settimeout(timeout_seconds)
        connected.connect(path)
        connected.sendall(line)
        answer = bytearray()
        while not answer.endswith(b"\n") and (piece := connected.recv(_READ_BYTES)):
            answer += piece
            if len(answer) > 4 * HTTP_BODY_BYTES:
                raise OSError("the answer has no end")
        return bytes(answer)


def ask(
    settings: Settings,
    port: int | None,
    method: str,
    params: Mapping[str, object],
    *,
    timeout_seconds: float = CALL_SECONDS,
    send: Dial = dial,
) -> Mapping[str, Any]:
    """
    What a method of the daemon answers, without ``ok``, ``method`` and ``audit_id``.

    Args:
        settings: For the runtime directory and for a token to present in place of the operator's.
        port: Only the daemon on this port; None is the only one, or the one on the configured port.
        method: Such as ``daemon.token.list``.
        params: Its arguments.
        timeout_seconds: For the answer.
        send: How to reach it.

    Raises:
        CommandFailure: No daemon, no token, or a refusal; it says what to do.
    """
    record = choose_daemon(settings, port)
    path = str(runtime_directory(settings) / record.socket)
    token = _token(settings, record)
    request = {
        "schema_version": 1,
        "request_id": 1,
        "method": method,
        "params": dict(params),
        "capability_token": token.reveal(),
        "deadline_ms": int(timeout_seconds * 1000),
    }
    try:
        answer = json.loads(send(path, json.dumps(request).encode() + b"\n", timeout_seconds + 5))
        ok = answer["ok"]
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise CommandFailure(
            ExitCode.UNREACHABLE,
            f"the daemon (pid {record.pid}) does not answer on {path}: {fault}",
            f"reticle doctor --port {record.port}",
        ) from None
    if ok:
        data: Mapping[str, Any] = answer["data"]
        return data
    raise _refused(answer["error"], _presented_instead(settings))


def whole_list(
    call: Callable[[Mapping[str, object]], Mapping[str, Any]], asked: Mapping[str, object], rows: str
) -> Mapping[str, Any]:
    """
    A list that is answered in parts, as one answer.

    Args:
        call: Asks for a part.
        asked: The arguments of the first one; ``next`` of each answer has the following one's.
        rows: The field that the entries are in.

    Raises:
        CommandFailure: As ``ask``; also when the list changed so that it has to be begun anew.
    """
    found = dict(call(asked))
    while found.get("next") is not None:
        part = call(found["next"])
        found = {**found, **part, rows: [*found[rows], *part[rows]], "next": part.get("next")}
    found.pop("next", None)
    found.pop("truncated", None)
    return found


def choose_daemon(settings: Settings, port: int | None) -> DaemonRecord:
    """
    The announced daemon that is meant.

    Raises:
        CommandFailure: There is none, there are several, or it has no socket.
    """
    living = living_daemons(runtime_directory(settings))
    found = [one for one in living if port in (None, one.port)]
    if len(found) > 1:
        found = [one for one in found if one.port == settings.port] or found
    if not found:
        where = "" if port is None else f" on port {port}"
        raise CommandFailure(ExitCode.UNREACHABLE, f"no reticle daemon runs here{where}", "reticle serve")
    if len(found) > 1:
        ports = ", ".join(str(one.port) for one in found)
        raise CommandFailure(ExitCode.USAGE, f"daemons run on the ports {ports}", "name one with --port")
    if not found[0].socket:
        raise CommandFailure(
            ExitCode.FAILED,
            f"the daemon (pid {found[0].pid}) could not open its Unix socket",
            "read its log; a runtime directory with a shorter path may help (RETICLE_RUNTIME_DIR)",
        )
    return found[0]


def _token(settings: Settings, record: DaemonRecord) -> SecretText:
    """
    The token that was named, else the operator's.
    """
    if _presented_instead(settings) is not None and settings.token is not None:
        return settings.token
    return operators_token(runtime_directory(settings), record)


def _presented_instead(settings: Settings) -> str | None:
    """
    What named a capability token to present in place of the operator's; None when nothing did.
    """
    named = settings.token
    if named is None or not named.reveal().startswith(_CAPABILITY_TOKEN):
        return None
    return settings.origin("token")


def _refused(error: Mapping[str, Any], instead: str | None) -> CommandFailure:
    """
    The refusal in words. A token that an agent was handed is in the environment of its operator's shell too,
    and then denied what the operator may do.
    """
    code, next_step = error["code"], in_commands(error["suggestion"])
    if instead is not None and code in _ABOUT_TOKENS:
        next_step = f"{next_step} This one is of {instead}; without that the operator's counts.".lstrip()
    next_step = next_step or "reticle doctor"
    usage = code in (RefusalCode.BAD_ARGUMENTS, RefusalCode.METHOD_UNKNOWN)
    return CommandFailure(
        ExitCode.USAGE if usage else ExitCode.REFUSED, f"{code}: {error['message']}", next_step
    )
