"""
The one bus on which changes are told to clients of both eras and every carrier.

Whoever changes something publishes a notice. Changes of lists go to everybody; those of a resource, which may
be told each second, only to whoever watches it: a notice costs nothing where nobody wants it, however many
clients there are.
"""

from __future__ import annotations

from collections.abc import Callable

from twisted.logger import Logger

from reticle.model.mcp import Notice, ResourceUpdated

Listener = Callable[[Notice], None]


class Notices:
    """
    Hands each notice to its listeners, in the order in which they came.
    """

    _log = Logger()

    def __init__(self) -> None:
        self._listeners: dict[Listener, None] = {}
        self._watchers: dict[str, dict[Listener, None]] = {}

    def publish(self, notice: Notice) -> None:
        """
        Tell whoever listens. One listener's fault is logged and does not keep the notice from the others.
        """
        listeners = (
            self._watchers.get(notice.uri, {}) if isinstance(notice, ResourceUpdated) else self._listeners
        )
        for listener in tuple(listeners):
            try:
                listener(notice)
            except Exception:  # noqa: BLE001 - a bug with one client must not silence the others
                self._log.failure("a listener failed to take a notice")

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """
        Hear of every change of a list until the function that this gives is called, once or more.
        """
        self._listeners[listener] = None

        def unsubscribe() -> None:
            self._listeners.pop(listener, None)

        return unsubscribe

    def watch(self, uri: str, listener: Listener) -> None:
        """
        Hear of every change of a resource, too. May be called twice.
        """
        self._watchers.setdefault(uri, {})[listener] = None

    def unwatch(self, uri: str, listener: Listener) -> None:
        """
        Hear no more of it. May be called twice.
        """
        watching = self._watchers.get(uri, {})
        watching.pop(listener, None)
        if not watching:
            self._watchers.pop(uri, None)
