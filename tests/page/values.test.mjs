/*
 * Any value of an app as plain JSON.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage } from "./parts.mjs";

const { window, document, plain } = loadPage("<p id=x></p>", ["plain"]);
const json = (value) => JSON.parse(JSON.stringify(value));

test("Values that JSON does not have become readable ones.", () => {
  const value = {
    date: new Date(0), bad: new Date(NaN), big: 10n, nan: NaN, map: new Map([["a", 1], [2, "b"]]), set: new Set([1]),
    bytes: new Uint8Array([1, 2]), pattern: /a/g, fn() {}, node: document.getElementById("x"), gone: undefined, error: new TypeError("no"),
  };
  assert.deepEqual(json(plain(value)), {
    date: "1970-01-01T00:00:00.000Z", bad: "Invalid Date", big: "10", nan: "NaN", map: { a: 1, 2: "b" }, set: [1],
    bytes: [1, 2], pattern: "/a/g", fn: "[Function fn]", node: "[Node p#x]", error: { name: "TypeError", message: "no" },
  });
});

test("Cycles and getters that throw are marked, and the rest is still there.", () => {
  const value = { ok: 1, get bad() { throw new Error("no"); } };
  value.self = value;
  value.twice = [value.ok, { same: 1 }];
  assert.deepEqual(json(plain(value)), { ok: 1, bad: "[UNSERIALIZABLE]", self: "[CIRCULAR]", twice: [1, { same: 1 }] });
  const shared = { a: 1 };
  assert.deepEqual(json(plain([shared, shared])), [{ a: 1 }, { a: 1 }], "the same object twice is no cycle");
});

test("Every cap leaves a mark in its place.", () => {
  assert.equal(plain(Array.from({ length: 300 }, (_, index) => index)).length, 201);
  assert.equal(plain(Array.from({ length: 300 }, () => 0))[200], "[TRUNCATED]");
  assert.ok(plain("x".repeat(70000)).endsWith("[TRUNCATED]"));
  let deep = "end";
  for (let level = 0; level < 20; level += 1) deep = { deep };
  assert.ok(JSON.stringify(plain(deep)).includes('"[TRUNCATED]"'));
  const many = Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => ({ a: 1 })));
  assert.ok(JSON.stringify(plain(many)).includes('"[TRUNCATED]"'));
});

test("A five megabyte text costs no more than its cap.", () => {
  assert.ok(JSON.stringify(plain({ a: "y".repeat(5_000_000) })).length < 66000);
});

test("A key named __proto__ stays a key.", () => {
  const value = JSON.parse('{"__proto__": {"polluted": 1}}');
  assert.equal(JSON.stringify(plain(value)), '{"__proto__":{"polluted":1}}');
  assert.equal(window.Object.prototype.polluted, undefined);
});
