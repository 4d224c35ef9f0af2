"""
What fails when Django lets go of a response that is out: its receivers of ``request_finished``.

The server closes the response once everything is sent, behind every middleware; what a receiver raises then
reaches the server alone.
"""

from __future__ import annotations

from typing import Any, Final

from django.http.response import HttpResponseBase

from reticle.probe import emission
from reticle.probe.exchange import Exchange
from reticle.probe.patching import Patches

_KEY: Final = "_reticle_exchange"


def install(patches: Patches) -> None:
    """
    Watch responses being closed; of one that is not marked nothing is asked.
    """
    patches.replace(HttpResponseBase, "close", _closing)


def mark(response: Any, exchange: Exchange) -> None:
    """
    What the closing of this response does belongs to this request.
    """
    setattr(response, _KEY, exchange)


def _closing(original: Any) -> Any:
    def close(self: Any) -> Any:
        exchange = self.__dict__.pop(_KEY, None)
        if exchange is None or emission.sink is None:
            return original(self)
        try:
            with exchange.context.entered():
                return original(self)
        except Exception as fault:
            exchange.failed(fault)
            raise

    return close
