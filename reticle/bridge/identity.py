"""
Who a page is, from its hello and what it reports later.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlencode, urljoin, urlsplit, urlunsplit

import attrs

from reticle.bridge.script_skew import is_other_script
from reticle.bridge.wire import Hello
from reticle.model.browser import Attestation, Standing
from reticle.model.ids import DocumentId, PageId
from reticle.model.limits import URL_CHARS
from reticle.model.origins import origin_of
from reticle.model.page import PageIdentity

SESSION_PARAMETER = "__reticle_session"
PROJECT_PARAMETER = "__reticle_project"
"""Query parameters by which the published packages keep their identity over a navigation (page-wire §4)."""

_OURS = re.compile(rf"(?:^|(?<=&))(?:{SESSION_PARAMETER}|{PROJECT_PARAMETER})(?:=[^&]*)?(?:&|$)")


def identity_of(
    hello: Hello,
    page_id: PageId,
    document_id: DocumentId | None,
    served_script: str | None = None,
    attested: Attestation | None = None,
) -> PageIdentity:
    """
    The identity that a hello gives a page. ``served_script`` is the content hash of this daemon's script,
    ``attested`` what the daemon knows of a page that it opened itself.
    """
    return PageIdentity(
        page_id=page_id,
        url=without_identity(hello.url),
        title=hello.title,
        own_script=hello.own_script,
        document_id=document_id,
        project_id=hello.project_id,
        adapters=hello.adapters,
        has_capabilities=hello.has_capabilities,
        script_version=hello.script_version,
        script_hash=hello.script_hash,
        version_skew=is_other_script(hello, served_script),
        frame_depth=hello.frame_depth,
        ancestors=hello.ancestors,
        invariants=hello.invariants,
        attested=attested,
    )


def vouched(hello: Hello, standing: Callable[[str], Standing]) -> Hello:
    """
    A hello of a page that the daemon opened, with what the browser knows better than the page: an app's
    script can get at what is said in its window, and a frame must not speak for the page around it.
    """
    known = standing(hello.session_id)
    named, origin = attrs.evolve(hello, session_id=known.page_id), origin_of(hello.url)
    if known.origin and origin not in {"null", known.origin}:
        named = attrs.evolve(named, url=f"{known.origin}/")
    if known.is_frame:
        return attrs.evolve(named, frame_depth=max(named.frame_depth, 1))
    return attrs.evolve(named, frame_depth=0, ancestors=())


def url_after(url: str, to: object) -> str:
    """
    The page's URL after a route change to ``to``; unchanged when that is no URL of the same origin, since a
    document cannot leave its own.
    """
    if not isinstance(to, str) or not to:
        return url
    try:
        there = without_identity(urljoin(url, to[:URL_CHARS]))[:URL_CHARS]
    except ValueError:
        return url
    return there if origin_of(there) == origin_of(url) else url


def with_identity(url: str, page: PageIdentity) -> str:
    """
    A URL that makes a published package keep its session id in the document that it loads; its project too,
    as long as that is one of the same app. Another app's page belongs to whatever that one says (DESIGN §5).
    """
    parts = urlsplit(without_identity(url))
    fields: list[tuple[str, str]] = [(SESSION_PARAMETER, page.page_id)]
    if page.project_id and origin_of(url) == origin_of(page.url):
        fields.append((PROJECT_PARAMETER, page.project_id))
    query = "&".join(filter(None, [parts.query, urlencode(fields)]))
    return urlunsplit(parts._replace(query=query))


def without_identity(url: str) -> str:
    """
    A URL as the app knows it; the rest of its query keeps every character.
    """
    if SESSION_PARAMETER not in url and PROJECT_PARAMETER not in url:
        return url
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return urlunsplit(parts._replace(query=_OURS.sub("", parts.query).removesuffix("&")))
