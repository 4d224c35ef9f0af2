/*
 * The app's state: paths, stores of several kinds, changes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same, turn } from "./parts.mjs";

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
