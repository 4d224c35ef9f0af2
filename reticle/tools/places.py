"""
What was seen, with the places in the files that people wrote instead of those in the scripts that run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

import attrs

from reticle.domain.claim_words import (
    failed_queries,
    fails_at_sending,
    fails_by_attribute,
    fails_by_status,
    fails_in_code_alone,
    words_of,
)
from reticle.domain.hiding_rules import hiding_rules, line_of
from reticle.domain.libraries import is_library_name
from reticle.domain.likely_places import FoundPlaces, likely_places
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate import Predicate, evaluate
from reticle.domain.predicate.network import body_text
from reticle.domain.senders import changing, is_silent, repeated, senders, stacks, wrong_of
from reticle.domain.server_places import asked_first, is_sent_again, rendered_places
from reticle.domain.server_suspects import server_suspects
from reticle.domain.suspects import Suspect, joined, weigh
from reticle.domain.text_tables import said_itself, table_of
from reticle.domain.whose_fault import leaning
from reticle.errors import Refusal
from reticle.model.codes import CommandName, Verified
from reticle.model.ids import PageId
from reticle.model.origins import origin_of
from reticle.model.run_limits import PLACES_NAMED, QUERIES_ASKED, SUSPECTS_MAPPED
from reticle.model.runs import AS_SERVED, Place, Position, RunScript, Why
from reticle.model.source_limits import SOURCE_WAIT_SECONDS
from reticle.model.verdict import Decision
from reticle.model.window import Window
from reticle.ports import CallContext, Page
from reticle.tools.fields import list_of, object_of
from reticle.tools.waiting import Sight

_SERVED: Final = re.compile(rf"(.+):(\d+):(\d+){re.escape(AS_SERVED)}")

_KNOWN_BY: Final = ("id", "name")

_SHOWS: Final = ("text", "value", "name")
"""Fields of an element that tell what stands there, the first one that it has."""

_BEFORE_ELEMENT: Final = 2
"""Functions that are named before the place where the element is written that a failed part is about."""


async def with_places(page: Page, predicate: Predicate, sight: Sight, *, waits: bool) -> Sight:
    """
    The same sight through the source maps of the page's scripts; they change no value.

    Args:
        page: The page that was seen.
        predicate: What was asked of it.
        sight: What was seen.
        waits: Whether maps that are not there yet are worth ``SOURCE_WAIT_SECONDS``, as where something is to
            be mended.
    """
    window = await page.placed(sight.window, SOURCE_WAIT_SECONDS if waits else 0.0)
    return sight if window is sight.window else Sight(window, evaluate(predicate, window))


async def places_at_fault(
    context: CallContext, page: Page, claim: Mapping[str, object], decision: Decision, window: Window
) -> Sequence[Place]:
    """
    Where the app is likely to be at fault, the likeliest first; of a driven page by what ran in it, of
    another by the stacks of its requests, of a server with a probe by what ran there.

    Args:
        context: The call's.
        page: The page.
        claim: What was claimed, as canonical JSON.
        decision: What was decided, without these places.
        window: What was seen, with places as the page told them.
    """
    sent_at = stacks(window)
    suspects: Sequence[Suspect] = ()
    elements = await _failed_elements(page, claim, decision)
    words = words_of(claim, decision.outcome, decision.findings, window, elements.names)
    scripts = await _scripts(context, page)
    if scripts:
        wrong = wrong_of(claim, decision.outcome, window)
        suspects = weigh(scripts, words, sent_at, changing(window), wrong)[:SUSPECTS_MAPPED]
    elif is_silent(window) or (
        decision.verified is Verified.NO
        and (page.identity.attested is not None or fails_at_sending(claim, decision.outcome))
    ):  # the browser of a page that we opened was too busy to tell what ran
        suspects = senders(sent_at)[:SUSPECTS_MAPPED]
    twice = is_sent_again(decision.outcome, decision.findings)
    located = await page.located([one.position for one in suspects], SOURCE_WAIT_SECONDS)
    places = {place.where: place for place in await _hiding(page, decision, window)}
    if twice and scripts:
        places.update((place.where, place) for place in await _again(page, window))
    answered = [body for one in own_requests(window) if (body := body_text(one))]
    tables = [
        table_of(scripts, claim, decision.outcome, answered),
        said_itself(scripts, claim, decision.outcome),
    ]
    for where in await page.located([at for at in tables if at is not None], SOURCE_WAIT_SECONDS):
        if where is not None:
            places.setdefault(where, Place(where, Why.NAMES))
    for suspect, where in zip(suspects, located, strict=True):
        if where is not None:
            places.setdefault(where, Place(where, suspect.why))
    told_at = await _read_now(page, scripts, elements.written)
    written = [Place(where, Why.WRITTEN) for where in told_at if where not in places]
    by_status = fails_by_status(claim, decision.outcome, window)
    called = server_suspects(words, asked_first(window), by_status=by_status)
    if not any(place.why is Why.RAN_FOR for place in called):
        found = tuple(places.values())[:PLACES_NAMED]
        before = PLACES_NAMED if fails_in_code_alone(claim, decision.outcome) else _BEFORE_ELEMENT
        return (*found[:before], *written, *found[before:])
    used = window.action.source if window.action is not None else None
    control = await _read_now(page, scripts, [used] if used else ())
    found_places = FoundPlaces(
        page=tuple(places.values()),
        written=written,
        control=[Place(where, Why.WRITTEN) for where in control],
        server=called,
        rendered=rendered_places(window),
    )
    likely = likely_places(
        leaning(claim, decision.outcome, window, elements.texts),
        found_places,
        too_often=twice,
        by_attribute=fails_by_attribute(claim, decision.outcome),
    )
    # with one of the server's among them, by which it is known that they are in their order
    ran_for = next(place for place in likely if place.why is Why.RAN_FOR)
    return tuple(dict.fromkeys((*likely[:PLACES_NAMED], ran_for)))


async def _hiding(page: Page, decision: Decision, window: Window) -> Sequence[Place]:
    """
    The rules of style sheets that hide what was claimed to be seen.
    """
    rules = list(dict.fromkeys(hiding_rules(decision.outcome, window)))
    sheets = list(dict.fromkeys(rule.sheet for rule in rules))
    texts = dict(zip(sheets, await page.texts(sheets), strict=False)) if sheets else {}
    own = origin_of(page.identity.url)
    found = [(rule.sheet, line_of(texts.get(rule.sheet, ""), rule)) for rule in rules]
    return [
        Place(f"{urlsplit(sheet).path if origin_of(sheet) == own else sheet}:{line}", Why.HIDES)
        for sheet, line in found
        if line is not None
    ]


async def _read_now(page: Page, scripts: Sequence[RunScript], told: Sequence[str]) -> Sequence[str]:
    """
    Places of elements, those that were told before the script's map was read by what it says now.
    """
    found = [_SERVED.fullmatch(where) for where in told]
    of = {name: one for one in scripts for name in (one.address, urlsplit(one.address).path)}
    positions = [
        Position(of[one[1]].address, int(one[2]), int(one[3]), of[one[1]].size_bytes)
        for one in found
        if one is not None and one[1] in of
    ]
    located = iter(await page.located(positions, SOURCE_WAIT_SECONDS) if positions else ())
    return [
        (next(located) or where) if one is not None and one[1] in of else where
        for one, where in zip(found, told, strict=True)
    ]


async def _again(page: Page, window: Window) -> Sequence[Place]:
    """
    Where the app was entered that sent something once more: who sends is not at fault for being asked twice.
    """
    for frames in repeated(window)[:1]:
        located = await page.located([Position(*frame) for frame in frames], SOURCE_WAIT_SECONDS)
        entered = [where for where in located if where is not None]
        return [Place(where, Why.SENT) for where in entered[-1:]]
    return ()


@attrs.frozen
class _Elements:
    """
    Of elements: the values by which the app's code may know them, where they are written, what stands there.
    """

    names: Sequence[str]
    written: Sequence[str]
    texts: Sequence[str]


async def _failed_elements(page: Page, claim: Mapping[str, object], decision: Decision) -> _Elements:
    """
    The elements that failed parts of the claim are about.
    """
    names: list[str] = []
    written: list[str] = []
    texts: list[str] = []
    queries = [*failed_queries(claim, decision.outcome)][:QUERIES_ASKED]
    for query in queries if page.health().connected else ():
        asked = {**query, "attrs": [*_KNOWN_BY], "limit": 1}
        try:
            answer = await page.ask(CommandName.QUERY, asked, timeout_seconds=SOURCE_WAIT_SECONDS)
        except Refusal:
            continue
        for element in map(object_of, list_of(object_of(answer).get("elements"))):
            attributes = object_of(element.get("attrs"))
            names += [value for name in _KNOWN_BY if isinstance(value := attributes.get(name), str) and value]
            texts += [value for name in _SHOWS if isinstance(value := element.get(name), str) and value][:1]
            source = element.get("source")
            if isinstance(source, str) and source:
                written.append(source)
    return _Elements(names, tuple(dict.fromkeys(written)), texts)


async def _scripts(context: CallContext, page: Page) -> Sequence[RunScript]:
    """
    The app's scripts with what ran; those of a document that the action left are read where they are served.
    """
    told = await context.browser.runs(PageId(page.identity.page_id))
    own = [script for script in told if not is_library_name(script.address)]
    known = {script.address: script.text for script in own if script.text}
    unread = list(dict.fromkeys(script.address for script in own if script.address not in known))
    if unread:
        known.update(zip(unread, await page.texts(unread), strict=False))
    return joined(attrs.evolve(script, text=script.text or known.get(script.address, "")) for script in own)
