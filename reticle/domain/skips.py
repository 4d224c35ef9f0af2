"""
Why a probe put no page script into a document, in words, and what to do about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from reticle.model.server_facts import SkippedInsertion

_WHY: Final[Mapping[str, tuple[str, str]]] = {
    "policy": (
        "its Content-Security-Policy lets no script of ours run",
        "let the app use a nonce in development, or open the page with `reticle drive` (reticle_lease)",
    ),
    "encoded": (
        "the app compresses its pages itself",
        "switch compression off in development",
    ),
    "charset": ("its bytes are of a charset that the tag cannot be put into", "serve pages as UTF-8"),
    "no_document": ("it is no whole document", "put the tag into the template that has the head"),
    "prologue": ("no place for the tag was found in its first 64 KiB", "put the tag into the head by hand"),
    "no_script": ("the probe could not get the page script from this daemon", "load the page again"),
    "peer": ("the request came from another machine", "name it in RETICLE_PROBE_PEERS"),
    "host": ("the request was for a host that is not this machine", "name it in RETICLE_PROBE_HOSTS"),
    "production": ("the app says that it runs in production", "run it in development"),
    "range": ("only a part of it was asked for", "load the page again"),
    "sendfile": ("the app hands it to its server as a file", "put the tag into the file by hand"),
    "fault": ("the probe failed over it; the app's log says how", "report it, and put the tag in by hand"),
    "attachment": ("it is sent to be saved", "open a page of the app"),
}


def skip_words(skip: SkippedInsertion) -> tuple[str, str]:
    """
    What was skipped and why, and the next step; reasons of another version are told as they are.
    """
    unknown = (skip.reason or "it did not say why", "put the tag into the head by hand")
    why, step = _WHY.get(skip.reason, unknown)
    directive = f" ({skip.directive})" if skip.directive else ""
    where = f" of {skip.path}" if skip.path else ""
    times = f", {skip.count} times" if skip.count > 1 else ""
    app = skip.framework or "the app"
    return f"The probe in {app} put no page script into a page{where}: {why}{directive}{times}", step
