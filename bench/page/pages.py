"""
The sample pages, and the server that the three browsers load them from.

Plain pages without a framework, as a person's app would have them: what is on them is made up here. Each has
one button that does something, and says ``<word> <number>`` when it is done; the number is new each time, so
that no answer from before can be taken for one.
"""

# ruff: noqa: E501, PLR0917 - HTML in the lines in which one would write it
from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ROWS = 10_000
"""Rows of the long page (issue 7)."""


@dataclass(frozen=True)
class Sample:
    """
    A page. ``button`` is the name of the one that is clicked, ``says`` the word that it brings.
    """

    name: str
    button: str
    says: str
    html: str

    @property
    def is_long(self) -> bool:
        """
        Whether it is the page of many rows, of which only the time is compared.
        """
        return self.name == "rows"


_FRAME = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 14px sans-serif; margin: 0 2em }} nav a {{ margin-right: 1em }} table {{ border-collapse: collapse }}
td, th {{ padding: 2px 8px; border: 1px solid #ccc }} .card {{ display: inline-block; width: 14em; margin: 4px;
padding: 8px; border: 1px solid #ccc }} label {{ display: block; margin: 4px 0 }}
</style></head><body>
<header><a href="/">Northwind</a><nav aria-label="Main">{links}</nav></header>
<main><h1>{title}</h1>{body}<p role="status" id="told"></p></main>
<footer><p>Northwind Ltd, 4 Harbour Street, Leith</p><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></footer>
<script>
let times = 0;
const told = document.querySelector('#told');
document.querySelector('#go').addEventListener('click', async (event) => {{
  event.preventDefault();
  const number = (times += 1);
  {act}
  told.textContent = '{says} ' + number;
}});
</script></body></html>"""

_LINKS = "".join(
    f'<a href="/{name.lower()}">{name}</a>' for name in ("Shop", "Orders", "Dashboard", "Settings", "Help")
)
_SENT = "const sent = await fetch('/api/{path}', {{ method: 'POST', body: JSON.stringify({{ number }}) }}); await sent.json();"


def _page(name: str, title: str, button: str, says: str, body: str, act: str = "") -> Sample:
    html = _FRAME.format(title=title, links=_LINKS, body=body, act=act, says=says)
    return Sample(name, button, says, html)


def _shop() -> Sample:
    things = (
        "lamp",
        "chair",
        "desk",
        "shelf",
        "rug",
        "clock",
        "mirror",
        "vase",
        "stool",
        "bench",
        "tray",
        "hook",
    )
    cards = "".join(
        f'<li class="card"><article><h3><a href="/thing/{number}">{colour} {thing}</a></h3>'
        f"<p>{19 + number * 7}.00 €</p><p>{number % 5} in stock · {4 + number % 2}.{number % 10} stars</p>"
        f'<button type="button" class="add">Add {colour.lower()} {thing} to cart</button></article></li>'
        for number, (colour, thing) in enumerate(
            (colour, thing) for colour in ("Oak", "Steel") for thing in things
        )
    )
    body = (
        '<form role="search"><label>Search <input type="search" name="q"></label>'
        '<label>Sort by <select name="sort"><option>Price</option><option selected>Newest</option>'
        "<option>Rating</option></select></label></form>"
        '<fieldset><legend>Material</legend><label><input type="checkbox" checked> Oak</label>'
        '<label><input type="checkbox"> Steel</label><label><input type="checkbox"> Glass</label></fieldset>'
        f'<ul>{cards}</ul><button id="go" type="button">Reserve the cart</button>'
    )
    return _page("shop", "Shop", "Reserve the cart", "Reserved", body, _SENT.format(path="reserve"))


def _form() -> Sample:
    texts = ("First name", "Last name", "Company", "Street", "Postcode", "Town", "Telephone")
    fields = "".join(f'<label>{name} <input name="{name[:4]}" required></label>' for name in texts)
    lands = "".join(
        f"<option>{land}</option>" for land in ("Scotland", "Norway", "Denmark", "Iceland", "Ireland")
    )
    ways = "".join(
        f'<label><input type="radio" name="way" value="{way}"{" checked" * (way == "Post")}> {way}</label>'
        for way in ("Post", "Courier", "Collect in the shop")
    )
    body = (
        f"<form novalidate><fieldset><legend>Address</legend>{fields}"
        f"<label>Country <select>{lands}</select></label></fieldset>"
        f"<fieldset><legend>Delivery</legend>{ways}<label>On <input type='date' value='2026-03-01'></label></fieldset>"
        "<fieldset><legend>Account</legend><label>E-mail <input type='email' value='ada@example.org'></label>"
        "<label>Password <input type='password' value='x'></label>"
        "<label>Notes <textarea>Ring twice</textarea></label>"
        "<label><input type='checkbox'> I have read the terms</label></fieldset>"
        '<button id="go">Place the order</button> <button type="reset">Clear all</button></form>'
    )
    return _page("form", "Checkout", "Place the order", "Ordered", body, _SENT.format(path="order"))


def _dashboard() -> Sample:
    figures = "".join(
        f"<section class='card' aria-label='{name}'><h2>{name}</h2><p>{value}</p><p>{change} since last week</p></section>"
        for name, value, change in (
            ("Revenue", "48,210 €", "+4.1 %"),
            ("Orders", "1,204", "+1.9 %"),
            ("Returns", "37", "-0.4 %"),
            ("Visitors", "20,115", "+7.7 %"),
        )
    )

    def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        head = "".join(f"<th scope='col'>{name}</th>" for name in heads)
        lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        return (
            f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
        )

    names = ("Ada Byron", "Grace Hopper", "Mary Shelley", "Emmy Noether", "Lise Meitner")
    states = ("paid", "open", "sent", "returned")
    orders = [
        (f"<a href='/order/{n}'>#{4100 + n}</a>", names[n % 5], f"{n % 28 + 1} March", f"{n * 13 + 9}.50 €", states[n % 4],
         f"<button type='button' aria-label='Open order {4100 + n}'>Open</button>")
        for n in range(24)
    ]  # fmt: skip
    stock = [(f"{thing}", f"{n * 3 % 17}", f"Hall {n % 3 + 1}") for n, thing in enumerate(
        ("Oak lamp", "Oak desk", "Steel shelf", "Steel tray", "Glass vase", "Wool rug", "Wall clock", "Hook"))]  # fmt: skip
    body = (
        f'<button id="go" type="button">Refresh figures</button>{figures}'
        + table("Latest orders", ("Order", "Customer", "Date", "Total", "State", "Action"), orders)
        + table("Stock", ("Thing", "Pieces", "Place"), stock)
    )
    act = "const got = await fetch('/api/figures?number=' + number); await got.json();"
    return _page("dashboard", "Dashboard", "Refresh figures", "Refreshed", body, act)


def _settings() -> Sample:
    switches = "".join(
        f"<label><input type='checkbox' role='switch'{' checked' * (n % 2)}> {name}</label>"
        for n, name in enumerate(
            ("E-mail me about orders", "E-mail me about offers", "Text me on delivery", "Dark appearance",
             "Larger text", "Reduce motion", "Remember this device", "Share usage")
        )
    )  # fmt: skip
    body = (
        "<div role='tablist' aria-label='Settings'><button role='tab' aria-selected='true'>General</button>"
        "<button role='tab' aria-selected='false'>Security</button><button role='tab' aria-selected='false'>Billing"
        "</button></div><div role='tabpanel' aria-label='General'>"
        "<h2>Profile</h2><label>Display name <input value='Ada'></label><label>Language <select><option>English"
        "</option><option>Gaelic</option><option>Norsk</option></select></label>"
        "<label>Volume <input type='range' min='0' max='10' value='3'></label>"
        f"<h2>Notifications and display</h2>{switches}"
        "<details open><summary>Advanced</summary><label>API endpoint <input value='https://api.example.org'></label>"
        "<label>Timeout in seconds <input type='number' value='30'></label></details>"
        "<details><summary>Danger zone</summary><button type='button'>Delete the account</button></details>"
        '<button id="go" type="button">Save settings</button></div>'
    )
    return _page("settings", "Settings", "Save settings", "Saved", body, _SENT.format(path="settings"))


def _rows() -> Sample:
    lines = "".join(f"<tr><td>{n}</td><td>Thing {n}</td><td>{n % 97}.00 €</td></tr>" for n in range(ROWS))
    body = f'<button id="go" type="button">Count rows</button><table><tbody>{lines}</tbody></table>'
    return _page("rows", "All things", "Count rows", "Counted", body)


SAMPLES: Mapping[str, Sample] = {
    sample.name: sample for sample in (_shop(), _form(), _dashboard(), _settings(), _rows())
}


class _App(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections are kept, as by any server that an app has
    disable_nagle_algorithm = True
    wbufsize = 1 << 20  # head and body in one segment

    def log_message(self, *args: object) -> None:
        """
        Say nothing.
        """

    def do_GET(self) -> None:
        """
        A page, or an answer of its API.
        """
        sample = SAMPLES.get(self.path.strip("/"))
        if sample is not None:
            self._answer(200, "text/html; charset=utf-8", sample.html.encode())
        elif self.path.startswith("/api/"):
            self._answer(200, "application/json", json.dumps({"done": True}).encode())
        else:
            self._answer(404, "text/plain", b"There is no such page.")

    def do_POST(self) -> None:
        """
        A write, which succeeds.
        """
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(201, "application/json", json.dumps({"done": True}).encode())

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextlib.contextmanager
def served() -> Iterator[str]:
    """
    The address below which the pages stand.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_App))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
