/*
 * What the app has scheduled: the browser's functions stay as they are, and only an action's own work is told.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { loadPage, same, turn } from "./parts.mjs";

const NONE = { timers: 0, animations: 0, loads: 0 };

/** A page whose time stands still unless a test moves it: timers run when `advance` reaches them. */
function stage(html = "<p></p>") {
  const due = [];
  let now = 0;
  let ids = 0;
  const page = loadPage(html, ["pendingWork"], {
    start: true,
    before(window) {
      for (const [name, value] of [["hidden", false], ["readyState", "complete"]]) {
        Object.defineProperty(window.document, name, { value, configurable: true });
      }
      window.performance.now = () => now;
      const add = (repeat) => function (callback, delay = 0, ...args) {
        if (arguments.length === 0) throw new window.TypeError("1 argument required");
        ids += 1;
        const timer = { id: ids, at: now + Math.max(0, delay | 0), every: repeat ? delay | 0 : 0, callback, args };
        due.push(timer);
        return ids;
      };
      const remove = (id) => {
        const at = due.findIndex((timer) => timer.id === Number(id));
        if (at >= 0) due.splice(at, 1);
      };
      const once = add(false);
      window.setTimeout = once;
      window.setInterval = add(true);
      window.clearTimeout = remove;
      window.clearInterval = remove;
      window.requestAnimationFrame = (callback) => once(() => callback(now), 16);
      window.cancelAnimationFrame = remove;
    },
  });
  page.advance = (ms) => {
    const end = now + ms;
    for (;;) {
      const next = due.filter((timer) => timer.at <= end).sort((one, other) => one.at - other.at || one.id - other.id)[0];
      if (!next) break;
      now = Math.max(now, next.at);
      if (next.every) next.at = now + next.every;
      else due.splice(due.indexOf(next), 1);
      if (typeof next.callback === "function") next.callback.call(page.window, ...next.args);
    }
    now = end;
  };
  /** Time passes in which the page comes to nothing. */
  page.stall = (ms) => {
    now += ms;
  };
  page.act = (work = () => {}) => {
    page.pendingWork.begin();
    work(page.window);
    page.pendingWork.end();
  };
  page.timers = () => page.pendingWork.tell().timers;
  page.quiet = () => page.pendingWork.tell().quietMs;
  /** What is pending; how long nothing comes has tests of its own. */
  page.work = () => {
    const { quietMs, ...told } = page.pendingWork.tell();
    assert.equal(typeof quietMs, "number");
    return told;
  };
  return page;
}

test("Timers keep what the app sees of them: name, length, text, ids, arguments, this, return values, errors.", async () => {
  const page = loadPage("<p></p>", ["pendingWork"], { start: true });
  const { window } = page;
  const bare = loadPage("<p></p>").window;
  for (const name of ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "requestAnimationFrame", "cancelAnimationFrame"]) {
    assert.equal(window[name].name, bare[name].name);
    assert.equal(window[name].length, bare[name].length);
    assert.equal(window[name].toString(), bare[name].toString());
    assert.deepEqual(Object.keys(Object.getOwnPropertyDescriptor(window, name)), Object.keys(Object.getOwnPropertyDescriptor(bare, name)));
  }
  const called = await new Promise((resolve) => {
    const id = window.setTimeout(function (...args) { resolve({ id, self: this, args }); }, "1", "a", 2);
  });
  assert.equal(typeof called.id, "number");
  assert.equal(called.self, window);
  assert.deepEqual(called.args, ["a", 2]);
  assert.equal(window.clearTimeout(called.id), undefined);
  assert.equal(window.clearTimeout(), undefined);
  assert.equal(window.clearTimeout({}), undefined);
  const failure = (view, ask) => {
    try {
      return ["gave", typeof ask(view)];
    } catch (error) {
      return [error.name, error.message];
    }
  };
  for (const ask of [(view) => view.setTimeout(), (view) => view.requestAnimationFrame("x"), (view) => view.requestAnimationFrame(), (view) => view.setInterval()]) {
    assert.deepEqual(failure(window, ask), failure(bare, ask));
  }
  const frame = await new Promise((resolve) => window.requestAnimationFrame((...args) => resolve(args)));
  assert.equal(frame.length, 1);
  assert.equal(typeof frame[0], "number");
});

test("An app may clear a timer with either function, by number or text, and then nothing is pending.", () => {
  const page = stage();
  const { window } = page;
  const ran = [];
  for (const clear of [(id) => window.clearTimeout(id), (id) => window.clearInterval(id), (id) => window.clearTimeout(String(id))]) {
    page.act(() => clear(window.setTimeout(() => ran.push("late"), 300)));
    assert.equal(page.timers(), 0);
  }
  const interval = window.setInterval(() => ran.push("tick"), 100);
  window.clearTimeout(interval);
  page.advance(1000);
  assert.deepEqual(ran, []);
});

test("A delay is read as browsers read it, and an object's own conversion runs once.", () => {
  const page = stage();
  const { window } = page;
  for (const [given, ms] of [[800, 800], ["800", 800], [1.9, 1], [-5, 0], [undefined, 0], [null, 0], [NaN, 0], [2 ** 31, 0]]) {
    page.act(() => window.setTimeout(() => {}, given));
    same(page.work(), { ...NONE, timers: 1, soonestMs: ms, latestMs: ms }, String(given));
  }
  let conversions = 0;
  window.setTimeout(() => {}, { valueOf: () => { conversions += 1; return 5; } });
  assert.equal(conversions, 1);
});

test("Code given as text is scheduled as it is and counts until a moment after its time.", () => {
  const page = stage();
  page.act((window) => window.setTimeout("globalThis.x = 1", 200));
  same(page.work(), { ...NONE, timers: 1, soonestMs: 200, latestMs: 200 });
  page.advance(240);
  assert.equal(page.timers(), 1);
  page.advance(20);
  same(page.work(), NONE);
});

test("A timer that throws is no longer pending, its error is the app's, and what comes after it is judged afresh.", () => {
  const page = stage();
  const { window } = page;
  page.advance(10);
  window.setTimeout(() => { throw new Error("app"); }, 100);
  page.act();
  assert.throws(() => page.advance(200), { message: "app" });
  window.setTimeout(() => {}, 300);
  assert.equal(page.timers(), 1);
});

test("An action's one-shots are pending until they have run, the far ones are told apart, the very far ones not at all.", () => {
  const page = stage();
  page.act((window) => {
    for (const ms of [800, 1500, 5000, 5001, 60000, 60001]) window.setTimeout(() => {}, ms);
    window.setInterval(() => {}, 50);
  });
  same(page.work(), { ...NONE, timers: 3, soonestMs: 800, latestMs: 5000, laterMs: 5001 });
  page.advance(900);
  same(page.work(), { ...NONE, timers: 2, soonestMs: 600, latestMs: 4100, laterMs: 4101 });
});

test("A frame is pending until it is drawn, and can be taken back.", () => {
  const page = stage();
  page.act((window) => {
    window.requestAnimationFrame(() => {});
    window.cancelAnimationFrame(window.requestAnimationFrame(() => {}));
  });
  assert.equal(page.timers(), 1);
  page.advance(20);
  assert.equal(page.timers(), 0);
});

test("The time for which nothing comes counts the app's clocks, loops and sockets too.", () => {
  const page = stage();
  const { window } = page;
  assert.equal(page.quiet(), 60000);
  const interval = window.setInterval(() => {}, 1000);
  page.advance(300);
  assert.equal(page.quiet(), 700);
  page.advance(700);
  assert.equal(page.quiet(), 1000);
  page.act(() => window.setTimeout(() => {}, 200));
  assert.equal(page.quiet(), 200);
  page.advance(250);
  assert.equal(page.quiet(), 750);
  window.clearTimeout(interval);
  assert.equal(page.quiet(), 60000);
  window.setInterval("globalThis.x = 1", 5000);
  assert.equal(page.quiet(), 0);
});

test("When an interval ticks next is known; one that ticks all the time, one-shots, and one that ended say nothing.", () => {
  const page = stage();
  const { window } = page;
  window.setInterval(() => {}, 50);
  window.setTimeout(() => {}, 250);
  assert.equal(page.pendingWork.nextTick(200), Infinity);
  const interval = window.setInterval(() => {}, 300);
  page.advance(270);
  assert.equal(page.pendingWork.nextTick(200), 30);
  page.stall(50);
  assert.equal(page.pendingWork.nextTick(200), 0);
  page.advance(0);
  assert.equal(page.pendingWork.nextTick(200), 300);
  window.clearInterval(interval);
  assert.equal(page.pendingWork.nextTick(200), Infinity);
});

test("A change is told as undrawn until a frame has shown it.", async () => {
  const page = stage();
  assert.equal(page.pendingWork.tell().undrawn, undefined);
  page.window.document.body.append("more");
  await turn(globalThis);
  assert.equal(page.pendingWork.tell().undrawn, true);
  page.advance(10);
  assert.equal(page.pendingWork.tell().undrawn, true);
  page.advance(10);
  assert.equal(page.pendingWork.tell().undrawn, undefined);
});

test("Where timers are held back, or a document still loads, something may come at any time.", () => {
  for (const [name, value] of [["hidden", true], ["readyState", "interactive"]]) {
    const page = stage();
    Object.defineProperty(page.window.document, name, { value });
    assert.equal(page.quiet(), 0);
  }
});

/** Each row: what goes on before the act, what the act does, and how many timers are pending how long after it. */
const AMBIENT = [
  ["what stood before the act", (window) => window.setTimeout(() => {}, 900), () => {}, [[0, 0]]],
  ["what the act schedules", () => {}, (window) => window.setTimeout(() => {}, 900), [[0, 1], [1000, 0]]],
  ["a clock that re-arms itself", (window) => { const tick = () => window.setTimeout(tick, 250); tick(); }, () => {}, [[0, 0], [300, 0], [700, 0]]],
  ["a clock of fresh closures", (window) => { const tick = () => window.setTimeout(() => tick(), 250); tick(); }, () => {}, [[0, 0], [300, 0], [700, 0]]],
  ["what an interval's tick schedules", (window) => window.setInterval(() => window.setTimeout(() => {}, 400), 200), () => {}, [[0, 0], [250, 0]]],
  ["the interval of an act, too", () => {}, (window) => window.setInterval(() => window.setTimeout(() => {}, 400), 200), [[0, 0], [250, 0]]],
  ["a chain that the act began", () => {}, (window) => window.setTimeout(() => window.setTimeout(() => {}, 700), 300), [[0, 1], [400, 1], [1100, 0]]],
  ["a clock that the act began is one after two ticks", () => {}, (window) => { const tick = () => window.setTimeout(tick, 250); tick(); }, [[0, 1], [300, 1], [600, 0]]],
  ["what stood and sets something else going", (window) => window.setTimeout(() => window.setTimeout(() => {}, 500), 300), () => {}, [[0, 0], [400, 0]]],
  ["the same debounce, set twice by acts", (window) => window.debounce(), (window) => window.debounce(), [[0, 1], [900, 0]]],
];
for (const [what, before, act, expected] of AMBIENT) {
  test(`Whether a timer is an action's work: ${what}.`, () => {
    const page = stage();
    page.window.debounce = () => {
      page.window.clearTimeout(page.window.debounced);
      page.window.debounced = page.window.setTimeout(() => {}, 800);
    };
    page.advance(100);
    before(page.window);
    page.advance(20);
    page.act(act);
    let at = 0;
    for (const [ms, timers] of expected) {
      page.advance(ms - at);
      at = ms;
      assert.equal(page.timers(), timers, `${ms} ms after the act`);
    }
  });
}

test("A poll loop that goes on when its answer has come is none of a later action's work.", async () => {
  const page = stage();
  const poll = () => page.window.setTimeout(() => answered.push(poll), 1000);
  const answered = [];
  const answer = () => answered.splice(0).forEach((next) => next());
  poll();
  for (let round = 0; round < 3; round += 1) {
    page.advance(1000);
    answer();
  }
  page.act();
  page.advance(1000);
  answer();
  assert.equal(page.timers(), 0);
});

test("Two bound functions are not taken for one loop, and one that goes on is.", () => {
  const page = stage();
  const { window } = page;
  const going = [];
  const tick = function () { going.push(window.setTimeout(going.tick, 400)); };
  going.tick = tick.bind(null);
  going.tick();
  page.advance(900);
  page.act();
  page.advance(500);
  assert.equal(page.timers(), 0);
  window.setTimeout(function save() {}.bind(null), 400);
  assert.equal(page.timers(), 1);
});

test("What ran twice for an act and did not go on is work again for the next.", () => {
  const page = stage();
  const { window } = page;
  const later = () => {};
  page.act((view) => view.setTimeout(later, 100));
  page.advance(150);
  window.setTimeout(later, 100);
  page.advance(150);
  page.act();
  window.setTimeout(later, 100);
  assert.equal(page.timers(), 1);
});

test("The next action takes over: what an earlier one left is not its work.", () => {
  const page = stage();
  page.act((window) => window.setTimeout(() => {}, 900));
  page.act((window) => window.setTimeout(() => {}, 300));
  assert.equal(page.timers(), 1);
});

test("More timers than can be followed make it unknown for this action, not for the next.", () => {
  const page = stage();
  page.act((window) => {
    for (let count = 0; count <= 5000; count += 1) window.setTimeout(() => {}, 1000);
  });
  assert.equal(page.pendingWork.tell(), undefined);
  page.advance(2000);
  page.act((window) => window.setTimeout(() => {}, 100));
  assert.equal(page.timers(), 1);
});

test("A callback is kept no longer than the browser keeps it.", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const page = loadPage("<p></p>", ["pendingWork"], { start: true });
  const held = (() => {
    const callback = () => {};
    page.window.clearTimeout(page.window.setTimeout(callback, 60000));
    return new WeakRef(callback);
  })();
  await turn(page.window, 20);
  collect();
  assert.equal(held.deref(), undefined);
});

test("A script that is being fetched is pending until it came or failed; one that was there before, or is no script, is not.", () => {
  const page = stage("<script src='/old.js' type='text/plain'></script>");
  const { document } = page;
  const add = (type) => document.body.appendChild(Object.assign(document.createElement("script"), { src: "/chunk.js", type }));
  add("module");
  page.act();
  assert.equal(page.pendingWork.tell().loads, 0);
  add("application/json");
  const chunk = add("module");
  const lost = add("");
  assert.equal(page.pendingWork.tell().loads, 2);
  chunk.dispatchEvent(new page.window.Event("load"));
  lost.dispatchEvent(new page.window.Event("error"));
  assert.equal(page.pendingWork.tell().loads, 0);
  add("module");
  assert.equal(page.pendingWork.tell().loads, 1);
  page.advance(5001);
  assert.equal(page.pendingWork.tell().loads, 0);
});

test("The task scheduler's tasks are pending until they have run or were aborted, and its promise stays untouched.", async () => {
  const posted = [];
  const page = loadPage("<p></p>", ["pendingWork"], {
    start: true,
    before(window) {
      window.Scheduler = class Scheduler { postTask(callback, options) { posted.push(callback); return window.made = { options }; } };
      window.scheduler = new window.Scheduler();
    },
  });
  const { window } = page;
  const controller = new window.AbortController();
  page.pendingWork.begin();
  const options = { delay: 300, signal: controller.signal };
  assert.equal(window.scheduler.postTask(() => 7, options), window.made);
  assert.equal(window.made.options, options);
  window.scheduler.postTask(() => 8);
  page.pendingWork.end();
  assert.equal(page.pendingWork.tell().timers, 2);
  controller.abort();
  assert.equal(page.pendingWork.tell().timers, 1);
  assert.equal(posted[1](), 8);
  assert.equal(page.pendingWork.tell().timers, 0);
});

test("An idle callback is pending until it ran.", () => {
  const idle = [];
  const page = loadPage("<p></p>", ["pendingWork"], { start: true, before: (window) => { window.requestIdleCallback = (callback) => idle.push(callback); } });
  page.pendingWork.begin();
  page.window.requestIdleCallback(() => {});
  page.pendingWork.end();
  assert.equal(page.pendingWork.tell().timers, 1);
  idle[0]({ didTimeout: false });
  assert.equal(page.pendingWork.tell().timers, 0);
});

test("A timer is cleared by whatever a browser takes for its number.", () => {
  const page = stage();
  page.act((window) => {
    window.clearTimeout(window.setTimeout(() => {}, 300) + 0.7);
    window.clearTimeout(`${window.setTimeout(() => {}, 300)}.2`);
  });
  assert.equal(page.timers(), 0);
});

test("A timer that was cleared unseen is not waited for for ever; one of a busy or hidden page is.", () => {
  const page = stage();
  const unseen = page.window.clearTimeout;
  let kept;
  page.act((window) => { kept = window.setTimeout(() => {}, 300); });
  Reflect.apply(unseen, null, [{ valueOf: () => kept }]);
  page.advance(2200);
  assert.equal(page.timers(), 1);
  Object.defineProperty(page.document, "hidden", { value: true, configurable: true });
  page.advance(200);
  assert.equal(page.timers(), 1);
  Object.defineProperty(page.document, "hidden", { value: false });
  assert.equal(page.timers(), 1, "the page may only have been busy until now");
  page.advance(201);
  assert.equal(page.timers(), 0);
});

test("An app that bends the language's own methods still gets its timers.", () => {
  const page = stage();
  const { window } = page;
  const ran = [];
  window.setTimeout(() => ran.push("first"), 100);
  page.act();
  page.advance(150);
  const { endsWith } = window.String.prototype;
  window.String.prototype.endsWith = () => { throw new Error("bent"); };
  window.setTimeout(() => ran.push("second"), 100);
  page.advance(150);
  window.String.prototype.endsWith = endsWith;
  assert.deepEqual(ran, ["first", "second"]);
});

test("However many timers are more than can be followed, all that wait are looked at once an action.", () => {
  const page = stage();
  const { window } = page;
  let looks = 0;
  const iterate = window.Map.prototype[Symbol.iterator];
  page.act(() => {
    for (let count = 0; count < 5000; count += 1) window.setTimeout(() => {}, 3000);
    window.Map.prototype[Symbol.iterator] = function (...args) { looks += 1; return iterate.apply(this, args); };
    for (let count = 0; count < 200; count += 1) window.clearTimeout(window.setTimeout(() => {}, 3000));
    window.Map.prototype[Symbol.iterator] = iterate;
  });
  assert.equal(looks, 1);
});

test("An error tracker's wrapper around every callback does not make one loop of all of them.", () => {
  const page = stage();
  const { window } = page;
  const tracked = (callback) => Object.defineProperty(function sentryWrapped(...args) { return callback.apply(this, args); }, "__sentry_original__", { value: callback });
  const poll = () => window.setTimeout(tracked(poll), 1000);
  poll();
  page.advance(2500);
  page.act();
  page.advance(1000);
  assert.equal(page.timers(), 0);
  window.setTimeout(tracked(() => "save"), 1000);
  assert.equal(page.timers(), 1);
});

test("Fake timers that a test library puts over ours and takes away again leave ours as they were.", () => {
  const page = stage();
  const { window } = page;
  const ours = Object.getOwnPropertyDescriptor(window, "setTimeout");
  const faked = [];
  window.setTimeout = (callback) => faked.push(callback);
  page.act(() => window.setTimeout(() => {}, 300));
  assert.equal(page.timers(), 0);
  window.setTimeout = ours.value;
  assert.deepEqual(Object.getOwnPropertyDescriptor(window, "setTimeout"), ours);
  page.act(() => window.setTimeout(() => {}, 300));
  assert.equal(page.timers(), 1);
});

test("A library that keeps the functions and calls them itself, as zone.js does, is followed.", () => {
  const page = stage();
  const { window } = page;
  const delegate = window.setTimeout;
  const ran = [];
  window.setTimeout = function setTimeout(callback, ...rest) { return delegate.apply(window, [function (...args) { ran.push("task"); return callback.apply(this, args); }, ...rest]); };
  page.act(() => window.setTimeout((word) => ran.push(word), 300, "app"));
  assert.equal(page.timers(), 1);
  page.advance(400);
  assert.deepEqual(ran, ["task", "app"]);
  assert.equal(page.timers(), 0);
});

test("An option of a task that is a getter is read by the browser alone.", () => {
  const page = loadPage("<p></p>", ["pendingWork"], {
    start: true,
    before(window) {
      window.Scheduler = class Scheduler { postTask(callback, options) { return [options.signal, options.delay]; } };
      window.scheduler = new window.Scheduler();
    },
  });
  const read = [];
  const options = { get signal() { read.push("signal"); return undefined; }, get delay() { read.push("delay"); return 5; } };
  assert.deepEqual([...page.window.scheduler.postTask(() => {}, options)], [undefined, 5]);
  assert.deepEqual(read, ["signal", "delay"]);
});

test("What is no one-shot of the window is none of ours: microtasks, messages and time limits of signals.", () => {
  const page = loadPage("<p></p>", ["pendingWork"], { start: true });
  const bare = loadPage("<p></p>").window;
  for (const name of ["queueMicrotask", "MessageChannel", "AbortSignal", "postMessage"]) {
    assert.equal(String(page.window[name]), String(bare[name]));
  }
});

test("A motion that is over goes on until two frames were drawn, for its end is told with one; a page that draws none is not waited for.", async () => {
  const page = stage();
  const { document } = page.window;
  const ends = (ms) => {
    const motion = { playState: "running", currentTime: 0, playbackRate: 1, effect: { getComputedTiming: () => ({ endTime: ms }) } };
    document.getAnimations = () => [motion];
    page.act();
    assert.equal(page.quiet(), 0);
    document.getAnimations = () => [];
  };
  ends(60);
  page.stall(400);
  for (let frame = 0; frame < 2; frame += 1) {
    assert.equal(page.quiet(), 0);
    page.advance(16);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.equal(page.quiet(), 60000);
  ends(60);
  page.stall(2000);
  assert.equal(page.quiet(), 0);
  page.stall(100);
  assert.equal(page.quiet(), 60000);
});
