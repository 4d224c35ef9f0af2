"""
The clients that must work, what each negotiates, and how its driver is started.

Source of the rows: the client matrix of issue 4. Versions stand in ``python/*.txt`` and
``node/*/package.json``; ``mcp`` 2.3 comes with the ``test`` extra of the package itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import attrs

from tests.clients.stage import Stage
from tests.programs.environments import bin_of, npm_packages, python_environment, recent_node

HERE = Path(__file__).parent
DRIVERS = HERE / "drivers"

Command = Sequence[str | Path]
Starts = Callable[[Stage], Command]
"""Installs what is missing and gives the command for this daemon."""

NODE: Final = (20, 0)
"""What the Node clients ask for; the Inspector asks for more."""

HANDSHAKE: Final = "2025-11-25"
MODERN: Final = "2026-07-28"


@attrs.frozen
class Row:
    """
    One client on one transport.

    ``revision`` is what it must end up with. ``progress``: whether it can ask for some. ``cancels``: whether
    a call that it gives up ends at the daemon; None where it cannot give one up.
    ``full``: left to ``make full``. ``leaves``: whether the daemon can tell that it has gone: bridges that
    are ended by their stdin leave a Streamable session open.
    ``is_told``: whether it asks who we are and what we have; a pinned client may not. ``old``: whether it
    needs a pydantic that has wheels up to Python 3.13.
    """

    name: str
    starts: Starts
    revision: str
    full: bool = True
    progress: bool = True
    cancels: bool | None = None
    leaves: bool = True
    is_told: bool = True
    old: bool = False


def python_sdk_1(requirements: str, transport: str) -> Starts:
    """
    The Python SDK 1.x.
    """

    def starts(stage: Stage) -> Command:
        python = python_environment(HERE / "python" / f"{requirements}.txt")
        return [python, DRIVERS / "sdk_1.py", stage.url(transport), transport]

    return starts


def python_sdk_2(transport: str, mode: str) -> Starts:
    """
    The Python SDK 2.x.
    """
    return lambda stage: [sys.executable, DRIVERS / "sdk_2.py", stage.url(transport), transport, mode]


def fastmcp(requirements: str, transport: str) -> Starts:
    """
    FastMCP, which takes the transport from the URL.
    """

    def starts(stage: Stage) -> Command:
        python = python_environment(HERE / "python" / f"{requirements}.txt")
        return [python, DRIVERS / "fastmcp_client.py", stage.url(transport)]

    return starts


def node(folder: str, transport: str, *more: str) -> Starts:
    """
    A Node client with a driver beside its ``package.json``.
    """

    def starts(stage: Stage) -> Command:
        driver = HERE / "node" / folder / "driver.mjs"
        npm_packages(driver.parent)
        return [
            recent_node(NODE),
            HERE / "node" / folder / "driver.mjs",
            stage.url(transport),
            transport,
            *more,
        ]

    return starts


def behind_stdio(bridge: Starts) -> Starts:
    """
    A bridge from stdio, driven by the Python SDK 2.x.
    """
    return lambda stage: [sys.executable, DRIVERS / "sdk_2.py", "-", "stdio", "legacy", *bridge(stage)]


def mcp_remote(path: str, strategy: str) -> Starts:
    """
    mcp-remote on a path of the daemon.
    """

    def starts(stage: Stage) -> Command:
        script = bin_of(npm_packages(HERE / "node/mcp-remote"), "mcp-remote", "mcp-remote")
        return [
            recent_node(NODE),
            script,
            f"{stage.daemon.url}{path}",
            "--transport",
            strategy,
            "--allow-http",
        ]

    return behind_stdio(starts)


def supergateway(transport: str) -> Starts:
    """
    Supergateway as a client.
    """
    option = "--sse" if transport == "sse" else "--streamableHttp"

    def starts(stage: Stage) -> Command:
        script = bin_of(npm_packages(HERE / "node/supergateway"), "supergateway", "supergateway")
        return [recent_node(NODE), script, option, stage.url(transport), "--logLevel", "none"]

    return behind_stdio(starts)


def inspector_command() -> Command:
    """
    The Inspector's command line, without what it is to do.
    """
    packages = npm_packages(HERE / "node/inspector")
    script = bin_of(packages, "@modelcontextprotocol/inspector", "mcp-inspector")
    return [recent_node(), script, "--cli"]


def mcp_proxy(transport: str) -> Starts:
    """
    mcp-proxy of PyPI as a client.
    """
    option = "sse" if transport == "sse" else "streamablehttp"

    def starts(stage: Stage) -> Command:
        python = python_environment(HERE / "python/mcp-proxy.txt")
        return [python, "-m", "mcp_proxy", "--transport", option, stage.url(transport)]

    return behind_stdio(starts)


SSE_ROWS = [
    Row("mcp-2.3-legacy-sse", python_sdk_2("sse", "legacy"), HANDSHAKE, full=False, cancels=True),
    Row("mcp-2.3-auto-sse", python_sdk_2("sse", "auto"), MODERN, cancels=True),
    Row("mcp-1.30-sse", python_sdk_1("mcp-1.30", "sse"), HANDSHAKE),
    Row("mcp-1.12-sse", python_sdk_1("mcp-1.12", "sse"), "2025-06-18", old=True),
    Row("mcp-1.9-sse", python_sdk_1("mcp-1.9", "sse"), "2025-03-26", old=True),
    Row(
        "mcp-1.6-sse",
        python_sdk_1("mcp-1.6", "sse"),
        "2024-11-05",
        full=False,
        progress=False,
        old=True,
    ),
    Row("fastmcp-2-sse", fastmcp("fastmcp-2", "sse"), HANDSHAKE),
    Row("fastmcp-4-sse", fastmcp("fastmcp-4", "sse"), HANDSHAKE),
    Row("typescript-1.0-sse", node("typescript-1.0", "sse"), "2024-11-05", cancels=True),
    Row("typescript-1-sse", node("typescript-1", "sse"), HANDSHAKE, full=False, cancels=True),
    Row("typescript-2-sse", node("typescript-2", "sse", "default"), HANDSHAKE, cancels=True),
    Row("typescript-2-auto-sse", node("typescript-2", "sse", "auto"), MODERN, cancels=True),
    Row("mcp-remote-sse-only", mcp_remote("/mcp/sse", "sse-only"), HANDSHAKE, cancels=True),
    Row("mcp-remote-sse-first-on-mcp", mcp_remote("/mcp", "sse-first"), HANDSHAKE, cancels=True),
    # supergateway hands requests and responses on; notifications it drops, progress and cancellation too.
    Row("supergateway-sse", supergateway("sse"), HANDSHAKE, cancels=False, progress=False),
    # mcp-proxy stops waiting and does not tell the daemon.
    Row("mcp-proxy-sse", mcp_proxy("sse"), HANDSHAKE, cancels=False),
]
"""The old transport; ``GET /mcp`` is one of its ends."""

HTTP_ROWS = [
    Row("mcp-2.3-legacy-http", python_sdk_2("http", "legacy"), HANDSHAKE, cancels=True),
    Row("mcp-2.3-auto-http", python_sdk_2("http", "auto"), MODERN, full=False, cancels=True),
    Row("mcp-2.3-pinned-http", python_sdk_2("http", MODERN), MODERN, cancels=True, is_told=False),
    Row("mcp-1.30-http", python_sdk_1("mcp-1.30", "http"), HANDSHAKE),
    Row("mcp-1.12-http", python_sdk_1("mcp-1.12", "http"), "2025-06-18", old=True),
    Row("mcp-1.9-http", python_sdk_1("mcp-1.9", "http"), "2025-03-26", old=True),
    Row("fastmcp-2-http", fastmcp("fastmcp-2", "http"), HANDSHAKE),
    Row("fastmcp-4-http", fastmcp("fastmcp-4", "http"), MODERN),
    Row("typescript-1-http", node("typescript-1", "http"), HANDSHAKE, full=False, cancels=True),
    Row("typescript-2-http", node("typescript-2", "http", "default"), HANDSHAKE, cancels=True),
    Row("typescript-2-auto-http", node("typescript-2", "http", "auto"), MODERN, cancels=True),
    Row("typescript-2-pinned-http", node("typescript-2", "http", MODERN), MODERN, cancels=True),
    Row("mcp-remote-http-first", mcp_remote("/mcp", "http-first"), HANDSHAKE, cancels=True, leaves=False),
    Row("mcp-remote-http-only", mcp_remote("/mcp", "http-only"), HANDSHAKE, cancels=True, leaves=False),
    # The path of the old transport takes the new one too, so nothing has to fall back.
    Row(
        "mcp-remote-http-first-on-sse",
        mcp_remote("/mcp/sse", "http-first"),
        HANDSHAKE,
        cancels=True,
        leaves=False,
    ),
    Row("mcp-proxy-http", mcp_proxy("http"), HANDSHAKE, cancels=False),
    # The last, because the call that it neither waits for nor cancels runs on.
    Row("supergateway-http", supergateway("http"), HANDSHAKE, cancels=False, progress=False, leaves=False),
]
"""Streamable HTTP."""

ROWS = SSE_ROWS + HTTP_ROWS
