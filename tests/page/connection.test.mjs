/*
 * Dialling, retrying, sleeping, ending, and the queue that bridges the gaps.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same, turn, until } from "./parts.mjs";

/** Timers that a test turns by hand. */
function fakeTimers(window) {
  const due = [];
  let now = 0;
  let next = 1;
  window.setTimeout = (work, ms = 0) => {
    due.push({ at: now + ms, work, id: next });
    next += 1;
    return next - 1;
  };
  window.clearTimeout = (id) => {
    const at = due.findIndex((timer) => timer.id === id);
    if (at >= 0) due.splice(at, 1);
  };
  window.setInterval = () => 0;
  window.performance.now = () => now;
  window.timers = {
    advance(ms) {
      const end = now + ms;
      for (;;) {
        due.sort((a, b) => a.at - b.at || a.id - b.id);
        if (due.length === 0 || due[0].at > end) break;
        const timer = due.shift();
        now = timer.at;
        timer.work();
      }
      now = end;
    },
  };
}

/** A started page with timers in hand and what it wrote to the console. */
function started(options = {}) {
  const notes = [];
  const page = loadPage(options.html ?? "<title>T</title>", ["connection", "queue", "emit", "identity"], {
    start: true,
    ...options,
    before(window) {
      fakeTimers(window);
      window.console.info = (text) => notes.push(text);
      if (options.before) options.before(window);
    },
  });
  return Object.assign(page, { notes, advance: (ms) => page.window.timers.advance(ms) });
}

test("A page says hello first, then sends what it queued.", () => {
  const page = started();
  assert.equal(page.sockets.length, 1);
  assert.equal(page.sockets[0].url, "ws://127.0.0.1:4400/reticle");
  page.sockets[0].open();
  const [hello, batch] = page.sockets[0].sent;
  assert.deepEqual([hello.kind, hello.protocolVersion, hello.script, hello.title, hello.hasCapabilities], ["hello", 1, "reticle", "T", false]);
  same(batch.events.map((event) => [event.seq, event.type, event.data.reason]), [[1, "page.health", "initial"]]);
});

test("SN-11: the hello says which script this is, by the hash of its content.", () => {
  const page = started();
  page.sockets[0].open();
  assert.equal(page.sockets[0].sent[0].contract, "00000000000test0");
});

test("WS-07: Retries go from 250 ms to 30 s, the console hears of it once, and never as an error.", () => {
  const errors = [];
  const page = started({ before: (window) => { window.console.error = (text) => errors.push(text); } });
  const gaps = [];
  let waited = 0;
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    page.sockets.at(-1).drop();
    const dialled = page.sockets.length;
    for (waited = 0; page.sockets.length === dialled; waited += 50) page.advance(50);
    gaps.push(waited);
  }
  assert.deepEqual(gaps, [250, 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
  assert.equal(page.notes.length, 1);
  assert.match(page.notes[0], /^\[reticle\] no connection to ws:\/\/127\.0\.0\.1:4400\/reticle after 3 attempts/);
  for (const cause of [/No daemon there/, /Content-Security-Policy/, /https page with a ws: address/]) assert.match(page.notes[0], cause);
  assert.deepEqual(errors, []);
});

test("A daemon that accepts and hangs up at once does not make the page dial fast.", () => {
  const page = started();
  for (let attempt = 0; attempt < 6; attempt += 1) {
    page.sockets.at(-1).open();
    page.sockets.at(-1).drop(1013, "try later");
    page.advance(30000);
  }
  assert.equal(page.sockets.length, 7);
  assert.equal(page.connection.delayMs, 16000);
});

test("1008 is the end: one notice with the reason, no more dialling.", () => {
  const page = started();
  page.sockets[0].open();
  page.sockets[0].drop(1008, "protocol version 1 is required");
  page.advance(120000);
  assert.equal(page.sockets.length, 1);
  assert.deepEqual(page.notes, ["[reticle] the daemon at ws://127.0.0.1:4400/reticle refused this page: protocol version 1 is required"]);
});

test("Coming into view dials at once.", () => {
  const page = started();
  for (let attempt = 0; attempt < 8; attempt += 1) {
    page.sockets.at(-1).drop();
    if (attempt < 7) page.advance(30000);
  }
  const dialled = page.sockets.length;
  page.document.dispatchEvent(new page.window.Event("visibilitychange"));
  assert.equal(page.sockets.length, dialled + 1);
});

test("A page put to sleep closes its socket and comes back under the same names.", async () => {
  const page = started();
  page.sockets[0].open();
  const event = (type) => Object.assign(new page.window.Event(type), { persisted: true });
  page.window.dispatchEvent(event("pagehide"));
  for (let hop = 0; hop < 40; hop += 1) await null;
  same(page.sockets[0].closed, { code: 1000, reason: "page parked" });
  page.advance(60000);
  assert.equal(page.sockets.length, 1, "it does not dial while it sleeps");
  page.window.dispatchEvent(event("pageshow"));
  page.sockets[1].open();
  const [first, second] = page.sockets.map((socket) => socket.sent[0]);
  assert.deepEqual([second.sessionId, second.documentId], [first.sessionId, first.documentId]);
});

test("A prerendered page waits until it is really shown.", () => {
  const page = started({ before: (window) => Object.defineProperty(window.document, "prerendering", { value: true }) });
  assert.equal(page.sockets.length, 0);
  page.document.dispatchEvent(new page.window.Event("prerenderingchange"));
  assert.equal(page.sockets.length, 1);
});

test("WS-07: Without a WebSocket, or with one that throws, the app goes on and only one notice is left.", () => {
  const without = started({ before: (window) => { window.WebSocket = undefined; } });
  assert.deepEqual(without.notes, ["[reticle] not connecting: this browser has no WebSocket"]);
  const throwing = started({ before: (window) => { window.WebSocket = function WebSocket() { throw new Error("no sockets here"); }; } });
  throwing.advance(100000);
  assert.equal(throwing.notes.length, 1);
  assert.equal(typeof throwing.window.reticle.signal, "function");
  const plain = started({ before: (window) => { window.WebSocket = function WebSocket() { return { addEventListener() {} }; }; } });
  plain.advance(100000);
  assert.equal(plain.notes.length, 1);
});

test("A page that is not on this machine does not dial unless its tag allows it.", () => {
  const page = started({ url: "https://shop.example/" });
  assert.equal(page.sockets.length, 0);
  assert.match(page.notes[0], /not both on this machine/);
});

test("The script tag's attributes override address, project, token and session.", () => {
  const before = (window) => {
    const tag = window.document.createElement("script");
    tag.setAttribute("data-url", "http://localhost:9999/");
    tag.setAttribute("data-project", "shop");
    tag.setAttribute("data-token", "pair");
    tag.setAttribute("data-session", "fixed");
    Object.defineProperty(window.document, "currentScript", { value: tag });
  };
  const page = started({ before });
  page.sockets[0].open();
  assert.equal(page.sockets[0].url, "ws://localhost:9999/reticle");
  const { projectId, token, sessionId } = page.sockets[0].sent[0];
  assert.deepEqual([projectId, token, sessionId], ["shop", "pair", "fixed"]);
});

test("The offline queue keeps 2,000 events, drops cheap ones first and declares each loss.", () => {
  const page = started();
  page.emit("console.error", { message: "precious" });
  for (let index = 0; index < 3000; index += 1) page.emit("dom.attr", { attr: "class", value: String(index) });
  for (let index = 0; index < 500; index += 1) page.emit("net.request", { url: "/x" });
  page.sockets[0].open();
  const events = page.sockets[0].sent.flatMap((message) => message.events ?? []);
  assert.ok(events.length <= 2001);
  assert.equal(events.filter((event) => event.data.message === "precious").length, 1);
  assert.equal(events.filter((event) => event.type === "net.request").length, 500);
  const last = events.at(-1);
  assert.equal(last.type, "transport.overflow");
  const kept = events.length - 1;
  assert.equal(last.data.dropped, 3502 - kept);
  assert.equal(Object.values(last.data.channels).reduce((a, b) => a + b), last.data.dropped);
  assert.equal(last.seq, 3503, "numbers count what was dropped too");
  assert.deepEqual(events.map((event) => event.seq), events.map((event) => event.seq).toSorted((a, b) => a - b));
});

test("When all events are precious the oldest go, and that is declared too.", () => {
  const page = started();
  for (let index = 0; index < 2300; index += 1) page.emit("net.request", { url: `/${index}` });
  page.sockets[0].open();
  const events = page.sockets[0].sent.flatMap((message) => message.events ?? []);
  assert.equal(events.at(-1).type, "transport.overflow");
  same(Object.keys(events.at(-1).data.channels).sort(), ["net.request", "page.health"]);
  assert.equal(events.at(-2).data.url, "/2299");
});

test("A burst while connected arrives whole, in messages that the daemon takes.", () => {
  const page = started();
  page.sockets[0].open();
  for (let index = 0; index < 1900; index += 1) page.emit("signal", { name: "tick", data: { index, pad: "z".repeat(2000) } });
  page.connection.flush();
  const batches = page.sockets[0].sent.filter((message) => message.kind === "events");
  const ticks = batches.flatMap((message) => message.events).filter((event) => event.type === "signal");
  assert.equal(ticks.length, 1900);
  assert.ok(batches.every((message) => JSON.stringify(message).length < 1_300_000));
});

test("Events wait in the capped queue while the socket does not drain.", () => {
  const page = started();
  page.sockets[0].open();
  page.sockets[0].bufferedAmount = 9_000_000;
  page.emit("signal", { name: "held" });
  page.connection.flush();
  const held = () => page.sockets[0].sent.flatMap((message) => message.events ?? []).filter((event) => event.data.name === "held").length;
  assert.equal(held(), 0);
  page.sockets[0].bufferedAmount = 0;
  page.advance(200);
  assert.equal(held(), 1);
});

test("A second load of the script does nothing.", async () => {
  const { scriptText } = await import("./parts.mjs");
  const page = started();
  const { fetch, reticle } = page.window;
  page.window.eval(scriptText());
  assert.equal(page.sockets.length, 1);
  assert.equal(page.window.reticle, reticle);
  assert.equal(page.window.fetch, fetch);
});

test("Commands are answered after their evidence; nonsense is ignored; unknown ones are refused.", async () => {
  const page = loadPage("<button>Go</button>", [], { start: true });
  const [socket] = page.sockets;
  page.document.querySelector("button").addEventListener("click", (event) => { event.target.textContent = "done"; });
  socket.open();
  await turn(page.window, 5);
  for (const nonsense of ["{", "null", "[]", '{"kind":"command"}', '{"kind":"hello"}', '{"kind":"command","id":""}']) socket.receive(nonsense);
  const command = (id, name, args) => socket.receive({ kind: "command", id, name, args });
  command("c1", "frobnicate");
  command("c2", "act", { target: { role: "button" }, action: "click" });
  command("c3", "snapshot", null);
  command("c4", "snapshot", {});
  const answers = () => socket.sent.filter((message) => message.kind === "command_result");
  await until(page.window, () => answers().length === 4);
  const results = answers();
  const byId = Object.fromEntries(results.map((message) => [message.id, message]));
  assert.deepEqual([byId.c1.ok, byId.c1.code, byId.c1.error], [false, "bad_arguments", "unknown command 'frobnicate'"]);
  assert.equal(byId.c3.code, "bad_arguments");
  assert.equal(byId.c4.result.tree, '- button "Go" (ref=e1)');
  assert.equal(byId.c2.result.effect.appeared, "done");
  const evidence = socket.sent.findIndex((message) => message.events?.some((event) => event.type === "dom.text"));
  assert.ok(evidence >= 0 && evidence < socket.sent.indexOf(byId.c2));
});

test("Acts run one after the other, reads beside them.", async () => {
  const page = loadPage("<input aria-label=A>", [], { start: true });
  const [socket] = page.sockets;
  socket.open();
  const command = (id, name, args) => socket.receive({ kind: "command", id, name, args });
  const target = { label: "A" };
  command("c1", "act", { target, action: "fill", args: { value: "one" } });
  command("c2", "act", { target, action: "fill", args: { value: "two" } });
  command("c3", "read", { questions: [{ kind: "route" }] });
  const order = () => socket.sent.filter((message) => message.kind === "command_result").map((message) => message.id);
  await until(page.window, () => order().length === 3);
  assert.deepEqual(order(), ["c3", "c1", "c2"]);
  assert.equal(page.document.querySelector("input").value, "two");
});

test("A page in a frame says how deep it is and what may be around it; a tab says nothing of the kind.", () => {
  const hidden = { get: () => { throw new Error("another origin"); } };
  const foreign = () => Object.defineProperties({}, { location: hidden, __reticle__: { configurable: true } });
  const known = (origin, scripted) => ({ location: { origin }, ...(scripted ? { __reticle__: "0" } : {}) });
  const framed = (...around) => {
    const page = loadPage("", ["framing"]);
    around.forEach((view, at) => { view.parent = around[at + 1] ?? view; });
    Object.defineProperty(page.window, "parent", { value: around[0] });
    return page.framing();
  };
  same(framed(foreign()), { frameDepth: 1, ancestors: [""] });
  same(framed(known("http://localhost:8000", false)), { frameDepth: 1, ancestors: [] });
  same(framed(foreign(), known("http://localhost:8000", true)), { frameDepth: 2, ancestors: ["", "http://localhost:8000"] });
  const hello = loadPage("", ["helloMessage"]).helloMessage(false);
  assert.deepEqual(["frameDepth" in hello, "ancestors" in hello], [false, false]);
});
