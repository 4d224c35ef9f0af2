"""
What every Python client does with the daemon, and the one line of JSON that tells how it went.

Runs inside environments of old and new clients, so it imports the standard library only. The Node drivers
do the same in ``../node/walk.mjs``; ``../outcome.py`` reads the line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

HEADING = {"kind": "text", "contains": "Bench", "visible": True}
NEVER = {"kind": "text", "contains": "this is nowhere"}
STEP = {"action": "click", "target": {"testid": "save"}}
SAVED = {"kind": "net", "method": "POST", "urlContains": "/api/save", "status": 200}

CALLS: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "sessions": ("reticle_sessions", {}),
    "asserted": ("reticle_assert", {"predicate": HEADING}),
    "acted": ("reticle_act_and_wait", {"action": "click", "target": {"testid": "save"}, "until": SAVED}),
    "refused": ("reticle_assert", {"sessionId": "nobody", "predicate": HEADING}),
    "stepped": ("reticle_act_sequence", {"steps": [STEP, {**STEP, "args": {"holdMs": 400}}]}),
}
"""
What is called, in order, with progress where the client can ask for it. ``stepped`` tells some well before
its end: progress that comes together with the answer, the TypeScript SDKs lose.
"""

Result = Mapping[str, Any]
"""A result as it stands on the wire."""


class Client(Protocol):
    """
    One client library, connected. What it does not offer gives None.
    """

    async def list_tools(self) -> list[str]:
        """
        The names of the tools.
        """

    async def call(self, name: str, arguments: Mapping[str, object], told: list[float]) -> Result:
        """
        Call a tool; progress goes to ``told``.
        """

    async def ping(self) -> bool | None:
        """
        Whether the daemon answers; None where the revision has no ping.
        """

    async def list_prompts(self) -> list[str] | None:
        """
        The names of the prompts; None when the daemon does not say that it has some.
        """

    async def list_resources(self) -> list[str] | None:
        """
        The URIs of the resources; None when the daemon does not say that it has some.
        """


async def walk(client: Client) -> dict[str, object]:
    """
    Do everything once; gives what the outcome holds beside revision and name.
    """
    told: list[float] = []
    tools = await client.list_tools()
    results = {key: await client.call(name, arguments, told) for key, (name, arguments) in CALLS.items()}
    return {
        "tools": tools,
        "results": results,
        "progress": told,
        "pinged": await client.ping(),
        "prompts": await client.list_prompts(),
        "resources": await client.list_resources(),
    }


def tell(revision: str | None, server: str | None, walked: Mapping[str, object], **more: object) -> None:
    """
    The outcome, once the connection is closed.
    """
    print(json.dumps({"revision": revision, "server": server, **walked, **more}))
