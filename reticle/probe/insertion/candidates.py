"""
Which answers may get the script tag, by what the request asks for and what the answer's head says.

Everything else passes untouched and unread.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from reticle.probe.words import Skip

Header = tuple[str, str]
Lookup = Callable[[str], "str | None"]
"""A request's header by its lower-case name; None where it has none."""

DOCUMENTS: Final = frozenset({"document", "iframe", "frame"})
"""``Sec-Fetch-Dest`` of what is shown as a page, or in one."""

_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
_WIDE: Final = (
    "utf-16",
    "utf16",
    "utf-32",
    "utf32",
    "ucs-",
    "unicode",
    "iso-10646",
    "utf-7",
    "iso-2022",
    "hz-",
)
"""Encodings in which the ASCII bytes of a tag are something else."""

_PARTIAL: Final = ("hx-request", "turbo-frame", "x-turbo-request-id", "x-pjax", "x-up-version", "x-inertia")
"""Headers of libraries that put the answer into a page which is there already."""

PURPOSES: Final = ("sec-purpose", "purpose", "x-moz")
"""What says that a page is fetched ahead."""

SELDOM: Final = (*_PARTIAL, "x-requested-with", *PURPOSES)
"""What is asked for here beside ``Sec-Fetch-Dest``, ``Sec-Fetch-Mode`` and ``Accept``."""

_BODILESS: Final = frozenset({204, 205, 304})


class Asked(NamedTuple):
    """
    What of a request decides about the tag.

    ``skip`` is why no answer to it may get one, or None. ``is_navigation``: the browser said that it will
    show the answer as a document. ``is_head``: the answer's head must be as for GET, without a body.
    ``is_prefetch``: it is fetched in case it is needed, and no person has gone there yet.
    """

    skip: Skip | None
    is_navigation: bool
    is_head: bool
    is_prefetch: bool


OF_A_SCRIPT: Final = Asked(Skip.DESTINATION, is_navigation=False, is_head=False, is_prefetch=False)
"""Of what a script or an element of a page asks for."""

OF_A_PAGE: Final = Asked(None, is_navigation=True, is_head=False, is_prefetch=False)
"""Of a GET for a document that is not fetched ahead."""

_OF_A_HEAD: Final = OF_A_SCRIPT._replace(is_head=True)


def asked(method: str, header: Lookup) -> Asked:
    """
    Read a request.
    """
    destination = header("sec-fetch-dest")
    if destination == "document" and method == "GET":
        if not (header("sec-purpose") or header("purpose") or header("x-moz")):
            return OF_A_PAGE
    elif destination is not None and destination not in DOCUMENTS:
        if not is_passed_on(destination, header):
            return _OF_A_HEAD if method == "HEAD" else OF_A_SCRIPT
        destination = "document"
    skip = _refused(method, destination, header)
    purpose = "" if skip else header("sec-purpose") or header("purpose") or header("x-moz") or ""
    if destination == "document" and method == "GET" and not purpose:
        return OF_A_PAGE
    return Asked(
        skip=skip,
        is_navigation=destination in DOCUMENTS,
        is_head=method == "HEAD",
        is_prefetch=purpose.startswith("prefetch"),
    )


def is_passed_on(destination: str, header: Lookup) -> bool:
    """
    Whether a service worker asks for what a person, or a frame, goes to: the browser then says of it that it
    is a navigation, which no script can, and nothing of what it is for.
    """
    return destination == "empty" and header("sec-fetch-mode") == "navigate"


def _refused(method: str, destination: str | None, header: Lookup) -> Skip | None:
    if method not in {"GET", "POST", "HEAD"}:
        return Skip.METHOD
    if destination is not None:
        return None  # no script can say so of what it asks for
    if any(header(name) for name in _PARTIAL) or header("x-requested-with") == "XMLHttpRequest":
        return Skip.PARTIAL
    accept = header("accept")
    if accept is None or any(wanted in accept for wanted in ("text/html", "application/xhtml+xml", "*/*")):
        return None
    return Skip.DESTINATION


class Kind(NamedTuple):
    """
    What a ``Content-Type`` says of a document: whether the browser reads it by XML's rules, whether an
    encoding is named, and whether that is one in which a tag's bytes are something else.
    """

    is_xml: bool
    has_charset: bool
    is_wide: bool


@functools.lru_cache(maxsize=64)
def document_kind(content_type: str) -> Kind | None:
    """
    Of a ``Content-Type``; None where it is not shown as a document that may hold scripts.
    """
    content_type = content_type.lower()
    if content_type.partition(";")[0].strip() not in _TYPES:
        return None
    charset = charset_of(content_type)
    return Kind(
        is_xml=content_type.startswith("application/xhtml+xml"),
        has_charset=charset is not None,
        is_wide=(charset or "").startswith(_WIDE),
    )


JUDGED: Final = frozenset(
    {"content-range", "content-encoding", "content-disposition", "x-sendfile", "x-accel-redirect"}
)
"""Headers by which an answer with the status 200 may be turned down."""


def judge(status: int, kind: Kind, told: Mapping[str, str]) -> Skip | None:
    """
    Why an answer that is a document gets no tag; None where its body decides.

    Args:
        status: Its status.
        kind: What its ``Content-Type`` says.
        told: Its headers by their lower-case names.
    """
    reason = None
    if status == 206 or "content-range" in told:
        reason = Skip.RANGE
    elif status < 200 or status in _BODILESS or 300 <= status < 400:
        reason = Skip.STATUS
    elif told.get("content-encoding", "").strip().lower() not in {"", "identity"}:
        reason = Skip.ENCODED
    elif told.get("content-disposition", "").strip().lower().startswith("attachment"):
        reason = Skip.ATTACHMENT
    elif "x-sendfile" in told or "x-accel-redirect" in told:
        reason = Skip.SENDFILE
    elif kind.is_wide:
        reason = Skip.CHARSET
    return reason


def charset_of(content_type: str) -> str | None:
    """
    The encoding that a ``Content-Type`` in lower case names.
    """
    for parameter in content_type.split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip() == "charset":
            return value.strip().strip("\"'") or None
    return None
