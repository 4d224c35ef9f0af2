"""
The page as it is sent: the template with its controls stamped and the page script put in.

A stamp is ``data-reticle-source="file:line"``, what build plug-ins write for components: with it a verdict
names the line of the control that was used. Here the lines are counted when the template is read.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent
_TEMPLATE = _FOLDER / "page.html"
_NAME = "examples/shop/page.html"
_CONTROL = re.compile(r"<(?:a|button|form|input|textarea)\b(?=[^>]*data-testid=)")


def stamp(template: str, name: str) -> str:
    """
    Give every control that has a test id the place where it stands in the template.
    """

    def stamped(match: re.Match[str]) -> str:
        line = template.count("\n", 0, match.start()) + 1
        return f'{match[0]} data-reticle-source="{name}:{line}"'

    return _CONTROL.sub(stamped, template)


def render(variant: str, reticle_port: int) -> bytes:
    """
    The document for one visitor.
    """
    page = stamp(_TEMPLATE.read_text("utf-8"), _NAME)
    script = f'<script src="http://127.0.0.1:{reticle_port}/sdk.js"></script>'
    page = page.replace("<!-- page script -->", script if reticle_port else "")
    return page.replace('data-variant=""', f'data-variant="{html.escape(variant)}"').encode()


def static_file(name: str) -> tuple[bytes, str] | None:
    """
    A style sheet or script with its type, or None.
    """
    types = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
    for path in (_FOLDER / "static").iterdir():
        if path.name == name and path.suffix in types:
            return path.read_bytes(), types[path.suffix]
    return None
