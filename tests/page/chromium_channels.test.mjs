/*
 * What leaves and reaches a page beside fetch and its document, in a real Chromium: workers, channels, answers of a service
 * worker, beacons, IndexedDB and the cookie store.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { follow, go, inChromium, lab, link, show } from "./tab.mjs";

inChromium("channels in Chromium", () => {
  const script = (path, text) => lab.pages.set(path, (request, response) => response.writeHead(200, { "content-type": "text/javascript" }).end(text));
  const json = (path, body) => lab.pages.set(path, (request, response) => response.writeHead(200, { "content-type": "application/json" }).end(body));
  const told = (type, test_) => link.ofType(type, test_).map((event) => event.data);

  test("What a page and its worker say to each other is told without secrets, also a buffer that is handed over.", async () => {
    script("/echo.js", "onmessage = ({ data }) => postMessage(data.byteLength === undefined ? { got: data } : data.byteLength)");
    await show("/talk", `<button onclick="go()">Go</button><script>
      function go() {
        const worker = new Worker('/echo.js?token=abc');
        let answers = 0;
        worker.addEventListener('message', () => { answers += 1; if (answers === 3) console.log('all ' + buffer.byteLength) });
        const buffer = new ArrayBuffer(64);
        worker.postMessage('hello password=hunter22x');
        worker.postMessage({ op: 'sum', password: 'hunter22x', list: [1, 2] });
        worker.postMessage(buffer, [buffer]);
      }</script>`);
    await link.act("click", { role: "button" });
    await link.event("console.log", ({ message }) => message === "all 0");
    const seen = told("worker.message");
    assert.deepEqual([...new Set(seen.map(({ id, kind }) => `${id} ${kind}`))].length, 1);
    assert.match(seen[0].name, /^\/echo\.js\?token=(%5B|\[)REDACTED/);
    const of = (direction) => seen.filter((one) => one.direction === direction).map(({ preview, bytes }) => preview ?? bytes);
    assert.deepEqual(of("out").slice(1), ['{"op":"sum","password":"[REDACTED]","list":[1,2]}', 64]);
    assert.equal(of("in").length, 3);
    assert.equal(of("in")[2], "64");
    assert.ok(!JSON.stringify(seen).includes("hunter22x"), JSON.stringify(seen));
    assert.deepEqual(told("sdk.failed"), []);
  });

  test("An error in a worker is an uncaught one with its place, unless the app deals with it; a script that is not there says so.", async () => {
    script("/bad.js", "onmessage = () => { throw new RangeError('too far') }");
    await show("/errors", `<script>
      const loud = new Worker('/bad.js'), quiet = new Worker('/bad.js'), none = new Worker('/nowhere.js');
      quiet.onerror = (event) => { event.preventDefault(); console.log('dealt with'); none.onerror = null };
      quiet.postMessage(1);
      loud.postMessage(1);</script>`);
    await link.event("console.log", ({ message }) => message === "dealt with");
    await link.event("error.uncaught", ({ message }) => message === "the worker /nowhere.js could not be loaded");
    const thrown = await link.event("error.uncaught", ({ message }) => /too far/.test(message));
    assert.match(thrown.data.source, /bad\.js:1:\d+$/);
    assert.equal(told("error.uncaught").length, 2);
  });

  test("A shared worker's port, a broadcast channel and a service worker are heard too; an app's own ports are not.", async () => {
    script("/shared.js", "onconnect = ({ ports: [port] }) => { port.onmessage = ({ data }) => port.postMessage('re ' + data) }");
    await show("/others", `<iframe srcdoc="<script>new BroadcastChannel('cart').onmessage = ({ data, target }) => target.postMessage('seen ' + data)</script>" onload="go()"></iframe><script>
      function go() {
        const own = new MessageChannel();
        own.port1.onmessage = () => console.log('own');
        const { port } = new SharedWorker('/shared.js');
        port.onmessage = ({ data }) => {
          own.port2.postMessage('private');
          const channel = new BroadcastChannel('cart');
          channel.onmessage = ({ data: answer }) => console.log(data + ' ' + answer + ' ' + (channel instanceof BroadcastChannel));
          channel.postMessage('added');
        };
        port.postMessage('hi');
      }</script>`);
    await link.event("console.log", ({ message }) => message === "re hi seen added true");
    const seen = told("worker.message").map(({ kind, name, direction, preview }) => [kind, name, direction, preview].join(" "));
    for (const one of ["shared /shared.js out hi", "shared /shared.js in re hi", "broadcast cart out added", "broadcast cart in added", "broadcast cart in seen added"]) {
      assert.ok(seen.includes(one), `${one} not in ${seen.join("; ")}`);
    }
    assert.ok(!seen.some((one) => one.includes("private")), seen.join("; "));
  });

  test("An answer that a cache-first service worker gave says so, and one that it let through does not.", async () => {
    script("/first.js", `
      oninstall = (event) => { skipWaiting(); event.waitUntil(caches.open('v1').then((cache) => cache.put('/api/old', new Response('{"price":1}', { headers: { 'content-type': 'application/json' } })))) };
      onactivate = (event) => event.waitUntil(clients.claim());
      onmessage = ({ data, source }) => source.postMessage('sw ' + data);
      onfetch = (event) => {
        const { pathname } = new URL(event.request.url);
        if (pathname === '/api/through') return;
        if (pathname === '/offline') event.respondWith(new Response('<!doctype html><script src=/sdk.js></script><h1>Offline</h1>', { headers: { 'content-type': 'text/html' } }));
        else event.respondWith(caches.match(event.request).then((hit) => hit || fetch(event.request)));
      };`);
    for (const path of ["/api/old", "/api/through"]) json(path, '{"price":2}');
    await show("/shelf", `<button onclick="navigator.serviceWorker.register('/first.js')">Register</button><button onclick="ask()">Ask</button><script>
      async function ask() {
        for (const url of ['/api/old', '/api/through', '/api/old#again']) await fetch(url).then((response) => response.json());
        const xhr = new XMLHttpRequest();
        xhr.open('GET', '/api/old?v=2');
        xhr.send();
        navigator.serviceWorker.onmessage = ({ data }) => console.log(data);
        navigator.serviceWorker.controller.postMessage('ping');
      }</script>`);
    await link.act("click", { role: "button", name: "Register" });
    await link.event("blind-spot", (fields) => fields.kind === "service-worker" && fields.count === 1);
    await link.act("click", { role: "button", name: "Ask" });
    await link.event("net.request", ({ url }) => url === "/api/old?v=2");
    await link.event("console.log", ({ message }) => message === "sw ping");
    const from = told("net.request", ({ url }) => url.startsWith("/api/")).map(({ url, from: by, cached, responseBody }) => [url, by ?? "network", responseBody, cached ?? false]);
    assert.deepEqual(from, [
      ["/api/old", "service-worker", '{"price":1}', true], ["/api/through", "network", '{"price":2}', false], ["/api/old#again", "service-worker", '{"price":1}', true],
      // the worker itself asked the server: what it hands on is its answer all the same
      ["/api/old?v=2", "service-worker", '{"price":2}', false],
    ]);
    const worker = told("worker.message", ({ kind }) => kind === "service").map(({ direction, preview }) => `${direction} ${preview}`);
    assert.deepEqual(worker, ["out ping", "in sw ping"]);
    await go(`${lab.origin}/offline`);
    const load = await link.event("net.request", ({ initiator }) => initiator === "document");
    assert.equal(load.data.from, "service-worker");
    await show("/unshelf", `<script>navigator.serviceWorker.getRegistration().then((it) => it.unregister()).then(() => console.log('gone'))</script>`);
    await link.event("console.log", ({ message }) => message === "gone");
  });

  test("A library that puts its own methods in the place of every target's still gets the calls on channels, sources and links.", async () => {
    await show("/zone", `<a id=a download href="data:,x">x</a><script>
      const mine = [];
      for (const name of ['addEventListener', 'dispatchEvent']) {
        const own = EventTarget.prototype[name];
        EventTarget.prototype[name] = function (...args) { mine.push(name + ' ' + this.constructor.name); return own.apply(this, args) };
      }
      new BroadcastChannel('zone').addEventListener('message', () => {});
      new EventSource('/none').addEventListener('news', () => {});
      const answered = a.dispatchEvent(new MouseEvent('click', { cancelable: true }));
      console.log(JSON.stringify({ mine, answered }));
    </script>`);
    const { data } = await link.event("console.log", ({ message }) => message.startsWith("{"));
    assert.deepEqual(JSON.parse(data.message), {
      mine: ["addEventListener BroadcastChannel", "addEventListener EventSource", "dispatchEvent HTMLAnchorElement"],
      answered: true,
    });
  });

  test("A channel is heard when the app listens, by property or method; one that only sends keeps its page fit for the cache of pages.", async () => {
    await show("/ears", `<script>
      const sender = new BroadcastChannel('ears'), one = new BroadcastChannel('ears'), two = new BroadcastChannel('ears');
      let count = 0;
      one.onmessage = () => { count += 1; if (count === 2) console.log('both') };
      two.addEventListener('message', () => { count += 1; if (count === 2) console.log('both') });
      sender.postMessage('hi');
      console.log(JSON.stringify([Object.keys(BroadcastChannel.prototype).includes('onmessage'), typeof one.onmessage, one.addEventListener.name, String(one.addEventListener).includes('[native code]')]));
    </script>`);
    await link.event("console.log", ({ message }) => message === "both");
    assert.ok(told("console.log", ({ message }) => message === '[true,"function","addEventListener",true]').length === 1, JSON.stringify(told("console.log")));
    assert.deepEqual(told("worker.message").map(({ direction }) => direction).sort(), ["in", "in", "out"]);
    await show("/send-only", "<script>new BroadcastChannel('ears').postMessage('x')</script>");
    const first = link.hello.documentId;
    await show("/away", '<button onclick="history.back()">Back</button>');
    const known = lab.links.length;
    await link.act("click", { role: "button" });
    await follow(known, 4000);
    assert.equal(link.hello.documentId, first, "the page was loaded anew");
  });

  test("A beacon's outcome is nobody's to know; a keepalive request that outlives its page is a request without an end.", async () => {
    lab.pages.set("/count", (request, response) => response.writeHead(500).end());
    lab.pages.set("/slow", () => undefined);
    await show("/leave", `<button onclick="navigator.sendBeacon('/count', JSON.stringify({ n: 1, password: 'hunter22x' })); fetch('/slow', { method: 'POST', keepalive: true })">Go</button>`);
    await link.act("click", { role: "button" });
    const { data } = await link.event("net.request", ({ initiator }) => initiator === "beacon");
    assert.deepEqual([data.method, data.url, data.requestBody], ["POST", "/count", '{"n":1,"password":"[REDACTED]"}']);
    assert.deepEqual(["status" in data, "ok" in data, "error" in data], [false, false, false]);
    assert.equal(told("net.pending", ({ url }) => url === "/slow").length, 1);
    assert.equal(told("net.request", ({ url }) => url === "/slow").length, 0);
  });

  test("Writes to IndexedDB are told when their transaction is over, with how it ended, by store and key and without secrets.", async () => {
    await show("/shop", `<button onclick="go()">Go</button><script>
      const done = (request) => new Promise((ok) => { request.onsuccess = () => ok(request.result); request.onerror = (event) => { event.preventDefault(); ok(null) } });
      const over = (transaction) => new Promise((ok) => { transaction.oncomplete = transaction.onabort = ok });
      async function go() {
        const open = indexedDB.open('shop', 1);
        open.onupgradeneeded = () => {
          open.result.createObjectStore('orders', { keyPath: 'id' }).createIndex('total', 'total');
          open.result.createObjectStore('log', { autoIncrement: true });
        };
        const db = await done(open);
        const item = { id: 'o1', total: 12, password: 'hunter22x' };
        let transaction = db.transaction(['orders', 'log'], 'readwrite');
        transaction.objectStore('orders').put(item);
        item.total = 999; // the browser has its copy
        transaction.objectStore('log').add('paid');
        transaction.objectStore('orders').put({ id: 'session_token', kept: 'a1b2c3' });
        transaction.objectStore('orders').add({ id: 'o1' }).onerror = (event) => { event.preventDefault(); event.stopPropagation() };
        await over(transaction);
        transaction = db.transaction('orders', 'readwrite');
        transaction.objectStore('orders').delete('o1');
        transaction.abort();
        await over(transaction);
        transaction = db.transaction('orders', 'readwrite');
        const cursor = await done(transaction.objectStore('orders').index('total').openCursor());
        cursor.update({ id: 'o1', total: 13 });
        transaction.objectStore('orders').delete(IDBKeyRange.bound('p', 'q'));
        await over(transaction);
        transaction = db.transaction('log', 'readwrite');
        transaction.objectStore('log').clear();
        await over(transaction);
        db.close();
        console.log('written');
      }</script>`);
    await link.act("click", { role: "button" });
    await link.event("console.log", ({ message }) => message === "written");
    const seen = told("storage.change", ({ area }) => area === "indexeddb");
    assert.deepEqual(seen.map(({ database, store, op, key, new: value, outcome }) => [`${database}/${store}`, op, key, value, outcome]), [
      ["shop/orders", "put", "o1", '{"id":"o1","total":12,"password":"[REDACTED]"}', "complete"],
      ["shop/log", "add", "1", "paid", "complete"],
      ["shop/orders", "put", "session_token", "[REDACTED]", "complete"],
      ["shop/orders", "add", null, '{"id":"o1"}', "failed"],
      ["shop/orders", "delete", "o1", null, "aborted"],
      ["shop/orders", "put", "o1", '{"id":"o1","total":13}', "complete"],
      ["shop/orders", "delete", "p..q", null, "complete"],
      ["shop/log", "clear", null, null, "complete"],
    ]);
    assert.deepEqual(told("sdk.failed"), []);
  });

  test("Databases are read: stores, counts and some records, one by its key; nothing is made and nobody is held up.", async () => {
    await show("/read", `<script>
      const open = indexedDB.open('notes', 3);
      open.onupgradeneeded = () => {
        const store = open.result.createObjectStore('pages', { keyPath: 'id' });
        for (let id = 1; id <= 60; id += 1) store.put({ id, title: 'Page ' + id, api_key: 'k' });
        open.result.createObjectStore('kept').put('a1b2c3', 'auth_token');
      };
      open.onsuccess = () => { open.result.close(); console.log('ready') };
    </script><button onclick="indexedDB.deleteDatabase('notes').onsuccess = () => console.log('deleted')">Forget</button>`);
    await link.event("console.log", ({ message }) => message === "ready");
    const read = (more = {}) => link.ask("storage_read", { area: "indexeddb", ...more });
    const whole = await link.ask("storage_read");
    assert.ok(whole.databases.includes("notes"), JSON.stringify(whole));
    const [notes] = (await read({ database: "notes" })).databases;
    assert.deepEqual(notes, { name: "notes", version: 3, stores: [
      { name: "kept", keyPath: null, indexes: [], count: 1 }, { name: "pages", keyPath: "id", indexes: [], count: 60 },
    ] });
    const [pages] = (await read({ database: "notes", store: "pages" })).databases;
    assert.deepEqual([pages.count, pages.records.length, pages.truncated, pages.records[0]], [
      60, 50, true, { key: "1", value: '{"id":1,"title":"Page 1","api_key":"[REDACTED]"}' },
    ]);
    const [one] = (await read({ database: "notes", store: "pages", key: "7" })).databases;
    assert.deepEqual([one.found, one.value], [true, '{"id":7,"title":"Page 7","api_key":"[REDACTED]"}']);
    assert.equal((await read({ database: "notes", store: "kept", key: "auth_token" })).databases[0].value, "[REDACTED]");
    assert.equal((await read({ database: "notes", store: "pages", key: "700" })).databases[0].found, false);
    assert.deepEqual((await read({ database: "notes", store: "none" })).databases[0].found, false);
    assert.ok((await read({ database: "nots" })).databases.includes("notes"));
    assert.equal((await link.raw("storage_read", { area: "indexeddb", store: "pages" })).code, "bad_arguments");
    assert.equal((await link.raw("storage_read", { area: "local", store: "pages" })).code, "bad_arguments");
    await link.act("click", { role: "button" });
    await link.event("console.log", ({ message }) => message === "deleted");
    assert.deepEqual(told("storage.change", ({ op }) => op === "delete-database").map(({ database }) => database), ["notes"]);
    assert.ok(!(await read()).databases.some(({ name }) => name === "notes"));
  });

  test("A cookie that the cookie store writes or removes is told like any other.", async () => {
    await show("/cookies", `<button onclick="cookieStore.set('plan', 'full')">Set</button><button onclick="cookieStore.delete('plan')">Forget</button>`);
    for (const [name, old, now] of [["Set", null, "full"], ["Forget", "full", null]]) {
      await link.act("click", { role: "button", name });
      const { data } = await link.event("storage.change", (fields) => fields.key === "plan" && fields.new === now);
      assert.deepEqual(data, { area: "cookies", key: "plan", old, new: now });
    }
  });

  test("An answer says how much was told between it and its event, which waits for the body.", async () => {
    lab.pages.set("/answer", (request, response) => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
    await show("/behind", `<button onclick="go()">Go</button><script>
      const go = async () => {
        await fetch('/answer?fetch');
        reticle.signal('one');
        reticle.signal('two');
        const xhr = new XMLHttpRequest();
        xhr.open('GET', '/answer?xhr');
        xhr.onload = () => reticle.signal('three');
        xhr.send();
      };</script>`);
    await link.act("click", { role: "button", name: "Go" });
    for (const [url, names] of [["/answer?fetch", ["one", "two"]], ["/answer?xhr", ["three"]]]) {
      const { seq, data } = await link.event("net.request", (fields) => fields.url === url);
      const between = link.ofType("signal", (fields, event) => event.seq >= seq - (data.behind ?? 0) && event.seq < seq);
      assert.deepEqual(between.map((event) => event.data.name), names, url);
    }
  });
});
