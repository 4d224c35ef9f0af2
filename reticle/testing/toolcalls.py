"""
Running one tool in a test as the gate would: arguments from their wire form, the coroutine as a Deferred.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import msgspec
from twisted.internet.defer import Deferred

from reticle.errors import Refusal
from reticle.model.codes import ControlState, RefusalCode
from reticle.model.ids import PageId
from reticle.ports import CallContext, Page
from reticle.testing.clock import FakeClock
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePage, FakePages
from reticle.tools.spec import Tool, ToolAnswer


@attrs.frozen
class Scene:
    """
    One connected page, the time that it lives in, and a context that sees it.
    """

    clock: FakeClock
    page: FakePage
    context: FakeContext


class HeedfulPages(FakePages):
    """
    Pages that are not given out while they are paused, as the gate does it.
    """

    def resolve(self, page_id: PageId | None, among: Callable[[Page], bool] | None = None) -> FakePage:
        """
        The page, if the person there lets agents act.
        """
        page = super().resolve(page_id, among)
        if page.steering.state is ControlState.PAUSED:
            raise Refusal(RefusalCode.PAUSED, "A person has paused the agent.", "Wait.")
        return page


def open_scene(page_id: str = "p1") -> Scene:
    """
    A page of an app at its start, and nobody else.
    """
    clock = FakeClock()
    page = FakePage(page_id, clock=clock.reactor)
    return Scene(clock, page, FakeContext(FakePages(page), clock=clock))


def start_call(tool: Tool, context: CallContext, arguments: Mapping[str, object]) -> Deferred[ToolAnswer]:
    """
    Begin a call and give its result to come; arguments that do not decode raise at once.
    """
    decoded = msgspec.convert(dict(arguments), tool.arguments)

    async def run() -> ToolAnswer:
        return await tool.run(context, decoded)

    return Deferred.fromCoroutine(run())


def answer_of(tool: Tool, context: CallContext, arguments: Mapping[str, object]) -> ToolAnswer:
    """
    The answer of a call that needs no time.
    """
    return _result(start_call(tool, context, arguments))


def refusal_of(tool: Tool, context: CallContext, arguments: Mapping[str, object]) -> Refusal:
    """
    The refusal of a call that needs no time.
    """
    return refusal_in(start_call(tool, context, arguments))


def refusal_in(call: Deferred[ToolAnswer]) -> Refusal:
    """
    The refusal that a call has ended with.
    """
    try:
        answer = _result(call)
    except Refusal as refusal:
        return refusal
    raise AssertionError(f"the call was answered: {answer.fields}")


def _result(call: Deferred[ToolAnswer]) -> ToolAnswer:
    got: list[Any] = []
    call.addBoth(got.append)
    if not got:
        raise AssertionError("the call is still waiting")
    outcome = got[0]
    if isinstance(outcome, ToolAnswer):
        return outcome
    outcome.raiseException()
    raise AssertionError("a failure did not raise")
