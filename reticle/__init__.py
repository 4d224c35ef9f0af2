"""
reticle: the daemon that tells a coding agent whether its change really works.

The map of the package, top to bottom; imports go down, never up:

``cli`` ``tap`` ``__main__``    entry points
``service`` | ``relay``         composition root: builds, wires, starts, stops | the stdio front
``logs`` ``settings``           what the process says; what it was told
``transport``                   HTTP, event streams, WebSockets: bytes, no decisions
``dispatch``                    the one gate: authorise, validate, run, audit, answer
``mcp`` | ``tools``             protocol core without I/O | what agents can call
``domain``                      pure rules: trust, predicate, findings, verdict
``bridge`` | ``storage``        connected pages | what survives a restart
``ports`` ``model`` ``errors``  contracts, vocabulary, kinds of failure
``client`` ``page``             apart: an MCP client; the script in the page

The life of one call: transport → gate → tool → (port to bridge, storage) → domain → gate → transport.
``docs/explanation/architecture.md`` tells it in full.

For an application that embeds the daemon:

    daemon = reticle.make_service(reticle.Settings(port=4400))     # an IService
    daemon = reticle.make_service(reticle.Settings(), listen=False)
    site_root.putChild(b"reticle", reticle.resource(daemon))       # below the app's own Site
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reticle._version import __version__

if TYPE_CHECKING:
    from twisted.web.resource import IResource

    from reticle.service import Daemon, make_service
    from reticle.settings import Settings

__all__ = ["Daemon", "Settings", "__version__", "make_service", "resource"]


def resource(daemon: Daemon) -> IResource:
    """
    The daemon's resources, to mount at any path below an application's own Site.

    The daemon must also be started, as a service of the application.
    """
    return daemon.resource


def __getattr__(name: str) -> Any:
    # Lazily, so that ``import reticle.settings`` and the command line stay as light as they are.
    if name in {"Daemon", "make_service"}:
        from reticle import service  # noqa: PLC0415 - see above

        return getattr(service, name)
    if name == "Settings":
        from reticle.settings import Settings  # noqa: PLC0415 - see above

        return Settings
    raise AttributeError(f"module 'reticle' has no attribute {name!r}")
