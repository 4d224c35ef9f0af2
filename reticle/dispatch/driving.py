"""
Browser leases as one caller meets them: which driven pages are its own, which keep it away, and that each of
its calls keeps what it uses.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs
import msgspec

from reticle.dispatch.call import Caller
from reticle.dispatch.holding import agent_name
from reticle.domain.browser_lease import Asker, keeps_away_from, touch
from reticle.domain.driven_pages import Reach, reach
from reticle.domain.lease import held
from reticle.errors import Refusal
from reticle.model.ids import PageId, RepositoryId
from reticle.ports import Browser


@attrs.frozen(eq=False)
class Gone:
    """
    The agents that are not there any more; whether one is, is looked up when it is asked for.
    """

    _is_there: Callable[[str], bool]

    def __contains__(self, agent: object) -> bool:
        return isinstance(agent, str) and not self._is_there(agent)


class Driving(msgspec.Struct, frozen=True, eq=False):
    """
    The browser leases from where one caller stands.

    Args:
        browser: All of them.
        caller: Who calls.
        is_there: Whether an agent of that name is still there; one that is gone keeps nobody away.
        now: Seconds since the epoch.
        place_of: The repository whose app a page shows, None where that is none or not known.
    """

    _browser: Browser
    _caller: Caller
    _is_there: Callable[[str], bool]
    _now: Callable[[], float]
    _place_of: Callable[[PageId], RepositoryId | None]

    @property
    def remembers(self) -> bool:
        """
        Whether it is known which page this caller used last.
        """
        return self._caller.lasting

    def reach(self) -> Reach:
        """
        Which driven pages are this caller's own, and which another's.
        """
        leases = self._browser.leases()
        return reach(leases, self.asker()) if leases else Reach()

    def keeps_away(self, page_id: PageId) -> Refusal | None:
        """
        Why this caller may not act on a page now; None when no other agent drives it.
        """
        lease = self._browser.of_page(page_id)
        if lease is None:
            return None
        asker = self.asker()
        other = keeps_away_from(lease, asker, self._place_of(page_id))
        return None if other is None else held(other, asker.agent, asker.now)

    def touch(self, page_id: PageId) -> None:
        """
        A call of this caller uses a page.
        """
        lease = self._browser.of_page(page_id)
        if lease is not None:
            self._browser.change(lease.lease_id, touch(lease, self.asker()))

    def asker(self) -> Asker:
        """
        This caller, now.
        """
        return Asker(agent_name(self._caller), self._now(), Gone(self._is_there))
