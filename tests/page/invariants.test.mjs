/*
 * What an app says must always hold of it is told with the hello, and a bad declaration is refused in words.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, turn } from "./parts.mjs";

const QUIET = { kind: "console", level: "error", absent: true };

async function started() {
  const said = [];
  const page = loadPage("", ["connection"], { start: true, before(window) { window.console.info = (text) => said.push(text); } });
  await turn(page.window, 5);
  const [socket] = page.sockets;
  socket.open();
  const hello = () => socket.sent.filter((message) => message.kind === "hello").at(-1);
  return { window: page.window, hello, said };
}

test("A declaration is told at once, replaced under its name, and taken back with null.", async () => {
  const { window, hello } = await started();
  assert.equal(hello().invariants, undefined);
  window.reticle.invariant("no-errors", QUIET);
  assert.deepEqual(hello().invariants.map((text) => JSON.parse(text)), [{ name: "no-errors", predicate: QUIET }]);
  window.reticle.invariant("no-errors", { ...QUIET, contains: "x" });
  assert.equal(JSON.parse(hello().invariants[0]).predicate.contains, "x");
  window.reticle.invariant("no-errors", null);
  assert.equal(hello().invariants, undefined);
});

test("What is no declaration is refused on the console, and nothing of it is told.", async () => {
  const { window, hello, said } = await started();
  for (const bad of [["", QUIET], [5, QUIET], ["x".repeat(81), QUIET], ["a", "text"], ["a", [QUIET]], ["a"]]) window.reticle.invariant(...bad);
  window.reticle.invariant("long", { ...QUIET, contains: "y".repeat(2000) });
  assert.equal(said.filter((text) => /invariant .* was refused: /.test(text)).length, 7);
  for (let number = 0; number < 17; number += 1) window.reticle.invariant(`n${number}`, QUIET);
  assert.match(said.at(-1), /n16 was refused: there are 16 already/);
  assert.equal(hello().invariants.length, 16);
});
