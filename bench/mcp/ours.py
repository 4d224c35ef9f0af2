"""
Our own daemon with one more tool: a no-op, through the same trust, gate, validation and audit as any other.

    python bench/mcp/ours.py serve --port 0 …

Nothing else differs from ``reticle serve``: trust rule, SQLite audit, access log, metrics. With
``RETICLE_BENCH_UNAUDITED=1`` no row is written and answers wait for none: what the audit costs is the
difference. Nothing that ships has this switch.
"""

from __future__ import annotations

import os
import sys

from reticle.cli.main import main
from reticle.service import surface


def leave_rows_out() -> None:
    """
    Have every call answered with the id of a row that is not written.
    """
    from twisted.internet.defer import succeed  # noqa: PLC0415 - the daemon itself loads nothing earlier

    from reticle.storage.audit import StoredAudit, new_audit_id  # noqa: PLC0415 - as above

    StoredAudit.record = lambda _audit, _draft: succeed(new_audit_id())  # type: ignore[method-assign]


if __name__ == "__main__":
    surface.FAMILIES = (*surface.FAMILIES, "noop")
    # The switch is no setting: the daemon would name an unknown variable of ours.
    if os.environ.pop("RETICLE_BENCH_UNAUDITED", ""):
        leave_rows_out()
    sys.exit(main())
