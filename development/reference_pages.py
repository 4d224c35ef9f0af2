"""
Writes the pages of ``docs/reference`` that are made from the code: ``make reference``.

``tests/architecture/test_reference_pages.py`` compares the committed pages with what this would write.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from reticle.dispatch.grants import Sight
from reticle.dispatch.listing import Listing
from reticle.dispatch.registry import Registry
from reticle.domain.predicate import reference_page
from reticle.model.codes import Capability
from reticle.service.composition import all_tools
from reticle.tools.action_args import ACTION_ARGS
from reticle.tools.manual import NOTES, RETURNS, SHARED
from reticle.tools.spec import Tool

REFERENCE = Path(__file__).resolve().parents[1] / "docs" / "reference"

OPENING = """\
# The tools

What an agent can call to look at a running web app, act on it and prove what came of it.
Two tools prove something: `reticle_act_and_wait` and `reticle_assert`; of their three answers only \
`verified: yes` is a pass.
Everything else looks or acts and proves nothing.

This page is made from the code by `make reference`.

## What all tools share

- `sessionId` names a page of `reticle_sessions`. It is only needed when several pages are connected; \
without it the page of the agent's last call is meant, else the only sensible one, else the call is refused \
with the candidates. A ref of another page is refused.
- A call that comes a moment before its page connects (start, reload) waits for it, 1.5 s at most.
- An answer is one flat object: `ok`, `method`, `audit_id`, then the tool's fields. Fields that would say \
nothing are left out.
- A refusal has `ok: false`, `error` (a code), `message` and `recovery`, what to do next; some name \
`candidates` or `options`. The codes are in [troubleshooting](../howto/troubleshooting.md).
- An argument that a tool does not take is refused with the nearest right name, inside `target`, `args` and \
steps too; nothing has run then.
- `since` and `until` are cursors, numbers of events of one page: `since` is outside of the stretch, `until` \
inside. A cursor beyond the newest event is refused.
- What is cut is counted: `truncated`, `droppedOldest` and a `note` that says how to see the rest. What was \
lost is named: `losses`.

An *element* is addressed by `ref` (`e12`, from a snapshot or query) or by `target`, an element query that \
must match exactly one: one of `role` (with `name`), `text`, `label`, `placeholder`, `testid`, `alt`, \
`component`, or `by` with `value`; `name`, `value`, `attrs`, `scope` narrow it.
A *predicate* is described in [predicates](predicates.md). `until` and `predicate` are two names of one \
argument.

Answers about a page also have, where it says something:
"""

ACTIONS_OPENING = """\
## Actions

What `args` of `reticle_act`, `reticle_act_and_wait` and a step of `reticle_act_sequence` may hold. How each \
is carried out is in [the page wire](../protocol/page-wire.md).
"""


def tools_page() -> str:
    """
    ``tools.md`` as Markdown.
    """
    tools = all_tools()
    catalogue = {
        str(shown["name"]): shown for shown in Listing(Registry(tools)).catalogue(Sight.of(set(Capability)))
    }
    sections = [_tool(tool, catalogue[tool.name]) for tool in tools]
    return "\n".join([OPENING, *_table("key", SHARED), "", *sections, _actions()])


PAGES: Mapping[str, Callable[[], str]] = {"tools.md": tools_page, "predicates.md": reference_page}
"""The generated pages, by file name."""


def _tool(tool: Tool, shown: Mapping[str, object]) -> str:
    lines = [f"## {tool.name}", "", tool.summary, f"Needs the capability `{tool.capability.value}`."]
    if tool.acts:
        lines.append("Acts: refused with `paused` while a person has paused or ended the page.")
    if tool.name in NOTES:
        lines += ["", NOTES[tool.name]]
    schema = shown["inputSchema"]
    assert isinstance(schema, Mapping)
    arguments = list(_arguments(schema))
    if arguments:
        lines += ["", "| argument | type | |", "|---|---|---|", *arguments]
    if tool.example:
        lines += ["", f"```json\n{json.dumps(tool.example, ensure_ascii=False)}\n```"]
    if RETURNS[tool.name]:
        lines += ["", *_table("field of the answer", RETURNS[tool.name])]
    return "\n".join([*lines, ""])


def _arguments(schema: Mapping[str, object]) -> Iterator[str]:
    properties, required = schema["properties"], schema.get("required", ())
    assert isinstance(properties, Mapping)
    assert isinstance(required, list | tuple)
    for name, part in properties.items():
        needed = ", required" if name in required else ""
        meaning = str(part.get("description", "")).replace("|", "&#124;")
        yield f"| `{name}` | {_type(part)}{needed} | {meaning} |"


def _type(part: Mapping[str, object]) -> str:
    enum, default = part.get("enum"), part.get("default")
    kind = " ".join(f"`{word}`" for word in enum) if isinstance(enum, list) else str(part.get("type", "any"))
    if part.get("type") == "array":
        items = part.get("items")
        kind = f"list of {items.get('type', 'any') if isinstance(items, Mapping) else 'any'}"
    low, high = part.get("minimum"), part.get("maximum")
    bounds = f" {low} to {high}" if high is not None else f" from {low}" if low is not None else ""
    told = f", default {json.dumps(default)}" if default not in (None, False) else ""
    return f"{kind}{bounds}{told}"


def _actions() -> str:
    rows = {
        action.value: " ".join(f"`{name}`" for name in names) or "nothing"
        for action, names in ACTION_ARGS.items()
    }
    return "\n".join([ACTIONS_OPENING, *_table("action", rows), ""])


def _table(heading: str, rows: Mapping[str, str]) -> Iterator[str]:
    yield f"| {heading} | |"
    yield "|---|---|"
    for name, meaning in rows.items():
        yield f"| `{name}` | {meaning} |"


def main() -> None:
    """
    Write every page that differs.
    """
    for name, page in PAGES.items():
        path = REFERENCE / name
        written = page()
        if path.read_text("utf-8") != written:
            path.write_text(written, "utf-8")
            print(f"{path.relative_to(REFERENCE.parents[1])} is new")


if __name__ == "__main__":
    main()
