"""
Which URLs are not the app's own: development servers, telemetry, and long-lived transports.

A development server's hot-reload traffic is on every page that an agent works on; taken for the app's
it would keep pages unsettled and blame apps for a bundler's hiccup (DESIGN §6).
"""

from __future__ import annotations

from urllib.parse import urlsplit

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
    "/_astro/dev",
    "/_nuxt/hmr",
    "/__nuxt_",
    "/__nuxt_devtools__",
    "/_loading/sse",
    "/.svelte-kit/",
    "/ng-cli-ws",
    "/_turbopack/",
    "/___graphql/socket",
    # Python: django-browser-reload, django-debug-toolbar, livereload, Werkzeug's debugger
    "/__reload__/",
    "/__debug__/",
    "/livereload",
    "__debugger__=yes",
    # esbuild's own server, Browsersync
    "/browser-sync/",
    # our own daemon
    "/sdk.js",
    "/reticle",
)
"""Substrings of a URL's path and query; one list for settling, grading and detectors."""

_OWN_PATHS = frozenset({"/sdk.js", "/reticle"})

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

LONG_LIVED: tuple[str, ...] = ("/socket.io/", "/sockjs/", "/signalr/", "/_blazor", "/engine.io/", "/_stcore/")
"""Long-polling transports: their requests stay open by design."""


def is_dev_tooling(url: str) -> bool:
    """
    Whether ``url`` belongs to a development server's own machinery.
    """
    parts = urlsplit(url)
    place = parts.path + ("?" + parts.query if parts.query else "")
    if parts.path in _OWN_PATHS:
        return True
    return any(mark in place for mark in DEV_TOOLING if mark not in _OWN_PATHS)


def is_telemetry(url: str) -> bool:
    """
    Whether ``url`` is a third party's counting or error reporting.
    """
    host = (urlsplit(url).hostname or "").lower()
    return any(host == known or host.endswith("." + known) for known in TELEMETRY_HOSTS)


def is_long_lived(url: str) -> bool:
    """
    Whether requests to ``url`` stay open on purpose.
    """
    path = urlsplit(url).path
    return any(mark in path for mark in LONG_LIVED)
