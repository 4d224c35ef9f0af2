/*
 * Whether a page has come to rest, in a real Chromium: told when nothing is left to run, however soon that is, and not
 * before.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inChromium, lab, link, show } from "./tab.mjs";

const LIMIT_MS = 1000;

inChromium("a page at rest in Chromium", () => {
  const click = async () => (await link.act("click", { role: "button", name: "Go" })).result;
  const read = async (restMs = LIMIT_MS) => {
    const begun = performance.now();
    const { pending, answers } = await link.ask("read", { questions: [{ kind: "text", contains: "done" }], restMs });
    return { rested: pending.rested === true, ms: performance.now() - begun, done: answers[0].matched };
  };

  test("What a click set going is done when the page says that it rests.", async () => {
    lab.pages.set("/quick", (request, response) => response.writeHead(200).end("ok"));
    const works = {
      nothing: "done()",
      frames: "requestAnimationFrame(() => requestAnimationFrame(done))",
      idle: "requestIdleCallback(() => requestIdleCallback(done))",
      timers: "let n = 9; const step = () => n-- ? setTimeout(step, 20) : done(); step()",
      messages: "const { port1, port2 } = new MessageChannel(); let n = 99; port1.onmessage = () => n-- ? port2.postMessage(0) : done(); port2.postMessage(0)",
      turns: "(async () => { for (let n = 0; n < 99; n++) await scheduler.yield(); done() })()",
      background: "scheduler.postTask(done, { priority: 'background' })",
      answers: "fetch('/quick').then((a) => a.text()).then(() => fetch('/quick')).then((a) => a.text()).then(done)",
      traversal: "history.pushState(0, '', '#x'); onpopstate = done; history.back()",
      transition: "document.startViewTransition(() => done())",
      sight: "new IntersectionObserver((all) => all.some((one) => one.isIntersecting) && done()).observe(document.querySelector('button'))",
    };
    for (const [name, script] of Object.entries(works)) {
      await show(`/rest-${name}`, `<button onclick="${script.replaceAll('"', "&quot;")}">Go</button><script>
        window.done = () => document.body.insertAdjacentHTML('beforeend', '<p>done')</script>`);
      await click();
      const seen = await read();
      assert.deepEqual([name, seen.rested, seen.done], [name, true, true]);
    }
  });

  test("A page that goes on is not said to rest: it is waited for as long as it may take, and not at all where it never rests.", async () => {
    lab.pages.set("/hangs", () => {});
    const works = { request: "fetch('/hangs')", later: "setTimeout(() => {}, 400)", draws: "(function draw() { requestAnimationFrame(draw) })()" };
    for (const [name, script] of Object.entries(works)) {
      await show(`/goes-on-${name}`, `<button onclick="${script}">Go</button>`);
      await click();
      const { rested, ms } = await read(200);
      assert.equal(rested, false, name);
      assert.ok(ms >= 190, `${name}: ${ms}`);
    }
    await show("/never-rests", "<button>Go</button><script>setInterval(() => {}, 100)</script>");
    await click();
    assert.equal((await read(LIMIT_MS)).rested, false);
  });

  test("A reading that waits for no rest comes at once and says nothing of it; one that would wait too long is refused.", async () => {
    await show("/asked", "<button>Go</button>");
    await click();
    const { pending } = await link.ask("read", { questions: [] });
    assert.equal(pending.rested, undefined);
    for (const restMs of [-1, 1001, "soon", null]) {
      await assert.rejects(link.ask("read", { questions: [], restMs }), /restMs/);
    }
  });
});
