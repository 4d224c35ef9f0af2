/*
 * What an event goes back to, where a test moves time: what is carried on, and where nothing is said.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, turn } from "./parts.mjs";

/** A loaded page; its causes, and what a click as the agent's would set going. */
async function stage() {
  const page = loadPage("<p></p>", ["causes", "pendingWork"], { start: true });
  const { causes, pendingWork, window } = page;
  await turn(window, 20);
  let acts = 0;
  /** Act by script, as a command does. */
  const act = (work) => {
    acts += 1;
    causes.name(`a${acts}`);
    pendingWork.begin();
    causes.strike();
    work();
    pendingWork.end();
    return `a${acts}`;
  };
  /** Until what was scheduled ran. */
  const later = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms + 15));
  return { causes, window, act, later };
}

test("A task belongs to what began it, with all its promises, and the next one to nobody.", async () => {
  const { causes, act, later } = await stage();
  const seen = [];
  const name = act(() => {
    seen.push(causes.now());
    Promise.resolve().then(() => seen.push(causes.now()));
  });
  await later();
  assert.deepEqual(seen, [name, name]);
  assert.equal(causes.now(), undefined);
});

test("A newer act ends what an older one has scheduled, but for what went on by itself before.", async () => {
  const { causes, window, act, later } = await stage();
  const seen = [];
  act(() => {
    window.setTimeout(() => seen.push(`once ${causes.now()}`), 60);
    window.setInterval(() => seen.push(`tick ${causes.now()}`), 25);
  });
  await later(30);
  act(() => {});
  await later(60);
  assert.ok(seen.includes("tick a1"));
  assert.ok(seen.includes("once undefined"), String(seen));
});

test("An act without a name, of an older daemon, sets nothing going that is told.", async () => {
  const { causes, window, later } = await stage();
  const seen = [];
  causes.begin();
  causes.strike();
  window.setTimeout(() => seen.push(causes.now()));
  causes.done();
  await later();
  assert.deepEqual(seen, [undefined]);
});

test("An act's name that is too long, or none, is not told.", async () => {
  const { causes } = await stage();
  for (const name of ["x".repeat(65), 7, null]) {
    causes.name(name);
    causes.begin();
    causes.strike();
    assert.equal(causes.now(), undefined);
    causes.done();
  }
});

test("Only what can be somebody's doing is told of: no heartbeat, no message of a stream.", async () => {
  const { causes, act } = await stage();
  act(() => {
    assert.equal(causes.of("dom.added"), "a1");
    for (const type of ["page.health", "net.stream", "worker.message", "perf", "human.mark"]) assert.equal(causes.of(type), undefined, type);
  });
});

test("A fault of ours keeps no timer of the app from running.", async () => {
  const { causes, window, later } = await stage();
  const seen = [];
  causes.oneShot = causes.tick = () => {
    throw new Error("ours");
  };
  window.setTimeout(() => seen.push("once"));
  const ticking = window.setInterval(() => seen.push("tick"), 5);
  await later(20);
  window.clearInterval(ticking);
  assert.ok(seen.includes("once") && seen.includes("tick"), String(seen));
});
