/*
 * What the browser does for an app out of sight, in a real Chromium: while it goes on nothing is quiet, and what an act
 * began is pending until it is over.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inChromium, lab, link, show } from "./tab.mjs";

const HELD = `<script>
  let release;
  const slow = () => new ReadableStream({ pull: (controller) => new Promise((resolve) => { release = () => { controller.close(); resolve(); }; }) });
  const upgraded = () => { const first = indexedDB.open('held' + Math.random(), 1); first.onsuccess = () => indexedDB.open(first.result.name, 2) };
  const ports = new MessageChannel();
  let more = true;
  ports.port1.onmessage = () => { if (more) ports.port2.postMessage(0) };
  navigator.locks.request('held', () => new Promise(() => {}));
  const inShadow = () => {
    const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    root.innerHTML = '<div style="height: 99px; overflow: auto"><div style="height: 9900px"></div></div>';
    return root.firstChild;
  };
</script>`;

inChromium("work of the browser in Chromium", () => {
  const click = async (name) => (await link.act("click", { role: "button", name })).result;
  const told = async () => (await link.ask("read", { questions: [] })).pending;
  const settled = async (test) => {
    let now;
    for (let round = 0; round < 100; round += 1) {
      now = await told();
      if (test(now)) return now;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return assert.fail(`${lab.requests.at(-2).url} ${JSON.stringify(now)}`);
  };
  const hang = (path) => lab.pages.set(path, () => {});

  test("What ends by itself is pending: bodies, caches, decoders, fonts, databases that wait for an older page.", async () => {
    for (const path of ["/hang.png", "/hang.woff2", "/hang.wasm"]) hang(path);
    const works = {
      body: "new Response(slow()).text()",
      pipe: "slow().pipeTo(new WritableStream())",
      cache: "caches.open('c').then((cache) => cache.put('/x', new Response(slow())))",
      decode: "Object.assign(new Image(), { src: '/hang.png' }).decode()",
      font: "new FontFace('f', 'url(/hang.woff2)').load()",
      wasm: "WebAssembly.compileStreaming(new Promise(() => {}))",
      database: "upgraded()",
      preload: "document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as: 'image', href: '/hang.png?2' }))",
    };
    for (const [name, script] of Object.entries(works)) {
      await show(`/work-${name}`, `${HELD}<button onclick="${script}">Go</button>`);
      await click("Go");
      const now = await settled(({ loads }) => loads > 0);
      if (name !== "preload") assert.equal(now.quietMs, 0, name);
    }
  });

  test("Whatever else may bring something keeps the page from being quiet, and is no work that is waited for.", async () => {
    hang("/hang.png");
    const works = {
      image: "new Image().src = '/hang.png'",
      shown: "document.body.insertAdjacentHTML('beforeend', '<img src=/hang.png>')",
      lock: "navigator.locks.request('held', () => {})",
      picture: "go.insertAdjacentHTML('afterend', '<picture><source srcset=/hang.png><img></picture>')",
      candidates: "new Image().srcset = '/hang.png'",
      scroll: "window.scrollTo({ top: 9000, behavior: 'smooth' })",
      shadow: "inShadow().scrollTo({ top: 9000, behavior: 'smooth' })",
    };
    for (const [name, script] of Object.entries(works)) {
      await show(`/may-${name}`, `${HELD}<button id="go" onclick="${script}">Go</button><div style="height: 9900px"></div>`);
      await click("Go");
      const now = await settled(({ quietMs }) => quietMs === 0);
      assert.deepEqual([now.timers, now.animations, now.loads], [0, 0, 0], name);
    }
    await show("/may-messages", `${HELD}<button onclick="ports.port2.postMessage(0)">Go</button>`);
    await click("Go");
    for (let round = 0; round < 5; round += 1) {
      await settled(({ undrawn }) => undrawn); // not at each look: a busy machine may let the page rest between two messages
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await show("/may-lazy", "<button onclick=\"go.insertAdjacentHTML('afterend', '<p style=margin-top:9000px><img loading=lazy src=/hang.png>')\" id=go>Go</button>");
    await click("Go");
    assert.equal((await settled(({ quietMs }) => quietMs > 0)).quietMs, 60000);
  });

  test("When it is over the page is quiet again, and the app has what it asked for.", async () => {
    await show("/over", `${HELD}<button onclick="go()">Go</button><button onclick="release(); more = false">End</button><script>
      const go = async () => {
        ports.port2.postMessage(0);
        const blob = new Blob(['abc']);
        const reader = new FileReader();
        reader.onload = () => console.log('reader ' + reader.result);
        reader.readAsText(blob);
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
        const canvas = document.createElement('canvas');
        canvas.toBlob((picture) => console.log('picture ' + picture.type));
        const open = indexedDB.open('over', 1);
        open.onupgradeneeded = () => open.result.createObjectStore('s');
        await new Promise((resolve) => { open.onsuccess = resolve });
        const change = open.result.transaction('s', 'readwrite');
        change.objectStore('s').put('value', 'key');
        await new Promise((resolve) => { change.oncomplete = resolve });
        console.log('all ' + digest[0] + ' ' + await new Response('json').text() + (await new Response(slow()).text()));
      };</script>`);
    await click("Go");
    await link.event("console.log", ({ message }) => message === "picture image/png");
    await settled(({ loads }) => loads > 0);
    await click("End"); // which is an act of its own, so that nothing is pending for it
    await link.event("console.log", ({ message }) => message === "all 186 json");
    await link.event("console.log", ({ message }) => message === "reader abc");
    const { loads } = await settled(({ quietMs }) => quietMs === 60000);
    assert.equal(loads, 0);
  });

  test("What was begun before an act is not the act's, and a deadline counts until it is over.", async () => {
    await show("/before", `${HELD}<script>new Response(slow()).text()</script><button onclick="">Go</button><button onclick="AbortSignal.timeout(4000)">Limit</button>`);
    const before = (await click("Go")).pending;
    assert.deepEqual([before.loads, before.quietMs], [0, 0]);
    await show("/limit", '<button onclick="AbortSignal.timeout(4000)">Limit</button>');
    await click("Limit");
    const { quietMs, timers } = await settled((now) => now.quietMs > 0);
    assert.ok(quietMs > 500 && quietMs <= 4000 && timers === 0, String(quietMs));
  });

  test("A motion in a shadow root is one too, and its end comes a moment after it.", async () => {
    await show("/shadow", `<div id=host></div><button onclick="inner.firstChild.animate([{ opacity: 0 }, { opacity: 1 }], 400)">Go</button>
      <script>const inner = host.attachShadow({ mode: 'open' }); inner.innerHTML = '<p>in</p>'</script>`);
    const { pending } = await click("Go");
    assert.deepEqual([pending.animations, pending.quietMs], [1, 0]);
    await settled(({ animations }) => animations === 0);
    assert.equal((await settled(({ quietMs }) => quietMs > 0)).quietMs, 60000);
  });

  test("A broken promise is told once where the app does not handle it, and never where it does.", async () => {
    await show("/broken", `<button onclick="go()">Go</button><script>
      const told = [];
      addEventListener('unhandledrejection', (event) => { told.push(event.reason.name); event.preventDefault() });
      const go = async () => {
        crypto.subtle.digest('none', new Uint8Array(1));
        await crypto.subtle.digest('none', new Uint8Array(1)).catch(() => {});
        const names = [crypto.subtle.digest, Blob.prototype.text, HTMLImageElement.prototype.decode, WebAssembly.compile];
        setTimeout(() => console.log(JSON.stringify({ told, texts: names.map((each) => [each.name, each.length, String(each).includes('[native code]')]) })), 300);
      };</script>`);
    await click("Go");
    const { data } = await link.event("console.log");
    assert.deepEqual(JSON.parse(data.message), {
      told: ["NotSupportedError"],
      texts: [["digest", 2, true], ["text", 0, true], ["decode", 0, true], ["compile", 1, true]],
    });
  });
});
