"""
Words of a message that come from what the user did, and say nothing of how it went.

Who adds "Fix login error" to a list, or rejects an offer, is told so in these words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qsl

from reticle.domain.facts import url_parts
from reticle.domain.findings.control_names import control_names
from reticle.domain.json_text import read_json
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import own_writes
from reticle.domain.predicate.network import body_text
from reticle.domain.voices import strings
from reticle.domain.words import speaks_of_failure
from reticle.model.window import Window

_SHORTEST: Final = 3
_PREFIX: Final = 5
"""Two words that begin so are forms of one verb: "Reject", "rejected"."""

_IRREGULAR: Final = {"deny": "denie"}
_WORD: Final = re.compile(r"[^\W\d_]+")
_FAULTS: Final = re.compile(r"(?i)fail|err|fehl|invalid|problem|wrong|could|can|unable|oops")
"""What fails is told in these words, whatever a control is called: "Retry failed jobs"."""


def without_own_words(text: str, window: Window) -> str:
    """
    A message without what the writes of the action had sent, and without the verb that it is called by.
    """
    for sent in _sent(window):
        text = re.sub(rf"(?i)(?<!\w){re.escape(sent)}(?!\w)", " ", text)
    verbs = _verbs(window)
    return _WORD.sub(lambda word: " " if _is_form_of(word[0].casefold(), verbs) else word[0], text)


@once_per_window
def _sent(window: Window) -> tuple[str, ...]:
    """
    The texts that writes sent in which a failure is named, folded, the longest first.
    """
    found = {
        " ".join(said.split())
        for one in own_writes(window)
        for said in _values(body_text(one, "requestBody") or "")
        if len(said) >= _SHORTEST and speaks_of_failure(said)
    }
    return tuple(sorted(found, key=lambda said: (-len(said), said)))


def _values(body: str) -> Iterator[str]:
    try:
        yield from strings(read_json(body))
    except ValueError:
        yield from (value for _, value in parse_qsl(body))


@once_per_window
def _verbs(window: Window) -> frozenset[str]:
    """
    The beginnings of the words by which the control, or the address of a write, is called.
    """
    called = [*control_names(window), *(url_parts(one.url).path for one in own_writes(window))]
    words = (word.casefold() for said in called for word in _WORD.findall(said))
    return frozenset(
        _IRREGULAR.get(word, word[:_PREFIX])
        for word in words
        if (len(word) >= _PREFIX or word in _IRREGULAR) and not _FAULTS.match(word)
    )


def _is_form_of(word: str, verbs: frozenset[str]) -> bool:
    return (
        speaks_of_failure(word) and not _FAULTS.match(word) and any(word.startswith(verb) for verb in verbs)
    )
