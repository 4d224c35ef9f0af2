"""
How a file of a source map is written for people.
"""

from __future__ import annotations

import pytest

from reticle.bridge.sources.names import FileName, is_library_address, is_script_address, name_file

AT = "http://localhost:5173/assets/app.js.map"


@pytest.mark.parametrize(
    ("source", "root", "address", "path"),
    [
        ("Cart.tsx", "", "http://localhost:5173/src/Cart.tsx?t=17", "src/Cart.tsx"),
        ("../src/Cart.tsx", "", AT, "src/Cart.tsx"),
        ("../../src/./pages/../Cart.tsx", "", AT, "src/Cart.tsx"),
        ("src/app/app.component.ts", "", "http://localhost:4200/main.js.map", "src/app/app.component.ts"),
        ("webpack:///./src/App.js", "", AT, "src/App.js"),
        ("webpack://shop/./src/App.vue?1f2e", "", AT, "src/App.vue"),
        ("webpack://_N_E/(app-pages-browser)/./src/app/page.tsx", "", AT, "src/app/page.tsx"),
        ("turbopack:///[project]/src/app/page.tsx", "", AT, "src/app/page.tsx"),
        ("file:///srv/ada/shop/src/Cart.tsx", "", AT, "/srv/ada/shop/src/Cart.tsx"),
        ("file:///C:/shop/src/Cart.tsx", "", AT, "C:/shop/src/Cart.tsx"),
        ("/srv/ada/shop/src/Cart.tsx", "", AT, "/srv/ada/shop/src/Cart.tsx"),
        ("C:\\shop\\src\\Cart.tsx", "", AT, "C:/shop/src/Cart.tsx"),
        ("http://localhost:5173/src/Cart.tsx?t=1", "", AT, "src/Cart.tsx"),
        ("/@fs/srv/ada/kit/Kit.tsx", "", AT, "/srv/ada/kit/Kit.tsx"),
        ("Kit.tsx", "", "http://localhost:5173/@fs/srv/ada/kit/Kit.tsx", "/srv/ada/kit/Kit.tsx"),
        ("Cart.tsx", "/srv/ada/shop/src/", AT, "/srv/ada/shop/src/Cart.tsx"),
        ("Cart.tsx", "../src", AT, "src/Cart.tsx"),
        ("cart.ts", "webpack:///src", AT, "src/cart.ts"),
        ("Cart.vue?vue&type=script&setup=true&lang.ts", "", "http://localhost:5173/src/Cart.vue",
        "src/Cart.vue"),
    ],
)  # fmt: skip
def test_a_file_is_told_from_the_projects_root(source: str, root: str, address: str, path: str) -> None:
    """
    Whatever the bundler, without its own schemes, its queries, and the way out of its folder.
    """
    assert name_file(source, root, address) == FileName(path, library=False)


@pytest.mark.parametrize(
    "source",
    [
        "../node_modules/react-dom/cjs/react-dom.development.js", "webpack:///./node_modules/axios/index.js",
        "webpack://shop/webpack/runtime/define%20property", "\x00vite/preload-helper.js",
        "/srv/ada/shop/node_modules/.pnpm/vue@3/node_modules/vue/dist/vue.js", "/@vite/client",
        "virtual:pwa",
    ],
)  # fmt: skip
def test_a_librarys_file_is_known_as_one(source: str) -> None:
    """
    Packages, and what bundlers put in.
    """
    named = name_file(source, "", AT)
    assert named is not None
    assert named.library


@pytest.mark.parametrize("source", [None, "", "a\nb.ts", "x" * 600, "\x1b[31mred.ts", "?only=query"])
def test_a_name_that_cannot_be_shown_is_none(source: str | None) -> None:
    """
    It could do harm in a terminal, or says nothing.
    """
    assert name_file(source, "", "") is None


@pytest.mark.parametrize(
    ("path", "script"),
    [
        ("/app.js", True), ("/src/Cart.tsx?t=17", True), ("/src/Cart.vue", True), ("/chunk-4F2A.mjs", True),
        ("/", False), ("", False), ("/cart", False), ("/cart.html", False), ("/logout.php?x=a.js", False),
        ("/.js", False), ("/v1.0", False), ("/a.b/logout", False),
    ],
)  # fmt: skip
def test_a_page_is_no_script(path: str, *, script: bool) -> None:
    """
    Asking an app for a page may do something; a script is a file.
    """
    assert is_script_address(f"http://localhost:8000{path}") is script


def test_a_library_is_known_by_its_address() -> None:
    """
    What development servers bundle beforehand.
    """
    assert is_library_address("http://localhost:5173/node_modules/.vite/deps/react.js?v=1")
    assert is_library_address("http://localhost:5173/@vite/client")
    assert not is_library_address("http://localhost:5173/src/vite.ts")
