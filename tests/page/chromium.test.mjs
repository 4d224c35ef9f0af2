/*
 * The page script in a real Chromium, against the smallest possible daemon: layout, input, frames, navigation.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { REACT, follow, inChromium, lab, link, show } from "./tab.mjs";

inChromium("in Chromium", () => {
  test("The hello names the page, and the load of the document is a request with its status.", async () => {
    await show("/hello", "<p>Hi</p>");
    assert.equal(link.hello.kind, "hello");
    assert.equal(link.hello.script, "reticle");
    assert.equal(link.hello.projectId, "lab");
    assert.match(link.hello.sessionId, /^s\w{10}$/);
    assert.match(link.hello.documentId, /^[0-9a-z]{8}$/);
    assert.equal(link.hello.url, `${lab.origin}/hello`);
    assert.equal(link.hello.title, "Lab /hello");
    const [load] = link.ofType("net.request");
    assert.equal(load.data.status, 200);
    assert.equal(load.data.method, "GET");
  });

  test("SN-08: text that a style sheet puts before a name is part of it for snapshot, query, match and act.", async () => {
    await show("/generated", "<button class=new>Offer</button>", '<style>.new::before { content: "New\\A0 " }</style>');
    const { tree } = await link.ask("snapshot", {});
    const name = "New Offer";
    assert.match(tree, /^- button "New Offer" \(ref=e\d+\)/);
    assert.equal((await link.ask("query", { role: "button", name })).count, 1);
    assert.equal((await link.ask("match", { query: { role: "button", name } })).count, 1);
    assert.equal((await link.act("click", { role: "button", name })).result.name, name);
  });

  test("A snapshot shows headings, prose, fields, rows and what is hidden from none of them.", async () => {
    await show(
      "/tree",
      `<main><h1>Shop</h1><p>Some <b>bold</b>&nbsp;text, and <a href="/x">a link</a></p>
       <p style="display:none">never</p><p style="visibility:hidden">nor <span style="visibility:visible">but this</span></p>
       <label>Email <input></label><input type=password aria-label=Key value=hunter22>
       <table><tr><th>Item</th></tr><tr><td>Pear</td></tr></table>
       <details><summary>More</summary><button>Deep</button></details>
       <div onclick="1">Card</div></main>`,
    );
    const { tree, nodes, truncated, status } = await link.ask("snapshot");
    assert.equal(
      tree.replace(/ \(ref=e\d+\)/g, ""),
      [
        "- main",
        '  - heading "Shop"',
        '  - text "Some bold text, and"',
        '  - link "a link"',
        '  - text "but this"',
        '  - textbox "Email"',
        '  - textbox "Key" [value="[REDACTED]"]',
        "  - table",
        "    - row",
        '      - columnheader "Item"',
        "    - row",
        '      - cell "Pear"',
        '  - button "More"',
        "  - generic",
        '    - text "Card"',
      ].join("\n"),
    );
    assert.equal(nodes, 15);
    assert.equal(truncated, false);
    assert.deepEqual(status, { route: "/tree", title: "Lab /tree" });
  });

  test("AC-01: a click under a transparent cover is refused by the cover's name, and the button hears nothing.", async () => {
    await show(
      "/cover",
      `<div style="position:relative;width:200px"><button onclick="document.title='hit'">Pay later</button>
       <span id=c aria-label="Veil" role=img style="position:absolute;inset:0"></span></div>`,
    );
    const answer = await link.act("click", { role: "button" }, { confirmDangerous: true });
    assert.equal(answer.ok, false);
    assert.equal(answer.code, "occluded");
    assert.equal(answer.details.occludedBy.name, "Veil");
    assert.equal((await link.ask("snapshot", { mode: "status" })).status.title, "Lab /cover");
  });

  test("AC-01: covers that let clicks through, labels over their boxes and parts of the button do not count as covers.", async () => {
    await show(
      "/uncovered",
      `<div style="position:relative;width:99px"><button id=a onclick="this.textContent='done a'"><span style="position:absolute;inset:0"></span>A</button>
       <i style="position:absolute;inset:0;pointer-events:none"></i></div>
       <label style="position:relative;display:block;height:20px"><input type=checkbox style="position:absolute;left:0;top:0"><span style="position:absolute;inset:0;background:#fff">Agree</span></label>
       <input type=checkbox id=q style="position:absolute;opacity:0"><label for=q>Custom box</label>
       <a href="#z" style="display:inline-block;width:0;height:0"><b style="display:block;width:50px;height:20px">Zero</b></a>
       <button style="border-radius:50%;width:80px;height:80px;clip-path:polygon(0 0,100% 0,100% 30%,0 30%)" onclick="this.textContent='done h'">Hole</button>
       <button id=m onmousedown="document.getElementById('menu').style.display='block'" onclick="this.textContent='done m'">Menu</button>
       <div id=menu style="display:none;position:fixed;inset:0">menu</div>`,
    );
    for (const name of ["A", "Hole"]) {
      assert.equal((await link.act("click", { role: "button", name })).error, undefined, name);
    }
    for (const name of ["Agree", "Custom box"]) {
      const checked = await link.act("check", { role: "checkbox", name });
      assert.deepEqual([checked.error, checked.result?.effect.value], [undefined, true]);
    }
    assert.equal((await link.act("click", { role: "link" })).error, undefined);
    assert.equal((await link.act("click", { role: "button", name: "Menu" })).error, undefined);
    const { elements } = await link.ask("query", { by: "text", value: "done" });
    assert.deepEqual(elements.map((element) => element.name), ["done a", "done h", "done m"]);
  });

  test("AC-01: a target below the fold or under a sticky header is scrolled clear before the click.", async () => {
    await show(
      "/scroll",
      `<header style="position:sticky;top:0;height:60px;background:#eee">Head</header>
       <div style="height:3000px"></div><button onclick="this.textContent='done'">Far</button><div style="height:3000px"></div>`,
    );
    const { result } = await link.act("click", { role: "button" });
    assert.equal(result.effect.scrolledIntoView, true);
    assert.equal((await link.ask("match", { query: { role: "button", name: "done" } })).matched, true);
  });

  test("AC-01: a moving target is clicked where it comes to rest.", async () => {
    await show(
      "/moving",
      `<style>@keyframes go{from{transform:translateX(0)}to{transform:translateX(300px)}}
       button{animation:go .2s linear forwards}</style><button onclick="this.textContent='done'">Go</button>`,
    );
    assert.equal((await link.act("click", { role: "button" })).error, undefined);
    assert.equal((await link.ask("match", { query: { text: "done" } })).count, 1);
  });

  test("A click sends what a mouse sends, in its order, with a place.", async () => {
    await show(
      "/pointer",
      `<button id=b>Log</button><script>const seen=[];
       for (const t of 'pointerover pointerdown mousedown focus pointerup mouseup click'.split(' '))
         b.addEventListener(t, e => { seen.push(t + (e.clientX > 0 ? '+' : '') + (e.buttons ?? '')); if (t==='click') b.title = seen.join(' ') });</script>`,
    );
    await link.act("click", { role: "button" });
    const { elements } = await link.ask("query", { role: "button", attrs: ["title"] });
    assert.equal(elements[0].attrs.title, "pointerover+0 pointerdown+1 mousedown+1 focus pointerup+0 mouseup+0 click+0");
  });

  test("AC-03: React hears a fill once, a rewritten value is reported, and a controlled checkbox toggles by its click.", async () => {
    await show(
      "/react",
      `<div id=root></div><script>
       const h = React.createElement;
       function App() {
         const [name, setName] = React.useState(''); const [on, setOn] = React.useState(false); const [saves, setSaves] = React.useState(0);
         return h('form', null, h('input', {'aria-label': 'Name', value: name, onChange: e => setName(e.target.value.toUpperCase()), onBlur: () => setSaves(saves + 1)}),
           h('input', {type: 'checkbox', 'aria-label': 'On', checked: on, onChange: e => setOn(e.target.checked)}),
           h('p', null, 'name=' + name + ' on=' + on + ' saves=' + saves));
       }
       ReactDOM.createRoot(document.getElementById('root')).render(h(App));</script>`,
      REACT,
    );
    const filled = await link.act("fill", { label: "Name" }, { value: "ada" });
    assert.equal(filled.result.effect.value, "ADA");
    assert.equal(filled.result.effect.valueChanged, true);
    assert.equal(filled.result.component, "App");
    const checked = await link.act("check", { role: "checkbox" });
    assert.equal(checked.result.effect.value, true);
    const again = await link.act("check", { role: "checkbox" });
    assert.deepEqual([again.result.effect.dispatched, again.result.effect.alreadyAtValue], [false, true]);
    const { answers } = await link.ask("read", { questions: [{ kind: "text", contains: "name=ADA on=true saves=1" }] });
    assert.equal(answers[0].matched, true);
    await lab.until(() => link.messages.some((message) => message.kind === "hello" && message.adapters.includes("react")), 6000, "react in hello");
  });

  test("Enter submits the form it is pressed in, and a form's POST is seen with the status it brought.", async () => {
    lab.pages.set("/sent", (request, response) => response.writeHead(500, { "content-type": "text/html" }).end('<script src="/sdk.js"></script><h1>Broken</h1>'));
    await show("/form", '<form method=post action="/sent"><input aria-label=Q name=q><input type=password name=password value=geheim99><button>Send</button></form>');
    await link.act("fill", { label: "Q" }, { value: "pears" });
    const known = lab.links.length;
    const pressed = await link.act("press", { label: "Q" }, { key: "Enter" });
    assert.equal(pressed.result.effect.defaultAction, "submit");
    await follow(known);
    const load = await link.event("net.request");
    assert.equal(load.data.method, "POST");
    assert.equal(load.data.status, 500);
    assert.equal(load.data.ok, false);
    assert.equal(load.data.url, `${lab.origin}/sent`);
    assert.equal(load.data.requestBody, '{"q":"pears","password":"[REDACTED]"}');
  });

  test("A form that a script sends is a request as well: how it ends is waited for.", async () => {
    lab.pages.set("/late", (request, response) => setTimeout(() => response.writeHead(500, { "content-type": "text/html" }).end('<script src="/sdk.js"></script><h1>Broken</h1>'), 300));
    await show("/scripted", `<form action="/late"><input name=q value=1></form><button onclick="document.createElement('form').submit(); document.forms[0].submit()">Go</button>`);
    const known = lab.links.length;
    await link.act("click", { role: "button" });
    const { data } = await link.event("net.pending");
    assert.deepEqual([data.method, data.initiator, data.url], ["GET", "document", `${lab.origin}/late`]);
    await follow(known);
    assert.equal((await link.event("net.request")).data.status, 500);
  });

  test("AC-04: keys arrive with their key, code and modifiers; Tab moves the focus and Escape closes a dialog.", async () => {
    await show(
      "/keys",
      `<input id=a aria-label=A><input id=b aria-label=B><dialog id=d><button>Close it</button></dialog>
       <script>const seen=[]; addEventListener('keydown', e => { seen.push([e.key,e.code,e.ctrlKey,e.shiftKey].join('|')); document.title = seen.join(' ') })</script>`,
    );
    for (const key of ["Control+K", "+", "é", "ArrowDown", "Shift+Tab"]) {
      assert.equal((await link.act("press", { label: "B" }, { key })).error, undefined, key);
    }
    const { status } = await link.ask("snapshot", { mode: "status" });
    assert.equal(status.title, "K|KeyK|true|false +|Equal|false|false é||false|false ArrowDown|ArrowDown|false|false Tab|Tab|false|true");
    assert.equal((await link.ask("match", { query: { label: "A" }, state: "focused" })).matched, true);
    assert.equal((await link.ask("query", { label: "B" })).elements[0].value, "+é");
    assert.equal((await link.act("press", { label: "B" }, { keyName: "Enter" })).code, "bad_arguments");
  });

  test("SN-04: behind a modal dialog the page says so, and a click there is refused as covered.", async () => {
    await show(
      "/modal",
      `<button>Behind</button><dialog id=d aria-label="Ask"><p>Sure?</p><button id=x>No</button></dialog><script>d.showModal(); x.onclick=()=>d.close()</script>`,
    );
    const { status, tree } = await link.ask("snapshot", { mode: "interactive" });
    assert.deepEqual(status.visibleDialogs, ["Ask"]);
    assert.equal(status.overlayHidingPage, "Ask");
    assert.match(tree, /dialog "Ask".*\n {2}- text "Sure\?"\n {2}- button "No"/);
    const refused = await link.act("click", { role: "button", name: "Behind" });
    assert.equal(refused.code, "occluded");
    assert.equal(refused.details.occludedBy.name, "Ask");
    await link.act("press", { role: "button", name: "No" }, { key: "Escape" });
    assert.equal((await link.act("click", { role: "button", name: "Behind" })).error, undefined);
  });

  test("SN-03: open shadow roots and frames of this origin are seen into and acted on; closed ones are declared.", async () => {
    lab.page("/inner", "<button onclick=\"this.textContent='inner done'\">Inner</button>");
    await show(
      "/deep",
      `<x-open></x-open><x-closed></x-closed><iframe src="/inner" style="width:300px;height:100px"></iframe><iframe sandbox srcdoc="<p>no</p>"></iframe>
       <button onclick="document.querySelector('iframe').src='/other'">Swap</button>
       <script>customElements.define('x-open', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'open'}).innerHTML = '<button>Shadow</button><slot></slot>'; this.shadowRoot.firstChild.onclick = e => { e.target.textContent = 'shadow done' } } });
       customElements.define('x-closed', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'closed'}).innerHTML = '<button>Never</button>' } });</script>`,
    );
    await link.event("blind-spot", (fields) => fields.kind === "closed-shadow-root" && fields.count === 1);
    await link.event("blind-spot", (fields) => fields.kind === "cross-origin-iframe" && fields.count === 1);
    await link.matched({ role: "button", name: "Inner" });
    for (const name of ["Shadow", "Inner"]) {
      assert.equal((await link.act("click", { role: "button", name })).error, undefined, name);
    }
    await link.event("dom.text", (fields) => fields.text === "shadow done");
    await link.event("dom.text", (fields) => fields.text === "inner done");
    assert.equal((await link.ask("query", { role: "button", name: "Never" })).count, 0);
    assert.equal(lab.links.filter((other) => other.hello?.url.endsWith("/inner")).length, 0);
    const { elements } = await link.ask("query", { text: "inner done" });
    lab.page("/other", "<button>Other</button>");
    await link.ask("query", { role: "button", scope: "iframe" });
    await link.act("click", { role: "button", name: "Swap" });
    await link.matched({ role: "button", name: "Other" });
    assert.equal((await link.act("click", elements[0].ref)).code, "stale_ref");
  });

  test("Visibility is judged by layout: size, opacity, clipping parts, closed details.", async () => {
    await show(
      "/visible",
      `<button style="opacity:0">a</button><div style="display:none"><button>b</button></div><button style="visibility:hidden">c</button>
       <details><summary>s</summary><button>d</button></details><button style="width:0;height:0;padding:0;border:0;overflow:hidden">e</button>
       <button>f</button><div aria-hidden=true><button>g</button></div>`,
    );
    const { elements } = await link.ask("query", { role: "button" });
    assert.deepEqual(
      elements.filter((element) => element.name !== "s").map((element) => [element.name, element.visible]),
      [["a", false], ["b", false], ["c", false], ["d", false], ["e", false], ["f", true], ["g", true]],
    );
    const refused = await link.act("click", elements.find((element) => element.name === "d").ref);
    assert.deepEqual([refused.code, refused.error], ["not_visible", 'button "d" cannot be seen: it is inside a closed <details>.']);
  });

  test("A request made by fetch is reported with status, bodies and the line that made it.", async () => {
    lab.pages.set("/api/login", (request, response) =>
      response.writeHead(500, { "content-type": "application/json" }).end('{"error":"boom","sessionToken":"abc123","tokenCount":3}'),
    );
    await show(
      "/fetch",
      `<button onclick="send()">Send</button><script>
       function send() { fetch('/api/login?token=abc&x=1', {method: 'POST', body: JSON.stringify({user: 'ada', password: 'hunter22'})}).then(r => r.json()).then(j => { document.title = j.error }) }</script>`,
    );
    await link.act("click", { role: "button" });
    const done = await link.event("net.request", (fields) => fields.initiator === "fetch");
    const pending = link.ofType("net.pending").find((event) => event.data.id === done.data.id);
    assert.equal(pending.data.url, "/api/login?token=[REDACTED]&x=1");
    assert.equal(done.data.status, 500);
    assert.equal(done.data.ok, false);
    assert.equal(done.data.requestBody, '{"user":"ada","password":"[REDACTED]"}');
    assert.equal(done.data.responseBody, '{"error":"boom","sessionToken":"[REDACTED]","tokenCount":3}');
    assert.match(done.data.source, /^\/fetch:\d+:\d+$/);
    assert.equal((await link.ask("snapshot", { mode: "status" })).status.title, "boom");
  });

  test("The body of a stream is not waited for, and the app gets all of it.", async () => {
    lab.pages.set("/slow", (request, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).write("first ");
      setTimeout(() => response.end("last"), 1200);
    });
    await show("/stream", "<script>fetch('/slow').then(r => r.text()).then(t => { document.body.append(t) })</script>");
    const done = await link.event("net.request", (fields) => fields.url === "/slow");
    assert.equal(done.data.responseBody, "first ");
    assert.equal(done.data.bodyTruncated, true);
    await link.event("dom.text", (fields) => fields.text === "first last");
  });

  test("WebSocket and EventSource messages are stream events; our own socket is never one.", async () => {
    lab.pages.set("/sse", (request, response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: one\n\nevent: price\ndata: two\n\n"),
    );
    await show("/live", "<script>const s = new EventSource('/sse'); s.addEventListener('price', () => {}); console.log(s instanceof EventSource, EventSource.CLOSED)</script>");
    await link.event("net.stream", (fields) => fields.direction === "in" && fields.preview === "two");
    assert.deepEqual(link.ofType("net.stream").map((event) => [event.data.transport, event.data.direction]), [["sse", "open"], ["sse", "in"], ["sse", "in"]]);
    assert.equal(link.ofType("console.log")[0].data.message, "true 2");
  });

  test("console.error and uncaught errors carry a stack and the line at fault.", async () => {
    await show("/errors", "<script>\nconsole.error('bad thing', {password: 'x1'});\nsetTimeout(() => { null.f }, 0);\nPromise.reject(new Error('left alone'));\nfetch('http://127.0.0.1:1/');\n</script>");
    const logged = await link.event("console.error");
    assert.equal(logged.data.message, 'bad thing {"password":"[REDACTED]"}');
    assert.match(logged.data.source, /^\/errors:2:\d+$/);
    const thrown = await link.event("error.uncaught", (fields) => fields.kind === "error");
    assert.match(thrown.data.source, /^\/errors:3:\d+$/);
    assert.equal(thrown.data.line, 3);
    const rejected = await link.event("error.uncaught", (fields) => fields.kind === "unhandledrejection");
    assert.equal(rejected.data.message, "Error: left alone");
    // a failed fetch that the app does not look after stays unhandled, although we looked at it
    await link.event("error.uncaught", (fields) => fields.message === "TypeError: Failed to fetch");
    const failed = await link.event("net.request", (fields) => fields.initiator === "fetch");
    assert.deepEqual([failed.data.status, failed.data.ok, failed.data.error], [0, false, "Failed to fetch"]);
  });

  test("SN-01: a late message in an alert is seen, in the lean snapshot too.", async () => {
    await show("/alert", `<button onclick="setTimeout(() => { document.querySelector('[role=alert]').textContent = 'Wrong password' }, 150)">Sign in</button><div role=alert></div>`);
    await link.act("click", { role: "button" });
    const shown = await link.event("visible.shown");
    assert.deepEqual(shown.data, { role: "alert", name: "Wrong password", text: "Wrong password" });
    assert.match((await link.ask("snapshot", { mode: "interactive" })).tree, /- alert "Wrong password"/);
  });

  test("A toast that fades in is reported once it can be seen, and a button that fades in can be clicked.", async () => {
    await show(
      "/fade",
      `<style>@keyframes in{from{opacity:0}to{opacity:1}} .in{animation:in .25s linear}</style><button onclick="b.hidden=false;t.hidden=false">Show</button>
       <button id=b hidden class=in onclick="this.textContent='Pressed'">Fading</button><p id=t role=alert hidden class=in>Order saved</p>`,
    );
    await link.act("click", { role: "button", name: "Show" });
    assert.equal((await link.act("click", { name: "Fading" })).error, undefined);
    const shown = await link.event("visible.shown");
    assert.equal(shown.data.text, "Order saved");
    assert.equal(link.ofType("visible.shown").length, 1);
  });

  test("What an app in a frame signals is told by the page around it.", async () => {
    lab.page("/signalling", "<script>reticle.signal('from:frame', {n: 1})</script>");
    await show("/framed", '<iframe src="/signalling"></iframe>');
    const signal = await link.event("signal");
    assert.deepEqual(signal.data, { name: "from:frame", data: { n: 1 } });
  });

  test("A page of 5,000 elements is read in a moment, and 5,000 added rows do not stall it.", async () => {
    await show("/big", `<table>${"<tr><td>cell</td><td><button>Go</button></td></tr>".repeat(1250)}</table><ul></ul>
      <button id=more onclick="const t = performance.now(); for (let i = 0; i < 5000; i++) { const li = document.createElement('li'); li.textContent = 'row ' + i; document.querySelector('ul').append(li) } setTimeout(() => { document.title = String(performance.now() - t) })">More</button>`);
    const took = async (name, args) => {
      const before = performance.now();
      await link.ask(name, args);
      return performance.now() - before;
    };
    assert.ok((await took("snapshot", {})) < 2000);
    assert.ok((await took("query", { role: "button" })) < 2000);
    assert.ok((await took("read", { questions: [{ kind: "text", contains: "cell" }] })) < 2000);
    assert.ok((await took("query", { role: "dialog" })) < 2000);
    await link.act("click", { role: "button", name: "More" });
    await lab.until(() => link.ofType("truncated").length > 0, 5000, "the declared loss");
    const { status } = await link.ask("snapshot", { mode: "status" });
    assert.ok(Number(status.title) < 2000, status.title);
  });

  test("Routes that change without a new document are reported, and Back too.", async () => {
    await show("/route", "<button onclick=\"history.pushState(0, '', '/route/2?token=abc')\">On</button><button onclick=\"history.back()\">Back</button>");
    await link.act("click", { role: "button", name: "On" });
    const on = await link.event("route.change");
    assert.deepEqual([on.data.from, on.data.pathname, on.data.search], [`${lab.origin}/route`, "/route/2", "?token=[REDACTED]"]);
    await link.act("click", { role: "button", name: "Back" });
    const back = await link.event("route.change", (fields) => fields.pathname === "/route");
    assert.equal(back.data.to, `${lab.origin}/route`);
  });

  test("SN-06: a reload keeps the tab's name, has a new document, and refs of before are refused as stale.", async () => {
    await show("/reload", "<button>Stay</button>");
    const { elements } = await link.ask("query", { role: "button" });
    const first = link;
    const known = lab.links.length;
    assert.deepEqual(await link.ask("refresh", { hard: true }), { ok: true });
    await follow(known);
    assert.equal(link.hello.sessionId, first.hello.sessionId);
    assert.notEqual(link.hello.documentId, first.hello.documentId);
    const stale = await link.act("click", elements[0].ref);
    assert.equal(stale.code, "stale_ref");
    const fresh = (await link.ask("query", { role: "button" })).elements[0].ref;
    assert.ok(Number(fresh.slice(1)) > Number(elements[0].ref.slice(1)));
  });

  test("SN-06: Back to a page in the cache reconnects it under its old names, with its refs alive.", async () => {
    await show("/a", "<h1>A</h1><button>Keep</button>");
    const first = link;
    const { elements } = await link.ask("query", { role: "button" });
    await show("/b", "<button onclick=\"history.back()\">Back</button>");
    await lab.until(() => first.closedWith !== undefined, 3000, "the parked page to close");
    assert.equal(first.closedWith, 1000);
    const known = lab.links.length;
    await link.act("click", { role: "button" });
    await follow(known, 4000);
    assert.equal(link.hello.sessionId, first.hello.sessionId);
    assert.equal(link.hello.documentId, first.hello.documentId);
    assert.equal((await link.act("click", elements[0].ref)).error, undefined);
  });

  test("The app boots where a policy keeps the daemon from being reached.", async () => {
    const body = "<h1>Up</h1><script>fetch('/ping?up=' + (window.reticle ? 1 : 0))</script>";
    lab.pages.set("/csp", (request, response) =>
      response.writeHead(200, { "content-type": "text/html", "content-security-policy": "connect-src http:" }).end(`<head><script src="/sdk.js"></script></head>${body}`),
    );
    await link.ask("navigate", { url: "/csp" });
    await lab.until(() => lab.requests.some((request) => request.url === "/ping?up=1"), 5000, "the app's request");
  });
});
