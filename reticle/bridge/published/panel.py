"""
What the packages' panel shows, which they change by themselves.

Any command but ``presenter`` lights up an ended panel again, and so does a new socket (page-wire §12.1): the
page would say that the agent is at work although a person ended it. So the state is told again after each.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from reticle.bridge.dialect import Send
from reticle.errors import Refusal
from reticle.model.codes import CommandName, ControlState


class PanelState:
    """
    The last state that the daemon told one page's panel.
    """

    def __init__(self) -> None:
        self._told: Mapping[str, object] | None = None

    def telling(self, command: CommandName, args: Mapping[str, object]) -> None:
        """
        A command goes out; it may be the one that tells.
        """
        if command is CommandName.PRESENTER:
            self._told = args

    async def tell_again(self, send: Send, command: CommandName | None = None) -> None:
        """
        After a command, or after a few questions, that reached the page: an end is shown as one.
        """
        told = self._told
        ended = told is not None and told.get("state") == ControlState.ENDED
        if told is not None and ended and command is not CommandName.PRESENTER:
            with suppress(Refusal):
                await send(CommandName.PRESENTER.value, told)
