"""
``reticle_invariants``: what must hold of a project's app on every action, declared once.

They stand in ``.reticle/invariants.json`` of the registered repository of the page, for people to review, and
in the ``[[invariant]]`` tables of its ``reticle.toml``, which this tool shows and leaves alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from reticle.domain.invariants import checked_invariant, invariants_in_json, invariants_text
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.limits import INVARIANT_BYTES, INVARIANTS
from reticle.model.window import Invariant
from reticle.ports import CallContext, Page
from reticle.tools.app_contract import project_of
from reticle.tools.arguments import Name, PageArguments, Predicate
from reticle.tools.attendance import present_page, session_note
from reticle.tools.declared_invariants import invariants_of
from reticle.tools.fields import told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer


class InvariantArguments(PageArguments, frozen=True, kw_only=True):
    """
    Of which page's project, and what to do.
    """

    action: Annotated[Literal["list", "add", "remove"], Meta(description="What to do.")] = "list"
    name: Annotated[Name | None, Meta(description="With add and remove: which.")] = None
    predicate: Annotated[Predicate | None, Meta(description="With add: what must always hold.")] = None


async def invariants(context: CallContext, arguments: InvariantArguments) -> ToolAnswer:
    """
    List, add or remove invariants; one of the same name is replaced.

    Raises:
        Refusal: ``bad_arguments`` and ``bad_predicate`` before anything is written; ``not_found`` for a name
            that is not in the file; ``conflict`` for a file that cannot be read or is full; as ``project_of``
            and what the store raises.
    """
    _refuse_halves(arguments)
    page = await present_page(context, arguments.sessionId)
    changed = None
    if arguments.action != "list":
        changed = await _change(context, page, arguments)
    listed = [_shown(one) for one in await invariants_of(context, page)]
    fields = {
        "invariants": listed,
        **told(path=changed),
        **session_note(page),
    }
    return ToolAnswer(fields)


def _refuse_halves(arguments: InvariantArguments) -> None:
    needs = {"list": (False, False), "add": (True, True), "remove": (True, False)}[arguments.action]
    has = (arguments.name is not None, arguments.predicate is not None)
    if has != needs:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"{arguments.action} takes {_words(*needs)}. Nothing was changed.",
            'For example {"action": "add", "name": "no-errors", "predicate": '
            '{"kind": "console", "level": "error", "absent": true}}.',
        )


def _words(name: bool, predicate: bool) -> str:  # noqa: FBT001 -- which of the two arguments
    if predicate:
        return "name and predicate"
    return "name alone" if name else "neither name nor predicate"


async def _change(context: CallContext, page: Page, arguments: InvariantArguments) -> str:
    added = None
    if arguments.action == "add":
        added = checked_invariant(arguments.name, arguments.predicate, "project")
    root = project_of(context, page).root
    text, _ = await context.app_contracts.invariants(root=root)
    kept = {one.name: one for one in (() if text is None else invariants_in_json(text))}
    faulty = [one.name for one in kept.values() if one.fault is not None]
    if faulty:
        raise Refusal(
            RefusalCode.CONFLICT,
            f".reticle/invariants.json has one that is no invariant: {faulty[0]!r}. It was left alone.",
            "Mend the file by hand; action list says what is wrong.",
        )
    if added is not None:
        kept[added.name] = added
    elif kept.pop(str(arguments.name), None) is None:
        raise Refusal(
            RefusalCode.NOT_FOUND,
            f"There is no invariant {arguments.name!r} in .reticle/invariants.json.",
            "Call with action list; one of reticle.toml or of the app is taken away where it stands.",
        )
    written = invariants_text(tuple(kept.values()))
    if len(kept) > INVARIANTS or len(written.encode()) > INVARIANT_BYTES:
        raise Refusal(
            RefusalCode.CONFLICT,
            f"A project has {INVARIANTS} invariants at most. Nothing was changed.",
            "Join some with allOf, or remove one.",
        )
    return await context.app_contracts.keep_invariants(written, root=root)


def _shown(one: Invariant) -> Mapping[str, object]:
    return {
        "name": one.name,
        "source": one.source,
        **({"predicate": dict(one.predicate)} if one.fault is None else {"fault": one.fault}),
    }


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_invariants",
        title="What must hold on every action",
        summary="Lists, adds and removes predicates that each reticle_act_and_wait is judged by besides.",
        arguments=InvariantArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=False, idempotent=True, open_world=True),
        run=invariants,
        advertised=False,
        example={
            "action": "add",
            "name": "no-errors",
            "predicate": {"kind": "console", "level": "error", "absent": True},
        },
    ),
)
