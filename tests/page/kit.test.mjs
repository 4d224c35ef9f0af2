/*
 * The published packages beside our script in one window: the agent has one page, and loses nothing of theirs.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same, turn } from "./parts.mjs";

const HUD = '<div data-reticle-overlay=""><button>Pause</button></div><div data-reticle-mark="root"><button>Flag a bug</button></div>';

/** A started page of ours with an open socket. */
function opened(html = "<button>Save</button>", options = {}) {
  const page = loadPage(html, ["execute"], { start: true, ...options });
  page.sockets[0].open();
  return page;
}

/** What the packages do when they connect, as far as a window can see it. */
function dialLikeTheKit(page, { url = "ws://localhost:4400/reticle", ...hello } = {}) {
  const { window } = page;
  window.document.body.insertAdjacentHTML("beforeend", HUD);
  const socket = new window.WebSocket(url);
  socket.onopen = () => {
    const said = { kind: "hello", protocolVersion: 1, sessionId: "s-kit", url: "x", title: "x", adapters: [], hasCapabilities: false };
    socket.send(JSON.stringify({ ...said, ...hello }));
  };
  return socket;
}

function report(socket, type, data) {
  socket.send(JSON.stringify({ kind: "event", event: { t: 1, type, sessionId: "s-kit", data } }));
}

test("Their dial to our daemon stays in the window, by every name of this machine, and they find it open.", async () => {
  const page = opened();
  for (const url of ["ws://localhost:4400/reticle", "ws://127.0.0.1:4400/reticle?x=1", "ws://[::1]:4400/reticle"]) {
    const socket = dialLikeTheKit(page, { url });
    assert.equal(socket.readyState, 0);
    await turn(page.window);
    assert.equal(socket.readyState, page.window.WebSocket.OPEN ?? 1);
    assert.ok(socket instanceof page.window.WebSocket);
  }
  assert.equal(page.sockets.length, 1);
});

test("Sockets to anything else are the app's own and leave as ever.", () => {
  const page = opened();
  for (const url of ["ws://localhost:4401/reticle", "ws://localhost:4400/live", "ws://example.test:4400/reticle", "wss://shop.test/reticle"]) {
    assert.equal(new page.window.WebSocket(url).url, url);
  }
  assert.equal(page.sockets.length, 5);
});

test("Signals, told state and what a person pressed are told as ours; what we see ourselves is not told twice.", async () => {
  const page = opened();
  const socket = dialLikeTheKit(page);
  await turn(page.window);
  report(socket, "signal", { name: "order:placed", data: { id: 7 } });
  report(socket, "state.change", { name: "cart", value: { total: 12 } });
  report(socket, "human.control", { kind: "pause" });
  report(socket, "dom.added", { role: "alert", name: "theirs" });
  report(socket, "page.health", { hidden: true, reason: "heartbeat" });
  await turn(page.window, 20);
  const told = page.events().filter((event) => ["signal", "state.change", "human.control"].includes(event.type));
  same(told.map((event) => [event.type, event.data]), [
    ["signal", { name: "order:placed", data: { id: 7 } }],
    ["state.change", { store: "cart", path: "", value: { total: 12 }, old: null }],
    ["human.control", { kind: "pause" }],
  ]);
  assert.equal(page.events().some((event) => event.data.name === "theirs" || event.data.hidden === true), false);
});

test("Stores and capabilities that the app gave to the packages are read as ours, later ones too.", async () => {
  const shop = { saved: 1 };
  const page = opened("<button>Save</button>", {
    before(window) {
      window.__reticleStores = new window.Map([["shop", () => shop]]);
      window.__reticleCapabilities = { testids: ["save"], signals: ["order:placed"], stores: ["shop"], flows: [] };
    },
  });
  dialLikeTheKit(page, { hasCapabilities: true, projectId: "shop-app" });
  await turn(page.window);
  page.window.__reticleStores.set("late", () => 5);
  page.window.__reticleCapabilities.signals.push("order:paid");
  same(await page.execute("state_read", { store: "shop", path: "saved" }), {
    found: true, value: 1, store: "shop", path: "saved", storeNames: ["shop", "late"],
  });
  same((await page.execute("state_read", { store: "late" })).value, 5);
  const told = await page.execute("capabilities", {});
  same([told.testids, told.signals, told.stores], [["save"], ["order:placed", "order:paid"], ["shop", "late"]]);
  page.window.__reticleStores.delete("late");
  same((await page.execute("state_read", {})).storeNames, ["shop"]);
  const hello = page.sent().filter((message) => message.kind === "hello").at(-1);
  assert.equal(hello.projectId, "shop-app");
  assert.equal(hello.hasCapabilities, true);
});

test("Their panel is no part of the page and no event: it covers nothing and is in no snapshot.", async () => {
  const page = opened();
  await turn(page.window, 20);
  const before = page.events().length;
  dialLikeTheKit(page);
  await turn(page.window, 20);
  assert.equal(page.document.querySelector("[data-reticle-overlay], [data-reticle-mark]"), null);
  const { tree } = await page.execute("snapshot", {});
  assert.match(tree, /Save/);
  assert.doesNotMatch(tree, /Pause|Flag a bug/);
  same(page.events().slice(before).filter((event) => event.type.startsWith("dom.")), []);
});

test("A socket of theirs from before we came is closed when they use it: they dial again, and we are there.", async () => {
  const page = loadPage("<p>x</p>", [], {
    start: true,
    before(window) {
      window.old = new window.WebSocket("ws://localhost:4400/reticle");
      window.other = new window.WebSocket("ws://localhost:4400/live");
    },
  });
  page.window.old.send('{"kind":"event"}');
  page.window.other.send('{"kind":"event"}');
  await turn(page.window);
  assert.ok(page.window.old.closed);
  assert.equal(page.window.other.closed, undefined);
  assert.equal(page.sockets.find((socket) => socket !== page.window.old && socket.url.endsWith("/reticle")).closed, undefined);
});

test("What they send that makes no sense harms nobody, and a closed one stays closed.", async () => {
  const page = opened();
  const socket = dialLikeTheKit(page);
  let closed = 0;
  socket.onclose = () => { closed += 1; };
  await turn(page.window);
  for (const text of ["nothing", "null", '{"kind":"event"}', '{"kind":"event","event":{"type":"signal"}}']) socket.send(text);
  socket.close();
  socket.close();
  await turn(page.window);
  assert.deepEqual([closed, socket.readyState], [1, 3]);
  assert.match((await page.execute("snapshot", {})).tree, /Save/);
  same(page.events().filter((event) => event.type === "sdk.failed"), []);
});

test("In a page that the daemon opened they are met too, and name no project: the agent said what the page belongs to.", async () => {
  const said = [];
  const page = loadPage("<button>Save</button>", [], {
    start: true,
    launch: "window.launch",
    before(window) {
      window.launch = { session: "b1", url: "ws://127.0.0.1:4400/reticle", channel: { send: (text) => said.push(text) } };
    },
  });
  await turn(page.window);
  const socket = dialLikeTheKit(page, { projectId: "another-one" });
  await turn(page.window);
  report(socket, "signal", { name: "order:placed", data: {} });
  await turn(page.window, 20);
  assert.equal(page.sockets.length, 0);
  const messages = said.filter((text) => text.startsWith("{")).map((text) => JSON.parse(text));
  const events = messages.flatMap((message) => message.events ?? []);
  assert.equal(events.some((event) => event.type === "signal" && event.data.name === "order:placed"), true);
  assert.equal(messages.some((message) => message.projectId === "another-one"), false);
});
