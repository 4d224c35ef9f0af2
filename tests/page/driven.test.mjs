/*
 * A page that the daemon opened itself: who it is, what it leaves in the window, how it talks.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { loadPage, PRELUDE, same, turn, until } from "./parts.mjs";

const GIVEN = { binding: "way_out", door: "way_in", word: "open sesame", session: "b1", url: "ws://127.0.0.1:4400/reticle" };

/** A window in which the prelude has run around a script that notes what it was given. */
function launched({ url = "http://localhost:8000/", binding = true, window = new JSDOM("", { url, runScripts: "outside-only" }).window } = {}) {
  window.said = [];
  window.launches ??= [];
  if (binding) window.way_out = (text) => window.said.push(text);
  window.eval(`${PRELUDE}(${JSON.stringify(GIVEN)}, (given) => window.launches.push(given))`);
  return window;
}

/** A whole page that the daemon opened. */
function opened(options = {}) {
  const said = [];
  const page = loadPage("<title>Shop</title>", ["connection", "identity", "leaving", "emit"], {
    start: true,
    launch: "window.launch",
    ...options,
    before(window) {
      const { panel = false, console = true } = options;
      window.launch = { session: "b1", url: GIVEN.url, project: "shop", panel, console, channel: { send: (text) => said.push(text) } };
      if (options.before) options.before(window);
    },
  });
  return Object.assign(page, { said, channel: page.window.launch.channel, messages: () => said.filter((text) => text.startsWith("{")).map((text) => JSON.parse(text)) });
}

test("The app finds no way out in its window, and the way in only obeys the word.", () => {
  const window = launched();
  assert.equal(Object.hasOwn(window, "way_out"), false);
  assert.deepEqual(Object.keys(window).filter((name) => name.startsWith("way")), []);
  const heard = [];
  window.launches[0].channel.receive = (...given) => heard.push(given);
  window.way_in("guess", "{}");
  assert.equal(window.way_in("guess"), undefined);
  assert.deepEqual(heard, []);
  window.way_in("open sesame", "{}");
  assert.deepEqual(heard, [["{}", undefined, undefined]]);
  assert.throws(() => {
    "use strict";
    window.eval('"use strict"; window.way_in = null');
  });
});

test("Without a way out, as in a window of another debugger, the script does not start.", () => {
  assert.deepEqual(launched({ binding: false }).launches, []);
});

test("The empty document that a window begins with leaves the start to the page that follows in it.", async () => {
  const window = launched({ url: "about:blank" });
  await turn(window, 200);
  assert.deepEqual(window.launches, []);
  window.document.body.append("written by the opener");
  await until(window, () => window.launches.length === 1);
});

test("A page that follows in the same window uses the way out that was taken before.", () => {
  const window = launched();
  window.said.length = 0;
  window.eval(`${PRELUDE}(${JSON.stringify(GIVEN)}, (given) => window.launches.push(given))`);
  assert.equal(window.launches.length, 2);
  assert.equal(window.launches[0].channel, window.launches[1].channel);
});

test("An opened page says hello before the app's first script, without a socket, under the tab's name.", async () => {
  const page = opened();
  await null;
  assert.equal(page.sockets.length, 0);
  assert.equal(page.said[0], "open");
  const [hello] = page.messages();
  same([hello.kind, hello.sessionId, hello.projectId, hello.contract], ["hello", "b1", "shop", "00000000000test0"]);
  assert.equal(page.window.sessionStorage.length, 0);
});

test("Commands come in by the way in and are answered by the way out.", async () => {
  const page = opened();
  await null;
  page.channel.receive('{"kind":"command","id":"c1","name":"capabilities","args":{}}');
  const answer = await until(page.window, () => page.messages().find((message) => message.kind === "command_result"));
  assert.deepEqual([answer.id, answer.ok], ["c1", true]);
});

test("A refusal of the daemon ends it; any other end is dialled again.", async () => {
  const page = opened();
  await null;
  page.channel.receive(undefined, 1001, "the daemon is stopping");
  await until(page.window, () => page.said.filter((text) => text === "open").length === 2);
  page.channel.receive(undefined, 1008, "no");
  assert.equal(page.connection.state, "ended");
});

test("A page that goes to sleep says so, and nothing goes out after it.", async () => {
  const page = opened();
  await null;
  page.window.dispatchEvent(Object.assign(new page.window.Event("pagehide"), { persisted: true }));
  await until(page.window, () => page.said.at(-1) === "bye");
  page.emit("signal", { name: "late", data: {} });
  await turn(page.window, 20);
  assert.equal(page.said.at(-1), "bye");
});

test("What waits to be sent goes out when the page is about to be replaced, and an act is answered.", async () => {
  const page = opened();
  await null;
  let told = 0;
  page.leaving.listeners.add(() => { told += 1; });
  page.emit("signal", { name: "last", data: {} });
  page.window.dispatchEvent(new page.window.Event("beforeunload"));
  const names = page.messages().flatMap((message) => message.events ?? []).map((event) => event.data.name);
  assert.ok(names.includes("last"));
  await until(page.window, () => told === 1);
});

test("The panel is there from the start only where a person looks on.", () => {
  const roots = (panel) => opened({ panel }).document.documentElement.children.length;
  assert.equal(roots(true), roots(false) + 1);
});

test("A page that follows in a window whose empty document was used is told to the script that runs there.", async () => {
  const window = launched();
  let again = 0;
  window.launches[0].channel.again = () => { again += 1; };
  Object.defineProperty(window, "__reticle__", { value: "0" });
  window.eval(`${PRELUDE}(${JSON.stringify(GIVEN)}, (given) => window.launches.push(given))`);
  assert.deepEqual([again, window.launches.length], [1, 1]);
});

test("After that it is another document: named anew, counted anew, watched.", async () => {
  const page = opened();
  await null;
  const before = page.identity.documentId;
  page.channel.again();
  const hellos = page.messages().filter((message) => message.kind === "hello");
  assert.equal(hellos.length, 2);
  assert.notEqual(page.identity.documentId, before);
  page.emit("signal", { name: "first", data: {} });
  const event = await until(page.window, () => page.messages().flatMap((message) => message.events ?? []).find((one) => one.data.name === "first"));
  assert.deepEqual([event.seq, event.documentId], [1, page.identity.documentId]);
});

for (const console of [true, false]) {
  test(`The console is recorded, and written ${console ? "where somebody can read it" : "nowhere when nobody can"}.`, async () => {
    const written = [];
    const page = opened({ console, before: (window) => { window.console.log = (...args) => void written.push(args); } });
    await null;
    assert.equal(page.window.console.log("hello", 1), undefined);
    await until(page.window, () => page.messages().flatMap((message) => message.events ?? []).some((event) => event.data.message === "hello 1"));
    same(written, console ? [["hello", 1]] : []);
  });
}

test("Nothing that the app replaced or put into a prototype gets hold of the way out, or changes what is said.", async () => {
  const page = opened();
  await null;
  const { window } = page;
  window.eval(`
    window.caught = [];
    const look = (one, name) => {
      if (one && (typeof one.send === "function" || one.channel)) window.caught.push(String(name));
    };
    [[EventTarget.prototype, "dispatchEvent"], [EventTarget.prototype, "addEventListener"], [Array.prototype, Symbol.iterator]].forEach(([holder, name]) => {
      const before = holder[name];
      holder[name] = function (first, second) {
        look(this, name);
        look(first, name);
        return holder === Array.prototype ? before.call(this) : before.call(this, first, second);
      };
    });
    Object.prototype.toJSON = function () { return "forged"; };
    Array.prototype.toJSON = function () { return "an old library"; };
  `);
  page.channel.receive('{"kind":"command","id":"c1","name":"capabilities","args":{}}');
  const answer = await until(window, () => page.messages().find((message) => message.kind === "command_result"));
  assert.ok(Array.isArray(answer.result.testids));
  page.channel.receive(undefined, 1001, "later");
  await until(window, () => page.said.filter((text) => text === "open").length === 2);
  await turn(window, 20);
  page.emit("signal", { name: "one", data: { list: [1, undefined, { a: "\u2028" }], none: undefined } });
  await until(window, () => page.messages().some((message) => JSON.stringify(message).includes('"one"')));
  const hellos = page.messages().filter((message) => message.kind === "hello");
  assert.deepEqual([...new Set(hellos.map((hello) => hello.sessionId))], ["b1"]);
  const events = page.messages().flatMap((message) => message.events ?? []);
  assert.deepEqual(events.find((event) => event.data.name === "one").data.data, { list: [1, null, { a: "\u2028" }] });
  assert.deepEqual([...window.caught], []);
});

test("A way out that an opener's prototypes were waiting for is asked nothing of them.", () => {
  const window = new JSDOM("", { url: "http://localhost:8000/", runScripts: "outside-only" }).window;
  window.eval(`
    window.caught = [];
    for (const name of ["receive", "again", "send"]) {
      Object.defineProperty(Object.prototype, name, { set(value) { window.caught.push(name); }, get() { window.caught.push(name); }, configurable: true });
    }
  `);
  launched({ window });
  const { channel } = window.launches[0];
  channel.receive = () => undefined;
  channel.again = () => undefined;
  window.way_in("open sesame", "{}");
  assert.deepEqual([...window.caught], []);
});

test("What an app puts into Object.prototype is no part of a command: not its place, not a consent.", async () => {
  const page = opened({ start: true });
  await null;
  const { window } = page;
  window.document.body.innerHTML = "<button>Delete account</button>";
  window.eval(`for (const [name, value] of Object.entries({ scope: "#nothing", by: "x", name: "Nope", confirmDangerous: true, force: true, ref: "e9", args: { force: 1 } }))
    Object.defineProperty(Object.prototype, name, { value, writable: true, configurable: true })`);
  const ask = async (id, name, args) => {
    page.channel.receive(JSON.stringify({ kind: "command", id, name, args }));
    return until(window, () => page.messages().find((message) => message.id === id));
  };
  const found = await ask("c1", "match", { query: { role: "button" } });
  assert.equal(found.result.count, 1);
  const refused = await ask("c2", "act", { target: { role: "button" }, action: "click" });
  assert.equal(refused.code, "confirm_dangerous");
});
