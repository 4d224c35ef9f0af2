"""
A reactor without OpenSSL: it is loaded when somebody dials ``https``, and not by every start.

``twisted.internet.tcp`` and the reactor load it where it is installed, for ``startTLS`` and ``listenSSL``:
30 ms and 10 MB for what a daemon on loopback never does. Endpoints and treq put TLS on top of a connection
themselves (``twisted.protocols.tls``), so they work all the same.
"""

from __future__ import annotations

import sys

_LIBRARY = "OpenSSL"


def load_reactor() -> None:
    """
    Install the reactor. Only in a process that is ours: in another's, the reactor may have to speak TLS.

    Nothing else happens where the reactor or the library is loaded already.
    """
    if _LIBRARY not in sys.modules and "twisted.internet.tcp" not in sys.modules:
        # None is how an import is told that a module is not there (``sys.modules``, Python's reference).
        sys.modules[_LIBRARY] = None  # type: ignore[assignment]
    try:
        import twisted.internet.reactor  # noqa: F401, PLC0415, TID251 - an entry point
    finally:
        if sys.modules.get(_LIBRARY, ...) is None:
            del sys.modules[_LIBRARY]
