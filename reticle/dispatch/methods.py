"""
What each method of 2026-07-28 leads to. A method that is not here does not exist in that revision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from reticle.dispatch.asked import Asked, Work
from reticle.dispatch.feature_requests import FeatureRequests
from reticle.dispatch.features import Features
from reticle.dispatch.gate import Gate
from reticle.dispatch.running_tasks import RunningTasks
from reticle.dispatch.task_requests import TaskRequests
from reticle.dispatch.tool_requests import ToolRequests
from reticle.errors import PeerFault
from reticle.mcp.capabilities import Offered, server_capabilities
from reticle.mcp.modern.params import cursor_of, repository_of
from reticle.mcp.modern.request_state import RequestStates
from reticle.mcp.modern.results import LISTED, discovered, stamped, stamped_line
from reticle.mcp.modern.tasks import EXTENSION
from reticle.mcp.modern.words import PER_REQUEST
from reticle.mcp.strict_json import shorten
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.limits import PEER_NAME_CHARS
from reticle.ports import Clock

Now = Callable[[Asked], bytes]
"""Gives the result of a request as one line of JSON, or raises ``PeerFault``."""
Later = Callable[[Asked], Work]
"""Gives the work of a request, or raises ``PeerFault``."""


class Methods:
    """
    The methods of one daemon; those of features that it does not have are left out.

    Args:
        gate: Runs tools.
        features: Resources and prompts.
        clock: Time.
        offered: What we say that we have.
        states: Seals what goes from round to round.
        tasks: Calls that run on.
        has_tasks: Whether any tool may become a task.
    """

    def __init__(
        self,
        *,
        gate: Gate,
        features: Features,
        clock: Clock,
        offered: Offered,
        states: RequestStates,
        tasks: RunningTasks,
        has_tasks: bool,
    ) -> None:
        self._gate = gate
        self._features = features
        feature = self._feature = FeatureRequests(features=features, clock=clock, states=states)
        tool = ToolRequests(gate=gate, clock=clock, states=states, tasks=tasks)
        self._discovered = discovered(_capabilities(offered, has_tasks=has_tasks))
        now: dict[str, Now] = {"server/discover": self._discover, "tools/list": self._tools_list}
        later: dict[str, Later] = {"tools/call": tool.begin}
        if offered.resources:
            now["resources/list"] = partial(feature.listed, features.resources_list)
            now["resources/templates/list"] = partial(feature.listed, features.templates_list)
            later["resources/read"] = feature.read
        if offered.prompts:
            now["prompts/list"] = partial(feature.listed, features.prompts_list)
            later["prompts/get"] = feature.get_prompt
        if offered.completions:
            later["completion/complete"] = feature.complete
        if has_tasks:
            asked_about = TaskRequests(tasks)
            now["tasks/get"] = asked_about.get
            now["tasks/update"] = asked_about.update
            now["tasks/cancel"] = asked_about.cancel
        self.now: Mapping[str, Now] = now
        """Methods that are answered at once."""
        self.later: Mapping[str, Later] = later
        """Methods that take time and can be stopped."""

    def _discover(self, _: Asked) -> bytes:
        return self._discovered

    def _tools_list(self, asked: Asked) -> bytes:
        params, principal = asked.admitted.params, asked.caller.principal
        cursor, repository_id = cursor_of(params), repository_of(params)
        if cursor is None:
            return stamped_line(self._gate.tools_list(principal, PER_REQUEST, repository_id), LISTED)
        fields = self._features.tools_list(principal, PER_REQUEST, cursor, repository_id)
        return stamped(fields, freshness=LISTED)


def _capabilities(offered: Offered, *, has_tasks: bool) -> dict[str, object]:
    told = server_capabilities(offered, PER_REQUEST)
    return {**told, "extensions": EXTENSION} if has_tasks else told


def unknown_method(method: str) -> PeerFault:
    """
    The fault of a method that is not there, or no longer.
    """
    return PeerFault(
        FaultCode.METHOD_UNKNOWN,
        f"there is no method {shorten(method, PEER_NAME_CHARS)!r}",
        JsonRpcCode.METHOD_NOT_FOUND,
    )
