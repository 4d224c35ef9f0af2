/*
 * The acting matrix: every action on every kind of element in every framework, by the app's own state.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findChromium } from "./lab.mjs";
import { APPS } from "./matrix/apps.mjs";
import { judgeAll, MARKS } from "./matrix/judge.mjs";

/** Three apps that differ most, in `make test`; `make full` and `make matrix` look at all. */
const some = process.env.MATRIX === "all" ? null : ["plain", "React 19", "htmx"];

const skip = findChromium() ? false : "no Chromium on this machine (set RETICLE_CHROMIUM)";

test("Each act tells each framework's app exactly what a person's would, once, or is refused with its reason.", { skip }, async () => {
  const { rows, faults } = await judgeAll(some);
  assert.deepEqual(faults, []);
  const marks = rows.flatMap(({ cells }) => Object.values(cells));
  const kept = (some ?? Object.keys(APPS)).map((app) => rows.filter(({ cells }) => cells[app] && cells[app] !== MARKS.absent).length);
  // a cell that is left out is no cell that passes
  assert.ok(marks.length >= 130 * kept.length - 10 && Math.min(...kept) >= 80, `only ${marks.length} cells, ${kept.join(", ")} by app`);
});
