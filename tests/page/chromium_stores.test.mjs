/*
 * State libraries from npm in a real Chromium: registered stores read by path and told of changes, stores that nobody
 * registered, component state by ref, Alpine and htmx. The pages are tests/page/frameworks/stores/, and what stands
 * there before `// end` is what docs/howto/state.md tells people to write.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { loadPage, turn } from "./parts.mjs";
import { inChromium, lab, link, show } from "./tab.mjs";

const BUILT = fileURLToPath(new URL("./frameworks/dist/stores/", import.meta.url));
const PEAR = { name: "pear", price: 3 };

inChromium("state libraries in Chromium", () => {
  /** Show the page of a library. */
  async function open(name, html = "") {
    lab.pages.set(`/built/${name}.js`, (request, response) => {
      response.writeHead(200, { "content-type": "text/javascript" }).end(readFileSync(`${BUILT}${name}.js`));
    });
    const buttons = ["change", "fetch", "fail", "other"].map((id) => `<button id=${id}>${id}</button>`).join("");
    await show(`/stores/${name}`, `<div id=app></div>${html}${buttons}<script src="/built/${name}.js"></script>`);
  }

  async function click(name) {
    const answer = await link.act("click", { role: "button", name });
    assert.equal(answer.ok, true, answer.error);
  }

  const read = (path, store) => link.ask("state_read", store ? { store, path } : { path });
  const value = async (path, store) => (await read(path, store)).value;
  const changes = (store) => link.ofType("state.change", (fields) => fields.store === store).map(({ data }) => data);

  /** Wait for a change at a path. */
  async function change(store, path, test = () => true) {
    const isIt = (fields) => fields.store === store && fields.path === path && test(fields);
    const told = await link.event("state.change", isIt).catch(() => undefined);
    assert.ok(told, `no change of ${store} at ${path} among ${JSON.stringify(changes(store))}`);
    return told.data;
  }

  /** Wait until something holds. */
  async function eventually(look, what) {
    for (let round = 0; round < 100; round += 1) {
      if (await look()) return;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    assert.fail(`waited in vain for ${what}`);
  }

  /** The page must have said nothing on its console but this, and we must not have failed. */
  function isQuiet() {
    assert.deepEqual(link.ofType("sdk.failed").map(({ data }) => data), []);
    const said = ["console.error", "console.warn", "error.uncaught"].flatMap((type) => link.ofType(type));
    assert.deepEqual(said.map(({ data }) => data.message), []);
  }

  /** The uniform page: `change` puts a pear in, and one event says so. */
  async function pearIsTold(name, store, path) {
    await open(name);
    assert.equal(await value(`${path}.length`, store), 0);
    await click("change");
    assert.deepEqual(await change(store, `${path}.0`), { store, path: `${path}.0`, value: PEAR, old: null });
    assert.equal(await value(`${path}.0.price`, store), 3);
    const { answers } = await link.ask("read", { questions: [{ kind: "state", store, path: `${path}.length` }] });
    assert.deepEqual([answers[0].found, answers[0].value], [true, 1]);
    isQuiet();
  }

  test("Redux is read by path and told by changed path, its credential never.", async () => {
    await pearIsTold("redux", "cart", "items");
    assert.equal(await value("accessToken", "session"), "[REDACTED]");
    assert.ok(!JSON.stringify(link.messages).includes("s3cr3t-value"));
  });

  test("Redux Toolkit is read and told; what RTK Query notes of a request is marked as bookkeeping, its data is not.", async () => {
    // a request and its answer are one change where both come in one frame: the answers wait
    const answers = {};
    const waiting = (name, status, body) => lab.pages.set(`/api/prices/${name}`, (request, response) => {
      answers[name] = () => response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    waiting("fruit", 200, '{"pear":3}');
    waiting("gone", 500, '{"error":"no stock today"}');
    await pearIsTold("toolkit", "app", "cart.items");
    await click("fetch");
    await change("app", 'api.queries.prices("fruit")');
    await eventually(() => answers.fruit, "the request");
    answers.fruit();
    const data = await change("app", 'api.queries.prices("fruit").data');
    assert.deepEqual([data.value, data.bookkeeping], [{ pear: 3 }, undefined]);
    assert.equal(await value('api.queries.prices("fruit").data.pear', "app"), 3);
    await click("fail");
    await change("app", 'api.queries.prices("gone")');
    await eventually(() => answers.gone, "the request");
    answers.gone();
    await eventually(() => changes("app").some((fields) => JSON.stringify(fields.value).includes("no stock today")), "the failure");
    for (const fields of changes("app").filter(({ path }) => path.startsWith("api.") && !path.endsWith(".data"))) {
      assert.equal(fields.bookkeeping, true, fields.path);
    }
  });

  test("Zustand is read and told as a vanilla store and as a hook; its actions are no change.", async () => {
    await pearIsTold("zustand", "cart", "items");
    assert.deepEqual(await change("theme", "dark"), { store: "theme", path: "dark", value: true, old: false });
    assert.deepEqual(changes("cart").map(({ path }) => path), ["items.0"]);
  });

  test("Pinia is read and told with getters, as one store and as a whole with stores made later; rendering is not tied to it.", async () => {
    await pearIsTold("pinia", "cart", "items");
    assert.deepEqual(await change("cart", "count"), { store: "cart", path: "count", value: 1, old: 0 });
    assert.equal(await value("cart.count", "app"), 1);
    assert.deepEqual((await change("app", "later")).value, { made: true });
    assert.deepEqual(Object.keys(await value("", "cart")).sort(), ["count", "items", "note"]);
    assert.equal((await link.event("console.log")).data.message, "renders 1");
    assert.equal(changes("late").length > 0, true);
    await click("other");
    const before = changes("cart").length;
    await click("change");
    await change("app", "cart.items.1");
    assert.equal(changes("cart").length, before);
  });

  test("Reactive objects and refs of Vue are watched with the watch that the app lends.", async () => {
    await pearIsTold("vue", "cart", "items");
    assert.deepEqual(await change("total", ""), { store: "total", path: "", value: 3, old: 0 });
  });

  test("Svelte's stores are read and told, derived ones too.", async () => {
    await open("svelte");
    assert.equal(await value("length", "items"), 0);
    await click("change");
    assert.deepEqual(await change("items", "0"), { store: "items", path: "0", value: PEAR, old: null });
    assert.deepEqual(await change("count", ""), { store: "count", path: "", value: 1, old: 0 });
    isQuiet();
  });

  test("Svelte's runes are read and told through a getter and an effect root.", async () => {
    await pearIsTold("runes", "cart", "items");
    assert.deepEqual(await change("cart", "count"), { store: "cart", path: "count", value: 1, old: 0 });
  });

  test("MobX is read and told with computed values, breaks none of its rules, and the app's reactions are not tied to it.", async () => {
    await open("mobx");
    await click("change");
    assert.deepEqual(await change("cart", "items.0"), { store: "cart", path: "items.0", value: PEAR, old: null });
    assert.deepEqual(await change("cart", "total"), { store: "cart", path: "total", value: 3, old: 0 });
    assert.equal((await link.event("console.log")).data.message, "runs 1");
    isQuiet();
    assert.deepEqual([await value("items.0.price", "cart"), await value("total", "cart")], [3, 3]);
    isQuiet();
  });

  test("Jotai's atoms are read and told by the names that were given; a store without them says what it needs.", async () => {
    await pearIsTold("jotai", "cart", "items");
    assert.deepEqual(await change("cart", "count"), { store: "cart", path: "count", value: 1, old: 0 });
    const refused = await link.raw("state_read", { store: "bare", path: "items" });
    assert.deepEqual([refused.ok, refused.code], [false, "page_error"]);
    assert.match(refused.error, /does not list them/);
  });

  test("An XState actor is read as value, context and status, without its machine.", async () => {
    await pearIsTold("xstate", "checkout", "context.items");
    assert.deepEqual(await change("checkout", "value"), { store: "checkout", path: "value", value: "paying", old: "cart" });
    assert.deepEqual(Object.keys(await value("", "checkout")).sort(), ["context", "status", "value"]);
    await click("other");
    assert.deepEqual(await change("checkout", "status"), { store: "checkout", path: "status", value: "done", old: "active" });
  });

  test("A Valtio proxy is read and told through its snapshots.", async () => {
    await pearIsTold("valtio", "cart", "items");
  });

  test("A query client is read by query and mutation; data is the app's state, what it notes of requests is bookkeeping.", async () => {
    lab.pages.set("/api/prices/fruit", (request, response) => response.writeHead(200, { "content-type": "application/json" }).end('{"pear":3}'));
    lab.pages.set("/api/prices/gone", (request, response) => response.writeHead(500).end("no stock"));
    await open("query");
    await click("fetch");
    const data = await change("queries", "queries.prices/fruit.data", ({ value: now }) => now !== null);
    assert.deepEqual([data.value, data.bookkeeping], [{ pear: 3 }, undefined]);
    assert.equal(await value("queries.prices/fruit.status", "queries"), "success");
    assert.equal(await value("queries.prices/fruit.fetchStatus", "queries"), "idle");
    await click("change");
    await change("queries", "queries.prices/fruit.data.pear", ({ value: now }) => now === 4);
    await click("fail");
    const failed = await change("queries", "queries.prices/gone.status", ({ value: now }) => now === "error");
    assert.equal(failed.bookkeeping, true);
    await click("other");
    await eventually(async () => (await value("mutations.1.status", "queries")) === "success", "the mutation");
    assert.deepEqual(await value("mutations.1.variables", "queries"), { name: "pear" });
    for (const fields of changes("queries").filter(({ path }) => !path.includes(".data"))) assert.equal(fields.bookkeeping, true, fields.path);
  });

  test("A getter with subscribe is told and let go of; one without is declared unwatched.", async () => {
    await pearIsTold("getter", "cart", "items");
    assert.equal(await value("", "size"), 1);
    assert.equal(await value("wide", "viewport"), true);
    assert.equal(link.ofType("blind-spot", ({ kind }) => kind === "unwatched-state").at(-1).data.count, 1);
    await click("other");
    assert.equal(await value("", "size"), 0);
  });

  test("A global is compared when asked for, read by name without registering, and a getter of the app's is never run.", async () => {
    await open("global");
    await click("change");
    assert.deepEqual(await change("settings", "theme"), { store: "settings", path: "theme", value: "dark", old: "light" });
    assert.equal(link.ofType("blind-spot", ({ kind }) => kind === "unwatched-state").length, 0);
    const named = await read("rows", "window.settings");
    assert.deepEqual([named.value, named.discovered], [20, true]);
    assert.equal(await value("window.settings.theme"), "dark");
    assert.equal((await read("", "window.costly")).found, false);
    assert.equal(await value("window.counted"), 0);
    assert.equal((await read("", "window.document")).found, false);
  });

  test("Redux and TanStack Query are found in React's tree, marked so, and not a second time once registered.", async () => {
    await open("found-react");
    await eventually(async () => (await value("queries.greeting.data", "queryClient")) === "hello", "the query");
    const whole = await link.ask("state_read", {});
    assert.deepEqual([whole.storeNames, whole.discovered], [["redux", "queryClient"], ["redux", "queryClient"]]);
    const items = await read("cart.items.0.name");
    assert.deepEqual([items.value, items.store, items.discovered], ["pear", "redux", true]);
    await click("other");
    await eventually(async () => !(await link.ask("state_read", {})).storeNames.includes("redux"), "one name alone");
    assert.equal((await read("cart.items.0.name")).store, "shop");
    isQuiet();
  });

  test("A Pinia that nobody registered is found in its Vue app.", async () => {
    await open("found-vue");
    const count = await read("count", "cart");
    assert.deepEqual([count.value, count.discovered], [1, true]);
    isQuiet();
  });

  test("Alpine's stores are found and watched when registered, and an element tells the scope of its expressions.", async () => {
    await open("alpine", `<div x-data="menu"><button @click="toggle()">Menu</button><template x-for="(item, at) in $store.cart.items"><p role=note x-text="item.name"></p></template></div>
      <p x-data="{ own: 1 }"><i role=mark>plain</i></p>`);
    const whole = await link.ask("state_read", {});
    assert.deepEqual([whole.storeNames, whole.discovered], [["basket", "theme"], ["theme"]]);
    assert.equal(await value("dark", "theme"), false);
    await click("change");
    assert.deepEqual(await change("basket", "items.0"), { store: "basket", path: "items.0", value: PEAR, old: null });
    await click("Menu");
    const component = async (query) => (await link.ask("state_read", { ref: (await link.matched(query)).elements[0].ref })).component;
    assert.deepEqual(await component({ role: "button", name: "Menu" }), { ok: true, component: "menu", state: { open: true, password: "[REDACTED]" } });
    const row = await component({ role: "note" });
    assert.deepEqual([row.state.item, row.state.at, row.state.open], [PEAR, 0, true]);
    assert.deepEqual(await component({ role: "mark" }), { ok: true, state: { own: 1 } });
    assert.ok(!JSON.stringify(link.messages).includes("hunter22"));
    isQuiet();
  });

  const stateOf = async (id) => {
    const { elements } = await link.matched({ testid: id });
    return (await link.ask("state_read", { ref: elements[0].ref })).component;
  };
  const HOOKS = [
    { kind: "state", value: 2 }, { kind: "state", value: "fast" }, { kind: "ref", value: "held" },
    { kind: "memo", value: 4 }, { kind: "callback" }, { kind: "effect" },
  ];

  for (const page of ["react-16", "react-17", "react-18", "react-19", "preact"]) {
    test(`Component state by ref in ${page}: hooks in their order and a class's state, as they are now.`, async () => {
      await open(page);
      assert.deepEqual(await stateOf("hooks"), { ok: true, component: "Counter", hooks: HOOKS });
      await click("4");
      await link.matched({ role: "button", name: "6" });
      assert.equal((await stateOf("hooks")).hooks[0].value, 3);
      await click("6");
      await link.matched({ role: "button", name: "8" });
      assert.equal((await stateOf("hooks")).hooks[0].value, 4);
      await click("Menu");
      assert.deepEqual(await stateOf("class"), { ok: true, component: "Menu", state: { open: true, accessToken: "[REDACTED]" } });
    });
  }

  test("Component state by ref in Vue: setup in a development build, options in any; a production build's setup is said to be out of reach.", async () => {
    await open("vue-development");
    assert.deepEqual(await stateOf("setup"), { ok: true, component: "Setup", state: { count: 2, double: 4 } });
    await click("4");
    await link.matched({ role: "button", name: "6" });
    assert.equal((await stateOf("setup")).state.double, 6);
    assert.deepEqual(await stateOf("options"), { ok: true, component: "Options", state: { open: false, accessToken: "[REDACTED]", label: "Open" } });
    await open("vue-production");
    assert.equal((await stateOf("options")).state.label, "Open");
    const setup = await stateOf("setup");
    assert.deepEqual([setup.ok, setup.reason], [false, "component-state-unavailable"]);
    assert.match(setup.note, /production build/);
  });

  for (const version of ["htmx", "htmx-2"]) {
    test(`At work for an act, ${version} is pending until its answer is swapped in and settled, and inspect tells what it asks.`, async () => {
      let serve;
      lab.pages.set("/row", (request, response) => {
        serve = () => response.writeHead(200, { "content-type": "text/html" }).end("<li>fig</li>");
        lab.tell();
      });
      await open(version, '<ul id=list><li>pear</li></ul><button hx-get="/row" hx-target="#list" hx-swap="beforeend swap:300ms">More</button>');
      const pending = async () => (await link.ask("read", { questions: [] })).pending;
      const found = await link.matched({ role: "button", name: "More" });
      const { htmx } = await link.ask("inspect", { ref: found.elements[0].ref });
      assert.deepEqual(htmx, { verb: "GET", url: "/row", target: "#list", swap: "beforeend swap:300ms" });
      await click("More");
      await lab.until(() => serve);
      assert.equal((await pending()).loads, 1);
      serve();
      for (let round = 0; round < 100; round += 1) {
        const now = await pending();
        const { answers } = await link.ask("read", { questions: [{ kind: "text", contains: "fig" }] });
        if (answers[0].matched && now.loads + now.timers === 0) return;
        // until it is there something is always pending
        if (!answers[0].matched) assert.ok(now.loads + now.timers > 0 || (await link.ask("read", { questions: [{ kind: "text", contains: "fig" }] })).answers[0].matched, "nothing was pending");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.fail("it never came to rest");
    });
  }

  test("Component state of Svelte is said to be out of reach.", async () => {
    await open("svelte-development");
    const state = await stateOf("svelte");
    assert.deepEqual([state.ok, state.reason], [false, "component-state-unavailable"]);
    assert.match(state.note, /Svelte/);
  });
});

const WATCHED = {
  redux: "cart", toolkit: "app", zustand: "cart", pinia: "app", vue: "cart", svelte: "items", runes: "cart", mobx: "cart",
  jotai: "cart", xstate: "checkout", valtio: "cart", query: "queries", getter: "cart", alpine: "basket",
};

for (const [name, store] of Object.entries(WATCHED)) {
  test(`A store of ${name} that is unregistered is subscribed to no more.`, async () => {
    const buttons = ["change", "fetch", "fail", "other"].map((id) => `<button id=${id}></button>`).join("");
    const page = loadPage(`<div id=app x-data></div>${buttons}`, ["stores", "makeApi"]);
    page.window.reticle = page.makeApi();
    page.window.eval(readFileSync(`${BUILT}${name}.js`, "utf-8"));
    await turn(page.window, 20);
    const entry = page.stores.get(store);
    const isTold = async () => {
      entry.waiting = false;
      // a note stays set while nobody looks
      entry.restsUntil = 1e9;
      page.document.getElementById("change").click();
      await turn(page.window, 20);
      return entry.waiting;
    };
    assert.equal(await isTold(), true);
    page.window.reticle.unregisterStore(store);
    // as if it were still there: only a subscription that was left behind could now tell of a change
    page.stores.set(store, entry);
    assert.equal(await isTold(), false);
  });
}
