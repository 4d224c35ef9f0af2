"""
The published packages' error texts as refusal codes: they send no codes, only sentences.
"""

from __future__ import annotations

import re

from reticle.bridge.dialect import refusal_of
from reticle.bridge.wire import CommandResult
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode

REQUERY = "Take a fresh snapshot or query; if the element cannot be reached any more, reload the page."

_KNOWN: tuple[tuple[re.Pattern[str], RefusalCode, str], ...] = tuple(
    (re.compile(pattern, re.DOTALL), code, recovery)
    for pattern, code, recovery in (
        (r"^ref '[^']*' is not an HTMLElement", RefusalCode.UNSUPPORTED_SURFACE, "Act on an HTML ancestor."),
        (r"^ref '", RefusalCode.STALE_REF, REQUERY),
        (
            r"^potentially destructive ",
            RefusalCode.CONFIRM_DANGEROUS,
            "If it is meant, repeat with args.confirmDangerous true.",
        ),
        (
            r"^cannot (fill|type into|select on|\(un\)check) a <",
            RefusalCode.WRONG_TARGET,
            "Choose an element that this action applies to.",
        ),
        (r"^upload target must be ", RefusalCode.WRONG_TARGET, "Choose a file input."),
        (
            r"^(unsupported query strategy|\w+ requires a string)",
            RefusalCode.BAD_ARGUMENTS,
            "Mend the arguments as it says.",
        ),
        (
            r"^WebMCP \(navigator\.modelContext\) not available",
            RefusalCode.UNSUPPORTED_SURFACE,
            "Act on the elements of the page instead.",
        ),
        (r"^no form to submit", RefusalCode.WRONG_TARGET, "Choose a form or an element inside one."),
        (
            r"^unknown command ",
            RefusalCode.UNSUPPORTED_SURFACE,
            "Use this daemon's own page script, which knows the command.",
        ),
        (r"^unknown action ", RefusalCode.BAD_ARGUMENTS, "Use one of the listed actions."),
        (r"querySelector|is not a valid selector", RefusalCode.BAD_ARGUMENTS, "Mend the CSS of scope."),
        (r"^\[\s*\{.*\"code\"", RefusalCode.BAD_ARGUMENTS, "Mend the element query."),
    )
)


def published_refusal(result: CommandResult) -> Refusal:
    """
    A failed answer of a published package as the refusal that our own script would have given.
    """
    for pattern, code, recovery in _KNOWN:
        if pattern.search(result.error):
            return refusal_of(result, code, recovery)
    return refusal_of(result, RefusalCode.PAGE_ERROR, "Look at the page's console for the cause.")
