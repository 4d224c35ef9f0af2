"""
What a listening client gets to hear, and how it is tagged (MCP 2026-07-28 "Subscriptions").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from reticle.mcp.capabilities import Offered
from reticle.mcp.jsonrpc import RequestId, notification_message
from reticle.mcp.modern.params import ListenFilter
from reticle.mcp.modern.results import stamped
from reticle.mcp.modern.words import SUBSCRIPTION_KEY
from reticle.model.mcp import Notice, PromptsChanged, ResourcesChanged, ResourceUpdated, ToolsChanged


@attrs.frozen
class Honoured:
    """
    The part of a client's wishes that we can fulfil.
    """

    tools: bool
    prompts: bool
    resources: bool
    uris: frozenset[str]
    task_ids: frozenset[str]

    def limited_to(self, uris: Iterable[str], task_ids: Iterable[str]) -> Honoured:
        """
        The same with only those resources and tasks.
        """
        return attrs.evolve(self, uris=frozenset(uris), task_ids=frozenset(task_ids))

    def fields(self) -> dict[str, object]:
        """
        As the acknowledgement says it; what is not honoured is left out.
        """
        told: dict[str, object] = {}
        if self.tools:
            told["toolsListChanged"] = True
        if self.prompts:
            told["promptsListChanged"] = True
        if self.resources:
            told["resourcesListChanged"] = True
        if self.uris:
            told["resourceSubscriptions"] = sorted(self.uris)
        if self.task_ids:
            told["taskIds"] = sorted(self.task_ids)
        return told


def honoured(wanted: ListenFilter, offered: Offered, *, tasks: bool) -> Honoured:
    """
    What of a client's wishes we can fulfil; ``tasks`` when the client knows them and we have them.
    """
    return Honoured(
        tools=wanted.toolsListChanged and offered.tools_changes,
        prompts=wanted.promptsListChanged and offered.prompts_changes,
        resources=wanted.resourcesListChanged and offered.resources_changes,
        uris=frozenset(wanted.resourceSubscriptions if offered.resources else ()),
        task_ids=frozenset(wanted.taskIds if tasks else ()),
    )


def acknowledged(request_id: RequestId, what: Honoured) -> bytes:
    """
    The first message of a subscription.
    """
    return _tagged(request_id, "notifications/subscriptions/acknowledged", {"notifications": what.fields()})


def notice_message(request_id: RequestId, what: Honoured, notice: Notice) -> bytes | None:
    """
    A notice in words, or None when this client does not want it.
    """
    match notice:
        case ToolsChanged():
            return _tagged(request_id, "notifications/tools/list_changed", {}) if what.tools else None
        case PromptsChanged():
            return _tagged(request_id, "notifications/prompts/list_changed", {}) if what.prompts else None
        case ResourcesChanged():
            return _tagged(request_id, "notifications/resources/list_changed", {}) if what.resources else None
        case ResourceUpdated(uri):
            wanted = uri in what.uris
            return _tagged(request_id, "notifications/resources/updated", {"uri": uri}) if wanted else None


def task_message(request_id: RequestId, task: Mapping[str, object]) -> bytes:
    """
    News of a task, with the fields of ``tasks/get``.
    """
    return _tagged(request_id, "notifications/tasks", task)


def finished(request_id: RequestId) -> bytes:
    """
    The result of a subscription that we end.
    """
    return stamped({}, meta={SUBSCRIPTION_KEY: request_id})


def _tagged(request_id: RequestId, method: str, params: Mapping[str, object]) -> bytes:
    return notification_message(method, {**params, "_meta": {SUBSCRIPTION_KEY: request_id}})
