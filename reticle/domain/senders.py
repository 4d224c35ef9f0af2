"""
Where the requests of a window were sent: the stacks that the page told with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from reticle.domain.claim_words import leaves_with
from reticle.domain.facts import url_parts
from reticle.domain.libraries import is_library_name
from reticle.domain.origins import Frame, Wrong
from reticle.domain.predicate.network import body_text
from reticle.domain.requests import Request, requests
from reticle.domain.suspects import Suspect
from reticle.model.runs import Position, Why
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Window

_STACKS: Final = 8
_KEY_CHARS: Final = 3
_TEXT_CHARS: Final = 8


def stacks(window: Window) -> Sequence[Sequence[Frame]]:
    """
    The stacks of the requests that began in the window, those of failed ones first, then of writes; of each
    the frames that are no library's, innermost first.
    """
    return [frames for _, frames in _sent(window)]


def changing(window: Window) -> int:
    """
    How many of these stacks are of requests that failed or were to change something; of all where none was.
    """
    sent = _sent(window)
    return sum(one.failed or one.mutating for one, _ in sent) or len(sent)


def _sent(window: Window) -> Sequence[tuple[Request, Sequence[Frame]]]:
    begun = [one for one in requests(window) if not one.before and one.ended is not None]
    begun.sort(key=lambda one: (not one.failed, not one.mutating, one.seq))
    return [(one, frames) for one in begun if (frames := _frames(one))][:_STACKS]


def is_silent(window: Window) -> bool:
    """
    Whether the page answered none of the questions after the action, as one does whose script is in a loop:
    what ran cannot be asked for, and the last that is known of it is what it sent.
    """
    return bool(window.after) and all(reading.answer is None for reading in window.after)


def wrong_of(claim: Mapping[str, object], outcome: Outcome, window: Window) -> Wrong:
    """
    What is wrong, as far as it tells where it comes from: what was sent, that nothing was, else the state.

    Args:
        claim: As canonical JSON.
        outcome: The claim's.
        window: What was seen.
    """
    failed = [leaf for leaf, came in leaves_with(claim, outcome) if came.held is not Held.YES]
    asked = [leaf for leaf in failed if leaf.get("kind") == "net"]
    untold = _untold(failed, window)
    if untold:
        return Wrong(untold=untold)
    led = _link(window) if any(leaf.get("kind") == "route" for leaf in failed) else ""
    if led and not asked:
        return Wrong(led=led)
    if not asked:
        keys = [str(leaf.get("path", "")).split(".")[0] for leaf in failed if leaf.get("kind") == "state"]
        return Wrong(written=[key for key in keys if len(key) >= _KEY_CHARS and not key.isdigit()])
    begun = [one for one, _ in _sent(window) if one.initiator != "document"]
    stack: Sequence[Frame] = ()
    unsent = False
    for leaf in asked:
        like = [one for one in begun if leaf.get("method") in (None, one.method)]
        same = [one for one in like if str(leaf.get("urlContains", "")) in one.url]
        unsent = unsent or not like
        if not same or leaf.get("requestBody") is not None:
            stack = stack or next(map(_frames, same or like), ())
    return Wrong(stack, unsent)


def _link(window: Window) -> str:
    """
    The name of the link that was used; empty where it was none.
    """
    effect = window.action.effect.fields if window.action and window.action.effect else {}
    name = effect.get("name")
    return name if effect.get("role") == "link" and isinstance(name, str) else ""


def _untold(failed: Sequence[Mapping[str, object]], window: Window) -> Sequence[Frame]:
    """
    The stack of the request whose refusal told a text that is claimed and not shown.
    """
    texts = [text for leaf in failed if not leaf.get("absent") for text in _shown_texts(leaf)]
    for one, frames in _sent(window):
        if one.failed and any(text in (body_text(one) or "") for text in texts):
            return frames
    return ()


def _shown_texts(leaf: Mapping[str, object]) -> Iterator[str]:
    query = leaf.get("query")
    named = query.get("text") if isinstance(query, Mapping) else None
    for text in (leaf.get("contains") if leaf.get("kind") == "text" else None, named):
        if isinstance(text, str) and len(text) >= _TEXT_CHARS:
            yield text


def repeated(window: Window) -> Sequence[Sequence[Frame]]:
    """
    The stacks of requests that were sent more than once, the last one of each first: who sent it again.
    """
    sent = [(f"{one.method} {url_parts(one.url).path}", frames) for one, frames in _sent(window)]
    times = Counter(asked for asked, _ in sent)
    return [frames for asked, frames in reversed(sent) if times[asked] > 1]


def senders(sent_at: Sequence[Sequence[Frame]]) -> Sequence[Suspect]:
    """
    Where nobody knows what ran: the first frame of each stack, then the second, which called it.
    """
    ordered = [frames[depth] for depth in range(2) for frames in sent_at if len(frames) > depth]
    return [
        Suspect(Position(*frame), 0.0, Why.SENT, (0, frame[1], frame[2])) for frame in dict.fromkeys(ordered)
    ]


def _frames(one: Request) -> Sequence[Frame]:
    told = {} if one.ended is None else one.ended.data
    frames = told.get("frames")
    if not isinstance(frames, list):
        return ()
    read = [
        (item[0], item[1], item[2])
        for item in frames
        if isinstance(item, list)
        and len(item) >= 3
        and isinstance(item[0], str)
        and type(item[1]) is int
        and type(item[2]) is int
    ]
    return [frame for frame in read if not is_library_name(frame[0])]
