"""
What the tools answer that ``tools/list`` leaves out and ``reticle_run`` reaches, in the form of
``tools.manual``.
"""

from __future__ import annotations

from collections.abc import Mapping

UNLISTED_RETURNS: Mapping[str, Mapping[str, str]] = {
    "reticle_storage": {
        "local": "without `key`: the values of each area by their keys, `session` and `cookies` beside it; a "
        "value of over 200 characters is cut",
        "found": "with `key`: whether it is there, with the first `area` that has it, `key`, `value`, "
        "`alsoIn[]`; `truncated` and `length` of a value over 1,024 characters",
        "availableKeys": "on a miss, by area; `totalKeys` where there are more",
        "truncated": "without `key`: how many keys an area has of which not all are shown",
        "unavailable": "areas that the browser forbids the page: what is there is not known",
    },
}
"""The fields of each tool's answer."""

UNLISTED_NOTES: Mapping[str, str] = {
    "reticle_storage": "It reads and changes nothing. Cookies are those that scripts may read: an HttpOnly "
    "one is not seen. `[REDACTED]` stands for credentials: by their key, by their shape, as a part of JSON, "
    "and in cookies also for long values that nobody wrote to be read. A page of the published packages "
    "does not know it (`unsupported_surface`).",
}
"""What a reader must know beside the fields."""
