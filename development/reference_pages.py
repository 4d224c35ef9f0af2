"""
Writes the pages of ``docs/reference`` that are made from the code, and the contract of the methods:
``make reference``.

``tests/architecture/test_reference_pages.py`` compares the committed files with what this would write.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from reticle.dispatch.contract import contract_of
from reticle.dispatch.registry import make_entry
from reticle.domain.ladder import RUNGS
from reticle.domain.predicate import reference_page
from reticle.model.codes import Exposure, RepositoryScope, Toolset
from reticle.service.surface import all_tools
from reticle.tools.action_args import ACTION_ARGS
from reticle.tools.manual import NOTES, RETURNS, SHARED
from reticle.tools.spec import Tool

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "docs" / "reference"
VERDICT = ROOT / "docs" / "explanation" / "verdict.md"
CONTRACT = ROOT / "contracts" / "daemon_methods.json"

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


METHODS_OPENING = """\
# The methods

What operators and their tools call beside [the tools](tools.md) about pages: who may do what, which \
repositories there are, what was done.
They are tools like the others: the same gate, the same answers, the same audit log. A name is also good \
with underscores: `repo_list` is `repo.list`.
The same as JSON, for programs: `contracts/daemon_methods.json`.

This page is made from the code by `make reference`.

## Who may call what

A capability token has grants: each is one capability, for one repository or for all. No capability implies \
another. Whoever is trusted without a capability token has `observe` and `drive`, and with \
`--toolsets verify,work` also `read`.

| scope | the grant has to be for |
|---|---|
| `single_repo` | the repository that `repository_id` names, or all |
| `daemon_global` | all repositories |
| `page` | the repository of the page, or all. A page belongs to a repository by its project id, else by its \
origin; a page of none needs a grant for all |

`tools/list` shows what a token may use in at least one repository; with `repository_id` beside its other \
params, what it may use there. `tools/call` takes a `repository_id` beside `arguments` too, for where the \
arguments have none. When grants change, clients are told that the list has changed.

The checks of each call, in their order; the first that fails is the answer, and leaves one audit row:

| code | |
|---|---|
| `tool_hidden` | the method is for people at their shell |
| `method_unknown` | there is no such method |
| `repo_not_registered` | the method concerns one repository, and none is named |
| `token_missing` `token_malformed` `token_invalid` `token_revoked` `token_expired` | the token does not \
count |
| `capability_missing` | nothing of that capability was granted |
| `capability_scope_mismatch` | it was granted for another repository |
| `capability_expired` | the grant is over, and no other one counts |
| `repo_not_registered` | the named repository is not there |
| `bad_arguments` | the arguments are not what the method takes |
"""


def tools_page() -> str:
    """
    ``tools.md`` as Markdown.
    """
    sections = [_tool(tool) for tool in all_tools() if tool.toolset is Toolset.VERIFY]
    return "\n".join([OPENING, *_table("key", SHARED), "", *sections, _actions()])


def methods_page() -> str:
    """
    ``methods.md`` as Markdown.
    """
    sections = [_tool(tool) for tool in all_tools() if tool.toolset is Toolset.WORK]
    return "\n".join([METHODS_OPENING, *sections])


def verdict_page() -> str:
    """
    ``docs/explanation/verdict.md`` with the ladder as the code has it; the rest of it is written by hand.
    """
    before, rest = VERDICT.read_text("utf-8").split("<!-- ladder -->")
    after = rest.split("<!-- /ladder -->")[1]
    rows = [f"| {number} | {rung.when} | `{rung.decides}` |" for number, rung in enumerate(RUNGS, 1)]
    table = "\n".join(["", "| | when | verdict |", "|---|---|---|", *rows, ""])
    return f"{before}<!-- ladder -->{table}<!-- /ladder -->{after}"


PAGES: Mapping[str, Callable[[], str]] = {
    "tools.md": tools_page,
    "methods.md": methods_page,
    "predicates.md": reference_page,
    "../explanation/verdict.md": verdict_page,
}
"""The generated pages, by where they lie beside the reference."""


def contract_text() -> str:
    """
    ``contracts/daemon_methods.json``.
    """
    return json.dumps(contract_of(all_tools()), indent=2) + "\n"


def _needs(tool: Tool) -> str:
    if tool.capability is None:
        return "Needs no capability."
    scope = "" if tool.scope is RepositoryScope.PAGE else f", scope `{tool.scope.value}`"
    return f"Needs the capability `{tool.capability.value}`{scope}."


_EXPOSED: Mapping[Exposure, str] = {
    Exposure.DEPRECATED: "Deprecated: it answers, and is listed no more.",
    Exposure.HANDSHAKE: "Answers on the Unix socket alone; to agents it is hidden.",
    Exposure.HIDDEN: "Hidden: to every agent `tool_hidden`, whatever its token.",
}


def _tool(tool: Tool) -> str:
    lines = [f"## {tool.name}", "", tool.summary, _needs(tool)]
    if tool.exposure in _EXPOSED:
        lines.append(_EXPOSED[tool.exposure])
    if tool.acts:
        lines.append("Acts: refused with `paused` while a person has paused or ended the page.")
    if tool.name in NOTES:
        lines += ["", NOTES[tool.name]]
    arguments = list(_arguments(make_entry(tool).schema))
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
    Write every file that differs.
    """
    files = {REFERENCE / name: page() for name, page in PAGES.items()} | {CONTRACT: contract_text()}
    for path, written in files.items():
        if not path.exists() or path.read_text("utf-8") != written:
            path.parent.mkdir(exist_ok=True)
            path.write_text(written, "utf-8")
            print(f"{path.relative_to(ROOT)} is new")


if __name__ == "__main__":
    main()
