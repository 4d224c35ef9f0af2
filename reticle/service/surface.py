"""
The tools of one daemon: which there are, in the order in which agents see them.

Their modules are named here and not imported, because they bring most rules along and a handshake needs none
of them; see ``loading``.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reticle.tools.spec import Tool

FAMILIES: Sequence[str] = (
    "reticle.tools.sessions",
    "reticle.tools.navigate",
    "reticle.tools.snapshot",
    "reticle.tools.query",
    "reticle.tools.inspect",
    "reticle.tools.act",
    "reticle.tools.act_and_wait",
    "reticle.tools.act_sequence",
    "reticle.tools.assertion",
    "reticle.tools.wait_for",
    "reticle.tools.observe",
    "reticle.tools.network",
    "reticle.tools.console",
    "reticle.tools.state",
    "reticle.tools.capabilities",
    "reticle.tools.session",
    "reticle.tools.lease",
    "reticle.tools.screenshot",
    "reticle.tools.storage",
    "reticle.tools.scroll_to",
    "reticle.tools.animations",
    "reticle.tools.explore",
    "reticle.tools.baseline",
    "reticle.tools.app_contract",
    "reticle.tools.invariants",
    "reticle.tools.server",
    "reticle.tools.recorded_verdict",
    "reticle.tools.feedback",
)
"""Modules of the tool families, each with ``TOOLS``."""

WORK_FAMILIES: Sequence[str] = (
    "reticle.tools.audit",
    "reticle.tools.journal",
    "reticle.tools.tokens",
    "reticle.tools.repositories",
    "reticle.tools.handshake",
    "reticle.tools.authoring",
    "reticle.tools.work.runs",
    "reticle.tools.work.agents",
    "reticle.tools.work.packets",
    "reticle.tools.work.holding",
    "reticle.tools.work.artifacts",
    "reticle.tools.work.reviews",
    "reticle.tools.work.recovering",
    "reticle.tools.work.views",
)
"""Those of the toolset ``work``, behind the others."""


def tools_of(families: Sequence[str]) -> Sequence[Tool]:
    """
    The tools of some families; loads them.
    """
    return [tool for family in families for tool in importlib.import_module(family).TOOLS]


def all_tools() -> Sequence[Tool]:
    """
    Every tool, in the order of ``tools/list``; loads them.
    """
    from reticle.domain.predicate import GRAMMAR  # noqa: PLC0415 - as all of this
    from reticle.tools.meta import meta_tools  # noqa: PLC0415 - as all of this

    return [*tools_of(FAMILIES), *meta_tools(GRAMMAR), *tools_of(WORK_FAMILIES)]
