"""
What the gate runs for a caller.
"""

from __future__ import annotations

from twisted.internet.defer import Deferred

from reticle.dispatch.call import Call, Caller
from reticle.dispatch.errand import Errand, unknown_tool
from reticle.dispatch.grants import Sight
from reticle.dispatch.registry import Registry
from reticle.errors import PeerFault, Refusal
from reticle.model.codes import Capability, Carrier, FaultCode
from reticle.model.ids import PageId
from reticle.model.trust import LOCAL, Principal
from reticle.ports import CallContext
from reticle.testing.gate import GateBench, scripted_tool
from reticle.testing.pages import FakePage, FakePages
from reticle.tools.spec import ToolAnswer


def call_by(principal: Principal = LOCAL) -> Call:
    """
    A call as a resource's reader makes it.
    """
    return Call(Caller(principal, Carrier.HTTP, "c1"), "thing://1", b'{"uri":"thing://1"}')


def reading(answer: ToolAnswer | Exception) -> Errand:
    """
    An errand that shows page ``p1`` and ends so.
    """

    async def begin(context: CallContext) -> ToolAnswer:
        context.pages.resolve(PageId("p1"))
        if isinstance(answer, Exception):
            raise answer
        return answer

    return Errand("resources/read", Capability.OBSERVE, begin)


def outcome_of(bench: GateBench, call: Call, errand: Errand) -> ToolAnswer | Exception:
    """
    What came of it.
    """
    got: list[object] = []
    Deferred.fromCoroutine(bench.gate.serve(call, errand)).addBoth(got.append)
    ended = getattr(got[0], "value", got[0])
    assert isinstance(ended, ToolAnswer | Exception)
    return ended


def test_what_is_no_tool_leaves_a_row_too() -> None:
    """
    The audit log knows who read what, and its answer has no fields of a tool's.
    """
    bench = GateBench(pages=FakePages(FakePage("p1")))
    answer = ToolAnswer({"contents": []}, text="button e7")
    assert outcome_of(bench, call_by(), reading(answer)) is answer
    assert bench.audit.decisions() == [("resources/read", "allowed")]
    assert bench.told[0][:2] == ("resources/read", "allowed")


def test_a_fault_stays_what_it_is() -> None:
    """
    What does not exist is told with its own code and data, and its row names it.
    """
    bench = GateBench(pages=FakePages(FakePage("p1")))
    fault = PeerFault(FaultCode.RESOURCE_UNKNOWN, "gone", data={"uri": "thing://1"})
    assert outcome_of(bench, call_by(), reading(fault)) is fault
    assert bench.audit.decisions() == [("resources/read", "refused:resource_unknown")]


def test_nobody_reads_without_the_capability() -> None:
    """
    A token that was granted nothing gets a refusal before anything is looked at.
    """
    bench = GateBench(pages=FakePages(FakePage("p1")))
    ended = outcome_of(bench, call_by(bench.token()), reading(ToolAnswer({})))
    assert isinstance(ended, Refusal)
    assert ended.code == "capability_missing"
    assert bench.audit.decisions() == [("resources/read", "refused:capability_missing")]


def test_no_row_no_answer() -> None:
    """
    When the row cannot be written the contents stay here.
    """
    bench = GateBench(pages=FakePages(FakePage("p1")))
    bench.audit.failing = True
    ended = outcome_of(bench, call_by(), reading(ToolAnswer({})))
    assert isinstance(ended, Refusal)
    assert ended.code == "storage_failed"


def test_an_unknown_tool_is_refused_with_the_nearest() -> None:
    """
    A misspelt name is answered with the one that was meant, as far as the caller may use it.
    """
    registry = Registry(
        [scripted_tool("look", None), scripted_tool("act", None, capability=Capability.DRIVE)]
    )
    refusal = unknown_tool("loook", registry, Sight.of({Capability.OBSERVE}))
    assert refusal.recovery.startswith("Did you mean look?")
    assert refusal.details == {"available": ["look"]}
