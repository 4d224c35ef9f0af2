"""
The ``net`` leaf: requests that ended in the window, whichever document made them.

A request of a document that ended still counts: a form post that leads to a new page is the standard
case of a server-rendered app (pairing: ``domain.requests``). A pending request that fits is not "no":
it is named, and the answer stays open.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reticle.domain.facts import brief, quoted, url_parts
from reticle.domain.predicate.bodies import REQUEST, RESPONSE, fits_body, is_valid, misfit
from reticle.domain.predicate.counting import Tally, at_least_one, exactly
from reticle.domain.predicate.kinds import Net
from reticle.domain.predicate.whole_messages import is_whole_in_message
from reticle.domain.predicate.whole_numbers import is_whole_part
from reticle.domain.requests import Request, requests, requests_since
from reticle.domain.tooling import is_dev_tooling
from reticle.model.codes import NOT_OBSERVED
from reticle.model.ids import Cursor
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Window

_UNWATCHED = re.compile(
    r"\.(ico|png|jpe?g|gif|svg|webp|avif|bmp|css|m?js|woff2?|ttf|otf|eot|webmanifest"
    r"|csv|pdf|zip|gz|tar|xlsx?|docx?|mp[34]|webm)$",
    re.IGNORECASE,
)
"""Endings of what a browser loads without fetch or XHR: images, styles, scripts, fonts, downloads."""

_SHOWN = 8


def evaluate_net(leaf: Net, window: Window) -> Outcome:
    """
    Whether requests like this ended in the window.
    """
    narrowed = leaf.since is not None and leaf.since > window.since
    all_seen = requests_since(window, Cursor(leaf.since or 0)) if narrowed else requests(window)
    seen = [one for one in all_seen if not (one.before and window.action is not None)]
    named = [one for one in seen if _is_named(leaf, one)]
    outcomes = [(one, _ended_as_claimed(leaf, one)) for one in named if one.ended is not None]
    fitting = [one for one, held in outcomes if held is Held.YES]
    maybe = [f"{one} ({_why_unread(leaf, one)})" for one, held in outcomes if held is Held.UNKNOWN]
    maybe += [f"{one.method} {one.url} is still in flight" for one in named if one.open]
    maybe += [
        f"the answer of {one.method} {one.url} was not seen: its document ended"
        for one in named
        if one.unseen
    ]
    shown = [str(one) for one in itertools.islice(_told(seen), _SHOWN)]
    tally = Tally(
        channel="net",
        expected=_words(leaf),
        fitting=[_evidence(one) for one in fitting],
        last_t_ms=max((one.ended.t_ms for one in fitting if one.ended is not None), default=None),
        maybe=maybe,
        miss=_miss(leaf, named, shown),
        observed=shown,
    )
    if not named and _goes_unwatched(leaf):
        why = "what browsers load by themselves (images, styles, downloads) is not watched"
        return Outcome(Held.UNKNOWN, "net.unobserved-channel", (), why, shown, tally.expected)
    if leaf.count is not None:
        return exactly(leaf.count, tally, window, "net.count")
    if leaf.body_contains is not None:
        return at_least_one(tally, window, "net.bodyContains", "net.bodyContains")
    if _reads_bodies(leaf):
        return at_least_one(tally, window, "net.body", "net.body")
    return at_least_one(tally, window, "net.present", "net.unobservable-status")


def _reads_bodies(leaf: Net) -> bool:
    return leaf.body is not None or leaf.body_schema is not None or leaf.request_body is not None


def names_failure(leaf: Net) -> bool:
    """
    Whether the leaf claims that a request fails, so that the failure is no contradiction.
    """
    return leaf.ok is False or (leaf.status is not None and leaf.status >= 400)


def fits_request(leaf: Net, one: Request) -> bool:
    """
    Whether an ended request is one that the leaf claims.
    """
    return _is_named(leaf, one) and _ended_as_claimed(leaf, one) is Held.YES


def body_text(one: Request, key: str = "responseBody") -> str | None:
    """
    A captured body as text, or None when none was recorded.
    """
    body = one.answer.get(key)
    if body is None or isinstance(body, str):
        return body
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def _told(seen: Iterable[Request]) -> Iterator[Request]:
    return (one for one in seen if not is_dev_tooling(one.url))


def _is_named(leaf: Net, one: Request) -> bool:
    if leaf.method is not None and leaf.method.upper() != one.method:
        return False
    if leaf.url_contains is None:
        return not is_dev_tooling(one.url)
    return is_whole_part(leaf.url_contains, one.url)


def _ended_as_claimed(leaf: Net, one: Request) -> Held:
    parts: list[Held] = []
    if leaf.status is not None:
        parts.append(_status(leaf.status, one))
    if leaf.ok is not None:
        parts.append(_compare(one.ok, leaf.ok))
    if leaf.body_contains is not None:
        parts.append(_body(leaf.body_contains, one))
    if leaf.body is not None:
        parts.append(fits_body(leaf.body, one, RESPONSE))
    if leaf.body_schema is not None:
        parts.append(is_valid(leaf.body_schema, one))
    if leaf.request_body is not None:
        parts.append(fits_body(leaf.request_body, one, REQUEST))
    if Held.NO in parts:
        return Held.NO
    return Held.UNKNOWN if Held.UNKNOWN in parts else Held.YES


def _status(wanted: int, one: Request) -> Held:
    if one.initiator == "document" and wanted in range(300, 400):
        return Held.UNKNOWN
    return _compare(one.status, wanted)


def _compare(seen: object, wanted: object) -> Held:
    if seen is None:
        return Held.UNKNOWN
    return Held.YES if seen == wanted else Held.NO


def _body(part: str, one: Request) -> Held:
    body = body_text(one)
    if body is None:
        return Held.UNKNOWN
    cut = bool(one.answer.get("bodyTruncated"))
    if part in body:
        # of another number only a part: whether that was meant nobody can tell
        whole = part not in NOT_OBSERVED and is_whole_in_message(part, body, cut=cut)
        return Held.YES if whole else Held.UNKNOWN
    unread = cut or any(placeholder in body for placeholder in NOT_OBSERVED)
    return Held.UNKNOWN if unread else Held.NO


def _why_unread(leaf: Net, one: Request) -> str:
    body = body_text(one)
    if leaf.body_contains is not None and body is None:
        return "its body was not recorded"
    if leaf.body_contains is not None and body is not None and leaf.body_contains in body:
        return f"{brief(leaf.body_contains, 60)} is in its body only as a part of another number: claim body"
    if one.answer.get("aborted"):
        return "aborted before its answer could be read"
    if one.initiator == "document" and leaf.status in range(300, 400):
        return "a page cannot see the status of a redirect"
    if leaf.body_contains is not None or _reads_bodies(leaf):
        return "a body was not recorded, or was cut or redacted"
    return "its status cannot be read"


def _goes_unwatched(leaf: Net) -> bool:
    if leaf.url_contains is None or (leaf.method or "GET").upper() != "GET":
        return False
    return bool(_UNWATCHED.search(url_parts(leaf.url_contains).path))


def _words(leaf: Net) -> str:
    parts = [leaf.method.upper() if leaf.method else "request"]
    if leaf.url_contains is not None:
        parts.append(f"to …{leaf.url_contains}…")
    if leaf.status is not None:
        parts.append(f"status {leaf.status}")
    if leaf.ok is not None:
        parts.append("ok" if leaf.ok else "failed")
    if leaf.body_contains is not None:
        parts.append(f"body with {quoted(leaf.body_contains, 60)}")
    for what, patterns in (("body", leaf.body), ("request body", leaf.request_body)):
        if patterns is not None:
            parts.append(f"{what} with {brief(json.dumps(dict(patterns), ensure_ascii=False), 80)}")
    if leaf.body_schema is not None:
        parts.append("body valid by the schema")
    return " ".join(parts)


def _miss(leaf: Net, named: Sequence[Request], shown: Sequence[str]) -> str:
    wanted = f"no {_words(leaf)}"
    if named:
        wrong = next(filter(None, (_misfit(leaf, one) for one in named)), None)
        if wrong is not None:
            return f"{wanted}; but {', '.join(str(one) for one in named[:3])}, where {brief(wrong, 160)}"
        bodies = [body_text(one) for one in named if leaf.body_contains is not None]
        quote = next((f'; body: "{brief(body, 200)}"' for body in bodies if body), "")
        return f"{wanted}; but {', '.join(str(one) for one in named[:3])}{quote}"
    if shown:
        return f"{wanted}; calls seen: {', '.join(shown)}"
    return f"{wanted}; no request was seen at all"


def _misfit(leaf: Net, one: Request) -> str | None:
    came = None if leaf.body is None else misfit(leaf.body, one, RESPONSE)
    if came is not None:
        return f"the body's {came}"
    sent = None if leaf.request_body is None else misfit(leaf.request_body, one, REQUEST)
    return None if sent is None else f"the request body's {sent}"


def _evidence(one: Request) -> Mapping[str, object]:
    return {
        "seq": one.ended.seq if one.ended is not None else one.seq,
        "method": one.method,
        "url": one.url,
        "status": one.status,
        "ok": one.ok,
    }
