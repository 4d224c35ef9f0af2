"""
A Flask app with a probe, for tests of facts: buttons whose requests do what their names say on the server.

Run as a program: ``python -m tests.system.probed_flask PORT DATABASE``.
"""

from __future__ import annotations

import logging
import sqlite3
import sys
import time
from typing import Any

import flask

from reticle.probe.flask import Reticle

PRICES: dict[str, int] = {}
"""None: whoever looks for one falls over."""

PAGE = """<!doctype html><title>Desk</title><p id=note role=status></p><script>
const say = (words) => { note.textContent = words };
const post = (path) => fetch(path, { method: 'POST' }).then(() => say('Thank you'));
const xhr = (path) => {
  const asked = new XMLHttpRequest();
  asked.onload = () => say('Thank you');
  asked.open('POST', path);
  asked.send();
};
const giveUp = () => {
  const asked = new AbortController();
  fetch('/late', { method: 'POST', signal: asked.signal }).catch(() => say('Gave up'));
  setTimeout(() => asked.abort(), 50);
};
const away = '/moved?to=' + encodeURIComponent(new URLSearchParams(location.search).get('to'));
const arrived = (words) => say('Arrived: ' + words);
const sendOn = () => fetch(away, { method: 'POST', body: new URLSearchParams({ a: 1 }) })
  .then((answer) => answer.text()).then(arrived, () => say('Refused'));
const sendOnByXhr = () => {
  const asked = new XMLHttpRequest();
  asked.onload = () => arrived(asked.responseText);
  asked.onerror = () => say('Refused');
  asked.open('POST', away);
  asked.send('a');
};
const list = async () => say('Listed ' + (await (await fetch('/list')).json()).length);
const work = async () => {
  await navigator.serviceWorker.register('/worker.js');
  await navigator.serviceWorker.ready;
  say('Working');
};
</script>
<button onclick="work()">Work</button>
<button onclick="sendOn()">Send on</button>
<button onclick="sendOnByXhr()">Send on by XHR</button>
<button onclick="list()">List</button>
<button onclick="giveUp()">Give up</button>
<button onclick="post('/orders')">Order</button>
<button onclick="post('/broken')">Break</button>
<button onclick="post('/swallowed')">Swallow</button>
<button onclick="xhr('/undone')">Undo</button>
<button onclick="say('Local')">Nothing</button>
<form action=/form method=post><button>Send</button></form>"""

WAYS = """<!doctype html><title>Ways</title><p id=note role=status></p><script>
const say = (words) => { note.textContent = words };
const text = (answer) => answer.text();
const DE = { 'Content-Language': 'de' };
const post = (more) => new Request('/echo', { method: 'POST', body: 'words', ...more });
const form = () => {
  const all = new FormData();
  all.set('a', '1');
  all.set('b', new Blob(['22']), 'b.txt');
  return all;
};
const ways = {
  plain: () => fetch('/echo', { method: 'POST', body: 'words' }).then(text),
  own: () => fetch('/echo', { method: 'POST', body: 'words', headers: DE }).then(text),
  request: () => fetch(post({})).then(text),
  'own request': () => fetch(post({ headers: DE })).then(text),
  'request with more': () => fetch(post({ headers: DE }), { headers: { 'X-Own': '1' } }).then(text),
  kept: () => fetch('/echo', { method: 'POST', body: 'words', keepalive: true, headers: DE }).then(text),
  form: () => fetch('/echo', { method: 'POST', body: form() }).then(text),
  opaque: () => fetch(post({ mode: 'no-cors', credentials: 'omit' })).then(text),
  'used up': async () => {
    const request = post({ headers: DE });
    const first = await fetch(request).then(text);
    const second = await fetch(request).then(text, (error) => error.name);
    return `${first} ${request.bodyUsed ? 'used' : 'kept'} ${second}`;
  },
  cloned: async () => {
    const request = post({});
    return await fetch(request.clone()).then(text) + (request.bodyUsed ? ' used' : '');
  },
  stopped: () => {
    const stop = new AbortController();
    const asked = fetch(post({ headers: DE, signal: stop.signal })).then(text, (why) => 'stopped: ' + why);
    stop.abort('enough');
    return asked;
  },
  xhr: () => new Promise((done) => {
    const asked = new XMLHttpRequest();
    asked.onload = () => done(asked.responseText);
    asked.open('POST', '/echo');
    asked.withCredentials = true;
    asked.setRequestHeader('Content-Language', 'de');
    asked.send(form());
  }),
  refused: () => fetch('/echo', { method: 'POST', headers: { 'a b': 1 } }).then(text, (error) => error.name),
};
</script>
<script>
for (const [name, way] of Object.entries(ways)) {
  const button = document.createElement('button');
  button.textContent = 'Go ' + name;
  const failed = (error) => say(name + ' failed: ' + error);
  button.onclick = () => way().then((words) => say(name + ': ' + words), failed);
  document.body.append(button);
}
</script>"""

WORKER = """
onactivate = (event) => event.waitUntil(clients.claim());
onfetch = (event) => {
  const { method, url } = event.request;
  if (method !== 'GET' || url.includes('__reticle__')) return;
  event.respondWith(caches.open('desk').then(async (cache) => {
    const kept = await cache.match(event.request);
    if (kept) return kept;
    const answer = await fetch(event.request);
    await cache.put(event.request, answer.clone());
    return answer;
  }));
};"""

app = flask.Flask(__name__)
database = sys.argv[2] if len(sys.argv) > 2 else ":memory:"


def _connected() -> sqlite3.Connection:
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, item TEXT)")
    return connection


@app.get("/")
def desk() -> str:
    """
    The page.
    """
    return PAGE


@app.post("/orders")
def order() -> Any:
    """
    A row is written.
    """
    connection = _connected()
    with connection:
        connection.execute("INSERT INTO orders (item) VALUES (?)", ("tea",))  # an order
    connection.close()
    return {"ok": True}


@app.post("/broken")
def broken() -> Any:
    """
    Throws, and the page says thank you all the same.
    """
    return {"ok": PRICES["price"]}  # the fault


@app.post("/swallowed")
def swallowed() -> Any:
    """
    Catches its exception and logs it.
    """
    try:
        int("no number")  # the swallowed fault
    except ValueError:
        logging.getLogger("desk").exception("could not be read")
    return {"ok": True}


@app.post("/undone")
def undone() -> Any:
    """
    Writes, rolls back, and says that all is well.
    """
    connection = _connected()
    connection.execute("INSERT INTO orders (item) VALUES (?)", ("tea",))  # the lost row
    connection.rollback()
    connection.close()
    return {"ok": True}


@app.post("/late")
def late() -> Any:
    """
    Throws when the page does not listen any more.
    """
    time.sleep(0.3)
    return PRICES["late"]  # the late fault


@app.post("/moved")
def moved() -> Any:
    """
    Sends a write on to another origin, and keeps what language it was said to be in.
    """
    logging.getLogger("desk").warning("in language %s", flask.request.headers.get("Content-Language"))
    return flask.redirect(flask.request.args["to"], 307)


@app.get("/ways")
def ways() -> str:
    """
    A page that writes in all the ways that browsers know.
    """
    return WAYS


@app.post("/echo")
def echo() -> str:
    """
    What the app sees of a write.
    """
    asked = flask.request
    parts = [*asked.form.values(), *(each.read().decode() for each in asked.files.values())]
    body = " ".join(parts) or asked.get_data(as_text=True)
    return f"{body} in {asked.headers.get('Content-Language')}"


@app.get("/list")
def listed() -> Any:
    """
    What was ordered.
    """
    connection = _connected()
    rows = connection.execute("SELECT item FROM orders").fetchall()
    connection.close()
    return flask.jsonify(rows)


@app.get("/worker.js")
def worker() -> Any:
    """
    A service worker that answers from its cache what it has there.
    """
    return flask.Response(WORKER, mimetype="text/javascript")


@app.post("/form")
def form() -> Any:
    """
    A form post: a row, then on to another document.
    """
    order()
    return flask.redirect("/done")


@app.get("/done")
def done() -> str:
    """
    Where the form leads.
    """
    return "<!doctype html><title>Done</title><h1>Done</h1>"


if __name__ == "__main__":
    Reticle(app)
    app.run("127.0.0.1", int(sys.argv[1]), threaded=True)
