"""
Whose URL it is: the app's, a development server's, a third party's.
"""

from __future__ import annotations

import pytest

from reticle.domain.tooling import is_counting, is_dev_tooling, is_long_lived, is_telemetry


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:5173/@vite/client",
        "/@react-refresh",
        "/_next/webpack-hmr?page=/",
        "/__nextjs_original-stack-frame",
        "/main.abc123.hot-update.json",
        "/__parcel_hmr",
        "/__astro_dev_toolbar__",
        "/__nuxt_devtools__/client",
        "/.svelte-kit/generated/x",
        "/__reload__/events/",
        "/__debug__/render_panel/",
        "/?__debugger__=yes&cmd=resource",
        "http://127.0.0.1:4400/sdk.js",
    ],
)
def test_development_servers_are_known(url: str) -> None:
    """
    Hot reload and debug traffic is nobody's evidence.
    """
    assert is_dev_tooling(url)


@pytest.mark.parametrize(
    "url", ["/api/orders", "/", "/reticle-cases", "/static/sdk.js.map", "http://[bad", ""]
)
def test_app_urls_are_the_apps(url: str) -> None:
    """
    An ordinary, or a broken, URL is never written off.
    """
    assert not is_dev_tooling(url)
    assert not is_telemetry(url)
    assert not is_long_lived(url)


def test_telemetry_is_known_by_host_alone() -> None:
    """
    A path that merely names such a host is the app's own.
    """
    assert is_telemetry("https://o1.ingest.sentry.io/api/1/envelope/")
    assert is_telemetry("https://sentry.io/x")
    assert not is_telemetry("https://notsentry.io/x")
    assert not is_telemetry("/proxy/sentry.io")
    assert is_long_lived("/socket.io/?EIO=4")


@pytest.mark.parametrize(
    ("url", "page", "counts"),
    [
        ("https://stats.other/collect?x=1", "http://localhost:8000/", True),
        ("https://stats.other/v1/analytics/", "http://localhost:8000/", True),
        ("https://api.other/orders", "http://localhost:8000/", False),
        ("https://api.other/collections", "http://localhost:8000/", False),
        ("http://localhost:8000/track", "http://localhost:8000/", False),
        ("/track", "http://localhost:8000/", False),
        ("/track", None, True),
    ],
)
def test_what_only_counts_is_known_by_its_path_on_another_origin(
    url: str, page: str | None, *, counts: bool
) -> None:
    """
    A stranger's counter is no write of the app; the app's own path of that name may be one.
    """
    assert is_counting(url, page) is counts
