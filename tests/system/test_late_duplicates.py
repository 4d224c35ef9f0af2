"""
A second request that follows a claimed one by whatever way, while the page looks at rest: an exact count that
ends its hold early has seen it coming, or does not end early.
"""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from struct import pack
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

SOON: Mapping[str, str] = {
    "a message to itself": "window.onmessage = send; postMessage(0, '*')",
    "a chain of messages": """const { port1, port2 } = new MessageChannel(); let left = 40;
        port1.onmessage = () => (left-- ? port2.postMessage(0) : send()); port2.postMessage(0)""",
    "a chain of turns": "(async () => { for (let n = 0; n < 40; n++) await scheduler.yield(); send() })()",
    "two frames": "requestAnimationFrame(() => requestAnimationFrame(send))",
    "idle time": "requestIdleCallback(() => requestIdleCallback(send))",
    "the least task": "scheduler.postTask(send, { priority: 'background' })",
    "an observer of a size": "new ResizeObserver(send).observe(document.body)",
    "an observer of what shows": """const line = document.body.appendChild(document.createElement('p'));
        new IntersectionObserver((all) => all.some((one) => one.isIntersecting) && send()).observe(line);
        line.textContent = 'in sight'""",
    "the event of an unfolding": """document.body.insertAdjacentHTML('beforeend', '<details><p>more');
        const more = document.querySelector('details'); more.ontoggle = send; more.open = true""",
    "the end of a short motion": """document.body.insertAdjacentHTML('beforeend', '<p class=moves>in');
        document.querySelector('.moves').addEventListener('animationend', send);
        document.querySelector('.moves').style.animation = 'beat 20ms'""",
    "a step back": "history.pushState(0, '', '#x'); window.onpopstate = send; history.back()",
    "a step back by the new way": """history.pushState(0, '', '#x'); window.onpopstate = send;
        navigation.back()""",
    "a view transition": "document.startViewTransition(() => { send() })",
    "a database that is taken away": "indexedDB.deleteDatabase('none').onsuccess = send",
    "a list of databases": "indexedDB.databases().then(send)",
    "a style sheet that is replaced": "new CSSStyleSheet().replace('p {}').then(send)",
    "a hash": "crypto.subtle.digest('SHA-256', new Uint8Array(1e6)).then(send)",
    "a blob": "new Blob(['x'.repeat(1e6)]).text().then(send)",
    "a body of its own": """new Request('/', { method: 'POST', body: new Blob(['x'.repeat(3e6)]) })
        .text().then(send)""",
    "a folder": """navigator.storage.getDirectory().then(async (folder) => {
        for await (const file of folder.entries()); send() })""",
    "a sound": "Object.assign(new Audio(SOUND), { onloadeddata: send })",
    "an observer that waits": """const line = document.body.appendChild(document.createElement('p'));
        let times = 0;
        const late = { trackVisibility: true, delay: 200 };
        new IntersectionObserver(() => times++ && send(), late).observe(line);
        setTimeout(() => { line.style.marginTop = '9000px' }, 10)""",
    "a window that was opened": """window.onmessage = (event) => event.data === 'go' && send();
        open('/opened', '_blank', 'popup')""",
    "an object of another site": """window.onmessage = (event) => event.data === 'go' && send();
        document.body.append(Object.assign(document.createElement('object'),
        { data: `http://localhost:${location.port}/frame` }))""",
    "facts of the browser": "navigator.userAgentData.getHighEntropyValues(['platform']).then(send)",
    "what it can play": """navigator.mediaCapabilities.decodingInfo({ type: 'file',
        audio: { contentType: 'audio/mpeg' } }).then(send)""",
    "a permission": "navigator.permissions.query({ name: 'geolocation' }).then(send)",
    "the locks that are held": "navigator.locks.query().then(send)",
    "a certificate": """RTCPeerConnection.generateCertificate({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256',
        modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }).then(send)""",
    "a font that is loaded": "new FontFace('f', 'url(/quick.woff)').load().catch(send)",
    "a sensor": "const s = new Accelerometer(); s.onerror = s.onactivate = send; s.start()",
    "a battery": "navigator.getBattery().then(send)",
    "an answer that is quick": "fetch('/quick').then(send)",
    "a module that is quick": "import('/sends-now.js?module')",
    "a script that is quick": """document.head.append(
        Object.assign(document.createElement('script'), { src: '/sends-now.js?script' }))""",
    "a picture that is quick": "Object.assign(new Image(), { onerror: send, src: '/quick.png' })",
    "a form in a frame": """document.body.insertAdjacentHTML('beforeend',
        '<iframe name=f></iframe><form target=f action=/quick method=post></form>');
        document.querySelector('iframe').onload = send; document.querySelector('form').submit()""",
}
"""What comes a moment after the answer, while no time passes that anybody would notice."""

PAGE = """<!doctype html><html><head>{script}
<style>@keyframes beat {{ from {{ opacity: 1 }} to {{ opacity: 0.9 }} }}</style></head><body>
<script{module}>
const LATE = {late};
const SOUND = "{sound}";
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

SOUND = (
    "data:audio/wav;base64,"
    + b64encode(
        b"RIFF"
        + pack("<I", 836)
        + b"WAVEfmt "
        + pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
        + b"data"
        + pack("<I", 800)
        + bytes([128]) * 800
    ).decode()
)
"""A tenth of a second of silence."""

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
            _, soon, named = query.rpartition("after=")
            ways = {name.replace(" ", "-"): code for name, code in (SOON if soon else WAYS).items()}
            if soon:
                way = f"send().then(() => {{ {ways[named]} }})"
            else:
                way = next((code for name, code in ways.items() if name in query), "send()")
            module = ' type="module"' if "module-page" in query else ""
            script = self.script if "dials-in" in query else ""
            page = PAGE.format(script=script, module=module, late=LATE_MS, sound=SOUND, way=way)
            self.answer(200, "text/html", page.encode())
        elif path == "/drips":
            self.drip()
        elif path == "/events":
            self.answer(200, "text/event-stream", self.late(b"retry: 60000\ndata: x\n\n"))
        elif path == "/frame":
            self.answer(
                200, "text/html", b"<script>setTimeout(() => parent.postMessage('go', '*'), 240)</script>"
            )
        elif path == "/opened":
            self.answer(200, "text/html", b"<script>opener.postMessage('go', '*')</script>")
        elif path == "/sends-now.js":
            self.answer(200, "text/javascript", b"window.send()")
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


def fourth_always(ways: Iterable[str]) -> list[Any]:
    """
    A fourth of the ways at every commit, all of them in ``make full``: each takes some seconds of a browser.
    """
    marks: Sequence[list[Any]] = ([], [pytest.mark.full], [pytest.mark.full], [pytest.mark.full])
    return [pytest.param(way, id=way, marks=marks[index % 4]) for index, way in enumerate(ways)]


@pytest.mark.parametrize("way", fourth_always(WAYS))
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


@pytest.mark.parametrize("way", fourth_always(SOON))
def test_a_request_that_comes_of_the_answer_at_once_is_counted(
    client: Client, driven: str, app_url: str, way: str
) -> None:
    """
    A page counts as at rest only where nothing is left to run, however little time there was.
    """
    verdict = sent(client, driven, f"{app_url}after={way.replace(' ', '-')}")
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
