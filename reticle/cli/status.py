"""
``reticle status``: which port is live and what is connected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from reticle.cli.discovery import FoundDaemon, find_daemons
from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.options import setting_options, settings_for_client
from reticle.cli.probe import Answering, Silent, Stranger, Unauthorised
from reticle.cli.work_calls import WorkCalls, watch_option
from reticle.cli.work_lines import status_lines


@click.command(name="status")
@setting_options(
    "port", "runtime_dir", "token_file", "config", port="Only the daemon on this port; else all that run."
)
@watch_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(*, watch: float | None, as_json: bool, **flags: str | None) -> int:
    """
    Say which port is live and what is connected. Beside it: how the work on this folder's repository is.

    Exit codes: 0 a daemon answers; 4 none runs; 5 it wants a token.
    """
    settings = settings_for_client(flags)
    port = settings.port if flags["port"] is not None else None
    found: Sequence[FoundDaemon] = ()

    def look() -> Mapping[str, Any]:
        nonlocal found
        found = find_daemons(settings, port)
        daemons = [as_fields(daemon) for daemon in found]
        work = _work(flags, found)
        told = {"running": bool(answering(found)), "daemons": daemons}
        return told if work is None else {**told, "work": work}

    def lines(told: Mapping[str, Any]) -> Iterator[str]:
        for daemon in found:
            yield from as_lines(daemon)
        if "work" in told:
            yield from status_lines(told["work"])

    WorkCalls(flags, as_json, watch).show(look, lines)
    return judge(found, settings.port, quiet=as_json)


def _work(flags: Mapping[str, str | None], found: Sequence[FoundDaemon]) -> Mapping[str, Any] | None:
    """
    How the work is, where this folder is in a repository that the daemon knows.
    """
    if len(answering(found)) != 1:
        return None
    try:
        told = WorkCalls(flags, as_json=True).call("status")
    except CommandFailure:
        return None
    return told if told["runs"] else None


def answering(found: Sequence[FoundDaemon]) -> Sequence[FoundDaemon]:
    """
    Those that told how they are.
    """
    return [daemon for daemon in found if isinstance(daemon.reply, Answering)]


def judge(found: Sequence[FoundDaemon], port: int, *, quiet: bool) -> ExitCode:
    """
    The exit code: 0 when a daemon answered.

    Raises:
        CommandFailure: None did; not with ``quiet``, where the JSON object has said so.
    """
    if answering(found):
        return ExitCode.OK
    refused = any(isinstance(daemon.reply, Unauthorised) for daemon in found)
    code = ExitCode.REFUSED if refused else ExitCode.UNREACHABLE
    if quiet:
        return code
    if refused:
        next_step = "set RETICLE_MCP_TOKEN_FILE to a token of the daemon's, or unset RETICLE_TOKEN"
        raise CommandFailure(code, "the daemon wants its own token", next_step)
    if found:
        raise CommandFailure(code, "no reticle daemon answers", f"reticle doctor --port {found[0].port}")
    raise CommandFailure(code, f"no reticle daemon runs here (tried port {port})", "reticle serve")


def as_fields(daemon: FoundDaemon) -> Mapping[str, object]:
    """
    One daemon for ``--json``; ``problem`` is null when it answered.
    """
    record, reply = daemon.record, daemon.reply
    return {
        "url": daemon.url,
        "port": daemon.port,
        "pid": record.pid if record else None,
        "version": record.version if record else None,
        "state_dir": record.state_dir if record else None,
        "status": reply.status if isinstance(reply, Answering) else None,
        "problem": problem(daemon),
    }


def problem(daemon: FoundDaemon) -> str | None:
    """
    Why a daemon did not tell how it is, in one sentence.
    """
    match daemon.reply:
        case Answering():
            return None
        case Unauthorised(message):
            return f"refused: {message}"
        case Stranger(sign):
            return f"something else listens on port {daemon.port}: {sign}"
        case Silent(_, reason):
            return f"lives but does not answer: {reason}"


def as_lines(daemon: FoundDaemon) -> Sequence[str]:
    """
    One daemon for people.
    """
    trouble = problem(daemon)
    if not isinstance(daemon.reply, Answering):
        who = f"reticle (pid {daemon.record.pid}) at " if daemon.record else ""
        return [f"{who}{daemon.url}: {trouble}"]
    status: Mapping[str, Any] = daemon.reply.status
    pages = status.get("pages") or []
    agents = status.get("mcp_sessions", 0)
    up = duration(float(status.get("uptime_seconds", 0)))
    facts = f"pid {status.get('pid')}, up {up}, {status.get('state')}"
    lines = [
        f"reticle {status.get('version')} at {daemon.url} ({facts})",
        f"{count(agents, 'agent')} and {count(len(pages), 'page')} connected",
    ]
    lines += [
        f"  {page.get('sessionId')}  {page.get('url')}  {page.get('title')!r}"
        f"{'  (throttled: bring the tab to the front)' if page.get('throttled') else ''}"
        for page in pages
    ]
    lines += [f"  told by {words}" for words in servers(status)]
    return lines


def servers(status: Mapping[str, Any]) -> Sequence[str]:
    """
    The app servers that tell what they do, or did, each in words: of the processes of one, which a reloader
    replaces and a server has several of, the newest.
    """
    pids: dict[tuple[object, object], list[object]] = {}
    for probe in status.get("probes") or []:
        pids.setdefault((probe.get("framework"), probe.get("project")), []).append(probe.get("pid"))
    told: list[str] = []
    for (framework, project), (newest, *others) in pids.items():
        before = f", and {len(others)} before" if others else ""
        told.append(f"{framework or 'a server'} ({project}, pid {newest}{before})")
    return told


def count(number: int, noun: str) -> str:
    """
    ``1 page``, ``2 pages``.
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def duration(seconds: float) -> str:
    """
    The two largest units of a time, such as ``3 h 5 min``.
    """
    whole = int(seconds)
    parts = [(whole // 86_400, "d"), (whole // 3_600 % 24, "h"), (whole // 60 % 60, "min"), (whole % 60, "s")]
    first = next((at for at, (number, _) in enumerate(parts) if number), len(parts) - 1)
    return " ".join(f"{number} {unit}" for number, unit in parts[first : first + 2] if number) or "0 s"
