"""
What an app does after a moment of silence: a debounced save, a delayed one, a clock, a poll loop.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import pytest

from examples.journeys import connected_page
from examples.journeys.children import Child, Daemon
from reticle.client import Client
from reticle.client.results import CallResult
from reticle.model.limits import QUIET_MS
from tests.system.web_app import QuietHandler, serving

PAGE = """<!doctype html><html><head><script src="{daemon}/sdk.js" data-project="later"></script></head><body>
<output id="clock"></output><p id="note" role="status"></p>
<button onclick="say('Saved'); setTimeout(() => fetch('/fails', {{method: 'POST'}}), 800)">Debounced</button>
<button onclick="setTimeout(save, 1500)">Delayed</button>
<button onclick="say('Hello'); setTimeout(() => say(''), 2000)">Greet</button>
<button onclick="say('Done')">Plain</button>
<button onclick="say('Noted'); dirty = true">Note</button>
<button onclick="say('Sent'); worker().postMessage(0)">Send</button>
<script>
const say = (words) => {{ note.textContent = words }};
let dirty = false;
if (location.search === '?saves') setInterval(() => {{
  if (dirty) fetch('/fails', {{method: 'POST'}});
  dirty = false;
}}, 300);
const worker = () => {{
  const code = 'onmessage = () => setTimeout(() => postMessage(0), 200)';
  const made = new Worker(URL.createObjectURL(new Blob([code])));
  made.onmessage = () => say('Refused');
  return made;
}};
async function save() {{
  const answer = await fetch('/saves', {{method: 'POST'}});
  if (answer.ok) say('Stored');
}}
if (location.search === '?restless') {{
  const tick = () => {{ clock.textContent = new Date().toISOString(); setTimeout(tick, 250) }};
  const poll = async () => {{ await fetch('/poll'); setTimeout(poll, 400) }};
  tick();
  poll();
}}
</script></body></html>"""
QUIET_SECONDS = 3.0
"""A verdict on a page that has nothing to do comes after half a second; the rest is for a busy machine."""


class AppServer(QuietHandler):
    """
    The page, a save that works and one that does not.
    """

    def __init__(self, daemon_url: str, *args: object) -> None:
        self.page = PAGE.format(daemon=daemon_url).encode()
        super().__init__(*args)  # type: ignore[arg-type]  # the base class takes what the server gives

    def do_GET(self) -> None:
        """
        The page or the poll's answer.
        """
        if self.path.startswith("/poll"):
            self.answer(200, "application/json", b"{}")
        else:
            self.answer(200, "text/html", self.page)

    def do_POST(self) -> None:
        """
        Save, or fail to.
        """
        self.answer(500 if self.path == "/fails" else 201, "application/json", b"{}")


@pytest.fixture(scope="module")
def app_url(daemon: Daemon) -> Iterator[str]:
    """
    The app's address.
    """
    with serving(partial(AppServer, daemon.url)) as url:
        yield url


@pytest.fixture(scope="module")
def app(app_url: str, open_browser: Callable[[str], Child]) -> Child:
    """
    A Chromium with the app open.
    """
    return open_browser(app_url)


def click(client: Client, app: Child, url: str, button: str, until: Mapping[str, object]) -> CallResult:
    """
    Load the app afresh, click, and get the verdict on the claim.
    """
    del app  # it only has to run
    page = connected_page(client)
    client.call("reticle_navigate", {"sessionId": page, "url": url})
    return client.call(
        "reticle_act_and_wait",
        {"action": "click", "target": {"role": "button", "name": button}, "until": dict(until)},
    )


def text(contains: str) -> Mapping[str, object]:
    """
    The claim that this can be read.
    """
    return {"kind": "text", "contains": contains, "visible": True}


def test_a_debounced_save_that_fails_is_never_a_yes(client: Client, app: Child, app_url: str) -> None:
    """
    "Saved" is on the screen at once, and 800 ms later the server refuses: the verdict has seen it.
    """
    verdict = click(client, app, f"{app_url}?a", "Debounced", text("Saved"))
    assert verdict.verified == "no", verdict.text
    assert "500" in verdict.text


def test_a_save_that_comes_late_is_proved(client: Client, app: Child, app_url: str) -> None:
    """
    The word that only comes 1.5 s after the click, with its answer, is what was claimed.
    """
    verdict = click(client, app, f"{app_url}?b", "Delayed", text("Stored"))
    assert verdict.verified == "yes", verdict.text


def test_a_message_that_its_timer_takes_out_was_there(client: Client, app: Child, app_url: str) -> None:
    """
    Waiting for the timer that hides a message does not turn what the user read into a lie.
    """
    claim = {"kind": "element", "role": "status", "text": "Hello"}
    verdict = click(client, app, f"{app_url}?c", "Greet", claim)
    assert verdict.verified == "yes", verdict.text


def test_a_page_with_nothing_to_do_is_judged_at_once(client: Client, app: Child, app_url: str) -> None:
    """
    A verdict need not wait for silence where the page says that nothing is left to come.
    """
    verdict = click(client, app, f"{app_url}?d", "Plain", text("Done"))
    assert verdict.verified == "yes", verdict.text
    assert "nothing was left to come" in verdict.text


def test_what_an_interval_saves_is_waited_for(client: Client, app: Child, app_url: str) -> None:
    """
    A page that saves by the clock looks at rest when a word is on the screen, and is not.
    """
    verdict = click(client, app, f"{app_url}?saves", "Note", text("Noted"))
    assert verdict.verified == "no", verdict.text
    assert "500" in verdict.text


def test_a_worker_has_its_time(client: Client, app: Child, app_url: str) -> None:
    """
    Nobody sees what a worker does, so that silence is all there is.
    """
    verdict = click(client, app, f"{app_url}?works", "Send", text("Sent"))
    assert "nothing was left to come" not in verdict.text
    assert verdict.fields["window_ms"] > QUIET_MS  # type: ignore[operator]  # JSON


def test_clocks_and_polls_delay_nothing(client: Client, app: Child, app_url: str) -> None:
    """
    A page that re-arms its timers for ever is judged as soon as one that has none.
    """
    del app  # it only has to run
    page = connected_page(client)
    client.call("reticle_navigate", {"sessionId": page, "url": f"{app_url}?restless"})
    time.sleep(1.2)  # for the clock and the poll to have gone round
    begun = time.monotonic()
    verdict = client.call(
        "reticle_act_and_wait",
        {"action": "click", "target": {"role": "button", "name": "Plain"}, "until": dict(text("Done"))},
    )
    assert verdict.verified == "yes", verdict.text
    assert time.monotonic() - begun < QUIET_SECONDS
    honesty = verdict.fields["honesty"]
    assert isinstance(honesty, dict)
    assert "pending" not in honesty
    assert verdict.fields["window_ms"] < 1_400  # type: ignore[operator]  # JSON
