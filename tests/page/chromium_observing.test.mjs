/*
 * What the page script sees in a real Chromium: storage, cookies, focus, scrolling, motion, performance, downloads,
 * dialogs, frames, hot updates; and the person's panel.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { WebSocketServer } from "ws";
import { go, inChromium, lab, link, show } from "./tab.mjs";

inChromium("observing in Chromium", () => {
  const told = (type) => link.ofType(type).map((event) => event.data);

  test("A frame of another origin with the script says whose frame it is; one of the same origin has no socket of its own.", async () => {
    const other = lab.origin.replace("127.0.0.1", "localhost");
    lab.page("/inner", "<p>Inner</p>");
    const known = lab.links.length + 1;
    await show("/outer", `<iframe src="${other}/inner"></iframe><iframe src="/inner"></iframe>`);
    const inner = await lab.nextLink(known);
    assert.deepEqual([inner.hello.url, inner.hello.frameDepth, inner.hello.ancestors], [`${other}/inner`, 1, [lab.origin]]);
    assert.equal("frameDepth" in link.hello, false);
    assert.equal(lab.links.length, known + 1);
  });

  test("A fetch body that the app reads as a stream is told chunk by chunk, however it is read, and the app gets every byte.", async () => {
    let parts;
    lab.pages.set("/chat", async (request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const part of parts) {
        response.write(part);
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
      response.end();
    });
    parts = ["data: one\n\n", "data: password=hunter22x\n\n", "data: two\n\n"];
    await show("/streams", `<script>
      const all = async (read) => { const response = await fetch('/chat?token=abc'); let text = ''; await read(response, (more) => { text += more }); return text };
      const decode = (bytes) => new TextDecoder().decode(bytes);
      const ways = {
        Reader: (response, add) => { const reader = response.body.getReader(); const next = async () => { const { done, value } = await reader.read(); if (!done) { add(decode(value)); return next() } }; return next() },
        Transform: async (response, add) => { const reader = response.body.pipeThrough(new TextDecoderStream()).getReader(); for (;;) { const { done, value } = await reader.read(); if (done) return; add(value) } },
        Iterate: async (response, add) => { for await (const bytes of response.body) add(decode(bytes)) },
        Tee: async (response, add) => { const [one, other] = response.body.tee(); const rest = other.getReader(); (async () => { while (!(await rest.read()).done); })(); for await (const bytes of one) add(decode(bytes)) },
        Byob: async (response, add) => { const reader = response.body.getReader({ mode: 'byob' }); let buffer = new ArrayBuffer(99); for (;;) { const { done, value } = await reader.read(new Uint8Array(buffer)); if (done) return; add(decode(value)); buffer = value.buffer } },
        Text: async (response, add) => add(await response.text()),
      };
      const go = async (name) => console.log(name + ' ' + (await all(ways[name])).length);
    </script>${["Reader", "Transform", "Iterate", "Tee", "Byob", "Text"].map((name) => `<button onclick="go('${name}')">${name}</button>`).join("")}`);
    for (const [at, name] of ["Reader", "Transform", "Iterate", "Tee", "Byob"].entries()) {
      await link.act("click", { role: "button", name });
      await link.event("console.log", ({ message }) => message === `${name} ${parts.join("").length}`);
      await link.event("net.stream", (fields) => fields.id === `f${at + 1}` && fields.direction === "close");
      const seen = link.ofType("net.stream", (fields) => fields.id === `f${at + 1}`).map((event) => event.data);
      assert.deepEqual([seen[0].direction, seen[0].transport, seen.at(-1).direction], ["open", "fetch", "close"], name);
      const chunks = seen.slice(1, -1);
      assert.equal(chunks.reduce((sum, chunk) => sum + chunk.bytes, 0), parts.join("").length, name);
      const shown = chunks.map((chunk) => chunk.preview).join("");
      assert.ok(shown.includes("data: one") && shown.includes("[REDACTED]") && !shown.includes("hunter22x"), shown);
      assert.match(seen[0].url, /token=(%5B|\[)REDACTED/);
    }
    await link.act("click", { role: "button", name: "Text" });
    await link.event("console.log", ({ message }) => message.startsWith("Text"));
    assert.equal(link.ofType("net.stream", (fields) => fields.id === "f6").length, 0);
    assert.deepEqual(link.ofType("sdk.failed"), []);
  });

  test("A stream that breaks, is cancelled or piped away ends for the app as it would, and only streams of text are told.", async () => {
    const begin = (type, break_) => (request, response) => {
      response.writeHead(200, { "content-type": type });
      response.write('{"a":1}\n');
      if (break_) setTimeout(() => response.destroy(), 60);
    };
    lab.pages.set("/broken", begin("application/x-ndjson", true));
    lab.pages.set("/endless", begin("application/x-ndjson", false));
    lab.pages.set("/json", (request, response) => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
    await show("/ends", `<button onclick="go()">Go</button><script>
      const rejections = [];
      addEventListener('unhandledrejection', (event) => { rejections.push(event.reason.name); event.preventDefault() });
      async function go() {
        const broken = (await fetch('/broken')).body.getReader();
        await broken.read();
        broken.read();
        const { body } = await fetch('/endless');
        const reader = body.getReader();
        await reader.read();
        const cancelled = await reader.cancel('enough');
        const whole = (await fetch('/json')).body.getReader();
        const sizes = [];
        for (let next = await whole.read(); !next.done; next = await whole.read()) sizes.push(next.value.length);
        const sink = new WritableStream();
        const gone = new AbortController();
        const piped = (await fetch('/endless')).body.pipeTo(sink, { signal: gone.signal }).catch((error) => error.name);
        gone.abort();
        const own = new ReadableStream({ start(controller) { controller.enqueue('x'); controller.close() } }).getReader();
        const { prototype } = ReadableStream;
        const looks = [prototype.values === prototype[Symbol.asyncIterator], prototype.getReader.length, prototype.tee.name, String(prototype.tee).includes('[native code]'),
          Object.keys(Object.getOwnPropertyDescriptor(prototype, 'tee')).join(), body instanceof ReadableStream, body.locked];
        const first = await own.read();
        setTimeout(async () => console.log(JSON.stringify({ rejections, cancelled: String(cancelled), sizes, piped: await piped, looks, first })), 200);
      }</script>`);
    await link.act("click", { role: "button" });
    const { data } = await link.event("console.log");
    assert.deepEqual(JSON.parse(data.message), {
      rejections: ["TypeError"], cancelled: "undefined", sizes: [2], piped: "AbortError", first: { value: "x", done: false },
      looks: [true, 0, "tee", true, "value,writable,enumerable,configurable", true, true],
    });
    const seen = told("net.stream").map(({ id, direction }) => `${id} ${direction}`);
    assert.deepEqual(seen.sort(), ["f1 close", "f1 in", "f1 open", "f2 close", "f2 in", "f2 open", "f3 open"]);
    assert.deepEqual(told("net.stream").filter(({ broken }) => broken).map(({ id, direction }) => `${id} ${direction}`), ["f1 close"]);
    assert.deepEqual(told("truncated"), [{ channel: "net.stream", dropped: 1 }]);
  });

  test("An answer whose body breaks off says so, and the app gets its error.", async () => {
    lab.pages.set("/cut", (request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"ok":');
      setTimeout(() => response.destroy(), 700); // later than a body without an end is waited for
    });
    lab.pages.set("/sound", (request, response) => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
    await show("/bodies", `<button onclick="go()">Go</button><script>
      async function go() { for (const url of ['/cut', '/sound']) console.log(await fetch(url).then((r) => r.json()).then(JSON.stringify, (error) => error.name)) }</script>`);
    await link.act("click", { role: "button" });
    const ended = async (path) => (await link.event("net.request", ({ url }) => url.endsWith(path))).data;
    const cut = await ended("/cut");
    assert.deepEqual([cut.status, cut.bodyBroken, cut.bodyTruncated], [200, true, true]);
    assert.equal("bodyBroken" in (await ended("/sound")), false);
    await link.event("console.log", ({ message }) => message === "{}");
    assert.deepEqual(told("console.log").map(({ message }) => message), ["TypeError", "{}"]);
  });

  test("A section that scrolls into view is told once; what is there from the start, too.", async () => {
    await show("/reveal", `<section aria-label=Top style="height:300px"></section><div style="height:3000px"></div><div data-reveal role=region aria-label=Far style="height:300px"></div><section aria-label=Tall style="height:9000px"></section>`);
    await link.event("reveal.shown", ({ name }) => name === "Top");
    assert.deepEqual(told("reveal.shown").map(({ name }) => name), ["Top"]);
    await link.ask("scroll", { dy: 2900 });
    const far = await link.event("reveal.shown", ({ name }) => name === "Far");
    assert.match(far.ref, /^e\d+$/);
    await link.ask("scroll", { fraction: 0.9 });
    await link.event("reveal.shown", ({ name }) => name === "Tall");
    await link.ask("scroll", { fraction: 0 });
    await link.ask("scroll", { fraction: 0.9 });
    assert.equal(told("reveal.shown").filter(({ name }) => name === "Tall").length, 1);
  });

  test("React's commits are counted where a tool's hook is there; none is made, and the hook's own function still runs.", async () => {
    const app = `<div id=r></div><script src="/react.js"></script><script src="/react-dom.js"></script><script>
      const App = () => { const [n, set] = React.useState(0); return React.createElement('button', { onClick: () => set(n + 1) }, 'n' + n) };
      ReactDOM.createRoot(r).render(React.createElement(App)); addEventListener('load', () => console.log(typeof __REACT_DEVTOOLS_GLOBAL_HOOK__))</script>`;
    await show("/bare-react", app);
    await link.event("console.log", ({ message }) => message === "undefined");
    await show("/hooked-react", `<script>window.seen = 0; window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = { supportsFiber: true, inject: () => 1, onCommitFiberRoot() { seen += 1; document.title = 'commits ' + seen }, onCommitFiberUnmount() {} }</script>${app}`);
    await link.matched({ role: "button", name: "n0" });
    const before = told("render.commit").length;
    await link.act("click", { role: "button", name: "n0" });
    await link.matched({ role: "button", name: "n1" });
    await lab.until(() => told("render.commit").length > before);
    assert.ok(told("render.commit").every(({ commits }) => commits >= 1));
    assert.match((await link.ask("snapshot", { mode: "status" })).status.title, /^commits [2-9]/);
  });

  test("Cookies that a script or the server writes are told, with their old value and without secrets.", async () => {
    lab.pages.set("/set", (request, response) => response.writeHead(200, { "set-cookie": ["lang=de; Path=/", "plan=pro; HttpOnly; Path=/"] }).end("ok"));
    await show("/cookies", `<button onclick="document.cookie='theme=dark; path=/'; document.cookie='theme=light; path=/'; document.cookie='sessionid=abc123; path=/'">Write</button><button onclick="fetch('/set')">Server</button>`);
    await link.act("click", { role: "button", name: "Write" });
    assert.deepEqual(told("storage.change"), [
      { area: "cookies", key: "theme", old: null, new: "dark" },
      { area: "cookies", key: "theme", old: "dark", new: "light" },
      { area: "cookies", key: "sessionid", old: null, new: "[REDACTED]" },
    ]);
    await link.act("click", { role: "button", name: "Server" });
    const server = await link.event("storage.change", (fields) => fields.key === "lang");
    assert.deepEqual(server.data, { area: "cookies", key: "lang", old: null, new: "de" });
    assert.deepEqual(await link.ask("storage_read", { area: "cookies" }), {
      areas: [{ area: "cookies", values: { theme: "light", sessionid: "[REDACTED]", lang: "de" }, count: 3 }],
    });
    assert.deepEqual(await link.ask("storage_read", { key: "theme" }), { found: true, area: "cookies", key: "theme", value: "light" });
  });

  test("The script's own marks in the tab's storage are none of the app's.", async () => {
    await show("/own", "<script>localStorage.clear(); sessionStorage.cart = '{\"id\":7,\"token\":\"abc\"}'</script><p>x</p>");
    const { areas } = await link.ask("storage_read");
    assert.deepEqual(areas.slice(0, 2), [
      { area: "local", values: {}, count: 0 },
      { area: "session", values: { cart: '{"id":7,"token":"[REDACTED]"}' }, count: 1 },
    ]);
    assert.deepEqual(told("storage.change"), [{ area: "session", key: "cart", old: null, new: '{"id":7,"token":"[REDACTED]"}' }]);
  });

  test("Another window's write is told here.", async () => {
    await show("/tabs", "<iframe src='/tabs2'></iframe>");
    lab.page("/tabs2", "<script>localStorage.setItem('from', 'frame')</script>");
    await go(`${lab.origin}/tabs`);
    const change = await link.event("storage.change");
    assert.deepEqual(change.data, { area: "local", key: "from", old: null, new: "frame" });
  });

  test("The focus is followed, into shadow roots and back to the body.", async () => {
    await show("/focus", "<input aria-label=A><x-f></x-f><script>const r = document.querySelector('x-f').attachShadow({mode:'open'}); r.innerHTML = '<input aria-label=S1><input aria-label=S2>'</script>");
    for (const label of ["A", "S1", "S2"]) await link.act("focus", { label });
    await link.act("blur", { label: "S2" });
    assert.deepEqual(told("focus.change"), [
      { toBody: false, to: 'textbox "A"' },
      { toBody: false, to: 'textbox "S1"', from: 'textbox "A"' },
      { toBody: false, to: 'textbox "S2"', from: 'textbox "S1"' },
      { toBody: true, from: 'textbox "S2"' },
    ]);
    assert.match(link.ofType("focus.change")[0].ref, /^e\d+$/);
  });

  test("Scrolling is told at its beginning and at its end, for the page and for a list in it.", async () => {
    await show("/scrolls", `<div role=list aria-label=L style="height:100px;overflow:auto"><div style="height:1000px">x</div></div><div style="height:5000px"></div>
      <button style="position:fixed;top:0" onclick="let y = 0; const t = setInterval(() => { window.scrollTo(0, y += 40); if (y >= 800) clearInterval(t) }, 10)">Go</button>`);
    await link.act("click", { role: "button" });
    await link.event("scroll.position", (fields) => fields.y === 800);
    const page = told("scroll.position");
    assert.ok(page.length >= 2 && page.length <= 20, String(page.length));
    assert.deepEqual([page[0].direction, page[0].container, page.at(-1).y, page.at(-1).x], ["down", undefined, 800, 0]);
    const { ref } = (await link.ask("query", { role: "list" })).elements[0];
    await link.ask("scroll", { ref, dy: 450 });
    const list = await link.event("scroll.position", (fields) => fields.container);
    assert.deepEqual([list.data, list.ref], [{ x: 0, y: 450, percent: 50, direction: "down", container: 'list "L"' }, ref]);
  });

  test("CSS animations, transitions and script animations are told with their name, beginning and end.", async () => {
    await show("/motion", `<style>@keyframes pop{to{opacity:.9}} .go{animation:pop 50ms} i{transition:margin-left 50ms;display:block}</style><p id=p>p</p><i id=i>i</i><b id=b>b</b>
      <button onclick="p.className='go'; i.style.marginLeft='9px'; b.animate([{opacity:1},{opacity:.5}], {duration: 50, id: 'fade'})">Go</button>`);
    await link.act("click", { role: "button" });
    await lab.until(() => link.ofType("anim.end").length >= 3, 5000, "three ends");
    const pairs = (type) => told(type).map((one) => `${one.kind} ${one.name}`).sort();
    assert.deepEqual(pairs("anim.start"), ["animation pop", "script fade", "transition margin-left"]);
    assert.deepEqual(pairs("anim.end"), ["animation pop", "script fade", "transition margin-left"]);
  });

  test("What runs now is listed with its element, kind and end, in shadow roots and frames too; our panel's is not.", async () => {
    lab.page("/moving", "<style>@keyframes in{to{opacity:.9}} p{animation:in 100s}</style><p role=note>Framed</p>");
    await show("/running", `<style>@keyframes spin{to{rotate:1turn}} @keyframes grow{to{width:9px}} #s::before{content:'x';display:block;animation:spin 2s infinite}
        #t{transition:margin-left 100s linear 1s} #g{animation:grow linear;animation-timeline:scroll()} @keyframes held{to{opacity:.5}} #h{animation:held 1ms forwards}</style>
      <div id=s role=img aria-label=Loading></div><button id=t onclick="t.style.marginLeft='9px'; b.animate([{opacity:1},{opacity:.5}], {duration: 50000, iterations: 3, id: 'fade'}).playbackRate = 2; b.getAnimations()[0].currentTime = 10000">Go</button>
      <b id=b role=note>b</b><i id=g role=note>g</i><u id=h role=note>h</u><x-s></x-s><iframe src="/moving"></iframe><div style="height:3000px"></div>
      <script>document.querySelector('x-s').attachShadow({mode:'open'}).innerHTML = '<style>@keyframes in{to{opacity:.9}} p{animation:in 100s paused}</style><p role=note>Shadow</p>'</script>`);
    await link.ask("narrate", { text: "Looking", level: "info" });
    await link.act("click", { role: "button", name: "Go" });
    await link.matched({ text: "Framed" });
    const { animations, count, truncated, reducedMotion } = await link.ask("animations");
    assert.deepEqual([count, truncated, reducedMotion], [7, undefined, undefined]);
    const by = Object.fromEntries(animations.map((one) => [`${one.kind} ${one.name}${one.target.name && " " + one.target.name}`, one]));
    assert.deepEqual(Object.keys(by).sort(), ["animation grow", "animation held", "animation in", "animation spin Loading", "script fade", "transition margin-left Go"]);
    const spin = by["animation spin Loading"];
    assert.deepEqual([spin.endless, spin.durationMs, spin.pseudo, spin.endsInMs, spin.state, spin.target.role], [true, 2000, "::before", undefined, "running", "img"]);
    const fade = by["script fade"];
    assert.deepEqual([fade.durationMs, fade.iterations, fade.playbackRate], [50000, 3, 2]);
    assert.ok(fade.endsInMs > 60000 && fade.endsInMs <= 70000, fade.endsInMs);
    const shift = by["transition margin-left Go"];
    assert.deepEqual([shift.delayMs, shift.durationMs, shift.endsInMs > 95000 && shift.endsInMs <= 101000], [1000, 100000, true]);
    assert.deepEqual([by["animation held"].state, by["animation held"].endsInMs, by["animation grow"].driver], ["finished", undefined, "scroll"]);
    assert.deepEqual(animations.filter((one) => one.name === "in").map((one) => one.state).sort(), ["paused", "running"]);
    const { element } = await link.ask("query", { scope: fade.target.ref, self: true }).then(({ elements }) => ({ element: elements[0] }));
    assert.equal(element.text, "b");
  });

  test("What can be operated is listed with value, state and danger; what is hidden, inert or behind a dialog is not, and nothing is clicked.", async () => {
    lab.page("/inside", "<button>Framed</button>");
    await show("/operable", `<main><h1>Shop</h1><button onclick="document.title='clicked'"><span style="cursor:pointer">Save</span></button><a href="/delete">Delete account</a>
        <label>Name <input value=Ada></label><label>Plan <select><option selected>Basic<option>Full</select></label><input type=password aria-label=Code value=hunter2>
        <label style="position:relative"><input type=checkbox style="opacity:0" checked> Agree</label><div onclick="1">Card</div><ul><li onclick="1">Row</li><li>Plain</li></ul>
        <button disabled>Off</button><button hidden>Hidden</button><div inert><button>Inert</button></div><div aria-hidden=true><button>Unsaid</button></div>
        <x-b></x-b><iframe src="/inside"></iframe><form><button data-reticle-danger>Go</button></form></main>
      <dialog id=d><button>Yes</button></dialog><script>document.querySelector('x-b').attachShadow({mode:'open'}).innerHTML = '<button>Shadow</button>'</script>`);
    await link.matched({ role: "button", name: "Framed" });
    const { interactive, count, truncated } = await link.ask("explore");
    assert.deepEqual(interactive.map((one) => one.desc), [
      'button "Save"', 'link "Delete account"', 'textbox "Name" [value="Ada"]', 'combobox "Plan" [value="Basic"]', 'textbox "Code" [value="[REDACTED]"]',
      'checkbox "Agree" [checked]', "generic", "listitem", 'button "Off" [disabled]', 'button "Shadow"', 'button "Framed"', 'button "Go"',
    ]);
    assert.deepEqual([count, truncated, await link.ask("snapshot", { mode: "status" }).then(({ status }) => status.title)], [12, undefined, "Lab /operable"]);
    assert.deepEqual(interactive.filter((one) => one.dangerous).map((one) => one.desc), ['link "Delete account"', 'button "Go"']);
    assert.equal((await link.ask("query", { scope: interactive[6].ref, self: true })).elements[0].text, "Card");
    assert.deepEqual((await link.ask("explore", { scope: "ul" })).interactive.map((one) => one.ref), [interactive[7].ref]);
    assert.deepEqual(await link.ask("explore", { scope: "#gone" }), { interactive: [], count: 0, scopeMissing: true });
    await show("/modal", "<button>Below</button><dialog id=d><button>Yes</button></dialog><script>d.showModal()</script>");
    assert.deepEqual((await link.ask("explore")).interactive.map((one) => one.desc.split(" [")[0]), ['button "Yes"']);
    await show("/many", "<button>x</button>".repeat(250));
    const many = await link.ask("explore");
    assert.deepEqual([many.interactive.length, many.count, many.truncated], [200, 250, true]);
  });

  test("Paint, layout shifts and long tasks of the app are told.", async () => {
    await show("/perf", `<h1>Big</h1><div id=d></div><p>below</p><script>
      setTimeout(() => { d.style.height = '300px' }, 600); setTimeout(() => { const t = performance.now(); while (performance.now() - t < 120); }, 900)</script>`);
    const task = await link.event("perf", (fields) => fields.metric === "longtask" && fields.at > 600 && fields.value >= 100, 8000);
    assert.ok(task.data.value < 2000);
    await link.event("perf", (fields) => fields.metric === "lcp" && fields.value > 0);
    const shift = await link.event("perf", (fields) => fields.metric === "cls");
    assert.ok(shift.data.value > 0.01, shift.data.value);
  });

  test("Downloads are told with name, type and size, from links in the page and from ones that never were in it.", async () => {
    await show("/downloads", `<a href="/report.pdf" download>Report</a><a id=no href="/x" download onclick="return false">No</a><a href="data:text/csv,a%2Cb" download="d.csv">Data</a>
      <button onclick="const a = document.createElement('a'); a.href = window.URL.createObjectURL(new Blob(['1,2\\n'], {type: 'text/csv'})); a.download = 'rows.csv'; a.click()">Blob</button>
      <button onclick="const a = document.createElement('a'); a.href = '/y.txt'; a.download = ''; a.dispatchEvent(new MouseEvent('click'))">Event</button>`);
    for (const name of ["Report", "No", "Data"]) await link.act("click", { role: "link", name });
    for (const name of ["Blob", "Event"]) await link.act("click", { role: "button", name });
    const [report, data, blob, event] = told("download").map(({ source, ...fields }) => fields);
    assert.deepEqual(report, { url: `${lab.origin}/report.pdf`, filename: "report.pdf" });
    assert.deepEqual(data, { filename: "d.csv", url: "data:text/csv,a%2Cb", mimeType: "text/csv", bytes: 3 });
    assert.deepEqual([blob.filename, blob.mimeType, blob.bytes], ["rows.csv", "text/csv", 4]);
    assert.deepEqual(event, { url: `${lab.origin}/y.txt`, filename: "y.txt" });
    assert.equal(told("download").length, 4);
  });

  test("A long page costs the app no seconds while it loads.", async () => {
    await show("/long", `<table>${"<tr><td>cell</td><td><button>Go</button></td></tr>".repeat(2000)}</table>`);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const tasks = told("perf").filter((one) => one.metric === "longtask").map((one) => one.value);
    assert.ok(Math.max(0, ...tasks) < 1000, tasks.join());
  });

  test("The browser's dialogs are told when they open and with the answer that was given.", async () => {
    lab.pages.set("/dialogs", (request, response) => response.writeHead(200, { "content-type": "text/html" }).end(`<script>window.confirm = () => false</script>
      <script src="/sdk.js"></script><button onclick="this.textContent = String(confirm('Sure? token=abc123'))">Ask</button>`));
    await go(`${lab.origin}/dialogs`);
    await link.matched({ role: "button" });
    await link.act("click", { role: "button" });
    await lab.until(() => link.ofType("dialog").length === 2, 5000, "two");
    const [open, closed] = told("dialog");
    assert.deepEqual([open.kind, open.state, open.message, open.answer], ["confirm", "open", "Sure? token=[REDACTED]", undefined]);
    assert.deepEqual([closed.id, closed.state, closed.answer], [open.id, "closed", false]);
    await link.matched({ role: "button", name: "false" });
  });

  test("SN-03: what a frame's scripts request, log and throw is told, whether the frame has the script or not; a late one is declared.", async () => {
    lab.pages.set("/bare", (request, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>Bare</p><script>fetch('/api/bare'); console.warn('from bare')</script>"));
    lab.pages.set("/bare2", (request, response) => response.writeHead(200, { "content-type": "text/html" }).end("<button onclick=\"fetch('/api/bare?later')\">Later</button><script>1</script>"));
    lab.page("/own-script", "<p>Own</p><script>fetch('/api/own'); null.x</script>");
    lab.pages.set("/api/bare", (request, response) => response.writeHead(200, { "content-type": "application/json" }).end('{"a":1}'));
    lab.pages.set("/api/own", (request, response) => response.writeHead(404).end());
    await show("/frames", "<iframe src=/bare></iframe><iframe src=/own-script></iframe><button onclick=\"const f = document.createElement('iframe'); f.srcdoc = '<script>fetch(`/api/bare?dynamic`)<\\/script>'; document.body.append(f)\">Add</button><button onclick=\"frames[0].location='/bare2'\">Go on</button>");
    const bare = await link.event("net.request", (fields) => fields.url === "/api/bare");
    assert.deepEqual([bare.data.status, bare.data.responseBody], [200, '{"a":1}']);
    const own = await link.event("net.request", (fields) => fields.url === "/api/own");
    assert.equal(own.data.status, 404);
    await link.event("console.warn", (fields) => fields.message === "from bare");
    await link.event("error.uncaught", (fields) => /null/.test(fields.message));
    await link.act("click", { role: "button", name: "Add" });
    await link.event("net.request", (fields) => fields.url === "/api/bare?dynamic");
    await link.matched({ text: "Bare" });
    assert.equal(link.ofType("net.request", (fields) => fields.url === "/api/bare").length, 1);
    assert.deepEqual(link.ofType("blind-spot", (fields) => fields.kind === "uninstrumented-frame"), []);
    // a frame that goes on to another page has a new window, which we only meet when that page's scripts ran
    await link.act("click", { role: "button", name: "Go on" });
    await link.event("blind-spot", (fields) => fields.kind === "uninstrumented-frame" && fields.count === 1);
    await link.act("click", { role: "button", name: "Later" });
    await link.event("net.request", (fields) => fields.url === "/api/bare?later");
  });

  test("A development server's hot update is an event, counted in what follows; refs of replaced elements say so (SN-06).", async () => {
    const hmr = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => "vite-hmr" });
    const sockets = [];
    hmr.on("connection", (socket) => sockets.push(socket));
    await new Promise((resolve) => hmr.once("listening", resolve));
    await show("/hot", `<div id=app><button>Old</button></div><script>
      const s = new WebSocket('ws://127.0.0.1:${hmr.address().port}/', 'vite-hmr');
      s.onmessage = () => { app.innerHTML = '<button>New</button>'; reticle.signal('replaced') }</script>`);
    const { ref } = (await link.ask("query", { role: "button" })).elements[0];
    await lab.until(() => sockets.length > 0 || lab.tell === undefined, 5000, "the socket").catch(() => undefined);
    for (let round = 0; round < 100 && sockets.length === 0; round += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    sockets[0].send(JSON.stringify({ type: "update", updates: [{ type: "js-update", path: "/src/App.jsx", acceptedPath: "/src/App.jsx" }] }));
    const edit = await link.event("edit.applied");
    assert.deepEqual([edit.data, edit.editEpoch], [{ tool: "vite", paths: ["/src/App.jsx"], epoch: 1 }, 1]);
    assert.equal((await link.event("signal")).editEpoch, 1);
    const stale = await link.act("click", ref);
    assert.deepEqual([stale.code, /hot-updated/.test(stale.error)], ["stale_ref_after_edit", true]);
    assert.deepEqual(link.ofType("net.stream"), []);
    assert.equal((await link.act("click", { role: "button" })).error, undefined);
    for (const socket of sockets) socket.terminate();
    hmr.close();
  });

  test("The panel is there only when wanted, and no part of the page: no snapshot, query, event, click or layout knows it.", async () => {
    await show("/panel", `<button style="position:fixed;right:20px;bottom:20px;width:200px;height:60px" onclick="this.textContent='hit'">Under</button><script>
      const seen = []; for (const t of ['click','focusin']) addEventListener(t, e => { if (e.target.localName === 'reticle-panel') seen.push(t) }); </script>`);
    const height = (await link.ask("scroll", { dy: 0 })).scrollHeight;
    const before = (await link.ask("snapshot")).tree;
    assert.deepEqual(await link.ask("narrate", { text: "Filling the form", level: "info" }), { shown: true });
    assert.deepEqual(await link.ask("presenter", { state: "paused", text: "Waiting for you", tone: "ask" }), { applied: true });
    assert.equal((await link.ask("snapshot")).tree, before);
    assert.equal((await link.ask("query", { text: "Filling" })).count, 0);
    assert.equal((await link.ask("query", { text: "Pause" })).count, 0);
    assert.equal((await link.act("click", { role: "button" })).error, undefined);
    await link.matched({ role: "button", name: "hit" });
    assert.equal((await link.ask("scroll", { dy: 0 })).scrollHeight, height);
    assert.deepEqual(link.ofType("blind-spot"), []);
    assert.deepEqual(link.ofType("dom.added"), []);
    for (const bad of [{ state: "gone" }, {}, { state: "active", tone: "loud" }]) assert.equal((await link.raw("presenter", bad)).code, "bad_arguments");
    assert.deepEqual(await link.ask("session_config", { idleEndMs: 10 }), { applied: true, idleEndMs: 5000 });
  });

  test("While a dialog of the browser stands open, the daemon knows by the event that the page waits for a person.", async () => {
    await show("/blocked", `<button onclick="alert('Read this')">Show</button>`);
    const acting = link.act("click", { role: "button" }).catch((error) => error);
    const open = await link.event("dialog");
    assert.deepEqual([open.data.kind, open.data.state, open.data.message], ["alert", "open", "Read this"]);
    assert.match(String(await acting), /waited 5000 ms for act/);
    // the tab stands still from here on: no test may follow
  });
});
