"""
What is put into every tab of a lease's context before the app's own scripts run.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import attrs
import msgspec

from reticle.browser.documents import Doors
from reticle.browser.tab import Fittings
from reticle.model.browser import Attestation, BrowserWish
from reticle.model.ids import BrowserLeaseId, PageId
from reticle.page import Launch, injected
from reticle.ports import PageLinks


@attrs.frozen
class Outfitter:
    """
    Knows where documents connect and how names are made.

    ``new_word`` mints unguessable words of letters and digits, ``page_url`` gives the address that the
    published packages would dial. ``watched``: the browser is somebody's, who may look into its console.
    """

    links: PageLinks
    new_word: Callable[[], str]
    page_url: Callable[[], str]
    watched: bool = False

    def new_page(self) -> PageId:
        """
        A name for a tab, which nobody can guess and so nobody can claim beforehand.
        """
        return PageId(f"b{self.new_word()}")

    def fittings(
        self,
        lease_id: BrowserLeaseId,
        wish: BrowserWish,
        now: float | None = None,
        monotonic: float | None = None,
    ) -> Fittings:
        """
        What the tabs of a lease are given that is opened now (seconds since the epoch, and of a clock that
        nobody sets). The URL that is attested is the one that the daemon opened, for windows that its page
        opened too.
        """
        doors = Doors(*(f"r{self.new_word()}" for _ in range(3)))
        launch = Launch(
            **attrs.asdict(doors),
            session="",
            url=self.page_url(),
            project=wish.project_id,
            panel=wish.headed,
            console=wish.headed or self.watched,
        )
        return Fittings(
            script=lambda page: msgspec.json.encode(injected(attrs.evolve(launch, session=page))),
            doors=doors,
            admit=lambda writer, standing: self.links.admit(
                writer,
                _origin(wish.url),
                needs_token=False,
                attested=Attestation(lease_id, wish.url, now, monotonic),
                standing=standing,
            ),
            wish=wish,
            headed=wish.headed,
        )


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
