"""
A server with what the conformance suite looks for, over the product's gate, conversations and transport.

``python -m tests.conformance.service --port N`` (0: any) prints its URL as one line when it serves. Only
tools, resources, prompts and stores are not the product's.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from typing import Any

from twisted.internet import reactor as installed  # noqa: TID251 - an entry point of its own
from twisted.logger import globalLogBeginner, textFileLogObserver

from reticle.dispatch.conversations import Conversations
from reticle.dispatch.features import Features
from reticle.dispatch.gate import Gate
from reticle.dispatch.notices import Notices
from reticle.dispatch.prompting import Prompts
from reticle.dispatch.readable import Readable
from reticle.dispatch.registry import Registry
from reticle.dispatch.shared import Shared
from reticle.domain.daemon_life import DaemonLife
from reticle.domain.trust import TrustPolicy
from reticle.mcp.capabilities import Offered
from reticle.model.limits import SSE_KEEPALIVE_SECONDS
from reticle.model.mcp import Notice, PromptsChanged, ToolsChanged
from reticle.ports import CallContext
from reticle.service.clock import ReactorClock
from reticle.testing.browser import FakeBrowser
from reticle.testing.grants import MemoryRepositories, MemoryTokens
from reticle.testing.leases import MemoryPageHolds
from reticle.testing.mcp_sessions import FakeMcpSessions
from reticle.testing.pages import FakePages
from reticle.testing.stores import (
    MemoryBaselines,
    MemoryContracts,
    MemoryFeedback,
    MemoryPictures,
    MemoryVerdicts,
)
from reticle.testing.tokens import MemoryFolders
from reticle.testing.work import MemoryWork
from reticle.testing.worktrees import MemoryWorktrees
from reticle.tools.spec import Tool, ToolAnswer
from reticle.transport.checker import Checker
from reticle.transport.fast_lane import choose_channel
from reticle.transport.metrics import Metrics
from reticle.transport.site import build_root, build_site
from reticle.transport.status import DaemonStatus
from reticle.transport.streamable_http import StreamableHttp
from reticle.transport.streams import StreamSet
from tests.conformance import fixture_features, fixture_rounds, fixture_tasks, fixture_tools
from tests.conformance.fixture_tools import Given, Run, fixture, said

reactor: Any = installed  # its type depends on the platform

OFFERED = Offered(
    tools_changes=True,
    resources=True,
    resources_changes=True,
    prompts=True,
    prompts_changes=True,
    completions=True,
    logging=True,
)


def publishing(notices: Notices, notice: Notice) -> Run:
    """
    A tool that says that something changed.
    """

    async def publish(_: CallContext, __: Given) -> ToolAnswer:
        notices.publish(notice)
        return said("published")

    return publish


def breaking(streamable: StreamableHttp) -> Run:
    """
    A tool whose client's stream ends before the answer is there: the client has to come back for it.
    """

    async def reconnect(context: CallContext, _: Given) -> ToolAnswer:
        # By then the answer is a stream that can be resumed.
        await context.clock.sleep(0.5)
        for session in streamable.sessions.all():
            if session.has_calls:
                session.end_streams()
        await context.clock.sleep(0.2)
        return said("Reconnection test completed successfully")

    return reconnect


def tools(notices: Notices, streamable: StreamableHttp) -> list[Tool]:
    """
    Every tool of the fixture.
    """
    return [
        *fixture_tools.TOOLS,
        fixture("test_reconnection", breaking(streamable)),
        fixture("test_trigger_tool_change", publishing(notices, ToolsChanged())),
        fixture("test_trigger_prompt_change", publishing(notices, PromptsChanged())),
        *fixture_rounds.TOOLS,
        *fixture_tasks.TOOLS,
    ]


def new_id() -> str:
    """
    A fresh, unguessable text.
    """
    return secrets.token_hex(8)


def conversations(notices: Notices, streamable: StreamableHttp, url: str, metrics: Metrics) -> Conversations:
    """
    The product's conversations over the fixture's tools, resources and prompts.
    """
    clock, pages, verdicts = ReactorClock(reactor), FakePages(), MemoryVerdicts()
    listed = tools(notices, streamable)
    gate = Gate(
        registry=Registry(listed, advertised=len(listed)),
        audit=verdicts.audit,
        verdicts=verdicts,
        feedback=MemoryFeedback(),
        pictures=MemoryPictures(),
        baselines=MemoryBaselines(),
        app_contracts=MemoryContracts(),
        tokens=MemoryTokens(),
        repositories=MemoryRepositories(),
        folders=MemoryFolders(),
        holds=MemoryPageHolds(),
        work=MemoryWork(),
        worktrees=MemoryWorktrees(),
        browser=FakeBrowser(pages),
        pages=pages,
        clock=clock,
        new_id=new_id,
        random=secrets.token_bytes,
        daemon_url=lambda: url,
        on_call=lambda tool, outcome, _seconds: metrics.call_ended(tool, outcome),
    )
    features = Features(
        gate=gate,
        readable=Readable(fixture_features.RESOURCES, fixture_features.TEMPLATES),
        prompts=Prompts(fixture_features.PROMPTS),
    )
    shared = Shared(
        make_gate=lambda: gate,
        make_features=lambda _gate: features,
        notices=notices,
        clock=clock,
        offered=OFFERED,
    )
    key = secrets.token_bytes(32)
    return Conversations(shared, new_id=new_id, state_key=lambda: key)


def main() -> None:
    """
    Serve until told to stop.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    wanted: int = parser.parse_args().port
    globalLogBeginner.beginLoggingTo([textFileLogObserver(sys.stderr)], redirectStandardIO=False)
    life, notices, clock = DaemonLife(), Notices(), ReactorClock(reactor)
    streams = StreamSet(reactor, keepalive_seconds=SSE_KEEPALIVE_SECONDS)
    streams.startService()
    streamable = StreamableHttp(
        reactor, streams, life, boot=secrets.token_hex(4), now=clock.now, random=secrets.token_bytes
    )
    metrics = Metrics(mcp_sessions=lambda: streams.session_count, pages=lambda: 0)
    root = build_root(
        checker=Checker(TrustPolicy(), seconds=reactor.seconds),
        life=life,
        streams=streams,
        streamable=streamable,
        metrics=metrics,
        status=lambda _: DaemonStatus(
            version="0", pid=os.getpid(), started_at=0.0, uptime_seconds=0.0, port=port,
            state=life.state, mcp_sessions=streams.session_count,
        ),
        page_script=b"/* none */",
        page_script_sha256="00",
    )  # fmt: skip
    site = build_site(root, reactor=reactor, channel=choose_channel())
    port = reactor.listenTCP(wanted, site, backlog=1024, interface="127.0.0.1").getHost().port
    url = f"http://127.0.0.1:{port}"
    made = conversations(notices, streamable, url, metrics)
    streams.attach(made)
    streamable.attach(made, FakeMcpSessions(secrets.token_bytes(32)))
    life.attached()
    reactor.callWhenRunning(print, f"{url}/mcp", flush=True)
    reactor.run()


if __name__ == "__main__":
    main()
