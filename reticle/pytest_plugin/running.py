"""
The fixture's value: opens pages for one test, and knows what became of its verdicts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from reticle.client import CallResult, Client, ClientError
from reticle.pytest_plugin.outcomes import CallRefused, DaemonLost, Judge, NotServed
from reticle.pytest_plugin.pages import Page
from reticle.pytest_plugin.serving import Served, address_of

CALL_SECONDS: Final = 90.0
"""Longer than any call: a verdict takes 50 s and what the act needs at most."""


class Reticle:
    """
    What the fixture ``reticle`` gives.

    Args:
        client: To the daemon.
        url: The daemon's address.
        judge: What becomes of a verdict.
        serve: Serves an app that has no address.
        log: The end of what the daemon wrote.
    """

    def __init__(
        self,
        client: Client,
        url: str,
        judge: Judge,
        serve: Callable[[object], Served],
        log: Callable[[], str],
    ) -> None:
        self.url = url
        self._client = client
        self._judge = judge
        self._serve = serve
        self._log = log
        self._served: list[tuple[object, Served]] = []
        self._pages: list[Page] = []
        self._leases: list[object] = []

    def open(self, where: object, path: str = "", **wish: object) -> Page:
        """
        Open an app in a browser context of its own, without cookies and storage of others.

        Args:
            where: An address, a live server with ``url``, or a WSGI or ASGI app.
            path: Behind the address.
            wish: More arguments of ``reticle_lease``, such as ``width`` and ``height``.

        Raises ``NotServed`` when it has no address or does not load, ``CallRefused``.
        """
        __tracebackhide__ = True
        address = address_of(where)
        if address is None:
            address = self._address_of_app(where)
        url = f"{address.rstrip('/')}/{path.lstrip('/')}" if path else address
        opened = self.call("reticle_lease", {"action": "acquire", "url": url, **wish})
        if not opened.ok:
            raise CallRefused("reticle_lease", opened)
        self._leases.append(opened.fields["leaseId"])
        if opened.fields.get("ready") is not True:
            raise NotServed(
                f"{url} did not load: {opened.fields.get('trouble', 'its page has not reported')}"
            )
        page = Page(str(opened.fields["sessionId"]), self.call, self._judge)
        self._pages.append(page)
        return page

    def call(self, tool: str, arguments: Mapping[str, object]) -> CallResult:
        """
        Call any tool of the daemon; a refusal is a result. Raises ``DaemonLost``.
        """
        __tracebackhide__ = True
        try:
            return self._client.call(tool, arguments, CALL_SECONDS)
        except ClientError as failure:
            told = f"{tool} was not answered: {failure}\n{self._log()}"
        raise DaemonLost(told)

    def close(self) -> None:
        """
        Close its pages and what it serves. Raises ``ActNotPerformed`` where an act was never made.
        """
        for lease in self._leases:
            self.call("reticle_lease", {"action": "release", "leaseId": lease})
        for _app, served in self._served:
            served.close()
        for page in self._pages:
            page.finish()

    def _address_of_app(self, app: object) -> str:
        for known, served in self._served:
            if known is app:
                return served.url
        served = self._serve(app)
        self._served.append((app, served))
        return served.url
