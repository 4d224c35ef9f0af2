"""
Our own daemon with one more tool: what it counted itself, over all pages it knows.

    python bench/bridge/ours.py serve --port 0 …

Nothing else differs from ``reticle serve``.
"""

from __future__ import annotations

import sys

from reticle.cli.main import main
from reticle.service import surface

if __name__ == "__main__":
    surface.FAMILIES = (*surface.FAMILIES, "counts")
    sys.exit(main())
