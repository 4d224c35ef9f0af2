/*
 * The app's state: paths, stores of several kinds, changes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same, turn, until } from "./parts.mjs";

/** What was put off is done, as before an answer. */
const look = (page) => page.beforeFlush.forEach((work) => work({ answers: true }));

/** A store like Redux or Zustand. */
function makeStore(state) {
  const listeners = new Set();
  return {
    getState: () => state,
    subscribe: (listener) => { listeners.add(listener); return () => listeners.delete(listener); },
    set(next) { state = next; for (const listener of listeners) listener(); },
    listeners,
  };
}

const inner = () => loadPage("", ["registerStore", "unregisterStore", "tellState", "runStateRead", "runStateQuestion", "queue", "beforeFlush"]);
const changes = (page) => page.queue.waiting.filter((event) => event.type === "state.change").map((event) => event.data);

test("Paths go through lists, maps, sets, lengths and keys with dots.", () => {
  const { registerStore, runStateRead } = inner();
  registerStore("app", () => ({ rows: Array.from({ length: 500 }, (_, index) => ({ index })), map: new Map([["a", { b: 1 }], [7, "seven"]]), set: new Set(["x"]), "k.l": { m: 2 }, text: "four" }));
  const value = (path) => runStateRead({ store: "app", path }).value;
  assert.deepEqual(
    ["rows.450.index", "rows.length", "map.a.b", "map.7", "map.size", "set.0", "k.l.m", "text.length"].map(value),
    [450, 500, 1, "seven", 2, "x", 2, 4],
  );
});

test("A miss tells the keys of the last level that was there, and inherited names are no keys.", () => {
  const { registerStore, runStateRead } = inner();
  registerStore("app", () => ({ user: { name: "Ada", age: 36 } }));
  same(runStateRead({ store: "app", path: "user.nam" }), {
    found: false, value: null, store: "app", path: "user.nam", storeNames: ["app"], availableKeys: ["name", "age"], totalKeys: 2,
  });
  assert.equal(runStateRead({ store: "app", path: "user.toString" }).found, false);
  assert.equal(runStateRead({ store: "app", path: "user.constructor" }).found, false);
  assert.equal(runStateRead({ store: "app", path: "user.00" }).found, false);
  same(runStateRead({ store: "gone", path: "x" }), { found: false, value: null, store: "gone", path: "x", storeNames: ["app"] });
});

test("Without a store the path finds its store, and two that fit are told.", () => {
  const { registerStore, runStateRead, runStateQuestion } = inner();
  registerStore("a", () => ({ total: 1 }));
  registerStore("b", () => ({ total: 2, only: 3 }));
  assert.equal(runStateRead({ path: "only" }).store, "b");
  assert.equal(runStateRead({ path: "b.only" }).value, 3);
  same(runStateQuestion({ kind: "state", path: "total" }).ambiguous, ["a", "b"]);
  assert.throws(() => runStateQuestion({ kind: "state" }), (error) => error.code === "bad_arguments");
});

test("Depth prunes with the size of what was left out; what was cut is counted.", () => {
  const { registerStore, runStateRead } = inner();
  registerStore("app", () => ({ list: [1, 2, 3], deep: { a: { b: 1 } } }));
  same(runStateRead({ depth: 1 }).stores.app, { list: "[Array(3)]", deep: "{…1 keys}" });
  registerStore("big", () => ({ rows: Array.from({ length: 300 }, () => 0) }));
  assert.equal(runStateRead({}).truncation.truncatedValues, 1);
  assert.equal(runStateRead({ store: "big", path: "rows" }).truncation.truncatedValues, 1);
  assert.equal(runStateRead({ store: "big", path: "rows.299" }).truncation, undefined);
  registerStore("long", () => ({ text: "x".repeat(100000) }));
  assert.equal(runStateRead({ store: "long", path: "text" }).truncation.truncatedValues, 1);
});

test("A getter of the app's that throws is told, not thrown.", () => {
  const { registerStore, runStateRead } = inner();
  registerStore("bad", () => { throw new Error("not ready"); });
  same(runStateRead({}).stores.bad, { __error: "not ready" });
});

test("Credentials in stores are redacted by path and by key.", () => {
  const { registerStore, runStateRead } = inner();
  registerStore("app", () => ({ user: { password: "hunter22", hasPassword: true }, colorToken: "blue" }));
  assert.equal(runStateRead({ store: "app", path: "user.password" }).value, "[REDACTED]");
  assert.equal(runStateRead({ store: "app", path: "user.hasPassword" }).value, true);
  assert.equal(runStateRead({ store: "app", path: "colorToken" }).value, "blue");
  assert.ok(!JSON.stringify(runStateRead({})).includes("hunter22"));
});

test("A told value under a secret name is redacted.", () => {
  const page = inner();
  page.tellState("authToken", "abc");
  same(changes(page), [{ store: "authToken", path: "", value: "[REDACTED]", old: "[REDACTED]" }]);
});

test("A store that tells of changes gives one event for each changed path, none for a credential.", async () => {
  const page = inner();
  const store = makeStore({ cart: { total: 1, items: ["pear"] }, token: "a" });
  page.registerStore("shop", store);
  store.set({ cart: { total: 2, items: ["pear", "fig"] }, token: "b" });
  await turn(page.window);
  same(changes(page), [
    { store: "shop", path: "cart.total", value: 2, old: 1 },
    { store: "shop", path: "cart.items.1", value: "fig", old: null },
  ]);
  page.unregisterStore("shop");
  assert.equal(store.listeners.size, 0);
});

test("A change is reported before the next answer even when its turn has not come.", () => {
  const page = inner();
  const store = makeStore({ n: 1 });
  page.registerStore("s", store);
  store.set({ n: 2 });
  for (const work of page.beforeFlush) work();
  assert.equal(changes(page).length, 1);
});

test("Too many changes at once are cut at 40 and the rest declared.", async () => {
  const page = inner();
  const store = makeStore({});
  page.registerStore("s", store);
  store.set(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, index])));
  await turn(page.window);
  assert.equal(changes(page).length, 40);
  same(page.queue.waiting.at(-1).data, { channel: "state.change", dropped: 20 });
});

test("Stores of other libraries are read too; those that tell nothing are a blind spot.", () => {
  const page = inner();
  page.registerStore("svelte", { subscribe: (tell) => { tell(5); return () => {}; } });
  page.registerStore("pinia", { $state: { n: 6 }, $subscribe: () => () => {} });
  page.registerStore("nano", { get: () => 7, subscribe: () => () => {} });
  page.registerStore("plain", { n: 8 });
  same(page.runStateRead({}).stores, { svelte: 5, pinia: { n: 6 }, nano: 7, plain: { n: 8 } });
  same(page.queue.waiting.filter((event) => event.type === "blind-spot").map((event) => event.data), [{ kind: "unwatched-state", count: 1 }]);
  page.unregisterStore("plain");
  assert.equal(page.queue.waiting.at(-1).data.count, 0);
});

test("A told value is an event and can be read.", () => {
  const page = inner();
  page.tellState("count", 1);
  page.tellState("count", 2);
  same(changes(page), [{ store: "count", path: "", value: 1, old: null }, { store: "count", path: "", value: 2, old: 1 }]);
  assert.equal(page.runStateRead({}).stores.count, 2);
});

test("A change behind the bounds of what is copied is found in a store that replaces its values, whatever its size.", () => {
  const page = inner();
  const rows = Array.from({ length: 5000 }, (_, index) => ({ index, token: `t${index}` }));
  const store = Object.assign(makeStore({ rows }), { dispatch() {} });
  page.registerStore("big", store);
  store.set({ rows: rows.map((row, index) => (index === 4321 ? { ...row, index: -1, token: "other" } : row)) });
  look(page);
  same(changes(page), [{ store: "big", path: "rows.4321.index", value: -1, old: 4321 }]);
  store.set({ rows });
  look(page);
  assert.equal(changes(page).length, 2);
  assert.equal(page.queue.waiting.filter((event) => event.type === "truncated").length, 0);
});

test("A change that may lie behind those bounds, in a store that changes values in place, is declared as lost.", async () => {
  const page = inner();
  let tell;
  const rows = Array.from({ length: 5000 }, (_, index) => index);
  page.registerStore("big", { get: () => ({ rows }), subscribe: (listener) => { tell = listener; return () => {}; } });
  await turn(page.window);
  rows[4321] = -1;
  tell();
  look(page);
  same(page.queue.waiting.at(-1).data, { channel: "state.change", dropped: 1 });
  assert.equal(changes(page).length, 0);
});

test("A store that tracks who reads it is not read while the app runs, and one that the app lets go of is not read at all.", async () => {
  const page = inner();
  let reads = 0;
  const get = () => { reads += 1; return { n: 1 }; };
  page.registerStore("tracked", get);
  page.registerStore("gone", get);
  page.unregisterStore("gone");
  assert.equal(reads, 0);
  await turn(page.window);
  assert.equal(reads, 1);
});

test("A path in a store whose getter throws is refused, never called missing; that it failed and mended is told once each.", async () => {
  const page = inner();
  let tell;
  let broken = false;
  page.registerStore("cart", {
    get() { if (broken) throw new Error("not ready, password=hunter22"); return { n: 1 }; },
    subscribe: (listener) => { tell = listener; return () => {}; },
  });
  await turn(page.window);
  broken = true;
  for (const round of [1, 2]) { tell(); await turn(page.window, round); }
  assert.throws(() => page.runStateRead({ store: "cart", path: "n" }), (error) => error.code === "page_error" && /not ready/.test(error.message) && !/hunter22/.test(error.message));
  assert.throws(() => page.runStateRead({ path: "n" }), (error) => error.code === "page_error");
  broken = false;
  tell();
  await turn(page.window);
  assert.equal(page.runStateRead({ store: "cart", path: "n" }).value, 1);
  same(changes(page).map(({ path, value, old }) => [path, value === null, old === null]), [["__error", false, true], ["__error", true, false]]);
});

test("A store that refuses to be subscribed to is read and declared unwatched.", () => {
  const page = inner();
  page.registerStore("closed", { getState: () => ({ n: 1 }), subscribe() { throw new Error("no"); } });
  assert.equal(page.runStateRead({ store: "closed", path: "n" }).value, 1);
  same(page.queue.waiting.filter((event) => event.type === "blind-spot").map((event) => event.data), [{ kind: "unwatched-state", count: 1 }]);
});

test("What is compared by time and too large to be compared whole is unwatched, and not lost again at each look.", async () => {
  const page = inner();
  page.registerStore("rows", () => Array.from({ length: 5000 }, (_, index) => index), { everyMs: 1 });
  await turn(page.window, 500);
  assert.equal(page.queue.waiting.filter((event) => event.type === "truncated").length, 0);
  assert.equal(page.queue.waiting.filter((event) => event.type === "blind-spot").at(-1).data.count, 1);
});

test("A store that has told no value yet has none, rather than nothing in it.", () => {
  const page = inner();
  page.registerStore("later", { subscribe: () => () => {} });
  assert.throws(() => page.runStateRead({ store: "later", path: "n" }), /told no value yet/);
});

test("Where nobody registered it a global store is found, registered ones are asked first, and a secret global is not told.", () => {
  const page = loadPage("", ["registerStore", "runStateRead"], { before: (window) => {
    window.store = Object.assign(makeStore({ total: 7, only: 1 }), { dispatch() {} });
    window.sessionToken = "hunter22";
  } });
  page.registerStore("app", () => ({ total: 1 }));
  const read = (args) => page.runStateRead(args);
  assert.deepEqual([read({ path: "total" }).value, read({ path: "total" }).discovered], [1, undefined]);
  assert.deepEqual([read({ path: "only" }).store, read({ path: "redux.total" }).value, read({ path: "only" }).discovered], ["redux", 7, true]);
  same(read({}).discovered, ["redux"]);
  assert.equal(read({ store: "window.sessionToken" }).value, "[REDACTED]");
  assert.equal(read({ store: "window.nothing", path: "x" }).found, false);
  page.window.store = Object.assign(makeStore({ only: 2 }), { dispatch() {} });
  assert.equal(read({ path: "only" }).value, 2);
});

test("Reading a global calls nothing of the app's, be it a function or an object with methods that stores have too.", () => {
  const calls = [];
  const called = (name) => () => calls.push(name);
  const page = loadPage("", ["runStateRead"], { before: (window) => {
    window.logout = called("logout");
    window.logout.ready = true;
    window.api = { base: "/v1", get: called("get"), subscribe: called("subscribe"), peek: called("peek"), getValue: called("getValue") };
    window.lazy = { n: 1, get getState() { calls.push("getter"); return called("getState"); } };
    window.remote = new Proxy(() => {}, { get: (_, name) => called(String(name)), apply: called("apply") });
    window.cart = makeStore({ total: 7 });
    window.cart.setState = () => {};
  } });
  const value = (path) => page.runStateRead({ path }).value;
  assert.match(value("window.logout"), /^\[Function/);
  assert.deepEqual([value("window.logout.ready"), value("window.api.base"), value("window.lazy.n")], [true, "/v1", 1]);
  page.runStateRead({ path: "window.remote" });
  assert.deepEqual(calls, []);
  assert.equal(value("window.cart.total"), 7);
});

test("A store that grows out of the bounds, and one that changes in place what it should replace, are told as long as they can be.", () => {
  const page = inner();
  const store = Object.assign(makeStore({ rows: [1], list: [1] }), { dispatch() {} });
  page.registerStore("grows", store);
  const many = Array.from({ length: 3000 }, (_, index) => index);
  store.getState().list.push(2);
  store.set({ ...store.getState() });
  look(page);
  store.set({ ...store.getState(), rows: many.with(2999, -1) });
  look(page);
  store.set({ ...store.getState(), rows: many });
  look(page);
  const told = changes(page).map(({ path }) => path);
  assert.deepEqual([told[0], told.at(-1)], ["list.1", "rows.2999"]);
});

test("A store with getState whose library is not known may change its values in place: it is copied, and a loss declared.", () => {
  const page = inner();
  const state = { rows: Array.from({ length: 3000 }, (_, index) => index) };
  const store = makeStore(state);
  page.registerStore("own", store);
  state.rows[2999] = -1;
  store.set(state);
  look(page);
  same(page.queue.waiting.at(-1).data, { channel: "state.change", dropped: 1 });
});

test("A store that is dear to look at rests after two looks, and is looked at all the same before an answer goes; what it may have missed is declared.", async () => {
  const page = inner();
  let tell;
  let looks = 0;
  let n = 0;
  const isDear = () => { looks += 1; for (const end = performance.now() + 5; performance.now() < end;); return { n }; };
  page.registerStore("dear", { get: isDear, subscribe: (listener) => { tell = listener; return () => {}; } });
  await turn(page.window);
  // one dear look may be the machine's doing, and is followed by no rest
  for (n of [1, 2, 3]) {
    tell();
    await turn(page.window);
  }
  for (const work of page.beforeFlush) work();
  assert.deepEqual([looks, changes(page).length], [3, 2]);
  for (const work of page.beforeFlush) work({ answers: true });
  same(changes(page).map(({ value }) => value), [1, 2, 3]);
  for (n of [4, 3, 4]) tell();
  await until(page.window, () => changes(page).length === 4);
  same(page.queue.waiting.filter((event) => event.type === "truncated").map((event) => event.data), [{ channel: "state.change", dropped: 2 }]);
});

test("A list whose rows moved up by one is told as a list, and nothing is left out.", () => {
  const page = inner();
  const orders = Array.from({ length: 12 }, (_, id) => ({ id, name: `Order ${id}`, cents: id * 100, state: "open", lines: [{ sku: `s${id}` }] }));
  const store = makeStore({ orders, count: 12 });
  page.registerStore("shop", store);
  store.set({ orders: orders.slice(1), count: 11 });
  look(page);
  const told = changes(page);
  assert.ok(told.length <= 40, `${told.length} changes`);
  const paths = told.map(({ path }) => path);
  assert.ok(paths.includes("count") && paths.includes("orders.0"), paths.join());
  const first = told.find(({ path }) => path === "orders.0");
  same([first.old.name, first.value.name], ["Order 0", "Order 1"]);
  assert.equal(page.queue.waiting.filter((event) => event.type === "truncated").length, 0);
});

test("More changes than are told, all of them at the top, are still declared.", () => {
  const page = inner();
  const store = makeStore(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, n])));
  page.registerStore("flat", store);
  store.set(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, n + 1])));
  look(page);
  const lost = page.queue.waiting.filter((event) => event.type === "truncated").map((event) => event.data);
  same(lost, [{ channel: "state.change", dropped: 50 - changes(page).length }]);
  assert.ok(changes(page).length < 50);
});
