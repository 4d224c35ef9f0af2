"""
The invariants of a page: what its project declares in files, and what its app declares itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticle.domain.facts import brief
from reticle.domain.invariants import invariants_in_json, invariants_in_toml, invariants_of_app
from reticle.errors import Refusal
from reticle.model.window import Invariant
from reticle.ports import CallContext, Page


async def invariants_of(context: CallContext, page: Page) -> Sequence[Invariant]:
    """
    All of them, each name once; a file that cannot be read is told with the verdict and stops nothing.
    """
    of_app = invariants_of_app(page.identity.invariants)
    repository = context.repository_of(page)
    if repository is None:
        return of_app
    try:
        text, settings = await context.app_contracts.invariants(root=repository.root)
        of_project = () if text is None else invariants_in_json(text)
    except Refusal as refusal:
        fault = brief(refusal.message, 200)
        return (*of_app, Invariant(".reticle/invariants.json", {}, "project", fault))
    of_settings = () if settings is None else invariants_in_toml(settings)
    found = {one.name: one for one in [*of_app, *of_settings, *of_project]}
    return tuple(found.values())
