"""
Which URLs are not the app's own: development servers, telemetry, and long-lived transports.

A development server's hot-reload traffic is on every page that an agent works on; taken for the app's
it would keep pages unsettled and blame apps for a bundler's hiccup (DESIGN §6).
"""

from __future__ import annotations

import functools
import re

from reticle.domain.facts import url_parts

DEV_TOOLING: tuple[str, ...] = (
    # Vite, and what is built on it (SvelteKit, Astro, Nuxt 3, SolidStart, Remix)
    "/@vite/",
    "/@react-refresh",
    "/@fs/",
    "/@id/",
    "/__vite_ping",
    "/node_modules/.vite/",
    "/__inspect/",
    # Next.js, both bundlers
    "/__nextjs",
    "/_next/webpack-hmr",
    "/_next/static/webpack/",
    "/_next/static/development/",
    # webpack-dev-server and rspack
    ".hot-update.",
    "/sockjs-node",
    "/__webpack_hmr",
    "/__webpack_dev_server__",
    # Parcel, Astro, Nuxt, SvelteKit, Angular, Turbopack, Gatsby
    "/__parcel_",
    "/.parcel-",
    "/__astro_",
    "/_nuxt/hmr",
    "/__nuxt_",
    "/__nuxt_devtools__",
    "/_loading/sse",
    "/.svelte-kit/",
    "/ng-cli-ws",
    "/_turbopack/",
    "/___graphql/socket",
    # our own probe in the app's server (_PROBE)
    "/__reticle__/",
    # Python: django-browser-reload, django-debug-toolbar, livereload, Werkzeug's debugger
    "/__reload__/",
    "/__debug__/",
    "/livereload",
    "__debugger__=yes",
    # esbuild's own server, Browsersync
    "/browser-sync/",
)
"""Substrings of a URL's path and query; one list for settling, grading and detectors."""

_OWN_PATHS = frozenset({"/sdk.js", "/reticle"})
"""What our own daemon serves to pages."""

_PROBE = "/__reticle__/"
"""Below it our probe serves to pages what the daemon would, from the app's own address."""

TELEMETRY_HOSTS: tuple[str, ...] = (
    "google-analytics.com",
    "googletagmanager.com",
    "doubleclick.net",
    "analytics.google.com",
    "sentry.io",
    "segment.io",
    "segment.com",
    "mixpanel.com",
    "amplitude.com",
    "posthog.com",
    "hotjar.com",
    "clarity.ms",
    "plausible.io",
    "datadoghq.com",
    "nr-data.net",
    "bugsnag.com",
    "fullstory.com",
    "logrocket.io",
    "matomo.cloud",
)
"""Hosts that blockers cut off; their failures say nothing about the app."""

_COUNTING = re.compile(
    r"/(?:collect|beacon|track(?:ing)?|analytics|telemetry|metrics|rum|pixel|stats|vitals|csp-report|pings?)"
    r"(?:/|$)",
    re.IGNORECASE,
)
"""Paths of other origins that count visits rather than keep what a user wrote."""

LONG_LIVED: tuple[str, ...] = ("/socket.io/", "/sockjs/", "/signalr/", "/_blazor", "/engine.io/", "/_stcore/")
"""Long-polling transports: their requests stay open by design."""


_DEV = re.compile("|".join(re.escape(mark) for mark in DEV_TOOLING))
_TELEMETRY = re.compile(rf"(?:^|\.)(?:{'|'.join(re.escape(host) for host in TELEMETRY_HOSTS)})$")
_LONG = re.compile("|".join(re.escape(mark) for mark in LONG_LIVED))
_URLS = 8_192
"""Answers kept: a window holds at most some thousand URLs, and each is asked about several times."""


@functools.lru_cache(_URLS)
def is_dev_tooling(url: str) -> bool:
    """
    Whether ``url`` belongs to a development server's own machinery, or to our own.
    """
    parts = url_parts(url)
    return parts.path in _OWN_PATHS or bool(_DEV.search(f"{parts.path}?{parts.query}"))


@functools.lru_cache(_URLS)
def is_own_script(url: str) -> bool:
    """
    Whether ``url`` is that of a script of ours: no place to look at for anybody who mends an app.
    """
    path = url_parts(url).path
    return path in _OWN_PATHS or path.startswith(_PROBE)


@functools.lru_cache(_URLS)
def is_telemetry(url: str) -> bool:
    """
    Whether ``url`` is a third party's counting or error reporting.
    """
    return bool(_TELEMETRY.search((url_parts(url).hostname or "").lower()))


def is_counting(url: str, page_url: str | None) -> bool:
    """
    Whether ``url`` looks like one that only counts, on another origin than the page, where one is given.
    """
    there = url_parts(url)
    own = page_url is not None and there.netloc in ("", url_parts(page_url).netloc)
    return not own and bool(_COUNTING.search(there.path))


@functools.lru_cache(_URLS)
def is_long_lived(url: str) -> bool:
    """
    Whether requests to ``url`` stay open on purpose.
    """
    return bool(_LONG.search(url_parts(url).path))
