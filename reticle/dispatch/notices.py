"""
The one bus on which changes are told to clients of both eras and every carrier.

Whoever changes something publishes a notice; each conversation and each listening exchange decides whether
its client subscribed to it.
"""

from __future__ import annotations

from collections.abc import Callable

from twisted.logger import Logger

from reticle.model.mcp import Notice

Listener = Callable[[Notice], None]


class Notices:
    """
    Hands each notice to every listener, in the order in which they came.
    """

    _log = Logger()

    def __init__(self) -> None:
        self._listeners: dict[int, Listener] = {}
        self._next = 0

    def publish(self, notice: Notice) -> None:
        """
        Tell everybody. One listener's fault is logged and does not keep the notice from the others.
        """
        for listener in tuple(self._listeners.values()):
            try:
                listener(notice)
            except Exception:  # noqa: BLE001 - a bug with one client must not silence the others
                self._log.failure("a listener failed to take a notice")

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """
        Hear every notice from now on, until the function that this gives is called, once or more.
        """
        number = self._next
        self._next += 1
        self._listeners[number] = listener

        def unsubscribe() -> None:
            self._listeners.pop(number, None)

        return unsubscribe
