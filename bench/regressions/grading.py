"""
One build judged by the daemon: the journey walked on a page that the daemon opened, its claim put, the answer
kept.

Nothing but the daemon's own ``verified`` counts.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from bench.regressions.entries import Journey
from reticle.client import CallResult, Client, RpcError

NOT_THERE_YET = frozenset({"no_match", "not_visible", "disabled"})
"""Refusals of a step on the way that Playwright waits out too."""

STEP_SECONDS = 5.0
STEP_QUIET_MS = 400
"""Longer than the app's own delays before it asks the server."""

LOST = "lost"
"""In place of a verdict where the journey could not be walked to its last step."""


class Graded(NamedTuple):
    """
    What the daemon said of one build.

    ``verified`` is ``yes``, ``no``, ``unknown`` or ``lost``; ``places`` are all places that the answer names,
    the verdict's own first. ``seconds`` is the time of the judged call, ``bytes`` its whole result as JSON;
    ``watched_seconds`` is the part of that time from the act to the end of the window.
    """

    verified: str
    reason: str
    because: str
    places: tuple[str, ...]
    seconds: float
    bytes: int
    verdict_id: str = ""
    watched_seconds: float = 0.0


def grade(agent: Client, journey: Journey, url: str, *, flipped: bool = False) -> Graded:
    """
    Walk the journey on a page of its own and judge its claim, or with ``flipped`` the opposite.

    A daemon that fails to answer has not told anything: the build is ``lost``, and the run goes on.
    """
    try:
        return _graded(agent, journey, url, flipped=flipped)
    except RpcError as error:
        return Graded(LOST, "rpc_error", str(error), (), 0.0, 0)


def _graded(agent: Client, journey: Journey, url: str, *, flipped: bool) -> Graded:
    asked = {"action": "acquire", "url": f"{url}{journey.start}", "dialogs": "accept"}
    got = agent.call("reticle_lease", asked)
    if not got.ok:
        return _lost(got)
    page = got.fields["sessionId"]
    try:
        _rested(agent, page)
        for act in journey.before:
            done = _acted(agent, {**act, "sessionId": page})
            if not done.ok:
                return _lost(done)
        return _judged(agent, journey, page, flipped=flipped)
    finally:
        agent.call("reticle_lease", {"action": "release", "leaseId": got.fields["leaseId"]})


def _acted(agent: Client, act: Mapping[str, Any]) -> CallResult:
    """
    Carry out a step on the way, and look before going on, as an agent does: what the step leads to is there
    before the next one, and is no part of its window.
    """
    begin = time.monotonic()
    while True:
        done = agent.call("reticle_act", act)
        if done.ok or str(done.error) not in NOT_THERE_YET or time.monotonic() - begin > STEP_SECONDS:
            break
        time.sleep(0.1)
    if done.ok:
        _rested(agent, act["sessionId"])
    return done


def _rested(agent: Client, page: object) -> None:
    """
    Let the page come to rest, or three seconds pass; the Playwright script waits likewise.
    """
    settled = {"predicate": {"kind": "settled", "quietMs": STEP_QUIET_MS}, "timeout_ms": 3_000}
    agent.call("reticle_wait_for", {"sessionId": page, **settled})


def opposite(claim: Mapping[str, Any]) -> Mapping[str, Any]:
    """
    What is so exactly where the claim is not. A text that is claimed also holds where it only came up, as a
    toast does: its opposite is that it never did.
    """
    match claim.get("kind"):
        case "allOf":
            return {"kind": "anyOf", "predicates": [opposite(part) for part in claim["predicates"]]}
        case "anyOf":
            return {"kind": "allOf", "predicates": [opposite(part) for part in claim["predicates"]]}
        case "not":
            inner: Mapping[str, Any] = claim["predicate"]
            return inner
        case "text" if not claim.get("absent"):
            return {"kind": "never", "predicate": claim}
        case _:
            return {"kind": "not", "predicate": claim}


def _judged(agent: Client, journey: Journey, page: object, *, flipped: bool) -> Graded:
    claim = opposite(journey.claim) if flipped else journey.claim
    begin = time.monotonic()
    asked = {**journey.act, "sessionId": page, "until": claim, "timeout_ms": journey.timeout_ms}
    answer = agent.call("reticle_act_and_wait", asked)
    seconds = time.monotonic() - begin
    if answer.verified is None:
        return _lost(answer)
    fields: Mapping[str, Any] = answer.fields
    named = [fields.get("source"), *(one.get("at") for one in fields.get("sources", ()))]
    named += [one.get("source") for one in fields.get("contradictions", ())]
    return Graded(
        answer.verified,
        str(fields["verifiedReason"]),
        str(fields["because"]),
        tuple(dict.fromkeys(str(place) for place in named if place)),
        seconds,
        _size(answer),
        str(fields["verdict_id"]),
        float(fields["window_ms"]) / 1_000,
    )


def _lost(answer: CallResult) -> Graded:
    return Graded(LOST, str(answer.error), answer.text[:500], (), 0.0, _size(answer))


def _size(answer: CallResult) -> int:
    """
    The bytes of the whole ``tools/call`` result: the text block and the structured content.
    """
    result = {
        "content": [{"type": "text", "text": answer.text}],
        "structuredContent": dict(answer.fields),
        "isError": answer.is_error,
    }
    return len(json.dumps(result, ensure_ascii=False).encode())
