"""
How a journey through the shop is walked: calls on one page, each checked, and a verdict at its end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

from reticle.client import CallResult, Client

Claim = Mapping[str, object]

WAIT_MS = 3_000
ANSWER_BYTES = 1_500
"""What the text of one answer may take: an agent reads every one of them."""


class Journey(NamedTuple):
    """
    One way through the shop, and the verdict that an honest tester would give at its end.

    ``start`` is the address to begin at; ``walk`` gives the verdict on the last step.
    ``verified`` and ``reason`` are what the verdict has to be, ``fix_at`` the place that a "no" names:
    a control by its test id, or a script and a word on the line, as ``order.js: confetti``.
    """

    name: str
    start: str
    walk: Callable[[Walk], CallResult]
    verified: str = "yes"
    reason: str = "proved"
    fix_at: str = ""

    @property
    def passes(self) -> bool:
        """
        Whether what the journey does is sound.
        """
        return self.verified == "yes"

    def is_judged_right(self, verdict: CallResult) -> bool:
        """
        Whether a verdict tells sound from faulty here.
        """
        return (verdict.verified == "yes") is self.passes


class JourneyBrokenError(Exception):
    """
    The way to the last step could not be walked; says which step and what came back.
    """


def connected_page(client: Client, seconds: float = 20.0) -> str:
    """
    The id of the one page that is connected, once there is one.

    Raises ``JourneyBrokenError`` with the daemon's own diagnosis after the time.
    """
    deadline = time.monotonic() + seconds
    while True:
        listed = client.call("reticle_sessions")
        sessions = listed.fields.get("sessions")
        if isinstance(sessions, list) and sessions:
            return str(sessions[0]["sessionId"])
        if time.monotonic() > deadline:
            raise JourneyBrokenError(f"no page connected within {seconds:g} s: {listed.text}")
        time.sleep(0.1)


def travel(client: Client, page: str, shop_url: str, journey: Journey) -> CallResult:
    """
    Walk one journey on a page; gives the verdict on its last step.

    Raises ``JourneyBrokenError`` when a step before it fails.
    """
    walk = Walk(client, page, shop_url)
    walk.open(journey.start)
    return journey.walk(walk)


class Walk:
    """
    Calls on one page of the shop.

    Every step raises ``JourneyBrokenError`` when the daemon refuses it, says that it failed, or takes
    ``ANSWER_BYTES`` or more to answer; a verdict is given back whatever it says, except by ``prove``.
    """

    def __init__(self, client: Client, page: str, shop_url: str) -> None:
        self._client = client
        self._page = page
        self._shop_url = shop_url

    def open(self, address: str) -> None:
        """
        Load a page of the shop.
        """
        self._step("reticle_navigate", url=self._shop_url + address)

    def fill(self, testid: str, value: str) -> None:
        """
        Put a value into a field.
        """
        self._step("reticle_act", action="fill", target={"testid": testid}, args={"value": value})

    def click(
        self, testid: str, until: Claim, *, wait_ms: int = WAIT_MS, confirm: bool = False
    ) -> CallResult:
        """
        Click a control; gives the verdict on what must come of it.
        """
        args = {"confirmDangerous": True} if confirm else {}
        return self._act("click", testid, args, until, wait_ms)

    def type(self, testid: str, text: str, until: Claim, *, wait_ms: int = WAIT_MS) -> CallResult:
        """
        Type into a field key by key; gives the verdict on what must come of it.
        """
        return self._act("type", testid, {"text": text}, until, wait_ms)

    def wait_for(self, until: Claim) -> None:
        """
        Wait until something is to be seen.
        """
        self._step("reticle_wait_for", predicate=until, timeout_ms=WAIT_MS)

    def look(self, until: Claim) -> CallResult:
        """
        The verdict on what is to be seen now, without doing anything.
        """
        return self._step("reticle_assert", until=until)

    def prove(self, testid: str, until: Claim) -> None:
        """
        Click a control on the way; what is claimed must be proved.
        """
        result = self.click(testid, until)
        if result.verified != "yes":
            raise JourneyBrokenError(f"the step {testid!r} is not proved: {result.text}")

    def _act(self, action: str, testid: str, args: Claim, until: Claim, wait_ms: int) -> CallResult:
        target = {"testid": testid}
        return self._step(
            "reticle_act_and_wait", action=action, target=target, args=args, until=until, timeout_ms=wait_ms
        )

    def _step(self, tool: str, **arguments: object) -> CallResult:
        result = self._client.call(tool, {"sessionId": self._page, **arguments}, timeout_seconds=30)
        negative = (result.fields.get("confirmed"), result.fields.get("pass"))
        failed = result.verified is None and False in negative
        if not result.ok or failed:
            raise JourneyBrokenError(f"{tool} {arguments}: {result.text}")
        if len(result.text.encode()) >= ANSWER_BYTES:
            raise JourneyBrokenError(f"{tool} {arguments}: an answer of {len(result.text.encode())} bytes")
        return result
