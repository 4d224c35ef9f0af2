/*
 * Storage, hot updates, performance, dialogs, downloads, frames, capabilities: what needs no real browser.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same, turn } from "./parts.mjs";

/** A started page that is past its load. */
async function started(html, names = [], options = {}) {
  const page = loadPage(html, ["queue", "connection", ...names], { start: true, ...options });
  await turn(page.window, 5);
  page.queue.waiting = [];
  page.told = (type) => {
    page.connection.flush();
    return page.queue.waiting.filter((event) => event.type === type).map((event) => event.data);
  };
  return page;
}

test("Each write to the storage is told in its order, with old and new value; secrets and our own keys are not.", async () => {
  const page = await started("<p></p>");
  const { localStorage, sessionStorage } = page.window;
  localStorage.setItem("theme", "dark");
  localStorage.setItem("theme", "dark");
  localStorage.setItem("theme", "light");
  sessionStorage.setItem("cart", '{"id":1,"password":"hunter22"}');
  localStorage.setItem("auth_token", "abc123");
  localStorage.setItem("auth_token", "def456");
  sessionStorage.setItem("__reticle_x", "1");
  localStorage.removeItem("theme");
  localStorage.assigned = "plainly";
  page.connection.flush();
  localStorage.clear();
  same(page.told("storage.change"), [
    { area: "local", key: "theme", old: null, new: "dark" },
    { area: "local", key: "theme", old: "dark", new: "light" },
    { area: "session", key: "cart", old: null, new: '{"id":1,"password":"[REDACTED]"}' },
    { area: "local", key: "auth_token", old: null, new: "[REDACTED]" },
    { area: "local", key: "auth_token", old: "[REDACTED]", new: "[REDACTED]" },
    { area: "local", key: "theme", old: "light", new: null },
    { area: "local", key: "assigned", old: null, new: "plainly" },
    { area: "local", key: "auth_token", old: "[REDACTED]", new: null },
    { area: "local", key: "assigned", old: "plainly", new: null },
  ]);
});

test("A cookie that the answer takes away which leads to another page is told as the page goes, without the browser's word.", async () => {
  const page = await started("<p></p>");
  const { document, Event } = page.window;
  document.cookie = "last_name=pat";
  page.told("storage.change");
  page.queue.waiting = [];
  Object.defineProperty(document, "cookie", { get: () => "" });
  same(page.told("storage.change"), []);
  page.window.dispatchEvent(Object.assign(new Event("pagehide"), { persisted: false }));
  same(page.told("storage.change"), [{ area: "cookies", key: "last_name", old: "pat", new: null }]);
});

test("What the app's storage calls give back and throw is theirs, and the methods look like the browser's own.", async () => {
  const page = await started("<p></p>");
  const { Storage, localStorage, document } = page.window;
  assert.equal(localStorage.setItem("a", "1"), undefined);
  assert.throws(() => localStorage.setItem("a"), { name: "TypeError" });
  assert.equal(Storage.prototype.setItem.name, "setItem");
  assert.equal(Storage.prototype.setItem.length, 2);
  document.cookie = "a=1";
  assert.equal(document.cookie, "a=1");
  same(page.told("storage.change").map((one) => one.area), ["local", "cookies"]);
});

test("What a server knows a person by is not told of cookies; what people read in them is.", async () => {
  const page = await started("<p></p>", ["runStorageRead"]);
  const { document, localStorage } = page.window;
  const cookies = {
    laravel_session: "abc", XSRF: "1", auth: "x", remember_web: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", theme: "dark", consent: "2026-11-30",
    back: "/orders/2026/11/30/list?sort=newest&page=1", user: "%7B%22name%22%3A%22Ada%22%2C%22token%22%3A%22abc123%22%7D", label: "50%25%20off",
  };
  for (const [name, value] of Object.entries(cookies)) document.cookie = `${name}=${value}`;
  localStorage.setItem("auth", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b");
  localStorage.setItem("session", "open");
  localStorage.setItem("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "1");
  const [local, cookie] = ["local", "cookies"].map((area) => page.runStorageRead({ area }).areas[0]);
  same(cookie.values, {
    ...cookies, laravel_session: "[REDACTED]", XSRF: "[REDACTED]", auth: "[REDACTED]", remember_web: "[REDACTED]", user: '{"name":"Ada","token":"[REDACTED]"}',
  });
  same(local, { area: "local", values: { auth: "[REDACTED]", session: "open", "[REDACTED]": "1" }, count: 3 });
});

test("Many keys are counted exactly, each is found, and a value that is cut says its length.", async () => {
  const page = await started("<p></p>", ["runStorageRead"]);
  for (let n = 0; n < 2500; n += 1) page.window.localStorage.setItem(`k${n}`, "x".repeat(n));
  const [{ values, count, truncated }] = page.runStorageRead({ area: "local" }).areas;
  assert.deepEqual([Object.keys(values).length, count, truncated], [200, 2500, true]);
  same(page.runStorageRead({ key: "k7" }), { found: true, area: "local", key: "k7", value: "xxxxxxx" });
  const last = page.runStorageRead({ key: "k2499" });
  assert.deepEqual([last.found, last.value.length, last.truncated, last.length], [true, 1024, true, 2499]);
  same(page.runStorageRead({ key: "k2500" }), { found: false, area: null, key: "k2500", value: null });
});

test("Storage that a sandbox forbids is said to be unavailable, and the page starts all the same.", async () => {
  const forbid = (window) => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, { get: () => { throw new window.DOMException("no", "SecurityError"); } });
    }
  };
  const page = await started("<p></p>", ["runStorageRead"], { before: forbid });
  same(page.runStorageRead({ area: "local" }), { areas: [{ area: "local", values: {}, count: 0, unavailable: true }] });
  same(page.runStorageRead({ area: "local", key: "x" }), { found: false, area: "local", key: "x", value: null, unavailable: ["local"] });
  same(page.runStorageRead({ key: "x" }), { found: false, area: null, key: "x", value: null, unavailable: ["local", "session"] });
  same(page.told("sdk.failed"), []);
});

test("A key is read from the area that has it, and a wrong area is refused.", async () => {
  const page = await started("<p></p>", ["runStorageRead"]);
  page.window.localStorage.setItem("k", "one");
  page.window.sessionStorage.setItem("k", "two");
  same(page.runStorageRead({ key: "k" }), { found: true, area: "local", key: "k", value: "one", alsoIn: ["session"] });
  same(page.runStorageRead({ key: "k", area: "session" }), { found: true, area: "session", key: "k", value: "two" });
  same(page.runStorageRead({ key: "x", area: "session" }), { found: false, area: "session", key: "x", value: null });
  assert.throws(() => page.runStorageRead({ area: "disk" }), { code: "bad_arguments" });
});

test("A webpack hot update counts as one, and what follows says so; another window's message does not.", async () => {
  const page = await started("<p></p>");
  const say = (data, source) => page.window.dispatchEvent(new page.window.MessageEvent("message", { data, source }));
  say("webpackHotUpdateabc", null);
  say("hello", page.window);
  say("webpackHotUpdateabc", page.window);
  page.window.dispatchEvent(new page.window.CustomEvent("vite:afterUpdate", { detail: { updates: [{ path: "/a.js" }] } }));
  page.window.reticle.signal("after");
  same(page.told("edit.applied"), [{ tool: "webpack", paths: [], epoch: 1 }, { tool: "vite", paths: ["/a.js"], epoch: 2 }]);
  assert.equal(page.queue.waiting.at(-1).editEpoch, 2);
});

test("A long task that is mostly ours is left out; shifts add up only within one session window.", () => {
  const page = loadPage("<p></p>", ["noteOwnWork", "isOwnTask", "addShift", "shifts"]);
  page.noteOwnWork(100, 200);
  page.noteOwnWork(500, 510);
  assert.deepEqual(
    [[90, 120], [150, 300], [90, 500], [500, 60]].map(([startTime, duration]) => page.isOwnTask({ startTime, duration })),
    [true, false, false, false],
  );
  const shift = (value, startTime, hadRecentInput = false) => page.addShift({ value, startTime, hadRecentInput });
  assert.deepEqual([shift(0.1, 0), shift(0.1, 500), shift(0.5, 900, true), shift(0.15, 3000), shift(0.1, 3100)], [true, true, false, false, true]);
  assert.equal(page.shifts.worst, 0.25);
});

test("A dialog is told twice, with the user's answer; what was typed as a password is not told.", async () => {
  const answers = { confirm: true, prompt: "ada", alert: undefined };
  const before = (window) => { for (const kind of Object.keys(answers)) window[kind] = () => answers[kind]; };
  const page = await started("<p></p>", [], { before });
  assert.equal(page.window.confirm("Go?"), true);
  assert.equal(page.window.prompt("Name"), "ada");
  page.window.prompt("Your password");
  page.window.alert("Done");
  same(page.told("dialog").map(({ id, source, frames, ...fields }) => fields), [
    { kind: "confirm", message: "Go?", state: "open" },
    { kind: "confirm", message: "Go?", state: "closed", answer: true },
    { kind: "prompt", message: "Name", state: "open" },
    { kind: "prompt", message: "Name", state: "closed", answer: "ada" },
    { kind: "prompt", message: "Your password", state: "open" },
    { kind: "prompt", message: "Your password", state: "closed", answer: "[REDACTED]" },
    { kind: "alert", message: "Done", state: "open" },
    { kind: "alert", message: "Done", state: "closed" },
  ]);
});

test("A dialog that opens is on its way before the page stands still.", async () => {
  const sentWhenOpen = [];
  const page = await started("<p></p>", [], { before: (window) => { window.alert = () => sentWhenOpen.push(...page.sent()); } });
  page.sockets[0].open();
  page.window.alert("Stop");
  assert.equal(sentWhenOpen.at(-1).events.at(-1).data.state, "open");
});

test("What an app declares and what was seen of it are its capabilities; keys it calls secret are redacted from then on.", async () => {
  const page = await started("<button data-testid=go>Go</button>", ["runCapabilities", "plain"]);
  const { reticle } = page.window;
  reticle.registerCapabilities({ testids: ["later"], signals: ["order:placed"], flows: [{ name: "checkout", steps: ["a", "b"] }, "login"], owner: "team-shop" });
  reticle.registerCapabilities({ governance: { redact: ["iban"], risk: [{ surface: "pay", paths: ["/pay"] }] }, stores: ["cart"] });
  reticle.signal("cart:opened");
  reticle.registerStore("user", () => ({}));
  same(page.runCapabilities({}), {
    testids: ["later", "go"],
    signals: ["order:placed", "cart:opened"],
    stores: ["cart", "user"],
    flows: [{ name: "checkout", steps: ["a", "b"] }, { name: "login", steps: [] }],
    governance: { owner: "team-shop", redact: ["iban"], risk: [{ surface: "pay", paths: ["/pay"] }] },
  });
  same(page.plain({ iban: "DE1", IBAN: "DE2", urban: "x" }), { iban: "[REDACTED]", IBAN: "[REDACTED]", urban: "x" });
  assert.equal(page.connection.hasCapabilities, true);
});

test("More than 500 test ids are cut, and said to be.", async () => {
  const page = await started(Array.from({ length: 510 }, (_, n) => `<i data-testid=t${n}></i>`).join(""), ["runCapabilities"]);
  const { testids, truncated } = page.runCapabilities({});
  assert.deepEqual([testids.length, truncated], [500, true]);
});

test("A frame that was there with scripts of its own before us is declared, and no longer once it is gone.", async () => {
  const page = loadPage("<iframe></iframe>", ["queue", "connection", "blind"], {
    start: true,
    before: (window) => {
      const inner = window.document.querySelector("iframe").contentDocument;
      inner.head.append(inner.createElement("script"));
    },
  });
  await turn(page.window, 20);
  assert.equal(page.blind["uninstrumented-frame"], 1);
  page.document.querySelector("iframe").remove();
  page.connection.flush();
  assert.equal(page.blind["uninstrumented-frame"], 0);
});
