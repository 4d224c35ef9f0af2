"""
From "so many fit, so many might" to an outcome: the rule that ``net`` and ``signal`` share.

- without a count, one that fits is enough, and a loss cannot take it back;
- an exact count is decided at once when it is exceeded, and only after a while when it is reached;
- whatever might still fit (a pending call, an unreadable status, a loss) keeps the answer open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from reticle.domain.predicate.watching import held_too_briefly, unseen, watch_fact
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Window


@attrs.frozen
class Tally:
    """
    What a channel showed for one leaf.

    ``fitting`` is evidence of each that fits, ``last_t_ms`` the time of the last of them.
    ``maybe`` says, for each that might fit, why it cannot be told; ``miss`` is the near-miss text.
    """

    channel: str
    expected: str
    fitting: Sequence[Mapping[str, object]]
    last_t_ms: int | None
    maybe: Sequence[str]
    miss: str
    observed: Sequence[str]


def at_least_one(tally: Tally, window: Window, assertion: str, unread: str) -> Outcome:
    """
    The outcome where no count was asked for.

    Args:
        tally: What was seen.
        window: The recorded window.
        assertion: The id of the claim.
        unread: The id when what was seen could not be read.
    """
    if tally.fitting:
        seen = len(tally.fitting)
        return Outcome(Held.YES, assertion, tally.fitting[:5], None, seen, tally.expected, final=True)
    if tally.maybe:
        return _open(tally, unread, "; ".join(tally.maybe[:3]), tally.expected)
    gap = unseen(window, tally.channel)
    if gap is not None:
        return _open(tally, assertion, f"{tally.miss}, but {gap.why}", tally.expected)
    fresh = held_too_briefly(window, None)
    return Outcome(
        Held.NO,
        assertion,
        (),
        tally.miss,
        list(tally.observed),
        tally.expected,
        retry_after_ms=fresh.retry_after_ms if fresh else None,
    )


def exactly(count: int, tally: Tally, window: Window, assertion: str) -> Outcome:
    """
    The outcome of an exact count; 0 is the claim that it never happened.
    """
    seen = len(tally.fitting)
    expected = f"exactly {count}: {tally.expected}"
    evidence = tally.fitting[:5]
    times = f"{seen} time{'' if seen == 1 else 's'}, not {count}"
    if seen > count:
        why = f"{times}: {tally.expected}"
        return Outcome(Held.NO, assertion, evidence, why, seen, expected, final=True)
    if tally.maybe:
        return _open(tally, assertion, f"{seen} so far, and " + "; ".join(tally.maybe[:3]), expected)
    gap = unseen(window, tally.channel)
    if gap is not None:
        return _open(tally, assertion, f"{seen} seen, but {gap.why}", expected)
    fresh = held_too_briefly(window, tally.last_t_ms)
    if seen < count:
        why = f"{times}: {tally.expected if seen else tally.miss}"
        wait_ms = fresh.retry_after_ms if fresh is not None else None
        return Outcome(Held.NO, assertion, evidence, why, seen, expected, retry_after_ms=wait_ms)
    if fresh is not None:
        why = f"{seen} so far; {fresh.why}, so a late one may follow"
        return Outcome(
            Held.UNKNOWN, assertion, evidence, why, seen, expected, retry_after_ms=fresh.retry_after_ms
        )
    held = f"no {tally.expected}" if count == 0 else f"no more than {count}"
    watched = watch_fact(window, tally.last_t_ms, held)
    return Outcome(Held.YES, assertion, (*evidence[:1], watched, *evidence[1:]), None, seen, expected)


def _open(tally: Tally, assertion: str, why: str, expected: str) -> Outcome:
    return Outcome(Held.UNKNOWN, assertion, tally.fitting[:5], why, list(tally.observed), expected)
