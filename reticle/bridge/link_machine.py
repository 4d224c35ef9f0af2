"""
What may be said when on one page socket, as a typed machine.

awaiting_hello → live → demoted, with ``judging`` on the way into ``live``, and from everywhere to ``ending``
(we close it) and ``gone``. Which page a socket speaks for is decided outside (``Facts.judge_…``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import attrs
from automat import TypeMachineBuilder
from twisted.internet.interfaces import IDelayedCall, IReactorTime

from reticle.bridge.page import BridgedPage
from reticle.bridge.refused_dials import Rejection
from reticle.bridge.wire import CommandResult, Events, Hello, WireEvent, read_data
from reticle.model.codes import CloseCode, EventType
from reticle.model.limits import FAREWELL_SECONDS
from reticle.ports import SocketWriter

_PARTING = frozenset({"visibilitychange", "blur"})


Judge = Callable[[Hello], BridgedPage | Rejection]
"""The page that a socket with this hello speaks for, or why there is none."""


@attrs.define
class Facts:
    """
    What a link holds on to.

    ``speaks_for`` is the page while the link is live and None in every other state, so that a flood of events
    need not pass the machine, which finds its row by trying one after the other.
    ``judge_first`` answers a first hello, ``judge_talker`` the one of a demoted socket that talks;
    ``left`` is told when the socket is gone.
    """

    writer: SocketWriter
    clock: IReactorTime
    judge_first: Judge
    judge_talker: Judge
    left: Callable[[], None]
    deadline: IDelayedCall | None = None
    hello: Hello | None = None
    page: BridgedPage | None = None
    speaks_for: BridgedPage | None = None
    demoted_at: float = 0.0

    def stop_deadline(self) -> None:
        """
        The hello came, or will not come.
        """
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None


class Inputs(Protocol):
    """
    What can happen to a link.
    """

    def hello(self, hello: Hello) -> None:
        """The page introduced itself."""

    def events(self, batch: Events) -> None:
        """The page reported."""

    def result(self, result: CommandResult) -> None:
        """The page answered."""

    def expire(self) -> None:
        """The time for a hello is over."""

    def admit(self, page: BridgedPage) -> None:
        """This socket speaks for ``page`` now."""

    def reject(self, rejection: Rejection) -> None:
        """This socket is turned away."""

    def demote(self) -> None:
        """A newer socket speaks for the page now."""

    def speak_up(self) -> None:
        """A demoted socket talks: it is a tab of its own."""

    def end(self, rejection: Rejection) -> None:
        """We close it, for a reason outside."""

    def lose(self, code: int) -> None:
        """The socket is gone."""


_builder = TypeMachineBuilder(Inputs, Facts)
awaiting_hello = _builder.state("awaiting_hello")
judging = _builder.state("judging")
live = _builder.state("live")
demoted = _builder.state("demoted")
ending = _builder.state("ending")
gone = _builder.state("gone")


def _judge(inputs: Inputs, answer: BridgedPage | Rejection) -> None:
    if isinstance(answer, Rejection):
        inputs.reject(answer)
    else:
        inputs.admit(answer)


@awaiting_hello.upon(Inputs.hello).to(judging)
def _first_hello(inputs: Inputs, facts: Facts, hello: Hello) -> None:
    facts.stop_deadline()
    facts.hello = hello
    _judge(inputs, facts.judge_first(hello))


@awaiting_hello.upon(Inputs.expire).to(ending)
def _silent(inputs: Inputs, facts: Facts) -> None:
    del inputs
    facts.deadline = None
    facts.writer.close(CloseCode.POLICY, "hello timeout")


@judging.upon(Inputs.admit).to(live)
def _admitted(inputs: Inputs, facts: Facts, page: BridgedPage) -> None:
    del inputs
    facts.page = facts.speaks_for = page


@judging.upon(Inputs.reject).to(ending)
@awaiting_hello.upon(Inputs.end).to(ending)
@demoted.upon(Inputs.end).to(ending)
def _turned_away(inputs: Inputs, facts: Facts, rejection: Rejection) -> None:
    del inputs
    facts.stop_deadline()
    facts.writer.close(rejection.code, rejection.reason)


@live.upon(Inputs.reject).to(ending)
@live.upon(Inputs.end).to(ending)
def _ended_live(inputs: Inputs, facts: Facts, rejection: Rejection) -> None:
    del inputs
    assert facts.page is not None
    facts.speaks_for = None
    facts.page.detach(rejection.code)
    facts.writer.close(rejection.code, rejection.reason)


@live.upon(Inputs.hello).loop()
def _hello_again(inputs: Inputs, facts: Facts, hello: Hello) -> None:
    assert facts.page is not None
    assert facts.hello is not None
    if hello.session_id == facts.hello.session_id:
        facts.page.refresh(hello)
    else:
        inputs.reject(Rejection(CloseCode.POLICY, "hello already received", ""))


@live.upon(Inputs.events).loop()
def _report(inputs: Inputs, facts: Facts, batch: Events) -> None:
    del inputs
    assert facts.page is not None
    facts.page.record(batch.events)


@live.upon(Inputs.result).loop()
@demoted.upon(Inputs.result).loop()
def _answer(inputs: Inputs, facts: Facts, result: CommandResult) -> None:
    del inputs
    assert facts.page is not None
    facts.page.answered(result)


@live.upon(Inputs.demote).to(demoted)
def _demoted(inputs: Inputs, facts: Facts) -> None:
    del inputs
    facts.speaks_for = None
    facts.demoted_at = facts.clock.seconds()


@demoted.upon(Inputs.events).loop()
def _talked(inputs: Inputs, facts: Facts, batch: Events) -> None:
    assert facts.page is not None
    if facts.clock.seconds() - facts.demoted_at < FAREWELL_SECONDS:
        facts.page.record(batch.events)  # the farewell of a document that was replaced
    elif not all(map(_is_parting, batch.events)):
        inputs.speak_up()
        inputs.events(batch)


@demoted.upon(Inputs.hello).loop()
def _talked_hello(inputs: Inputs, facts: Facts, hello: Hello) -> None:
    facts.hello = hello
    inputs.speak_up()


@demoted.upon(Inputs.speak_up).to(judging)
def _spoke_up(inputs: Inputs, facts: Facts) -> None:
    assert facts.hello is not None
    _judge(inputs, facts.judge_talker(facts.hello))


@awaiting_hello.upon(Inputs.lose).to(gone)
@judging.upon(Inputs.lose).to(gone)
@demoted.upon(Inputs.lose).to(gone)
@ending.upon(Inputs.lose).to(gone)
def _lost(inputs: Inputs, facts: Facts, code: int) -> None:
    del inputs, code
    facts.stop_deadline()
    facts.left()


@live.upon(Inputs.lose).to(gone)
def _lost_live(inputs: Inputs, facts: Facts, code: int) -> None:
    del inputs
    assert facts.page is not None
    facts.speaks_for = None
    facts.page.detach(code)
    facts.left()


def _is_parting(event: WireEvent) -> bool:
    # A parked document says so once; a tab in the background goes on with its heartbeat.
    return event.type == EventType.PAGE_HEALTH and read_data(event.data).get("reason") in _PARTING


# What changes nothing where it comes: talk before the hello or after the end, and news of older decisions.
for _state in (awaiting_hello, judging, ending, gone):
    _state.upon(Inputs.events).loop().returns(None)
    _state.upon(Inputs.result).loop().returns(None)
    _state.upon(Inputs.demote).loop().returns(None)
    _state.upon(Inputs.speak_up).loop().returns(None)
for _state in (judging, ending, gone):
    _state.upon(Inputs.hello).loop().returns(None)
    _state.upon(Inputs.end).loop().returns(None)
    _state.upon(Inputs.expire).loop().returns(None)
for _state in (awaiting_hello, demoted, ending, gone):
    _state.upon(Inputs.admit).loop().returns(None)
    _state.upon(Inputs.reject).loop().returns(None)
live.upon(Inputs.admit).loop().returns(None)
live.upon(Inputs.expire).loop().returns(None)
live.upon(Inputs.speak_up).loop().returns(None)
demoted.upon(Inputs.expire).loop().returns(None)
demoted.upon(Inputs.demote).loop().returns(None)
gone.upon(Inputs.lose).loop().returns(None)

build_machine = _builder.build()
