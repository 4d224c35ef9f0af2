"""
The page that people read about predicates, written from the grammar table.

``docs/reference/predicates.md`` is what this gives: ``make reference`` writes it, a test compares the two.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from reticle.domain.predicate.grammar import (
    FINDERS,
    KINDS,
    OPERATORS,
    QUERY_FIELDS,
    SHAPE_NAMES,
    FieldRule,
    KindRule,
)
from reticle.domain.predicate.relation_grammar import SIDES_NOTE
from reticle.model.codes import NOT_OBSERVED
from reticle.model.limits import (
    COUNT_HOLD_MS,
    PATTERN_CHARS,
    PATTERN_SUBJECT_CHARS,
    PREDICATE_DEPTH,
    PREDICATE_LEAVES,
)

_OPENING = """\
# Predicates

A predicate says beforehand what must happen. \
It is the `until` (or `predicate`) argument of `reticle_act_and_wait`, `reticle_wait_for` and \
`reticle_assert`.
It is read strictly: what is not in this page is refused with the nearest right spelling, and nothing runs.
`reticle_tools` gives the same grammar as JSON; this page is made from the code by `make reference`.

A predicate holds, does not hold, or cannot be told. \
"Cannot be told" is never rounded: a page that failed to answer, evidence that was lost, a value that was \
redacted or cut are neither a yes nor a no.

The window is what happened since the last action or navigation, or since the `since` of the call. \
What happened in it counts whichever document reported it; what *is* is read from the page as it is now.

## Kinds
"""

_SHORT_FORMS = """\
## Short forms

- `type` may stand for `kind`.
- `allOf`, `anyOf` and `not` may be written bare: `{"allOf": [ … ]}`, `{"not": { … }}`.
- An alias together with its canonical name is refused: one of the two would be dropped.
"""

_PATTERNS = """\
## Patterns and operators

`equals` and each value of `dataMatches` is a pattern: a literal, `"*"`, or an object of operators that \
must all fit.
A literal is compared strictly: `1` is not `"1"`, lists keep their order, objects do not.
"""

_MATCHING = r"""
`$matches` knows `.` `[abc]` `[^a-z]` `( )` `|` `*` `+` `?` `{m}` `{m,}` `{m,n}` `^` `$` `\d` `\w` `\s` \
`\b`, up to %d characters, over texts of up to %s. It is matched in linear time.
The patterns in a `bodySchema` are the same ones, its references lead to its own parts, and of JSON Schema \
`patternProperties` and `$dynamicRef` are left out.

Operators stand alone: beside or inside a literal they are refused. \
%s stand for values that were not sent; a comparison that depends on one cannot be told.
"""

_PROBE = (
    "Only a probe in the app's server tells; without one it is `unknown`. Facts that are tied to the "
    "requests of the action by id decide, one that is only near in time keeps the answer open."
)

_NOTES = {
    "element": (
        f"Query fields: {' '.join(f'`{name}`' for name in QUERY_FIELDS)}.\n"
        "A query needs a locator: `by` with `value`, or one of "
        f"{' '.join(f'`{name}`' for name in FINDERS)}. The other fields narrow it down, all of them.\n"
        "`name` is the accessible name, `value` what a field holds, `attrs` an object of attributes with the "
        "value of each, `scope` the ref or CSS selector of what it has to be in, and `self` means the "
        "element of `scope` itself.\n\n"
        '`source` is a place in the code: `{"file": "src/Cart.tsx", "line": 12}`, with a `column` if it is '
        "known; of two paths to a file the shorter may be the end of the longer. Alone it finds what is "
        "written there; beside a locator it is compared with the `source` that `reticle_query` shows. "
        "Elements that show none are not found by it, and where none at all does the answer is `unknown`.\n\n"
        "What nobody meets is not there, in whatever state: what is not displayed, folded away, transparent, "
        "clipped to nothing or where nobody can scroll to. What is hidden from the eye alone and read out is "
        "there (`present`), though not `visible`; so is a field that its label stands for. `attached` and "
        "`hidden` are about the document, whoever meets it, and `absent` is the opposite of each.\n\n"
        "`style` compares computed values as the browser writes them; colours may be in hexadecimal, and a "
        'number is one of pixels or without a unit: `{"background-color": "#161b26", "font-size": '
        '{"$gte": 14}}`.\n\n'
        "An absence cannot be told where the page cannot be looked into: frames of another origin, closed "
        "shadow roots, rows of a virtual list that are not mounted."
    ),
    "text": (
        "- White space is folded.\n"
        "- Without `visible` a text counts that a user could see, or that is hidden from the eye alone and "
        "read out. A text of its background's colour is neither.\n"
        "- A part is enough, unless `exact` asks for all that an element says; but a part of another number "
        "is not (`2 items` in `12 items`, `$1` in `$1,234`, `5 kg` in `1.5 kg`), nor one of "
        "something in its plural (`1 product` in `1 products`).\n"
        "- Where it may say another thing it is `unknown`: the end of a word (`saved` in `Unsaved`), behind "
        "a word that denies it (`Not saved`), behind a minus (`$5.00` in `-$5.00`), beside more of a "
        "number (`500 €` in `2 500 €`, `4` in `4.5`, `5` in `5K`). Claim all that it says there.\n"
        "- After an action a message that came up and went by itself, as a toast does, holds. One that was "
        "taken back, because a request failed, an error came up, or the server's next answer no longer had "
        "it, does not."
    ),
    "net": (
        "- A number at an end of `urlContains` is met as that number: `/orders/1` is no part of "
        "`/orders/12`. So it is with `server`, `stream` and `route`. A `bodyContains` that is there only "
        "as a part of another number is `unknown`.\n"
        "- A request that is still in flight is neither there nor missing; it is named.\n"
        "- A count that is exceeded is decided at once. A count that is reached, and a count of 0, must hold "
        f"for {COUNT_HOLD_MS} ms, because a double submit often comes late, or until the page knows that "
        "nothing is left to come of the action; the evidence says how long it was watched.\n"
        "- A path into a body is keys and positions joined by dots, and `length`: "
        '`{"body": {"items.length": 2, "items.0.sku": "mug"}}`. A body that was not recorded, or was cut, '
        "or redacted, decides nothing where that matters. A schema may refer to parts of itself alone.\n"
        "- A request that was under way before the action is not the action's doing.\n"
        "- A form that posts and leads to a new page counts: the status is that of the last answer, after "
        "redirects, as with `fetch`. The status of a redirect itself cannot be seen by a page.\n"
        "- What a browser loads by itself (images, styles, scripts, downloads) is not watched, so its "
        "absence cannot be told."
    ),
    "route": (
        "Without a field: the address changed at all. An address that the page only came by is "
        "`unknown`, with where it went on to: claim where it is to end."
    ),
    "animation": (
        "- An animation that was cancelled has not run to its end.\n"
        "- In a hidden tab browsers run none, so that its lack cannot be told."
    ),
    "signal": (
        "The app announces with `reticle.signal(name, data)`. "
        f"A count must hold for {COUNT_HOLD_MS} ms, as with `net`."
    ),
    "storage": (
        "- It is about what was written in the window, whoever did it; `reticle_storage` reads what is there "
        "now.\n"
        "- With `equals` a value that was written and then changed again is `unknown`.\n"
        "- What was written to a secret's key is `[REDACTED]`: what it is cannot be told.\n"
        "- A write of IndexedDB counts when its transaction is complete.\n"
        "- A plain assignment (`localStorage.theme = …`) is seen at the next look at the area: a value that "
        "another took the place of meanwhile is not counted, and it may be told behind what came after it."
    ),
    "stream": (
        "What a development server's own socket carries is not among them. A body is a stream where the app "
        "reads it in parts and it is events, lines of JSON, plain text or has no type; each part is looked "
        "at alone."
    ),
    "perf": (
        "`cls` is the worst so far: that it stayed below a figure is `not` with `$gte`. Chromium alone tells "
        "`cls` and `longtask`."
    ),
    "dialog": (
        "On a page that the daemon drives dialogs are answered at once, by the rule of its lease. On another "
        "one the page stands still until a person has answered, and the call is refused when its time is "
        "over. The published page packages do not tell of dialogs."
    ),
    "download": (
        "- Without `state` the file has to have come. One that failed has not; of one that is under way, or "
        "that the browser lease refused (take it with `downloads: keep`), it cannot be told.\n"
        "- On a page that the daemon did not open only links with `download` are seen; that one was "
        "followed, is all that is known: claim `begun`. A file that the page made itself "
        "(a `blob:` or `data:` URL) counts as come."
    ),
    "server": (
        f"{_PROBE} `route` is the route as the app declares it, or the name of its view. A request that the "
        "server is still at keeps the answer open."
    ),
    "sql": (
        f"{_PROBE} Statements that failed do not count, nor a write that was rolled back where the request "
        "failed or made it again; `COMMIT` and `ROLLBACK` are how transactions ended. "
        "A table is named with or without its schema."
    ),
    "log": f"{_PROBE} Unhandled exceptions count as level error.",
    "mail": f"{_PROBE}",
    "same": SIDES_NOTE,
    "settled": (
        "Alone it never makes a `yes`. Development tooling, telemetry, event streams, long polls and steady "
        "polls do not keep a page busy; they are named."
    ),
    "allOf": "A part that does not hold decides before one that cannot be told.",
    "sequence": (
        "Parts are kinds about what happens; the same part twice needs two. What is (elements, texts, state) "
        "has no moment and is refused."
    ),
    "within": (
        "Measured from the window's start by the page's own clock. Before the time is over what did not come "
        "is open."
    ),
    "never": (
        "It is told when its time is over, so the call's budget must be longer. A text counts also where it "
        "only came up for a moment. What style sheets, fields and attributes say is no text."
    ),
    "not": f'What cannot be told stays so, and "never" is only told after {COUNT_HOLD_MS} ms of watching.',
}
"""What a kind's table cannot say."""


def reference_page() -> str:
    """
    The whole page, as Markdown.
    """
    placeholders = [f"`{name}`" for name in sorted(NOT_OBSERVED)]
    named = f"{', '.join(placeholders[:-1])} and {placeholders[-1]}"
    matching = _MATCHING.replace("\\\n", "") % (PATTERN_CHARS, f"{PATTERN_SUBJECT_CHARS:,}", named)
    limits = f"## Limits\n\n{PREDICATE_DEPTH} levels of nesting, {PREDICATE_LEAVES} leaves.\n"
    operators = "\n".join(["| operator | fits |", "|---|---|", *_operators()])
    kinds = "\n".join(_kind(name, rule) for name, rule in KINDS.items())
    patterns = f"{_PATTERNS}\n{operators}\n{matching}"
    return f"{_OPENING}\n{kinds}\n{_SHORT_FORMS}\n{patterns}\n{limits}"


def _kind(name: str, rule: KindRule) -> str:
    rows = "\n".join(_row(field, of, rule) for field, of in rule.fields.items())
    example = json.dumps(rule.example, ensure_ascii=False)
    lines = [
        f"### `{name}`\n",
        f"{rule.meaning[0].upper()}{rule.meaning[1:]}.\n",
        f"```json\n{example}\n```\n",
        f"| field | type | meaning |\n|---|---|---|\n{rows}\n",
    ]
    if name in _NOTES:
        lines.append(f"{_NOTES[name]}\n")
    return "\n".join(lines)


def _row(name: str, field: FieldRule, rule: KindRule) -> str:
    aliases = [f"`{alias}`" for alias, of in rule.aliases.items() if of == name]
    also = f" (also {', '.join(aliases)})" if aliases else ""
    words = " ".join(f"`{word}`" for word in field.words)
    shape = (words or SHAPE_NAMES[field.shape]) + (", required" if field.required else "")
    return f"| `{name}`{also} | {shape} | {field.meaning.replace('|', '&#124;')} |"


def _operators() -> Iterator[str]:
    for name, meaning in OPERATORS.items():
        spelled = '`"*"`' if name == "*" else f"`{name}`"
        yield f"| {spelled} | {meaning.replace('|', '&#124;')} |"
