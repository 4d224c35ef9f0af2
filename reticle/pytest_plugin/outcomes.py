"""
What came of an act: a verdict, or the failure of the test with the daemon's own words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from reticle.client import CallResult


class ReticleError(Exception):
    """
    A test could not be carried out.
    """


class NotServed(ReticleError):
    """
    What was to be opened has no address, the daemon did not start, or the page did not load.
    """


class CallRefused(ReticleError):
    """
    The daemon refused a call: ``code`` says why as a word; the text says what to do next.
    """

    def __init__(self, tool: str, result: CallResult) -> None:
        recovery = result.fields.get("recovery")
        next_step = f"\n{recovery}" if isinstance(recovery, str) else ""
        super().__init__(f"{tool} was refused: {result.error}: {result.message}{next_step}")
        self.code = result.error


class DaemonLost(ReticleError):
    """
    The daemon did not answer, or failed to; the text ends with what it wrote.
    """


class ActNotPerformed(ReticleError):
    """
    An act was described and never made: neither ``expects`` nor ``perform`` was called.
    """


class Verdict:
    """
    A recorded verdict of ``yes``.

    Attributes:
        id: As in JUnit's file, and in the heading of the explanation below a failure.
        verified: ``yes``, ``no`` or ``unknown``.
        fields: The whole answer.
        text: What an agent would read.
    """

    def __init__(self, result: CallResult) -> None:
        self.id = str(result.fields.get("verdict_id", ""))
        self.verified = str(result.verified)
        self.fields = result.fields
        self.text = result.text


class VerdictNotPassed(AssertionError):
    """
    The claim was not proved; the text has the evidence and the ``file:line`` to look at.
    """

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.text.rstrip())
        self.verdict = verdict


class VerdictNo(VerdictNotPassed):
    """
    The claim does not hold, or two channels contradict each other.
    """


class VerdictUnknown(VerdictNotPassed):
    """
    It could not be told whether the claim holds; the reason is in the text.
    """


Judge: TypeAlias = Callable[[str, CallResult], Verdict]
"""Takes the name of a tool and its answer; gives the verdict of ``yes``, or raises."""


def judged(tool: str, result: CallResult) -> Verdict:
    """
    The verdict in an answer. Raises ``CallRefused``, ``VerdictNo``, ``VerdictUnknown``.
    """
    __tracebackhide__ = True
    if not result.ok or result.verified is None:
        raise CallRefused(tool, result)
    verdict = Verdict(result)
    if verdict.verified == "yes":
        return verdict
    raise VerdictNo(verdict) if verdict.verified == "no" else VerdictUnknown(verdict)
