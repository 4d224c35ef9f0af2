"""
The page script: what runs in the web app and tells the daemon what it sees.

Plain JavaScript in parts (package data), joined here in one listed order into one classic script; there is
no build step. What it says over the wire is ``docs/protocol/page-wire.md``.
"""

from __future__ import annotations

import functools
import hashlib
import json
from importlib import resources

from reticle._version import __version__

PARTS: tuple[str, ...] = (
    "words.js",
    "originals.js",
    "text.js",
    "secrets.js",
    "values.js",
    "identity.js",
    "queue.js",
    "connection.js",
    "refs.js",
    "refusal.js",
    "tree.js",
    "roles.js",
    "names.js",
    "states.js",
    "source.js",
    "describe.js",
    "places.js",
    "find.js",
    "snapshot.js",
    "stores.js",
    "state_read.js",
    "component_state.js",
    "scrolling.js",
    "virtualized.js",
    "reading.js",
    "theme.js",
    "inspect.js",
    "storage.js",
    "capabilities.js",
    "danger.js",
    "target.js",
    "pointer.js",
    "focus.js",
    "mouse.js",
    "gestures.js",
    "fields.js",
    "boxes.js",
    "keys.js",
    "typing.js",
    "upload.js",
    "drag.js",
    "validity.js",
    "openings.js",
    "pending_view.js",
    "timer_loops.js",
    "pending.js",
    "act.js",
    "bodies.js",
    "panel.js",
    "panel_view.js",
    "panel_mark.js",
    "watch_dom.js",
    "watch_regions.js",
    "watch_blind.js",
    "watch_frames.js",
    "watch_fetch.js",
    "watch_xhr.js",
    "kit.js",
    "watch_streams.js",
    "watch_bodies.js",
    "watch_console.js",
    "watch_dialogs.js",
    "watch_storage.js",
    "watch_focus.js",
    "watch_motion.js",
    "watch_perf.js",
    "watch_reveal.js",
    "watch_commits.js",
    "watch_downloads.js",
    "watch_edits.js",
    "watch_route.js",
    "commands.js",
    "api.js",
    "start.js",
)
"""The parts in the order in which they are joined; a part may use at load only what stands before it."""

_HEAD = """\
(function () {
"use strict";
if (Object.prototype.hasOwnProperty.call(window, "__reticle__")) return;
Object.defineProperty(window, "__reticle__", { value: %(version)s });
const SCRIPT_VERSION = %(version)s;
const SCRIPT_HASH = %(hash)s;
"""
_TAIL = "})();\n"


@functools.cache
def joined() -> bytes:
    """
    The whole script as UTF-8: an immediately called function around the parts.

    They share one scope and leave no globals but ``window.reticle`` and the mark ``window.__reticle__``; in a
    window that has the mark already the script does nothing.
    """
    head = _HEAD % {"version": json.dumps(__version__), "hash": json.dumps(content_hash())}
    return (head + _parts() + _TAIL).encode()


@functools.cache
def content_hash() -> str:
    """
    Sixteen hex digits that change with the script, for ETags and for the script to tell which one it is.

    Taken of version, frame and parts; the script that has it written in cannot be what it is taken of.
    """
    return hashlib.sha256(f"{__version__}\0{_HEAD}{_parts()}{_TAIL}".encode()).hexdigest()[:16]


@functools.cache
def _parts() -> str:
    folder = resources.files(__name__)
    return "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in PARTS)
