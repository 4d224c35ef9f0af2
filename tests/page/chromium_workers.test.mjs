/*
 * Workers in a real Chromium: what they request is not seen, and the page says so.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inChromium, lab, link, show } from "./tab.mjs";

inChromium("workers in Chromium", () => {
  const script = (path, text) => lab.pages.set(path, (request, response) => response.writeHead(200, { "content-type": "text/javascript" }).end(text));
  const spots = (kind) => link.ofType("blind-spot", (fields) => fields.kind === kind).map((event) => event.data.count);
  const requested = (url) => link.ofType("net.request", (fields) => fields.url === url).length;

  test("A worker's request is unseen and declared, until the page ends the worker; the page's own are told all along.", async () => {
    script("/w.js", "onmessage = async () => postMessage((await fetch('/api/hidden')).status)");
    lab.pages.set("/api/hidden", (request, response) => response.writeHead(204).end());
    lab.pages.set("/api/shown", (request, response) => response.writeHead(204).end());
    await show("/worker", `<script>
      let w; class Named extends Worker { constructor(url) { super(url); this.own = 1 } }
      const start = () => { w = new Named('/w.js'); w.onmessage = ({ data }) => { fetch('/api/shown'); console.log('worker ' + data + (w instanceof Worker) + w.own + Worker.name) }; w.postMessage(1) };
    </script><button onclick="start()">Start</button><button onclick="w.terminate(); w.terminate(); console.log('over')">End</button>`);
    assert.deepEqual(spots("worker"), []);
    await link.act("click", { role: "button", name: "Start" });
    await link.event("console.log", ({ message }) => message === "worker 204true1Worker");
    await link.event("net.request", (fields) => fields.url === "/api/shown");
    assert.deepEqual([spots("worker"), requested("/api/hidden")], [[1], 0]);
    await link.act("click", { role: "button", name: "End" });
    await link.event("console.log", ({ message }) => message === "over");
    assert.deepEqual(spots("worker"), [1, 0]);
  });

  test("A shared worker, and one that a frame of this origin starts, are declared too; one that cannot be made is not.", async () => {
    script("/s.js", "onconnect = () => 0");
    await show("/shared", `<iframe srcdoc="<script>new Worker('/s.js')</script>"></iframe><script>
      try { new Worker('http://other.invalid/x.js') } catch (error) { console.log(error.name) } new SharedWorker('/s.js')</script>`);
    await link.event("console.log", ({ message }) => message === "SecurityError");
    await link.event("blind-spot", (fields) => fields.kind === "worker" && fields.count === 2);
    assert.deepEqual(spots("worker"), [1, 2]);
    assert.deepEqual(link.ofType("sdk.failed"), []);
  });

  test("A service worker is declared as soon as it controls the page, and at the start of the next page.", async () => {
    script("/sw.js", "oninstall = () => skipWaiting(); onactivate = (event) => event.waitUntil(clients.claim()); onfetch = () => fetch('/api/hidden')");
    await show("/served", `<button onclick="navigator.serviceWorker.register('/sw.js')">Register</button>`);
    assert.deepEqual(spots("service-worker"), []);
    await link.act("click", { role: "button", name: "Register" });
    await link.event("blind-spot", (fields) => fields.kind === "service-worker" && fields.count === 1);
    await show("/served-again", `<script>navigator.serviceWorker.getRegistration().then((it) => it.unregister()).then(() => console.log('gone'))</script>`);
    await link.event("console.log", ({ message }) => message === "gone");
    assert.deepEqual(spots("service-worker"), [1]);
  });

  test("A sandboxed page without any of that is watched without a failure of ours.", async () => {
    lab.pages.set("/sandboxed", (request, response) => response.writeHead(200, { "content-type": "text/html", "content-security-policy": "sandbox allow-scripts" })
      .end("<!doctype html><script src=/sdk.js></script><p>Boxed</p>"));
    const known = lab.links.length + 1;
    await show("/box", "<iframe src=/sandboxed></iframe>");
    const inner = await lab.nextLink(known);
    assert.deepEqual([inner.ofType("sdk.failed"), inner.ofType("blind-spot")], [[], []]);
  });
});
