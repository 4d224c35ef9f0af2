/*
 * Accuracy against the browser itself: the whole corpus of `make accuracy`.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareAll } from "./accuracy/judge.mjs";
import { findChromium } from "./lab.mjs";

const skip = findChromium() ? false : "no Chromium on this machine (set RETICLE_CHROMIUM)";

test("Roles, names, states and values are those of Chromium's accessibility tree, but for differences with a listed reason.", { skip }, async () => {
  const { pages, nodes, faults } = await compareAll();
  assert.deepEqual(faults, []);
  assert.ok(pages >= 80 && nodes >= 1000, `only ${pages} pages with ${nodes} nodes were compared`);
});
