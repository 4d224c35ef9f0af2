"""
Failed calls that the action's own work does not hang on: a probe for something optional, a figure of use.

An app asks whether there is a thing that most users do not have, or tells an address that nobody serves that
a button was used, and goes on by design. Such a failure contradicts nothing. It stands in the notes, so that
whoever reads the verdict may still mind.

Let be, where the claim names a request of the action that succeeded and is about another resource:

- a read that says that there is no such thing (404, 410), or that failed alike at least twice before the
  action, if the claimed request is of any method;
- a POST to an address of figures of use that nobody serves (404, 405, 410, 501), whose body has nothing of
  what the claimed write sent or was answered; an answer that refuses the words themselves (400, 409, 422), or
  falls over them, is none. Where the address says nothing of figures, what was sent may be the user's: the
  lines of an order, a payment;
- any call to another origin at an address that only counts.

Not where the page ever had a good answer from there, where it tried again (then it minds), where the failed
one is a PUT, PATCH or DELETE (these name a thing of the app's), or is about what the page is about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from reticle.domain.echoes import body_of, scalars
from reticle.domain.facts import text_of, url_parts
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import own_requests
from reticle.domain.polls import call_name
from reticle.domain.predicate.kinds import Net
from reticle.domain.predicate.network import fits_request, names_failure
from reticle.domain.requests import Request, answer_of, requests
from reticle.domain.tooling import is_counting
from reticle.model.window import Window

_NO_SUCH_THING: Final = frozenset({404, 410})
_NOT_SERVED: Final = frozenset({404, 405, 410, 501})
_TIMES_BEFORE: Final = 2
_ROOTS: Final = re.compile(r"(?:api|rest|json|v\d+)$")
"""Parts of a path that stand before the name of a resource."""

_FIGURES: Final = re.compile(
    r"analytic|beacon|collect|figure|heartbeat|impression|metric|page-?view|ping|pixel|rum|stat|telemetry"
    r"|track|tracking|usage|web-?vital"
)
"""
Parts of an address at which an app counts what is used, in the singular; no word that is a thing of users in
some app (events of a calendar, visits of a clinic).
"""

_SHORT: Final = 3
"""Values of fewer characters are in two bodies by chance."""


def is_side_call(failed: Request, claimed: Sequence[Request], window: Window) -> bool:
    """
    Whether a failed request may be let be beside the claimed ones, which succeeded.
    """
    if is_counting(failed.url, window.page.url):
        return True
    if failed.initiator == "document" or _is_minded(failed, window):
        return False
    about = _resource(failed.url)
    named = {_resource(one.url) for one in claimed}
    if not about or not named or about in named | _parts(window.page.url):
        return False
    if failed.method in ("GET", "HEAD"):
        return failed.status in _NO_SUCH_THING or _failures_before(failed, window) >= _TIMES_BEFORE
    writes = [one for one in claimed if one.mutating]
    counts = any(_FIGURES.fullmatch(part) for part in _parts(failed.url))
    unserved = failed.method == "POST" and failed.status in _NOT_SERVED
    return unserved and counts and _says_nothing_of(failed, writes)


def claimed_successes(window: Window, leaves: Iterable[object]) -> tuple[Request, ...]:
    """
    The requests that a claim names and that succeeded.
    """
    named = [leaf for leaf in leaves if isinstance(leaf, Net) and not names_failure(leaf) and leaf.count != 0]
    return tuple(
        one for one in own_requests(window) if one.ok and any(fits_request(leaf, one) for leaf in named)
    )


def _is_minded(failed: Request, window: Window) -> bool:
    """
    Whether the page had a good answer from there once, or asked more than once.
    """
    tries = _tries(window)[call_name(failed.method, failed.url)]
    return tries > 1 or (failed.method, _address(failed.url)) in _answered_well(window)


@once_per_window
def _tries(window: Window) -> Counter[str]:
    """
    How often each call was made.
    """
    return Counter(call_name(one.method, one.url) for one in requests(window))


@once_per_window
def _answered_well(window: Window) -> frozenset[tuple[str, str]]:
    """
    Method and address of every call that is known to have succeeded, before the window or in it.
    """
    before = (
        ((text_of(event.data, "method") or "GET").upper(), _address(text_of(event.data, "url") or ""))
        for event in window.answers_before
        if answer_of(event)[1]
    )
    return frozenset([*before, *((one.method, _address(one.url)) for one in requests(window) if one.ok)])


def _failures_before(failed: Request, window: Window) -> int:
    """
    How often the same call failed in the same way before the window.
    """
    name = call_name(failed.method, failed.url)
    return sum(
        call_name((text_of(event.data, "method") or "GET").upper(), text_of(event.data, "url") or "") == name
        and answer_of(event) == (failed.status, False)
        for event in window.answers_before
    )


def _says_nothing_of(failed: Request, writes: Sequence[Request]) -> bool:
    """
    Whether a body that can be read has no value that one of these writes sent too, or was answered.
    """
    told = _values(failed, "requestBody")
    known = [_values(one, body) for one in writes for body in ("requestBody", "responseBody")]
    return bool(told) and bool(writes) and not any(told & values for values in known)


def _values(one: Request, body: str) -> frozenset[str]:
    sent = (str(value) for _, value in scalars(body_of(one.answer, body)))
    return frozenset(value.casefold() for value in sent if len(value) >= _SHORT)


def _address(url: str) -> str:
    return url_parts(url).path


def _parts(url: str) -> frozenset[str]:
    return frozenset(_singular(part) for part in url_parts(url).path.lower().split("/") if part)


def _resource(url: str) -> str:
    """
    What a call is about: the first part of its path that is a name; "" where there is none.
    """
    parts = (part for part in url_parts(url).path.lower().split("/") if part)
    return next((_singular(part) for part in parts if not _ROOTS.match(part)), "")


def _singular(name: str) -> str:
    return name.removesuffix("s")
