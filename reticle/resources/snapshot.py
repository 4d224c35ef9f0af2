"""
``reticle://session/{id}/snapshot``: a page as a reader hears it, as an outline of roles, names and refs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reticle.domain.outline import condense
from reticle.model.codes import CommandName
from reticle.model.completes import Completes
from reticle.model.ids import PageId
from reticle.model.limits import ANSWER_CHARS, TITLE_CHARS
from reticle.ports import CallContext, Page, Pages
from reticle.resources.spec import Content, Listed, ResourceTemplate
from reticle.resources.uri_template import expand

TEMPLATE = "reticle://session/{id}/snapshot"
_TEXT = "text/plain"


def snapshot_uri(page_id: PageId) -> str:
    """
    The address of a page's snapshot.
    """
    return expand(TEMPLATE, {"id": page_id})


async def read_snapshot(context: CallContext, values: Mapping[str, str]) -> Content | None:
    """
    The page now; None when no such page is connected.

    Raises:
        Refusal: the page's own, such as ``command_timeout``; a retry makes sense.
    """
    page_id = PageId(values["id"])
    if all(page.identity.page_id != page_id for page in context.pages.all()):
        return None
    page = context.pages.resolve(page_id)
    result = await page.ask(CommandName.SNAPSHOT, {"mode": "full"})
    said = result if isinstance(result, Mapping) else {}
    marks_clicks = page.identity.script_version is not None
    tree = condense(str(said.get("tree", "")), marks_clicks=marks_clicks)
    truncated = said.get("truncated") is True
    if len(tree) > ANSWER_CHARS:
        tree, truncated = tree[: tree.rfind("\n", 0, ANSWER_CHARS)], True
    end = "\n(not the whole page: read parts of it with reticle_snapshot)" if truncated else ""
    return Content(_TEXT, f"{tree}{end}")


def present_snapshots(pages: Pages) -> Sequence[Listed]:
    """
    The snapshot of each connected page, in an order that does not change with what happens on them.
    """
    return sorted((_listed(page) for page in pages.all()), key=lambda listed: listed.uri)


def _listed(page: Page) -> Listed:
    identity = page.identity
    return Listed(
        snapshot_uri(identity.page_id),
        f"snapshot {identity.page_id}",
        f"Page {identity.title[:TITLE_CHARS] or identity.page_id}",
        f"What {identity.url[:200]} shows now, as an outline.",
        _TEXT,
    )


SNAPSHOT = ResourceTemplate(
    Listed(
        TEMPLATE,
        "snapshot",
        "A page now",
        "A connected page as an outline of roles, names, states and refs; id as in reticle://sessions.",
        _TEXT,
    ),
    read_snapshot,
    present=present_snapshots,
    completes={"id": Completes.PAGE},
)
