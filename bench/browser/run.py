"""
Sixteen flows in one driven Chromium, one after the other and in eight contexts at once.

    python bench/browser/run.py [--flows 16] [--contexts 8] [--latency 500]

A flow is what an agent does: it leases a page, signs in, adds to a cart, reserves, and demands a verdict at
each step. The app's server needs its time for each answer, as a development server with a database does;
nothing in the app is instrumented. Every flow has a user of its own and must see that user's cart alone.
The seconds are a clock's, and on a busy machine others' work is in them; the CPU seconds are not.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bench.browser.cpu import CpuOfTree  # noqa: E402 - the path is set above
from examples.journeys.children import Daemon, start_daemon  # noqa: E402 - as above
from reticle.client import Client, connect  # noqa: E402 - as above

ENOUGH = 4.0
"""How many times faster eight contexts have to be (issue 6)."""

PAGE = b"""<!doctype html><title>Cart</title><main><form id="sign-in"><label>User <input name="user"></label>
<button>Sign in</button></form><button id="add">Add a lamp</button><button id="keep">Reserve</button>
<p role="status"></p><ul id="cart"></ul></main><script>
const status = document.querySelector("[role=status]");
const ask = async (path, body) => {
  status.textContent = "Working";
  const answer = await fetch(path, { method: "POST", body: JSON.stringify(body) });
  return answer.json();
};
const show = ({ user, lamps, kept }) => {
  localStorage.user = user;
  document.querySelector("#cart").innerHTML = `<li>${lamps} lamps</li>`;
  status.textContent = kept ? `${user} has reserved ${lamps} lamps` : `${user} has ${lamps} lamps`;
};
document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  show(await ask("/sign-in", { user: document.querySelector("[name=user]").value }));
});
for (const path of ["add", "keep"])
  document.querySelector(`#${path}`).addEventListener("click", async () => show(await ask(`/${path}`, {})));
</script>"""


class Shop(BaseHTTPRequestHandler):
    """
    Keeps a cart for each cookie and answers after ``latency_ms``.
    """

    carts: dict[str, dict[str, Any]] = {}  # noqa: RUF012 - one shop for the whole run
    latency_ms = 500

    def log_message(self, *args: object) -> None:
        """
        Say nothing.
        """

    def do_GET(self) -> None:
        """
        The page.
        """
        self._answer(PAGE, "text/html")

    def do_POST(self) -> None:
        """
        Change the cart.
        """
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        time.sleep(self.latency_ms / 1000)
        cookie = ""
        if self.path == "/sign-in":
            cookie = sent["user"]
            self.carts[cookie] = {"user": cookie, "lamps": 0, "kept": False}
        cart = self.carts[cookie or self.headers["Cookie"].partition("user=")[2]]
        cart["lamps"] += self.path == "/add"
        cart["kept"] = self.path == "/keep"
        self._answer(json.dumps(cart).encode(), "application/json", cookie)

    def _answer(self, body: bytes, kind: str, cookie: str = "") -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if cookie:
            self.send_header("Set-Cookie", f"user={cookie}")
        self.end_headers()
        self.wfile.write(body)


def flow(agent: Client, url: str, user: str) -> list[str]:
    """
    What one agent does; gives the verdicts.
    """
    got = _done(agent, "reticle_lease", action="acquire", url=url)
    page = got["sessionId"]
    _done(agent, "reticle_act", sessionId=page, action="fill", target={"label": "User"}, args={"value": user})
    steps = [("Sign in", f"{user} has 0 lamps"), ("Add a lamp", f"{user} has 1 lamps")]
    steps += [("Add a lamp", f"{user} has 2 lamps"), ("Reserve", f"{user} has reserved 2 lamps")]
    verdicts = []
    for name, words in steps:
        proved = _done(
            agent,
            "reticle_act_and_wait",
            sessionId=page,
            action="click",
            target={"role": "button", "name": name},
            until={"kind": "text", "contains": words, "visible": True},
        )
        verdicts.append(str(proved["verified"]))
    _done(agent, "reticle_lease", action="release", leaseId=got["leaseId"])
    return verdicts


def _done(agent: Client, tool: str, **arguments: object) -> Mapping[str, Any]:
    result = agent.call(tool, arguments)
    if not result.ok:
        raise RuntimeError(f"{tool}: {result.text}")
    return result.fields


def run(daemon: Daemon, url: str, flows: int, agents: int) -> tuple[float, list[float], int]:
    """
    Do all flows with so many agents at once. Gives the seconds, those of each flow, and how many were right.
    """
    numbers = iter(range(flows))
    lock = threading.Lock()
    seconds: list[float] = []
    right: list[int] = []

    def agent() -> None:
        with connect(daemon.mcp_url, timeout_seconds=60) as mine:
            mine.initialize("bench", "1")
            while True:
                with lock:
                    number = next(numbers, None)
                if number is None:
                    return
                begin = time.monotonic()
                try:
                    verdicts = flow(mine, url, f"user{agents}x{number}")
                except RuntimeError as fault:
                    verdicts = [str(fault)]
                with lock:
                    seconds.append(time.monotonic() - begin)
                    if verdicts == ["yes"] * 4:
                        right.append(number)
                    else:
                        print(f"flow {number} of {agents} contexts: {verdicts}")

    threads = [threading.Thread(target=agent) for _ in range(agents)]
    begin = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.monotonic() - begin, seconds, len(right)


def main() -> int:
    """
    Run both and print how they compare.
    """
    parser = argparse.ArgumentParser(description="Flows in one Chromium, alone and together.")
    parser.add_argument("--flows", type=int, default=16)
    parser.add_argument("--contexts", type=int, default=8)
    parser.add_argument("--latency", type=int, default=500, help="of each answer of the app, in ms")
    told = parser.parse_args()
    Shop.latency_ms = told.latency
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Shop))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    with tempfile.TemporaryDirectory() as folder:
        daemon = start_daemon(Path(folder))
        used = CpuOfTree(daemon.child.pid)
        try:
            run(daemon, url, 1, 1)  # the browser starts
            found, cpu = {}, {}
            for agents in (1, told.contexts):
                before = used.seconds()
                found[agents] = run(daemon, url, told.flows, agents)
                cpu[agents] = {kind: each - before.get(kind, 0) for kind, each in used.seconds().items()}
        finally:
            used.end()
            daemon.child.stop()
    print(f"{told.flows} flows of 4 verdicts each, {told.latency} ms for each answer of the app\n")
    print(f"{'contexts':>8}  {'seconds':>8}  {'a flow':>8}  right")
    for agents, (seconds, each, right) in found.items():
        print(f"{agents:>8}  {seconds:8.2f}  {statistics.median(each):8.2f}  {right} of {told.flows}")
    print("\nCPU seconds, of all flows:")
    for agents, kinds in cpu.items():
        each_kind = "  ".join(f"{kind} {each:.2f}" for kind, each in sorted(kinds.items()) if each > 0)
        print(f"{agents:>8}  {sum(kinds.values()):8.2f}  {each_kind}")
    times = found[1][0] / found[told.contexts][0]
    print(f"\n{told.contexts} contexts at once: {times:.1f} times faster (at least {ENOUGH:g} are demanded)")
    wrong = any(right != told.flows for _, _, right in found.values())
    return 1 if wrong or times < ENOUGH else 0


if __name__ == "__main__":
    sys.exit(main())
