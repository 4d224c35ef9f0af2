/*
 * What an app has scheduled, in a real Chromium: the daemon is told of an action's own work and of nothing else.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inChromium, lab, link, show } from "./tab.mjs";

inChromium("pending work in Chromium", () => {
  const click = async (name) => (await link.act("click", { role: "button", name })).result;
  const told = async () => (await link.ask("read", { questions: [] })).pending;
  const pending = async () => {
    const { quietMs, undrawn, ...work } = await told();
    assert.equal(typeof quietMs, "number");
    return work;
  };

  /** Ask until a page of which nothing is to come says so: a socket is refused, and a first frame drawn, in the browser's time. */
  async function quiet() {
    let quietMs;
    for (let round = 0; round < 200; round += 1) {
      ({ quietMs } = await told());
      if (quietMs === 60000) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return quietMs;
  }

  /** Ask until nothing is pending any more. */
  async function rest() {
    for (let round = 0; round < 200; round += 1) {
      const now = await pending();
      if (now.timers + now.animations + now.loads === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.fail("it never came to rest");
  }

  test("A debounced save is pending from the click until it has run; a read without questions asks for that alone.", async () => {
    await show("/debounce", "<button onclick=\"let t; t = setTimeout(() => { document.title = 'saved' }, 800)\">Save</button>");
    const report = await click("Save");
    assert.equal(report.pending.timers, 1);
    assert.ok(report.pending.soonestMs > 300 && report.pending.soonestMs <= 800, String(report.pending.soonestMs));
    const answer = await link.ask("read", { questions: [] });
    assert.deepEqual(answer.answers, []);
    assert.equal(answer.pending.timers, 1);
    await rest();
    assert.deepEqual(await pending(), { timers: 0, animations: 0, loads: 0 });
  });

  test("Nothing comes on a page at rest; beside an open socket, a clock or a motion that ends something may.", async () => {
    const pages = { rest: "", clock: "setInterval(() => {}, 200)", draw: "(function draw() { requestAnimationFrame(draw) })()",
      source: "window.s = new EventSource('/words')", refused: "window.s = new WebSocket(location.href.replace('http', 'ws'))", motion: "document.body.animate([{ opacity: .5 }], 4000)",
      spin: "document.body.animate([{ opacity: .5 }], { duration: 300, iterations: Infinity })" };
    lab.pages.set("/words", (request, response) => response.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n"));
    for (const [name, script] of Object.entries(pages)) {
      await show(`/quiet-${name}`, `<button>Go</button><script>${script}</script>`);
      await click("Go");
      if (["rest", "refused", "spin"].includes(name)) assert.equal(await quiet(), 60000, name);
      else {
        const { quietMs } = await told();
        assert.ok(quietMs <= 200, `${name}: ${quietMs}`);
      }
    }
  });

  test("Clocks, poll loops and intervals that went on before the click are not pending after it.", async () => {
    await show("/loops", `<p id=c></p><button>Go</button><script>
      const tick = () => { c.textContent = Date.now(); setTimeout(tick, 100) }; tick();
      const poll = async () => { await fetch('/poll'); setTimeout(poll, 150) }; poll();
      const draw = () => requestAnimationFrame(draw); draw();
      setInterval(() => { setTimeout(() => {}, 90) }, 100)</script>`);
    lab.pages.set("/poll", (request, response) => response.writeHead(200).end("ok"));
    await new Promise((resolve) => setTimeout(resolve, 700));
    await click("Go");
    await rest(); // a poll whose answer was under way at the click, or came with it, counts that once
    for (let round = 0; round < 20; round += 1) {
      assert.deepEqual(await pending(), { timers: 0, animations: 0, loads: 0 });
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  });

  test("A finite animation of the act is pending while it runs; one without end, and one from before, never.", async () => {
    await show("/animation", `<style>@keyframes a{to{opacity:.5}} .spin{animation:a 1s infinite} .fade{animation:a .6s} .old{animation:a 4s}</style>
      <p id=p class=spin>p</p><p class=old>o</p><p id=q>q</p><button onclick="q.className='fade'">Fade</button><button onclick="p.className=''; p.offsetTop; p.className='spin'">Spin</button>`);
    const report = await click("Fade");
    assert.deepEqual([report.pending.animations, report.pending.timers], [1, 0]);
    assert.ok(report.pending.latestMs > 100 && report.pending.latestMs <= 600, String(report.pending.latestMs));
    await rest();
    assert.equal((await click("Spin")).pending.animations, 0);
  });

  test("A document that a script or a link goes to is pending until it comes; what stays in the page or is saved is not.", async () => {
    const slow = (request, response) => { setTimeout(() => response.writeHead(204).end(), 300); };
    lab.pages.set("/slow", slow);
    await show("/leaving", `<button onclick="location.href='/slow'">Go</button><a href="/slow">Link</a><a href="#part">Part</a><a href="/slow" download>Save</a>
      <a href="/slow" onclick="return false">Handled</a><button onclick="history.pushState({}, '', '/other')">Push</button>
      <button onclick="navigation.addEventListener('navigate', (event) => event.intercept({ handler: async () => {} }), { once: true }); location.href='/taken'">Taken</button>`);
    assert.equal((await click("Go")).pending.loads, 1);
    assert.equal((await link.act("click", { role: "link", name: "Link" })).result.pending.loads, 1);
    for (const name of ["Part", "Save", "Handled"]) {
      assert.equal((await link.act("click", { role: "link", name })).result.pending.loads, 0, name);
    }
    assert.equal((await click("Push")).pending.loads, 0);
    await click("Taken");
    await rest();
  });

  test("A chunk that the click fetches is pending until it has come.", async () => {
    let serve;
    lab.pages.set("/chunk.js", (request, response) => { serve = () => response.writeHead(200, { "content-type": "text/javascript" }).end("document.title = 'chunk'"); lab.tell(); });
    await show("/chunks", "<button onclick=\"document.head.append(Object.assign(document.createElement('script'), {src: '/chunk.js'}))\">Load</button>");
    assert.equal((await click("Load")).pending.loads, 1);
    await lab.until(() => serve);
    serve();
    await rest();
  });

  test("Timers of a frame of this origin count, and no longer when the frame is taken out.", async () => {
    lab.pages.set("/inner", "<!doctype html><script>setTimeout(() => {}, 4000)</script>");
    await show("/outer", "<button onclick=\"document.body.append(Object.assign(document.createElement('iframe'), {src: '/inner', id: 'f'}))\">Open</button><button onclick=\"f.remove()\">Close</button>");
    await click("Open");
    let now;
    for (let round = 0; round < 100 && !(now && now.timers === 1 && now.loads === 0); round += 1) {
      now = await pending();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.deepEqual([now.timers, now.loads], [1, 0]);
    await click("Close");
    assert.equal((await pending()).timers, 0);
  });

  test("A frame's callbacks run as its own: relative addresses are its, and a frame that is gone runs nothing more.", async () => {
    // each callback goes to a relative address, which a browser completes by the window whose function it called
    const goes = {
      timeout: "setTimeout(go, 50)",
      interval: "setInterval(go, 50)",
      frame: "requestAnimationFrame(go)",
      idle: "requestIdleCallback(go)",
      task: "scheduler.postTask(go)",
    };
    const kinds = Object.keys(goes);
    for (const kind of kinds) {
      lab.pages.set(`/deep/${kind}`, (request, response) =>
        response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html>x<script>const go = () => { location.href = 'next?${kind}' }; ${goes[kind]}</script>`));
    }
    const seen = (url) => lab.requests.some((request) => request.url === url);
    await show("/outer-deep", kinds.map((kind) => `<iframe src="/deep/${kind}"></iframe>`).join(""));
    await lab.until(() => kinds.every((kind) => seen(`/deep/next?${kind}`) || seen(`/next?${kind}`)));
    assert.deepEqual(kinds.filter((kind) => seen(`/next?${kind}`)), []);

    await show("/outer-dead", `<iframe id=f srcdoc="x"></iframe><script>
      const calls = [];
      f.onload = () => {
        const make = f.contentWindow.eval('(calls) => (name) => () => calls.push(name)')(calls);
        f.contentWindow.setTimeout(make('alive'), 20);
        const self = f.contentWindow;
        self.setTimeout(function (...args) { calls.push([this === self, ...args].join()) }, 20, 1, 2);
        setTimeout(() => { setTimeout(make('dead'), 50); setInterval(make('dead'), 50); f.remove() }, 200);
        setTimeout(() => console.log(JSON.stringify(calls)), 500);
      }</script>`);
    assert.deepEqual(JSON.parse((await link.event("console.log")).data.message).sort(), ["alive", "true,1,2"]);
  });

  test("The functions look like Chromium's own and do the same; the promise of a task stays the app's to handle.", async () => {
    await show("/fidelity", `<button onclick="go()">Go</button><script>
      let rejections = 0;
      addEventListener('unhandledrejection', (event) => { rejections += 1; event.preventDefault() });
      function go() {
        const one = ['setTimeout', 'setInterval', 'requestAnimationFrame', 'cancelAnimationFrame', 'requestIdleCallback', 'cancelIdleCallback'];
        const none = ['clearTimeout', 'clearInterval'];
        const looks = [...one, ...none].map((name) => {
          const found = Object.getOwnPropertyDescriptor(window, name);
          return [found.value.name === name, found.value.length === (one.includes(name) ? 1 : 0), found.value.toString() === 'function ' + name + '() { [native code] }',
            Function.prototype.toString.call(found.value).includes('[native code]'), found.writable, found.enumerable, found.configurable].every(Boolean) || name;
        });
        const gone = new TaskController();
        scheduler.postTask(() => {}, {signal: gone.signal, delay: 4000}).catch(() => {});
        gone.abort();
        scheduler.postTask(() => { throw new Error('task') }, {delay: 10});
        requestIdleCallback((deadline) => { window.idle = typeof deadline.timeRemaining() });
        setTimeout("window.fromText = 41 + 1", 20);
        setTimeout((...args) => console.log(JSON.stringify({looks, rejections, fromText, idle, args})), 600, 'a', 2);
      }</script>`);
    await click("Go");
    const { data } = await link.event("console.log");
    assert.deepEqual(JSON.parse(data.message), { looks: Array(8).fill(true), rejections: 1, fromText: 42, idle: "number", args: ["a", 2] });
    assert.deepEqual(await pending(), { timers: 0, animations: 0, loads: 0 });
  });

  test("Setting and clearing 200,000 timers costs about what it did.", async (context) => {
    // in rounds: a browser grows slow by itself while it is given no moment to drop what was cleared
    const run = `const pairs = (many) => { for (let n = 0; n < many; n += 1) clearTimeout(setTimeout(() => {}, 800)) };
      const moment = () => new Promise((resolve) => { const {port1, port2} = new MessageChannel(); port1.onmessage = resolve; port2.postMessage(0) });
      const measure = async () => {
        pairs(1000);
        let spent = 0;
        for (let round = 0; round < 200; round += 1) { await moment(); const begun = performance.now(); pairs(1000); spent += performance.now() - begun }
        return Math.round(spent);
      };`;
    const measured = async () => Number((await link.event("console.log", () => true, 120000)).data.message);
    await show("/many", `<button onclick="setTimeout(async () => console.log(await measure()), 50)">Go</button><script>${run}</script>`);
    await click("Go");
    const watched = await measured();
    // a sandboxed frame is of another origin: its functions are the browser's own
    lab.pages.set("/bare", (request, response) => response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><script>${run} measure().then((spent) => parent.postMessage(spent, '*'))</script>`));
    await show("/outer-bare", "<script>onmessage = (event) => console.log(event.data)</script><iframe sandbox=allow-scripts src=/bare></iframe>");
    const bare = await measured();
    context.diagnostic(`200,000 setTimeout and clearTimeout: ${bare} ms bare, ${watched} ms watched, ratio ${(watched / bare).toFixed(2)}`);
    assert.ok(watched < bare * 20 + 1000, `${watched} ms against ${bare} ms`);
  });
});
