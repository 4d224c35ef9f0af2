"""
The protocol revisions and what each of them knows.

Every difference between revisions is a flag here, so that nothing else compares dates.
Source: the changelogs of the MCP specification; DESIGN §4.
"""

from __future__ import annotations

from typing import Final

import attrs


@attrs.frozen
class Revision:
    """
    One revision's vocabulary.

    ``handshake``: opened by ``initialize``; later ones name the revision in every request.
    ``batch``: a body may be an array of messages (2024-11-05 inherits it from JSON-RPC).
    ``annotations``: tools carry hints. ``progress_message``: progress carries a text.
    ``structured_content``: results carry JSON beside text, tools an output schema.
    ``titles``: tools and servers carry a name for display. ``audio`` and ``resource_links``: content may be
    that. ``completions``: its capability has a name.
    ``elicitation_modes``: a question to the person says whether it is a form or an address.
    ``priming``: a stream may begin with an event that has an id and no data.
    """

    name: str
    handshake: bool
    batch: bool
    annotations: bool
    progress_message: bool
    structured_content: bool
    titles: bool
    audio: bool
    resource_links: bool
    completions: bool
    elicitation_modes: bool
    priming: bool


def _revision(name: str, *, handshake: bool = True, batch: bool = False) -> Revision:
    return Revision(
        name,
        handshake=handshake,
        batch=batch,
        annotations=name >= "2025-03-26",
        progress_message=name >= "2025-03-26",
        structured_content=name >= "2025-06-18",
        titles=name >= "2025-06-18",
        audio=name >= "2025-03-26",
        resource_links=name >= "2025-06-18",
        completions=name >= "2025-03-26",
        elicitation_modes=name >= "2025-11-25",
        priming=name >= "2025-11-25",
    )


REVISIONS: Final = (
    _revision("2024-11-05", batch=True),
    _revision("2025-03-26", batch=True),
    _revision("2025-06-18"),
    _revision("2025-11-25"),
    _revision("2026-07-28", handshake=False),
)
"""All known revisions, oldest first."""

BY_HANDSHAKE: Final = {revision.name: revision for revision in REVISIONS if revision.handshake}
LATEST_BY_HANDSHAKE: Final = list(BY_HANDSHAKE.values())[-1]

WITHOUT_HANDSHAKE: Final = attrs.evolve(LATEST_BY_HANDSHAKE, batch=True)
"""
What a conversation speaks before any handshake (DESIGN §4): a client that reconnects and calls at once
may be of any age, so it gets every field (older clients ignore them) and may send every form.
"""


def by_name(name: str) -> Revision | None:
    """
    The revision of that date, or None when there is none that we know.
    """
    return next((revision for revision in REVISIONS if revision.name == name), None)


def negotiate(requested: object) -> Revision:
    """
    The revision of a handshake: the requested one if a handshake can open it, else our latest.

    Anything may be requested, also something that is no date: the answer names what we speak and the
    client decides whether it can go on (MCP lifecycle, "Version Negotiation").
    """
    if isinstance(requested, str):
        return BY_HANDSHAKE.get(requested, LATEST_BY_HANDSHAKE)
    return LATEST_BY_HANDSHAKE
