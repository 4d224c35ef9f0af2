/*
 * What an event goes back to, in a real Chromium: through everything by which an app puts work off, through two versions
 * of React, and nothing where the way cannot be followed.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { HANDS, Hands } from "./hands.mjs";
import { inChromium, lab, link, REACT, show } from "./tab.mjs";

const [FRAMEWORKS, MODULES] = ["./frameworks/", "./node_modules/"].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
let acts = 0;

/** Click as the daemon does, which names the action; answers that name. */
async function click(name) {
  const action = `a1-${acts + 1}`;
  await asked("act", { action: "click", target: { role: "button", name } }, action);
  return action;
}

/** The causes with which requests of a path began and ended, in their order. */
async function causesOf(path, count = 1) {
  const found = (type) => link.ofType(type, (fields) => fields.url.endsWith(path));
  await lab.until(() => found("net.request").length >= count, 5000, path);
  const ended = found("net.request");
  for (const { cause, data } of ended) {
    const begun = found("net.pending").find((event) => event.data.id === data.id);
    assert.equal(begun.cause, cause, "an answer belongs to what its request belongs to");
  }
  return ended.map((event) => event.cause);
}

/** A page with one button for each of these ways of getting to `hit(path)`. */
function ways(scripts) {
  lab.pages.set("/hit", (request, response) => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
  const buttons = Object.keys(scripts).map((name) => `<button>${name}</button>`).join("");
  const body = Object.entries(scripts).map(([name, script]) => `ways[${JSON.stringify(name)}] = async () => { ${script} };`).join("\n");
  return `${buttons}<script>
    const hit = (name) => fetch("/hit?" + name);
    const ways = {};
    ${body}
    for (const button of document.querySelectorAll("button")) button.onclick = () => ways[button.textContent]();
  </script>`;
}

const FOLLOWED = {
  at_once: 'hit("at_once")',
  promise: 'Promise.resolve().then(() => 1).then(() => hit("promise"))',
  microtask: 'queueMicrotask(() => hit("microtask"))',
  awaited: 'await null; await 1; hit("awaited")',
  timer: 'setTimeout(() => hit("timer"), 0)',
  slept: 'await new Promise((resolve) => setTimeout(resolve, 150)); hit("slept")',
  frame: 'requestAnimationFrame(() => hit("frame"))',
  idle: 'requestIdleCallback(() => hit("idle"))',
  task: 'scheduler.postTask(() => hit("task"))',
  channel: 'const { port1, port2 } = new MessageChannel(); port1.onmessage = () => hit("channel"); port2.postMessage(0)',
  after_answer: 'const answer = await hit("first"); await answer.json(); hit("after_answer")',
  xhr: 'const x = new XMLHttpRequest(); x.open("GET", "/hit?xhr_first"); x.onload = () => hit("xhr"); x.send()',
  digest: 'await crypto.subtle.digest("SHA-256", new Uint8Array(3)); hit("digest")',
  database: `const open = indexedDB.open("shop"); open.onupgradeneeded = () => open.result.createObjectStore("cart");
    open.onsuccess = () => { const store = open.result.transaction("cart", "readwrite").objectStore("cart"); store.put(1, "a");
      store.get("a").onsuccess = () => { store.transaction.oncomplete = () => { open.result.close(); hit("database") } } }`,
  interval_once: 'const t = setInterval(() => { clearInterval(t); hit("interval_once") }, 30)',
  changed: 'new MutationObserver(() => hit("changed")).observe(document.body, { childList: true }); document.body.append("x")',
  mixed_way: 'const a = await hit("m1"); setTimeout(async () => { await a.text(); requestAnimationFrame(() => hit("mixed_way")) }, 20)',
};

/** Ask a command of an action, and answer what came of it. */
async function asked(name, args, action) {
  acts += 1;
  const id = `ask-${acts}`;
  link.socket.send(JSON.stringify({ kind: "command", id, name, args, action }));
  const answer = await lab.until(() => link.messages.find((one) => one.kind === "command_result" && one.id === id), 5000, name);
  assert.ok(answer.ok, answer.error);
  return answer.result;
}

inChromium("causes in Chromium", () => {
  /** @type {Hands} */
  let hands;
  before(async () => {
    hands = await Hands.of(lab);
  });
  after(() => hands.close());

  test("An action's request is followed through timers, frames, promises, messages and answers.", async () => {
    await show("/followed", ways(FOLLOWED));
    for (const name of Object.keys(FOLLOWED)) {
      const action = await click(name);
      assert.deepEqual(await causesOf(`/hit?${name}`), [action], name);
    }
  });

  test("What is told beside it has the same cause: the document, the console, signals, stored values.", async () => {
    await show("/told", ways({
      Save: 'await hit("told"); document.body.append(Object.assign(document.createElement("p"), { textContent: "Saved" })); console.log("done"); reticle.signal("saved"); localStorage.setItem("k", String(Math.random()))',
    }));
    const action = await click("Save");
    for (const type of ["dom.added", "console.log", "signal", "storage.change"]) {
      assert.equal((await link.event(type)).cause, action, type);
    }
  });

  test("What the document does when it is loaded is told as that, and no event of before an act as the act's.", async () => {
    await show("/loading", `${ways({ Nothing: "" })}<script>hit("loading"); setTimeout(() => hit("later"), 300)</script>`);
    assert.deepEqual(await causesOf("/hit?loading"), ["load"]);
    assert.deepEqual(await causesOf("/hit?later"), ["load"]);
    assert.equal((await link.event("page.health")).cause, undefined);
  });

  test("A loop that ticked before the act goes on as what it was; its answers too.", async () => {
    await show("/loop", `${ways({ Nothing: "" })}<script>setInterval(async () => { await hit("loop"); console.info("ticked") }, 100)</script>`);
    await causesOf("/hit?loop", 2);
    const before = link.ofType("console.info").length;
    await click("Nothing");
    await lab.until(() => link.ofType("console.info").length > before + 3);
    for (const event of link.ofType("console.info")) assert.ok(event.cause === "load" || event.cause === undefined, event.cause);
    assert.equal(link.ofType("console.info").at(-1).cause, "load");
  });

  test("A loop that the act begins is the act's once, and then told by its pace.", async () => {
    await show("/begun", ways({ Start: 'let n = 0; const t = setInterval(() => { n += 1; if (n > 3) clearInterval(t); else hit("begun") }, 150)' }));
    const action = await click("Start");
    assert.deepEqual(await causesOf("/hit?begun", 3), [action, undefined, undefined]);
  });

  test("A loop of sleeps that the act begins is followed for two of them.", async () => {
    await show("/slept", ways({ Start: 'for (let n = 0; n < 4; n += 1) { await hit("again"); await new Promise((go) => setTimeout(go, 120)); }' }));
    const action = await click("Start");
    assert.deepEqual(await causesOf("/hit?again", 4), [action, action, action, undefined]);
  });

  test("What was scheduled before the act and runs after it may do its work: its cause is not told.", async () => {
    // one flush that takes what everybody put into the queue
    await show("/batched", `${ways({ Add: 'queue.push("added"); schedule()' })}<script>
      const queue = []; let waiting = false;
      function schedule() { if (waiting) return; waiting = true; setTimeout(() => { waiting = false; hit("flush" + queue.length); queue.length = 0 }, 700) }
      queue.push("old"); schedule();
    </script>`);
    await click("Add");
    assert.deepEqual(await causesOf("/hit?flush2"), [undefined]);
  });

  test("What comes over a stream or from another tab is nobody's, and what the app does about it.", async () => {
    const waiting = [];
    lab.pages.set("/live", (request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: hello\n\n");
      waiting.push(response);
    });
    lab.pages.set("/post", (request, response) => {
      response.writeHead(204).end();
      for (const one of waiting) one.write("data: saved\n\n");
    });
    await show("/streamed", `${ways({ Save: 'await fetch("/post", { method: "POST" })' })}<script>
      const source = new EventSource("/live"); source.onmessage = (event) => { if (event.data === "saved") { console.log("told"); hit("streamed") } }
      source.onopen = () => console.info("open");
    </script>`);
    await link.event("console.info");
    const action = await click("Save");
    assert.deepEqual(await causesOf("/post"), [action]);
    assert.deepEqual(await causesOf("/hit?streamed"), [undefined]);
    assert.equal((await link.event("console.log")).cause, undefined);
    assert.ok(link.ofType("net.stream").every((event) => event.cause === undefined));
  });

  test("A person's own click after an act is not the act's, nor is that of an act without a name.", async () => {
    await show("/apart", ways({ Act: "", Other: 'hit("apart")' }));
    const at = async () => {
      const { box } = await link.ask("inspect", { ref: (await link.matched({ role: "button", name: "Other" })).elements[0].ref });
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    await click("Act");
    await hands.click(await at());
    assert.deepEqual(await causesOf("/hit?apart"), [undefined]);
    await link.act("click", { role: "button", name: "Other" });
    assert.deepEqual(await causesOf("/hit?apart", 2), [undefined, undefined]);
  });

  test("By real input: a click, and a text whose search is put off until nobody types.", async () => {
    const search = "let t; field.oninput = () => { clearTimeout(t); t = setTimeout(() => hit('search=' + field.value), 200) }";
    await show("/real", `${ways({ Go: 'await null; hit("real")' })}<input aria-label="Search" id="field"><script>${search}</script>`);
    const aimed = await asked("aim", { action: "click", target: { role: "button", name: "Go" } }, "a2-1");
    await hands.click(aimed.at);
    await asked("landed", { aim: aimed.aim });
    assert.deepEqual(await causesOf("/hit?real"), ["a2-1"]);
    const typed = await asked("aim", { action: "type", target: { role: "textbox" }, args: { text: "te" } }, "a2-2");
    await hands.click(typed.at);
    for (const key of "te") await hands.key(key, key.toUpperCase().charCodeAt(0));
    await asked("landed", { aim: typed.aim });
    assert.deepEqual(await causesOf("/hit?search=te"), ["a2-2"]);
  });

  test("A request that is given up leaves the task of who gave it up as it was.", async () => {
    lab.pages.set("/slow", () => undefined);
    await show("/given-up", `${ways({
      Old: 'window.old = new AbortController(); fetch("/slow", { signal: old.signal }).catch(() => hit("given_up"))',
      New: "old.abort()",
    })}`);
    await click("Old");
    const action = await click("New");
    assert.deepEqual(await causesOf("/hit?given_up"), [action]);
  });

  test("The app sees the browser's own MessageChannel: name, length, text, class, ports in their order.", async () => {
    await show("/channel", `<script>
      const made = new MessageChannel(); const got = [];
      made.port1.onmessage = (event) => { got.push(event.data); if (got.length === 3) document.title = [MessageChannel.name, MessageChannel.length, MessageChannel.toString() === "function MessageChannel() { [native code] }",
        made instanceof MessageChannel, made.constructor === MessageChannel, Object.keys(made).length, got.join("")].join() };
      for (const each of "abc") made.port2.postMessage(each);
      try { MessageChannel() } catch (error) { document.body.append(error.name) }
    </script>`);
    const title = async () => (await link.ask("snapshot", { mode: "status" })).status.title;
    for (let round = 0; round < 100 && !(await title()).startsWith("Mess"); round += 1) await new Promise((go) => setTimeout(go, 20));
    assert.equal(await title(), "MessageChannel,0,true,true,true,0,abc");
    assert.ok((await link.ask("read", { questions: [{ kind: "text", contains: "TypeError" }] })).answers[0].matched);
  });

  test("React 18: from the click through state and effect to the request, and what its answer shows.", async () => {
    lab.pages.set("/items", (request, response) => response.writeHead(200, { "content-type": "application/json" }).end('["tea"]'));
    await show("/react18", `<div id="root"></div><script>${APP.replace("RENDER", 'ReactDOM.createRoot(document.getElementById("root")).render(React.createElement(App))')}</script>`, REACT);
    await followsReact();
  });

  test("React 19: the same.", async () => {
    const { build } = await import(`${FRAMEWORKS}node_modules/esbuild/lib/main.js`);
    const contents = `import * as React from "react-19"; import { createRoot } from "react-dom-19/client";\n${APP.replace("RENDER", 'createRoot(document.getElementById("root")).render(React.createElement(App))')}`;
    const alias = { react: `${MODULES}react-19`, "react-dom": `${MODULES}react-dom-19` };
    const { outputFiles } = await build({ stdin: { contents, resolveDir: FRAMEWORKS }, bundle: true, write: false, alias, define: { "process.env.NODE_ENV": '"production"' }, logLevel: "silent" });
    lab.pages.set("/react19.js", (request, response) => response.writeHead(200, { "content-type": "text/javascript" }).end(outputFiles[0].text));
    await show("/react19", '<div id="root"></div><script src="/react19.js"></script>');
    await followsReact();
  });
}, HANDS);

const APP = `
  function App() {
    const [wanted, want] = React.useState(0);
    const [items, setItems] = React.useState([]);
    React.useEffect(() => {
      if (wanted > 0) fetch("/items?" + wanted).then((answer) => answer.json()).then(setItems);
    }, [wanted]);
    return React.createElement("main", null,
      React.createElement("button", { onClick: () => want(wanted + 1) }, "Load"),
      React.createElement("button", { onClick: () => setTimeout(() => React.startTransition(() => want(wanted + 10)), 60) }, "Later"),
      ...items.map((item) => React.createElement("p", { key: item + wanted }, item + wanted)));
  }
  RENDER;
`;

async function followsReact() {
  await link.matched({ role: "button", name: "Load" });
  const first = await click("Load");
  assert.deepEqual(await causesOf("/items?1"), [first]);
  assert.equal((await link.event("dom.added", (fields) => fields.text === "tea1")).cause, first);
  const second = await click("Later");
  assert.deepEqual(await causesOf("/items?11"), [second]);
  assert.equal((await link.event("dom.added", (fields) => fields.text === "tea11")).cause, second);
}
