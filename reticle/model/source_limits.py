"""
Limits of what the daemon reads to find the place in a file that a running script was built from, each with
its reason.
"""

from __future__ import annotations

SOURCE_WAIT_SECONDS = 0.25
"""
How long an answer waits for maps that are being read; what is not there by then is told as it was
served.
"""

FETCH_SECONDS = 3.0
"""Reading one script and its map; a development server that builds on request has answered by then."""

SCRIPT_BYTES = 24 * 1024 * 1024
"""
One script with the map in it; development bundles of large apps have 10 MB, inline maps make that twice
as much.
"""

MAP_BYTES = 32 * 1024 * 1024
"""One map, which mostly holds every source text; those of the largest bundles have some 20 MB."""

FETCHES_AT_ONCE = 2
"""Scripts that are read at the same time: together their bytes are what a daemon can spare for a moment."""

FETCHES_WAITING = 64
"""
Scripts that wait to be read; a page names six in an event. Further ones are read when they are named
again.
"""

MAPS_KEPT = 256
"""Scripts of which it is remembered what was found; of a development server each module is one."""

MAPS_KEPT_CHARS = 64 * 1024 * 1024
"""Mappings that are remembered, together; a large bundle has some 5 million characters of them."""

PARSE_HERE_BYTES = 64 * 1024
"""A larger map is read in a thread: reading this much takes a few milliseconds."""

PLACES_REMEMBERED = 2_000
"""Places of one map that were looked up; an app asks for the same few again and again."""

FRAMES_READ = 8
"""Frames of one event that are looked at; our page script sends six."""

PLACE_ROUNDS = 50
"""Exchanges with a page that learns the places of its elements; it names 200 in each, and remembers 5,000."""

STACK_LINES = 12
"""Lines of a stack that are translated; tools show four."""

SOURCE_NAME_CHARS = 512
"""A file's name in a map; a longer one is not shown."""
