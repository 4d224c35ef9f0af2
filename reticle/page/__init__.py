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

import attrs

from reticle._version import __version__

PARTS: tuple[str, ...] = (
    "words.js",
    "originals.js",
    "stirs.js",
    "driven.js",
    "text.js",
    "secrets.js",
    "values.js",
    "identity.js",
    "causes.js",
    "queue.js",
    "relay.js",
    "connection.js",
    "refs.js",
    "refusal.js",
    "tree.js",
    "aria.js",
    "tables.js",
    "roles.js",
    "content.js",
    "names.js",
    "descriptions.js",
    "looks.js",
    "visible.js",
    "clipping.js",
    "contrast.js",
    "gradients.js",
    "covered.js",
    "sight.js",
    "hiding_rule.js",
    "states.js",
    "source_frames.js",
    "source_stamps.js",
    "source_react.js",
    "source_vue.js",
    "source_svelte.js",
    "source_preact.js",
    "source_angular.js",
    "source.js",
    "charts.js",
    "canvas_charts.js",
    "describe.js",
    "places.js",
    "find.js",
    "modal.js",
    "snapshot.js",
    "page_status.js",
    "state_diff.js",
    "state_fold.js",
    "store_access.js",
    "store_using.js",
    "store_queries.js",
    "stores.js",
    "store_discovery.js",
    "state_read.js",
    "alpine.js",
    "preact_state.js",
    "vue_state.js",
    "component_state.js",
    "htmx.js",
    "scrolling.js",
    "virtualized.js",
    "shown.js",
    "reading.js",
    "reads.js",
    "theme.js",
    "inspect.js",
    "storage.js",
    "indexeddb.js",
    "invariants.js",
    "capabilities.js",
    "animations.js",
    "danger.js",
    "explore.js",
    "target.js",
    "areas.js",
    "pointer.js",
    "focus.js",
    "capture.js",
    "mouse.js",
    "gestures.js",
    "written.js",
    "fields.js",
    "options.js",
    "boxes.js",
    "key_defaults.js",
    "keys.js",
    "rich_text.js",
    "typing.js",
    "upload.js",
    "drag.js",
    "validity.js",
    "openings.js",
    "browser_calls.js",
    "pictures.js",
    "recordings.js",
    "browser_work.js",
    "pending_view.js",
    "unseen_ways.js",
    "timer_loops.js",
    "scheduled_calls.js",
    "lost_words.js",
    "unkeyed_rows.js",
    "theme_switch.js",
    "pending.js",
    "rest.js",
    "act.js",
    "aim.js",
    "aim_watch.js",
    "bodies.js",
    "panel.js",
    "panel_view.js",
    "panel_mark.js",
    "watched_roots.js",
    "dom_flood.js",
    "watch_dom.js",
    "watch_unfolded.js",
    "watch_regions.js",
    "watch_sight.js",
    "watch_blind.js",
    "watch_workers.js",
    "watch_messages.js",
    "watch_served.js",
    "probed.js",
    "watch_frames.js",
    "watch_fetch.js",
    "watch_xhr.js",
    "kit.js",
    "watch_streams.js",
    "watch_bodies.js",
    "watch_console.js",
    "watch_dialogs.js",
    "watch_storage.js",
    "watch_indexeddb.js",
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

PRELUDE = "prelude.js"
"""What stands around the parts in a page that the daemon opened itself."""

SOURCE = "reticle://page-script.js"
"""What the injected script is called in stacks, so that it can be told from the app's."""

_HEAD = """\
(function () {
"use strict";
if (Object.prototype.hasOwnProperty.call(window, "__reticle__")) return;
Object.defineProperty(window, "__reticle__", { value: %(version)s });
const SCRIPT_VERSION = %(version)s;
const SCRIPT_HASH = %(hash)s;
"""
_NOT_LAUNCHED = "const LAUNCH = null;\n"
_TAIL = "})();\n"


@attrs.frozen
class Launch:
    """
    What a page that the daemon opened knows of itself beforehand.

    ``binding`` names the way out that the prelude takes from the window, ``door`` the way in that it
    leaves there, and ``word`` opens it; all three are unguessable. ``session`` is the tab's name, ``url`` the
    daemon's WebSocket address, which the published packages would dial. ``panel`` shows the panel from the
    start, ``console`` tells whether anybody can read the browser's own console.
    """

    binding: str
    door: str
    word: str
    session: str
    url: str
    project: str | None = None
    panel: bool = False
    console: bool = True


@functools.cache
def joined() -> bytes:
    """
    The whole script as UTF-8: an immediately called function around the parts.

    They share one scope and leave no globals but ``window.reticle`` and the mark ``window.__reticle__``; in a
    window that has the mark already the script does nothing.
    """
    return (_head() + _NOT_LAUNCHED + _parts() + _TAIL).encode()


def injected(launch: Launch) -> str:
    """
    The same script for a page that the daemon opened: it runs before the app's own scripts in every document
    and frame of the tab, and talks through the browser's debugging connection instead of a socket.
    """
    body = _head().replace("(function () {", "(function (LAUNCH) {", 1) + _parts()
    given = json.dumps({**attrs.asdict(launch), "source": SOURCE})
    return f"{_prelude()}({given}, {body}}}));\n//# sourceURL={SOURCE}\n"


@functools.cache
def content_hash() -> str:
    """
    Sixteen hex digits that change with the script, for ETags and for the script to tell which one it is.

    Taken of version, frame and parts; the script that has it written in cannot be what it is taken of.
    """
    return hashlib.sha256(f"{__version__}\0{_HEAD}{_parts()}{_TAIL}".encode()).hexdigest()[:16]


def _head() -> str:
    return _HEAD % {"version": json.dumps(__version__), "hash": json.dumps(content_hash())}


@functools.cache
def _parts() -> str:
    return "\n".join(map(_read, PARTS))


@functools.cache
def _prelude() -> str:
    return _read(PRELUDE)


def _read(name: str) -> str:
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")
