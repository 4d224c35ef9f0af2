"""
An agent is not sent into a library's code, nor kept out of the app's own.
"""

from __future__ import annotations

import pytest

from reticle.domain.libraries import is_library_name

ORIGIN = "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    "path",
    [
        "/static/htmx.js",
        "/static/htmx.min.js?v=3",
        "/js/jquery-3.7.1.min.js",
        "/static/bootstrap.bundle.min.js",
        "/node_modules/zustand/index.js",
        "/node_modules/.vite/deps/react-dom_client.js",
        "/static/vendor/own-name.js",
        "/@vite/client",
        "/assets/vendor-0a1b2c3d.js",
        "/static/vue.global.prod.js",
        "/chart.umd.js",
        "/react-dom.development.js",
        "/__reticle__/sdk.js?v=0a1b",
        "/sdk.js",
    ],
)
def test_a_librarys_script(path: str) -> None:
    """
    Told by its folder, or by a well-known name under the app's own address; and our own, from either server.
    """
    assert is_library_name(f"{ORIGIN}{path}")


@pytest.mark.parametrize(
    "path",
    [
        "/lib.js",
        "/static/shop.js",
        "/src/main.tsx?t=1",
        "/chart.js",
        "/moment.js",
        "/vendor-list.js",
        "/app.min.js",
        "/static/sdk.js",
    ],
)
def test_a_script_of_the_app(path: str) -> None:
    """
    Also one whose name a library could have.
    """
    assert not is_library_name(f"{ORIGIN}{path}")
