/*
 * The document, the console, errors, routes and the app's own signals.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same, turn } from "./parts.mjs";

/** A started page that is past its load. */
async function started(html, options = {}) {
  const page = loadPage(html, ["queue", "connection", "attempt", "refs"], { start: true, ...options });
  await turn(page.window, 5);
  page.queue.waiting = [];
  page.look = () => { page.connection.flush(); };
  page.events = (prefix) => {
    page.look();
    return page.queue.waiting.filter((event) => event.type.startsWith(prefix)).map((event) => [event.type, event.data]);
  };
  return page;
}

test("An inserted subtree is one event at its root, with its text.", async () => {
  const page = await started("<ul></ul>");
  page.document.querySelector("ul").innerHTML = "<li>One <b>pear</b></li><li><button>Two</button></li>";
  same(page.events("dom."), [
    ["dom.added", { role: "listitem", name: "", text: "One pear" }],
    ["dom.added", { role: "listitem", name: "", text: "Two" }],
  ]);
});

test("Text that changes is seen whatever API changed it.", async () => {
  const page = await started("<p id=a>old</p><p id=b>old</p><p id=c>old</p>");
  const byId = (id) => page.document.getElementById(id);
  byId("a").textContent = "new a";
  byId("b").firstChild.data = "new b";
  byId("c").replaceChildren("new c");
  same(page.events("dom."), ["a", "b", "c"].map((id) => ["dom.text", { text: `new ${id}`, old: "old" }]));
});

test("Watched attributes are told with their old value; a change and back is none; passwords are not told.", async () => {
  const page = await started("<input type=password value=old-secret><button class=a style='color:red'>x</button>");
  const [input, button] = ["input", "button"].map((tag) => page.document.querySelector(tag));
  button.className = "b";
  button.style.color = "blue";
  button.setAttribute("aria-busy", "true");
  button.setAttribute("aria-busy", "false");
  button.hidden = true;
  button.hidden = false;
  input.setAttribute("value", "new-secret");
  same(page.events("dom."), [
    ["dom.attr", { attr: "value", value: "[REDACTED]", old: "[REDACTED]" }],
    ["dom.attr", { attr: "class", value: "b", old: "a" }],
    ["dom.attr", { attr: "aria-busy", value: "false", old: null }],
  ].sort((a, b) => (a[1].attr === "value" ? 1 : 0) - (b[1].attr === "value" ? 1 : 0)));
});

test("What is removed is told once, at its root; what only moved is not.", async () => {
  const page = await started("<main><ul><li>One</li></ul><p>Two</p></main><aside></aside>");
  const { document } = page;
  document.querySelector("aside").append(document.querySelector("p"));
  document.querySelector("ul").remove();
  same(page.events("dom."), [["dom.removed", { role: "list", name: "" }]]);
});

test("More than 200 changes of a kind in one batch are cut and the rest is declared.", async () => {
  const page = await started("<ul></ul>");
  const list = page.document.querySelector("ul");
  for (let index = 0; index < 260; index += 1) list.append(Object.assign(page.document.createElement("li"), { textContent: String(index) }));
  const events = page.events("");
  assert.equal(events.filter(([type]) => type === "dom.added").length, 200);
  same(events.filter(([type]) => type === "truncated"), [["truncated", { channel: "dom.added", dropped: 60 }]]);
});

test("Regions that come to say something are shown once for each thing they say.", async () => {
  const page = await started("<div role=alert hidden>Wrong</div><p role=status>3 left</p><input aria-describedby=e><p id=e>Too short</p>");
  const [alert, status, field] = ["[role=alert]", "[role=status]", "input"].map((selector) => page.document.querySelector(selector));
  alert.hidden = false;
  page.look();
  alert.className = "red";
  status.textContent = "2 left";
  field.setAttribute("aria-invalid", "true");
  same(page.events("visible."), [
    ["visible.shown", { role: "alert", name: "Wrong", text: "Wrong" }],
    ["visible.shown", { role: "status", name: "2 left", text: "2 left" }],
    ["visible.shown", { role: "textbox", name: "", text: "Too short" }],
  ]);
});

test("Shadow roots are watched when they are made, closed ones declared.", async () => {
  const page = await started("<div id=a></div><div id=b></div>");
  const root = page.document.getElementById("a").attachShadow({ mode: "open" });
  page.document.getElementById("b").attachShadow({ mode: "closed" });
  root.innerHTML = "<p>in the shadow</p>";
  same(page.events(""), [
    ["blind-spot", { kind: "closed-shadow-root", count: 1 }],
    ["dom.added", { role: "paragraph", name: "", text: "in the shadow" }],
  ]);
});

test("The console is written as before and told as it reads.", async () => {
  const written = [];
  const page = await started("", {
    before(window) {
      for (const level of ["log", "info", "debug", "warn", "error"]) window.console[level] = function (...args) { written.push([level, this === window.console, args]); };
    },
  });
  const { console } = page.window;
  console.log("%s has %d%% %o", "Ada", 50, { a: 1 }, "more");
  console.info("%cstyled", "color: red");
  console.debug(undefined, null, [1]);
  console.warn("token=abc");
  console.error("failed:", new page.window.TypeError("no"));
  assert.deepEqual(written.map(([level, self]) => [level, self]), [["log", true], ["info", true], ["debug", true], ["warn", true], ["error", true]]);
  assert.deepEqual(written[0][2].length, 5);
  same(page.events("console.").map(([type, fields]) => [type, fields.message]), [
    ["console.log", 'Ada has 50% {"a":1} more'], ["console.info", "styled"], ["console.debug", "undefined null [1]"],
    ["console.warn", "token=[REDACTED]"], ["console.error", "failed: TypeError: no"],
  ]);
  assert.match(page.events("console.error")[0][1].stack, /TypeError: no/);
});

test("Logging something that logs when it is read does not go round in circles.", async () => {
  const page = await started("");
  page.window.console.log({ get trap() { page.window.console.log("read me"); return 1; } });
  same(page.events("console.").map(([, fields]) => fields.message), ['{"trap":1}']);
});

test("An exception of our own is reported as ours and does not reach the app.", async () => {
  const page = await started("");
  const answer = page.attempt("somewhere", () => { throw new Error("our fault"); }, "fallback");
  assert.equal(answer, "fallback");
  same(page.events("sdk."), [["sdk.failed", { site: "somewhere", message: "our fault" }]]);
});

test("Routes are told after the change, with the address before, and not when nothing changed.", async () => {
  const page = await started("");
  const { history } = page.window;
  assert.equal(history.pushState({ a: 1 }, "", "/cart?session_id=5#top"), undefined);
  assert.equal(history.state.a, 1);
  history.replaceState({}, "", "/cart?session_id=5#top");
  page.window.location.hash = "#end";
  await turn(page.window, 10);
  same(page.events("route.").map(([, fields]) => fields), [
    { from: "http://localhost:8000/shop", to: "http://localhost:8000/cart?session_id=[REDACTED]#top", pathname: "/cart", search: "?session_id=[REDACTED]", hash: "#top" },
    { from: "http://localhost:8000/cart?session_id=[REDACTED]#top", to: "http://localhost:8000/cart?session_id=[REDACTED]#end", pathname: "/cart", search: "?session_id=[REDACTED]", hash: "#end" },
  ]);
  assert.throws(() => history.pushState({}, "", "http://elsewhere.example/"), (error) => error.name === "SecurityError");
});

test("Signals, values and capabilities that the app tells arrive; nothing it passes can make them throw.", async () => {
  const page = await started("");
  const { reticle } = page.window;
  page.sockets[0].open();
  const before = page.sockets[0].sent.filter((message) => message.kind === "hello").length;
  reticle.signal("order:placed", { id: 7, password: "x" });
  reticle.signal("bare");
  assert.equal(reticle.registerStore("bad", { getState() { throw new Error("no"); }, subscribe() { throw new Error("no"); } }), undefined);
  reticle.registerCapabilities({ flows: [] });
  page.look();
  const events = page.sockets[0].sent.flatMap((message) => message.events ?? []);
  same(events.filter((event) => event.type === "signal").map((event) => event.data), [
    { name: "order:placed", data: { id: 7, password: "[REDACTED]" } }, { name: "bare", data: {} },
  ]);
  const hellos = page.sockets[0].sent.filter((message) => message.kind === "hello");
  assert.equal(hellos.length, before + 1);
  assert.equal(hellos.at(-1).hasCapabilities, true);
});

test("An app that owns the name reticle keeps it.", async () => {
  const mine = { mine: true };
  const page = await started("", { before: (window) => { window.reticle = mine; } });
  assert.equal(page.window.reticle, mine);
});

test("A form that the browser sends is a pending request with its fields; one that the app handles is none.", async () => {
  const page = await started("<form action=/pay method=post><input name=card_number value=4111><input name=q value=1><input type=checkbox name=no><button name=go value=yes>Go</button></form>");
  const form = page.document.querySelector("form");
  let handled = true;
  let gathered = 0;
  form.addEventListener("formdata", () => { gathered += 1; });
  page.window.HTMLFormElement.prototype.submit = () => undefined;
  form.addEventListener("submit", (event) => { if (handled) event.preventDefault(); });
  form.requestSubmit();
  await turn(page.window, 5);
  assert.equal(page.events("net.").length, 0);
  handled = false;
  const submit = Object.assign(new page.window.Event("submit", { bubbles: true, cancelable: true }), { submitter: form.querySelector("button") });
  form.dispatchEvent(submit);
  await turn(page.window, 5);
  same(page.events("net."), [["net.pending", { id: "n1", method: "POST", url: "http://localhost:8000/pay", initiator: "document" }]]);
  const kept = JSON.parse(page.window.sessionStorage.getItem("__reticle_submit"));
  assert.equal(kept.requestBody, '{"card_number":"[REDACTED]","q":"1","go":"yes"}');
  assert.equal(gathered, 0, "the app's formdata listeners were not run by us");
});

test("A form that posts into a frame or another tab is a request whose end nobody sees; one that only asks is none.", async () => {
  const page = await started("<iframe name=up></iframe><form action=/upload method=post target=up><input name=q value=1></form><form action=/find target=_blank></form>");
  page.window.HTMLFormElement.prototype.submit = () => undefined;
  for (const form of page.document.querySelectorAll("form")) form.dispatchEvent(new page.window.Event("submit", { bubbles: true, cancelable: true }));
  await turn(page.window, 5);
  const told = page.events("net.");
  same(told.map(([type, { method, url, initiator }]) => [type, method, url, initiator]), [
    ["net.pending", "POST", "http://localhost:8000/upload", "form"],
    ["net.request", "POST", "http://localhost:8000/upload", "form"],
  ]);
  same([told[1][1].requestBody, "status" in told[1][1], "ok" in told[1][1]], ['{"q":"1"}', false, false]);
  assert.equal(page.window.sessionStorage.getItem("__reticle_submit"), null);
});
