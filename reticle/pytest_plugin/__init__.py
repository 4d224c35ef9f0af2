"""
A pytest plugin: tests that act on a running app and pass only on a verdict of ``yes``.

    from reticle.pytest_plugin import sql, text

    def test_paying(reticle, live_server):
        page = reticle.open(live_server)
        page.click(role="button", name="Pay").expects(sql("INSERT", "orders", count=1), text("Thank you"))

The fixture ``reticle`` starts a daemon and its Chromium on free ports when a test first asks for it. It needs
pytest and the standard library alone; the daemon is a process of its own (issue 9).
``docs/howto/pytest.md`` shows it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from reticle.pytest_plugin.claims import (
    Claim,
    all_of,
    any_of,
    console,
    element,
    log,
    mail,
    net,
    never,
    no,
    route,
    sequence,
    server,
    signal,
    sql,
    state,
    storage,
    text,
    within,
)

if TYPE_CHECKING:
    from reticle.pytest_plugin.outcomes import (
        ActNotPerformed,
        CallRefused,
        DaemonLost,
        NotServed,
        Verdict,
        VerdictNo,
        VerdictNotPassed,
        VerdictUnknown,
    )
    from reticle.pytest_plugin.pages import Act, Page
    from reticle.pytest_plugin.running import Reticle

__all__ = [
    "Act",
    "ActNotPerformed",
    "CallRefused",
    "Claim",
    "DaemonLost",
    "NotServed",
    "Page",
    "Reticle",
    "Verdict",
    "VerdictNo",
    "VerdictNotPassed",
    "VerdictUnknown",
    "all_of",
    "any_of",
    "console",
    "element",
    "log",
    "mail",
    "net",
    "never",
    "no",
    "route",
    "sequence",
    "server",
    "signal",
    "sql",
    "state",
    "storage",
    "text",
    "within",
]


def __getattr__(name: str) -> Any:
    # Lazily: pytest loads the plugin in every run of a project, whether a test asks for a page or not.
    if name in __all__:
        places = {"Reticle": "running", "Act": "pages", "Page": "pages"}
        return getattr(importlib.import_module(f"reticle.pytest_plugin.{places.get(name, 'outcomes')}"), name)
    raise AttributeError(f"module 'reticle.pytest_plugin' has no attribute {name!r}")
