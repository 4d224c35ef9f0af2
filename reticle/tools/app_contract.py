"""
``reticle_contract_save`` and ``reticle_contract_check``: what an app declares, written down in its project
and compared later, so that a test id that went missing is noticed.

The file belongs to the registered repository of the page, never to the folder that the daemon was started in,
and a page that names one project at the address of another writes neither's.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Annotated, Final

import attrs
from msgspec import Meta

from reticle.domain.app_contract import (
    AppContract,
    contract_of,
    contract_text,
    difference,
    joined,
    parse_contract,
)
from reticle.errors import Refusal
from reticle.model.codes import Capability, CommandName, RefusalCode
from reticle.model.ids import RepositoryId
from reticle.model.limits import CONTRACT_BYTES
from reticle.model.origins import NO_ORIGIN
from reticle.model.tokens import Repository
from reticle.ports import CallContext, Page
from reticle.tools.arguments import PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.fields import object_of, told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer

Names = Mapping[str, Sequence[str]]
"""Names by kind."""

NAMES_SHOWN: Final = 100
"""Of each kind that is missing or new."""

PART_OF_PAGE: Final = (
    "The page has more test ids than are told: those that are not named here may be there all the same."
)
OTHER_PLACES: Final = (
    "A test id counts when it is declared, or in the page now, and a signal when it is declared or was sent "
    "in this document: what is missing may be at another route."
)


class SaveArguments(PageArguments, frozen=True, kw_only=True):
    """
    Of which page, and whether what is written already stays.
    """

    merge: Annotated[bool, Meta(description="Add to what the file says, as for another route.")] = False


class CheckArguments(PageArguments, frozen=True, kw_only=True):
    """
    Of which page.
    """


async def save(context: CallContext, arguments: SaveArguments) -> ToolAnswer:
    """
    Write what the page's app declares into its project. A file that says the same is left as it is.

    Raises:
        Refusal: ``repo_not_registered`` for a page of no project; ``conflict`` for one that names a project
            other than that of its address, for a file that cannot be merged with, and for a contract that is
            too large; what the store, the directory and the page port raise.
    """
    page = await present_page(context, arguments.sessionId)
    root = project_of(context, page).root
    now, partial = await _declared(page)
    text = await context.app_contracts.read(root=root)
    before = None if text is None else parse_contract(text)
    if arguments.merge and text is not None:
        now = joined(_readable(before), now)
    unchanged = before is not None and before.says_the_same(now)
    stamp = before.generated_at if before is not None and unchanged else _iso(context.clock.now())
    written = contract_text(attrs.evolve(now, generated_at=stamp))
    if len(written.encode()) > CONTRACT_BYTES:
        raise Refusal(
            RefusalCode.CONFLICT,
            f"The contract has {len(written.encode())} bytes; {CONTRACT_BYTES} is the most.",
            "Declare less: reticle.registerCapabilities.",
        )
    fields = {
        "saved": True,
        "path": await context.app_contracts.keep(written, root=root),
        **_counts(now),
        "generatedAt": stamp,
        **told(unchanged=unchanged, note=PART_OF_PAGE if partial else None),
        **session_note(page),
    }
    return ToolAnswer(fields)


async def check(context: CallContext, arguments: CheckArguments) -> ToolAnswer:
    """
    Compare what the page's app declares and shows now with its project's contract.

    Raises:
        Refusal: ``not_found`` without a contract; ``conflict`` for a damaged one; as ``save``.
    """
    page = await present_page(context, arguments.sessionId)
    before = await saved_contract(context, page)
    now, partial = await _declared(page)
    found = difference(before, now)
    missing, added = _shown(found.missing), _shown(found.added)
    same = not (missing or added or found.changed or found.governance or partial)
    notes = [*([PART_OF_PAGE] if partial else []), *([OTHER_PLACES] if missing else [])]
    fields: dict[str, object] = {
        "same": same,
        "missing": missing,
        "added": added,
        **told(
            changedFlows=list(found.changed[:NAMES_SHOWN]),
            governanceChanged=found.governance,
            totals=_totals(found.missing, found.added),
        ),
        "generatedAt": before.generated_at,
        **told(note=" ".join(notes)),
        **session_note(page),
    }
    return ToolAnswer(fields)


async def saved_contract(context: CallContext, page: Page) -> AppContract:
    """
    The contract in the project of a page.

    Raises:
        Refusal: ``not_found`` and ``conflict`` for one that is not there or cannot be read; as
            ``project_of``.
    """
    text = await context.app_contracts.read(root=project_of(context, page).root)
    if text is None:
        raise Refusal(
            RefusalCode.NOT_FOUND,
            "The project of this page has no contract: there is no .reticle/contract.json.",
            "reticle_contract_save writes one.",
        )
    return _readable(parse_contract(text))


def project_of(context: CallContext, page: Page) -> Repository:
    """
    The one project that a page belongs to by all that is known of it.

    Raises:
        Refusal: ``repo_not_registered``, ``conflict``; a retry makes sense when that is mended.
    """
    app = page.identity.app
    at_address = context.repositories.by_origin(app.origin)
    named = None if app.project_id is None else context.repositories.find(RepositoryId(app.project_id))
    repository = context.repository_of(page)
    if app.project_id is not None and at_address is not None and named != at_address:
        raise Refusal(
            RefusalCode.CONFLICT,
            f"The page says that it is of project {app.project_id!r}, and its address {app.origin} is that "
            f"of {at_address.repository_id!r}: nothing was read or written.",
            "Name the right one in the page's script tag, or move the address with repo.add.",
        )
    if repository is None:
        at, step = f"at {app.origin}", f"Register its folder: reticle repo add FOLDER --origin {app.origin}"
        if app.origin == NO_ORIGIN:
            at, step = "without an address", "See that the app answers over http, and load the page again."
        raise Refusal(
            RefusalCode.REPO_NOT_REGISTERED,
            f"The page {at} is of no registered project: there is no place for its contract.",
            step,
        )
    return repository


async def _declared(page: Page) -> tuple[AppContract, bool]:
    said = object_of(await page.ask(CommandName.CAPABILITIES, {}))
    return contract_of(said), said.get("truncated") is True


def _readable(contract: AppContract | None) -> AppContract:
    if contract is None:
        raise Refusal(
            RefusalCode.CONFLICT,
            ".reticle/contract.json cannot be read: it is not of this version, or was damaged.",
            "Mend it, or save it anew without merge.",
        )
    return contract


def _counts(contract: AppContract) -> dict[str, object]:
    names = contract.names
    return {
        "testidCount": len(names["testids"]),
        "signalCount": len(names["signals"]),
        "storeCount": len(names["stores"]),
        "flowCount": len(contract.flows),
    }


def _shown(names: Names) -> dict[str, object]:
    return told(**{kind: list(found)[:NAMES_SHOWN] for kind, found in names.items()})


def _totals(missing: Names, added: Names) -> dict[str, object]:
    """
    How many there are, of kinds of which not all are shown.
    """
    return {
        f"{word}.{kind}": len(found)
        for word, names in (("missing", missing), ("added", added))
        for kind, found in names.items()
        if len(found) > NAMES_SHOWN
    }


def _iso(seconds: float) -> str:
    return dt.datetime.fromtimestamp(seconds, dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_contract_save",
        title="Write down what the app declares",
        summary="Writes test ids, signals, stores and flows of the app into its project's contract.json.",
        arguments=SaveArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=False, idempotent=True, open_world=True),
        run=save,
        advertised=False,
    ),
    Tool(
        name="reticle_contract_check",
        title="Compare the app with its contract",
        summary="Compares what the app has now with its project's contract: which names are missing or new.",
        arguments=CheckArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, idempotent=True, open_world=True),
        run=check,
        advertised=False,
    ),
)
