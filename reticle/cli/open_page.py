"""
``reticle open URL``: the app in the person's own browser, with their logins, and whether its page connects.
"""

from __future__ import annotations

import json
import time
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import click

from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.options import settings_for_client
from reticle.cli.rpc import ask, choose_daemon, chosen_port, daemon_options
from reticle.domain.openable import check_openable
from reticle.errors import Refusal
from reticle.model.origins import origin_of
from reticle.model.page import script_tag

CONNECT_SECONDS: Final = 8.0
POLL_SECONDS: Final = 0.5
"""A development server compiles a page when it is first asked for, which takes some seconds."""

Pages = Callable[[], Sequence[Mapping[str, Any]]]


@click.command(name="open")
@click.argument("url")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@daemon_options
def command(*, url: str, as_json: bool, **flags: str | None) -> int:
    """
    Open URL in your own browser and wait for its page.

    A page of that address that is connected already is used as it is. Exit codes: 0 connected; 1 no browser,
    or no page of it connected; 2 no such URL; 4 no daemon; 5 refused.
    """
    try:
        check_openable(url)
    except Refusal as refusal:
        raise CommandFailure(ExitCode.USAGE, refusal.message, refusal.recovery) from None
    settings = settings_for_client(flags)
    port = chosen_port(settings, flags)
    daemon = choose_daemon(settings, port)

    def pages() -> Sequence[Mapping[str, Any]]:
        found: Sequence[Mapping[str, Any]] = ask(settings, port, "reticle_sessions", {})["sessions"]
        return [page for page in found if "driven" not in page]

    before = pages()
    there = next((page for page in before if same_address(page["url"], url)), None)
    if there is not None:
        show(there, "is connected already; nothing was opened", as_json=as_json, opened=False)
        return ExitCode.OK
    if not webbrowser.open(url):
        raise CommandFailure(
            ExitCode.FAILED, "no browser could be started here", f"open {url} in one yourself"
        )
    came = connected(pages, url, {page["sessionId"] for page in before})
    if came is None:
        raise CommandFailure(
            ExitCode.FAILED,
            f"{url} was opened, and no page of it connected within {CONNECT_SECONDS:g} s",
            f"put {script_tag(daemon.url)} first in the head of the app's pages and reload, "
            f"or run `reticle drive {url}`, which needs nothing in the app",
        )
    show(came, "connected", as_json=as_json, opened=True)
    return ExitCode.OK


def same_address(one: str, other: str) -> bool:
    """
    Whether two addresses lead to the same page, whatever part of it they point to.
    """
    return _whole(one) == _whole(other)


def connected(
    pages: Pages,
    url: str,
    before: set[str],
    *,
    wait: Callable[[float], object] = time.sleep,
    now: Callable[[], float] = time.monotonic,
) -> Mapping[str, Any] | None:
    """
    The page of that app that connects, None when none does in time.

    Args:
        pages: Lists the connected pages, the most recently active first.
        url: What was opened.
        before: Pages that were there already: a browser may bring one of those to the front, and then that
            address would have been found.
        wait: Waits so many seconds.
        now: Seconds; a list of no pages takes its time, as the daemon waits for one itself.
    """
    until = now() + CONNECT_SECONDS
    while now() < until:
        wait(POLL_SECONDS)
        new = [page for page in pages() if page["sessionId"] not in before]
        here = [page for page in new if origin_of(page["url"]) == origin_of(url)]
        exact = [page for page in here if same_address(page["url"], url)]
        if exact or here:
            return (exact or here)[0]
    return None


def show(page: Mapping[str, Any], what: str, *, as_json: bool, opened: bool) -> None:
    """
    Print which page it is.
    """
    told = {"sessionId": page["sessionId"], "url": page["url"], "opened": opened}
    click.echo(json.dumps(told) if as_json else f"page {page['sessionId']} at {page['url']} {what}")


def _whole(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(("", origin_of(url), parts.path.rstrip("/"), parts.query, ""))
