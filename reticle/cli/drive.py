"""
``reticle drive URL``: a page in the daemon's own browser, for whichever agent comes, for as long as the
command runs.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

import click

from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.options import settings_for_client
from reticle.cli.rpc import ask, chosen_port, daemon_options
from reticle.domain.openable import check_openable
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode

OPEN_SECONDS: Final = 120.0
"""For the answer: a turn in the queue, the start of a browser and the load of a page may come together."""

KEPT_SECONDS: Final = 90
RENEW_SECONDS: Final = 30.0
"""The lease of a command that was killed ends after so long; one that runs renews it three times in it."""

Ask = Callable[[Mapping[str, object]], Mapping[str, Any]]


@click.command(name="drive")
@click.argument("url", required=False)
@click.option(
    "--headed/--headless", "headed", default=None, help="With a window; unless said, where there is a screen."
)
@click.option(
    "--login", metavar="NAME", help="Begin with the cookies and storage kept under NAME, and keep them."
)
@click.option("--project", metavar="ID", help="The project that the app belongs to.")
@click.option(
    "--detach", is_flag=True, help="End at once; the page stays until no call has used it for its time."
)
@click.option("--list", "as_list", is_flag=True, help="Show the browser leases there are, and end.")
@click.option(
    "--close",
    "closed",
    metavar="LEASE",
    help="End a browser lease: its name, that of a page of it, or its URL.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@daemon_options
def command(
    *,
    url: str | None,
    headed: bool | None,
    login: str | None,
    project: str | None,
    detach: bool,
    as_list: bool,
    closed: str | None,
    as_json: bool,
    **flags: str | None,
) -> int:
    """
    Open URL in the daemon's own browser, the app as it is.

    Every agent may use the page. The command keeps it open until it is interrupted; what --detach left open
    is ended with --close. Exit codes: 0 done; 1 the page could not be loaded, or was closed by somebody else;
    2 no such URL; 4 no daemon; 5 refused, such as a lease that is not there.
    """
    if [url is not None, as_list, closed is not None].count(True) != 1:
        raise CommandFailure(
            ExitCode.USAGE, "give a URL, --list or --close LEASE, one of them", "reticle drive --list"
        )
    if url is not None:
        try:
            check_openable(url)
        except Refusal as refusal:
            raise CommandFailure(ExitCode.USAGE, refusal.message, refusal.recovery) from None
    settings = settings_for_client(flags)
    port = chosen_port(settings, flags)

    def lease(asked: Mapping[str, object]) -> Mapping[str, Any]:
        return ask(settings, port, "reticle_lease", asked, timeout_seconds=OPEN_SECONDS)

    if url is None:
        done = lease({"action": "list"}) if closed is None else close(lease, closed)
        click.echo(json.dumps(done) if as_json else as_listed(done))
        return ExitCode.OK
    wish = {
        "action": "acquire", "url": url, "shared": True, "projectId": project, "login": login,
        "headed": has_screen(os.environ) if headed is None else headed,
        "seconds": None if detach else KEPT_SECONDS,
    }  # fmt: skip
    got = opened(lease, {name: value for name, value in wish.items() if value is not None}, asked=headed)
    click.echo(json.dumps(got) if as_json else as_text(got))
    sys.stdout.flush()
    if detach:
        return ExitCode.OK if got["ready"] else ExitCode.FAILED
    with stopping() as stop:
        if not as_json:
            click.echo("it stays open until this command ends (Ctrl-C)", err=True)
        keep(lease, got["leaseId"], stop.wait)
    return ExitCode.OK if got["ready"] else ExitCode.FAILED


def opened(lease: Ask, wish: Mapping[str, object], *, asked: bool | None) -> Mapping[str, Any]:
    """
    The lease. A window that nobody asked for is done without where the daemon has no screen of its own, as a
    service has none.

    Args:
        lease: Calls ``reticle_lease``.
        wish: What to open.
        asked: Whether a person said that there is to be a window, or none; None when they said nothing.
    """
    try:
        return lease(wish)
    except CommandFailure as failure:
        mended = asked is None and wish["headed"] and failure.message.startswith(RefusalCode.BROWSER_FAILED)
        if not mended:
            raise
    click.echo("the daemon's browser did not start with a window: the page is opened without one", err=True)
    return lease({**wish, "headed": False})


def has_screen(environ: Mapping[str, str]) -> bool:
    """
    Whether a person could see a window, as far as one can tell.
    """
    if environ.get("CI"):
        return False
    return sys.platform == "darwin" or any(environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def close(lease: Ask, named: str) -> Mapping[str, Any]:
    """
    End a lease.

    Args:
        lease: Calls ``reticle_lease``.
        named: The name of a lease or of one of its pages, which begin otherwise, or the address that it was
            opened with.

    Raises:
        CommandFailure: There is none, or at that address there are several.
    """
    if "://" in named:
        leases = [each for each in lease({"action": "list"})["leases"] if each["url"] == named]
        if len(leases) != 1:
            raise CommandFailure(
                ExitCode.REFUSED,
                f"{len(leases) or 'no'} browser leases were opened at {named}; nothing was ended",
                "reticle drive --list, then --close with the name of one",
            )
        named = leases[0]["leaseId"]
    return lease({"action": "release", "leaseId" if named.startswith("l") else "sessionId": named})


def as_listed(done: Mapping[str, Any]) -> str:
    """
    The leases there are, or which one was ended, for people.
    """
    if done["action"] == "release":
        return f"lease {done['leaseId']} is ended"
    lines = [
        f"{each['leaseId']}  page {each['sessionId']}  {each['url']}  by {each['by']}, "
        f"{int(each['expiresInMs']) // 1000} s left"
        for each in done["leases"]
    ]
    return "\n".join(lines) or "there are no browser leases"


def as_text(got: Mapping[str, Any]) -> str:
    """
    What was opened, for people.
    """
    seconds = int(got["expiresInMs"]) // 1000
    line = f"page {got['sessionId']} at {got['url']} (lease {got['leaseId']}, {seconds} s without a call)"
    if got["ready"]:
        return line
    if got.get("trouble"):
        return f"{line}\nnot ready: {got['trouble']}\nnext: see that the app answers there, and open it again"
    return f"{line}\nnot ready: {got['hint']}"


def keep(lease: Ask, lease_id: str, wait: Callable[[float], bool]) -> None:
    """
    Renew a lease until it is time to stop, then release it.

    Args:
        lease: Calls ``reticle_lease``.
        lease_id: Which.
        wait: Waits so many seconds; whether it is time to stop.

    Raises:
        CommandFailure: The lease or the daemon is not there any more.
    """
    try:
        while not wait(RENEW_SECONDS):
            lease({"action": "renew", "leaseId": lease_id, "seconds": KEPT_SECONDS})
        lease({"action": "release", "leaseId": lease_id})
    except CommandFailure as failure:
        if not failure.message.startswith(RefusalCode.NOT_FOUND):
            raise
        raise CommandFailure(
            ExitCode.FAILED,
            "the page is closed: its lease was released, or the browser ended",
            "run it again",
        ) from None


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """
    An event that is set when the command is to stop, in place of an end at any point.
    """
    stop = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        del number, frame
        stop.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
