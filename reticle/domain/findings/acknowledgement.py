"""
Did the app own up to a failure: does the user, or whoever reads its state, get to know of it.

Counted, from the failed request's beginning on (its body may be read after the screen has changed):
an ``aria-invalid`` field that came up, whatever the language; text that came up and is part of the failed
answer, or quotes its error; error words, or the very status, in changed text; a signal or a state value
that speaks of failure.
A role ``alert`` is where both errors and success toasts come up. One that speaks of success is no
acknowledgement; one in words that are understood neither way might be, so nothing can be told from it.
What the app sent with the request is not the server's word: an optimistic row shows it too. Nor are the words
and the status of an answer that reports no failure: who shows them says that all went well.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from urllib.parse import unquote_plus

import attrs

from reticle.domain.facts import text_of
from reticle.domain.findings.failure_signs import failure_sign
from reticle.domain.json_text import read_json
from reticle.domain.memo import once_per_window
from reticle.domain.predicate.network import body_text
from reticle.domain.requests import Request
from reticle.domain.voices import Voice, strings, voices
from reticle.domain.words import speaks_of_success
from reticle.model.codes import NOT_OBSERVED
from reticle.model.verdict import Held
from reticle.model.window import Window

_ECHO_BYTES = 8
"""Shorter words ("order", "ok") stand in answer and page by chance; in bytes, for scripts that say more."""

_QUOTED_BYTES = 12
_QUOTED_FROM_CHARS = 300
"""A page may show part of what the server said, but a whole debug page contains every word."""


def acknowledged(failed: Request, window: Window) -> Held:
    """
    Whether anything after the request's beginning owns up to its failure.

    UNKNOWN: an alert came up whose words say neither failure nor success.
    """
    spoken = _spoken(window)
    if spoken.last_yes > failed.seq:
        return Held.YES
    later = spoken.voices[bisect.bisect_right(spoken.seqs, failed.seq) :]
    if _quotes(later, tuple(_server_words(failed)), spoken) or _show_status(later, failed, spoken):
        return Held.YES
    return Held.UNKNOWN if spoken.last_unknown > failed.seq else Held.NO


def acknowledged_on_screen(failed: Request, window: Window) -> Held:
    """
    As ``acknowledged``, of what the user sees alone: not the app's state and signals.
    """
    spoken = _spoken(window)
    later = tuple(
        voice for voice in spoken.voices[bisect.bisect_right(spoken.seqs, failed.seq) :] if not voice.about
    )
    if any(voice.owns_up is Held.YES for voice in later):
        return Held.YES
    return Held.YES if _quotes(later, tuple(_server_words(failed)), spoken) else Held.NO


@attrs.frozen
class _Spoken:
    """
    All voices of a window, so kept that twenty failures need not each read all of them.
    """

    voices: tuple[Voice, ...]
    seqs: tuple[int, ...]
    whole: str
    last_yes: int
    last_unknown: int


@once_per_window
def _spoken(window: Window) -> _Spoken:
    said = voices(window)
    return _Spoken(
        said,
        tuple(voice.seq for voice in said),
        "\n".join(voice.text for voice in said),
        max((voice.seq for voice in said if voice.owns_up is Held.YES), default=-1),
        max((voice.seq for voice in said if voice.owns_up is Held.UNKNOWN), default=-1),
    )


def _quotes(later: tuple[Voice, ...], said: tuple[str, ...], spoken: _Spoken) -> bool:
    shown = [words for words in said if words in spoken.whole]
    if any(words in voice.text for words in shown for voice in later):
        return True
    whole = "\n".join(words for words in said if len(words) <= _QUOTED_FROM_CHARS)
    if not whole:
        return False
    return any(voice.text in whole and len(voice.text.encode()) >= _QUOTED_BYTES for voice in later)


def _show_status(later: tuple[Voice, ...], failed: Request, spoken: _Spoken) -> bool:
    if not failed.status or failed.ok or str(failed.status) not in spoken.whole:
        return False
    return any(_shows_status(voice, failed) for voice in later)


def _shows_status(voice: Voice, failed: Request) -> bool:
    """
    Whether a message shows the failure's own status: "HTTP 500" anywhere, "500" in an alert.

    "Order 512" shows none, nor does the row of a list that happens to bear the number.
    """
    if str(failed.status) not in voice.text:
        return False
    before = "" if voice.message else r"(?:http|status|code)\W{0,3}"
    shown = re.search(rf"(?i)(?<!\d){before}{failed.status}(?!\d)", voice.text) is not None
    return shown and not speaks_of_success(voice.text)


def _server_words(failed: Request) -> Iterator[str]:
    """
    What the server, or the network, said about the failure and was not told: strings of its body, folded.
    """
    error = text_of(failed.answer, "error")
    if error:
        yield error
    if failed.ok and failure_sign(failed) is None:
        return
    sent = unquote_plus(body_text(failed, "requestBody") or "")
    body = failed.answer.get("responseBody")
    if isinstance(body, str):
        try:
            body = read_json(body)
        except ValueError:
            body = [body]
    for text in strings(body):
        folded = " ".join(text.split())
        if len(folded.encode()) >= _ECHO_BYTES and folded not in NOT_OBSERVED and folded not in sent:
            yield folded
