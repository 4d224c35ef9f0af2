"""
A second request that follows a claimed one by whatever way, while the page looks at rest: an exact count that
ends its hold early has seen it coming, or does not end early.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import pytest

from examples.journeys import connected_page
from examples.journeys.children import Child, Daemon
from reticle.client import Client
from reticle.model.limits import COUNT_HOLD_MS
from tests.system.web_app import QuietHandler, serving

LATE_MS = 240
"""After so long the second request leaves: within the hold of a count."""

WAYS: Mapping[str, str] = {
    "a timer of the click": "send(); setTimeout(send, LATE)",
    "a timer of the answer": "send().then(() => setTimeout(send, LATE))",
    "the answer itself": "send().then(send)",
    "another answer": "send(); fetch('/slow').then(send)",
    "an XHR": "send(); const x = new XMLHttpRequest(); x.open('GET', '/slow'); x.onload = send; x.send()",
    "a body that is slow": "send(); fetch('/drips').then((answer) => answer.text()).then(send)",
    "a body that is read by hand": """send(); fetch('/drips').then(async (answer) => {
        const reader = answer.body.getReader();
        while (!(await reader.read()).done);
        send();
    })""",
    "many frames": """send(); let frames = 12;
        const step = () => (frames-- ? requestAnimationFrame(step) : send()); step()""",
    "a chain of timers": """send(); let left = 12;
        const step = () => (left-- ? setTimeout(step, 20) : send()); step()""",
    "idle time": "send(); setTimeout(() => requestIdleCallback(send), LATE)",
    "a scheduled task": "send(); scheduler.postTask(send, { delay: LATE })",
    "an image": "send(); Object.assign(new Image(), { onerror: send, src: '/slow.png' })",
    "a script": """send();
        document.head.append(Object.assign(document.createElement('script'), { src: '/sends.js' }))""",
    "a module": "send(); import('/sends.js?module')",
    "a module of the answer": "send().then(() => import('/sends.js?answer'))",
    "the end of an animation": """send();
        document.body.animate([{ opacity: 1 }, { opacity: 0.5 }], LATE).onfinish = send""",
    "an animation of nothing on the page": """send();
        document.createElement('p').animate([{ opacity: 1 }, { opacity: 0.5 }], LATE).onfinish = send""",
    "an animation of nothing at all": """send();
        const a = new Animation(new KeyframeEffect(null, [], LATE)); a.onfinish = send; a.play()""",
    "a source of a picture": """send(); document.body.insertAdjacentHTML('beforeend',
        '<picture><source srcset=/slow.png><img></picture>');
        document.querySelector('img').onerror = send""",
    "a film": "send(); Object.assign(document.createElement('video'), { onerror: send, src: '/slow.mp4' })",
    "an embedded page": """send();
        const page = Object.assign(document.createElement('embed'), { onload: send, src: '/slow' });
        document.body.append(page)""",
    "a picture of a button": """send(); document.body.append(Object.assign(document.createElement('input'),
        { type: 'image', onerror: send, src: '/slow.png' }))""",
    "a picture in a drawing": """send(); document.body.insertAdjacentHTML('beforeend',
        '<svg><image href=/slow.png /></svg>'); document.querySelector('image').onerror = send""",
    "a round of an endless animation": """send();
        document.body.addEventListener('animationiteration', send, { once: true });
        document.body.style.animation = 'beat 0.24s infinite'""",
    "a lock": """navigator.locks.request('held', () => new Promise((done) => setTimeout(done, LATE)));
        send(); navigator.locks.request('held', send)""",
    "the timeout of a signal": "send(); AbortSignal.timeout(LATE).onabort = send",
    "a worker": "send(); worker().onmessage = send",
    "an event source": "send(); new EventSource('/events').onmessage = send",
    "an interval of before": "send(); dirty = true",
    "a frame": """send(); window.onmessage = (event) => event.data === 'go' && send();
        document.body.append(Object.assign(document.createElement('iframe'), { src: '/frame' }))""",
    "a channel between tabs": """send();
        const mine = new BroadcastChannel('c'), other = new BroadcastChannel('c');
        mine.onmessage = send; fetch('/slow', { keepalive: true }).then(() => other.postMessage(0))""",
}
"""What a click does besides sending once, by how the second request comes about."""

PAGE = """<!doctype html><html><head>{script}
<style>@keyframes beat {{ from {{ opacity: 1 }} to {{ opacity: 0.9 }} }}</style></head><body>
<script{module}>
const LATE = {late};
let sent = 0;
const send = async () => {{
  if (sent++ > 1) return;
  const answer = await fetch('/orders', {{ method: 'POST', body: String(sent) }});
  await answer.text();
  if (sent === 1) document.body.insertAdjacentHTML('beforeend', '<p role="status">The order was sent</p>');
}};
let dirty = false;
if (location.search.includes('saves')) setInterval(() => {{ if (dirty) send(); dirty = false }}, 240);
const worker = () => new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage(0), 240)'])));
window.send = send;
document.body.insertAdjacentHTML('beforeend', '<button>Send</button>');
document.querySelector('button').onclick = () => {{ {way} }};
</script></body></html>"""

CLAIM = {"kind": "net", "method": "POST", "urlContains": "/orders", "ok": True, "count": 1}


class AppServer(QuietHandler):
    """
    A page for each way, orders that are taken, and answers that take their time.
    """

    script = ""

    def do_GET(self) -> None:
        """
        The page of a way, or what it asks for.
        """
        path, _, query = self.path.partition("?")
        if path == "/page":
            way = next((code for name, code in WAYS.items() if name.replace(" ", "-") in query), "send()")
            module = ' type="module"' if "module-page" in query else ""
            script = self.script if "dials-in" in query else ""
            page = PAGE.format(script=script, module=module, late=LATE_MS, way=way)
            self.answer(200, "text/html", page.encode())
        elif path == "/drips":
            self.drip()
        elif path == "/events":
            self.answer(200, "text/event-stream", self.late(b"retry: 60000\ndata: x\n\n"))
        elif path == "/frame":
            self.answer(
                200, "text/html", b"<script>setTimeout(() => parent.postMessage('go', '*'), 240)</script>"
            )
        elif path == "/sends.js":
            self.answer(200, "text/javascript", self.late(b"window.send()"))
        else:
            self.answer(200, "text/plain", self.late(b"later") if "slow" in path else b"")

    def do_POST(self) -> None:
        """
        An order.
        """
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.answer(201, "application/json", b"{}")

    def late(self, body: bytes) -> bytes:
        """
        The body, after a while.
        """
        time.sleep(LATE_MS / 1000)
        return body

    def drip(self) -> None:
        """
        Bytes that are no text, over some time.
        """
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.end_headers()
        for _ in range(3):
            self.wfile.write(b"\x00" * 64)
            self.wfile.flush()
            time.sleep(LATE_MS / 3_000)
        self.close_connection = True


@pytest.fixture(scope="module")
def app_url(daemon: Daemon) -> Iterator[str]:
    """
    The app's address.
    """
    AppServer.script = f'<script src="{daemon.url}/sdk.js" data-project="duplicates"></script>'
    with serving(partial(AppServer)) as url:
        yield f"{url}page?"


@pytest.fixture
def driven(client: Client, app_url: str, drives: None) -> Iterator[str]:
    """
    A page that the daemon opened.
    """
    del drives
    got = client.call("reticle_lease", {"action": "acquire", "url": app_url})
    assert got.ok, got.text
    yield str(got.fields["sessionId"])
    client.call("reticle_lease", {"action": "release", "leaseId": got.fields["leaseId"]})


def sent(client: Client, page: str, url: str, claim: Mapping[str, Any] = CLAIM) -> Mapping[str, Any]:
    """
    The verdict on one click on a page of one of the ways.
    """
    went = client.call("reticle_navigate", {"sessionId": page, "url": url})
    assert went.ok, went.text
    press = {"sessionId": page, "action": "click", "target": {"role": "button", "name": "Send"}}
    return client.call("reticle_act_and_wait", {**press, "until": claim}).fields


@pytest.mark.parametrize("way", WAYS)
def test_a_second_request_is_counted_whichever_way_it_comes(
    client: Client, driven: str, app_url: str, way: str
) -> None:
    """
    Nobody is told that an order was sent once while the second one is on its way.
    """
    extra = "&saves" if "interval" in way else ""
    verdict = sent(client, driven, f"{app_url}{way.replace(' ', '-')}{extra}")
    assert verdict["verified"] == "no", verdict["because"]
    assert "2 times, not 1" in verdict["because"]


def test_one_request_alone_is_proved_at_once(client: Client, driven: str, app_url: str) -> None:
    """
    Where nothing is left to come a count is not held for the sake of it, modules or not.
    """
    for query in ("plain", "module-page"):
        verdict = sent(client, driven, app_url + query)
        assert verdict["verified"] == "yes", verdict["because"]
        assert "nothing was left to come" in verdict["because"]


def test_a_page_that_dials_in_is_watched_where_modules_may_come(
    client: Client, app_url: str, open_browser: Callable[[str], Child]
) -> None:
    """
    Without the browser's word nobody knows of a module under way, so that the count is held as long as ever.
    """
    open_browser(f"{app_url}dials-in")
    page = connected_page(client)
    once = sent(client, page, f"{app_url}dials-in&module-page")
    assert once["verified"] == "yes", once["because"]
    assert once["window_ms"] >= COUNT_HOLD_MS
    assert "nothing was left to come" not in once["because"]
    twice = sent(client, page, f"{app_url}dials-in&module-page&a-module")
    assert twice["verified"] != "yes", twice["because"]
    plain = sent(client, page, f"{app_url}dials-in&plain")
    assert plain["verified"] == "yes", plain["because"]
    assert "nothing was left to come" in plain["because"]
