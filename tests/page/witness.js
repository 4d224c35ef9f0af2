/*
 * An app that writes down all that it can see of its page: what happened in which order, and what its globals are.
 * Served to a page with the page script and to one without; both must write the same.
 */
const seen = { order: [], errors: [], rejections: [], shapes: {}, stacks: {}, values: {} };
const note = (word) => seen.order.push(word);

addEventListener("error", (event) => seen.errors.push([event.message, event.filename, event.lineno, event.colno, stackOf(event.error)]));
addEventListener("unhandledrejection", (event) => seen.rejections.push([String(event.reason), stackOf(event.reason)]));

/** A stack by its lines, the way an error reporter reads it. */
function stackOf(error) {
  return error && error.stack ? error.stack.split("\n").map((line) => line.trim()) : String(error);
}

/** What can be asked of a property without calling it. */
function shapeOf(owner, name) {
  const found = Object.getOwnPropertyDescriptor(owner, name);
  if (!found) return "none";
  const shape = { writable: found.writable, enumerable: found.enumerable, configurable: found.configurable };
  for (const part of ["value", "get", "set"]) {
    const value = found[part];
    if (typeof value !== "function") {
      shape[part] = typeof value;
      continue;
    }
    shape[part] = {
      name: value.name,
      length: value.length,
      text: Function.prototype.toString.call(value),
      own: Reflect.ownKeys(value).map(String),
      prototype: value.prototype ? [Reflect.ownKeys(value.prototype).map(String), value.prototype.constructor === value] : "none",
      parent: Object.getPrototypeOf(value) === Function.prototype ? "Function" : Object.getPrototypeOf(value).name,
    };
  }
  return shape;
}

/** What a browser does by way of another process, by its owners. */
const OUT_OF_SIGHT = {
  History: ["back", "forward", "go"], Navigation: ["back", "forward", "traverseTo"], Element: ["requestFullscreen", "requestPointerLock"],
  Document: ["startViewTransition", "exitFullscreen"], Navigator: ["share", "getBattery"], GPU: ["requestAdapter"],
  GPUAdapter: ["requestDevice"], Permissions: ["query"], CookieStore: ["get", "set"], IDBFactory: ["databases", "deleteDatabase"],
  FontFace: ["load"], Request: ["text", "json"], HTMLMediaElement: ["play", "load"], WritableStreamDefaultWriter: ["write", "close"],
  FileSystemHandle: ["isSameEntry", "remove"], FileSystemDirectoryHandle: ["keys", "values", "entries"], StorageManager: ["persist"],
  Keyboard: ["lock"], LockManager: ["query"], CSSStyleSheet: ["replace"], SpeechSynthesis: ["getVoices", "speak"], Sensor: ["start"],
};

const OWNERS = {
  window, console, history, navigator, document, localStorage,
  "Window.prototype": Window.prototype, "Document.prototype": Document.prototype, "Node.prototype": Node.prototype,
  "Element.prototype": Element.prototype, "HTMLElement.prototype": HTMLElement.prototype,
  "HTMLFormElement.prototype": HTMLFormElement.prototype, "HTMLInputElement.prototype": HTMLInputElement.prototype,
  "EventTarget.prototype": EventTarget.prototype, "XMLHttpRequest.prototype": XMLHttpRequest.prototype,
  "WebSocket.prototype": WebSocket.prototype, "EventSource.prototype": EventSource.prototype,
  "History.prototype": History.prototype, "Navigator.prototype": Navigator.prototype, "Storage.prototype": Storage.prototype,
  "Response.prototype": Response.prototype, "Request.prototype": Request.prototype, "Promise.prototype": Promise.prototype,
  "ReadableStream.prototype": ReadableStream.prototype, "MessagePort.prototype": MessagePort.prototype,
  "Location.prototype": Object.getPrototypeOf(location), "Performance.prototype": Performance.prototype,
  "AbortSignal": AbortSignal, Promise, "Animation.prototype": Animation.prototype, "ShadowRoot.prototype": ShadowRoot.prototype,
  "Error": Error, "Function.prototype": Function.prototype, "JSON": JSON, "Object": Object,
};
for (const [title, owner] of Object.entries(OWNERS)) {
  for (const name of Reflect.ownKeys(owner).map(String)) seen.shapes[`${title}.${name}`] = shapeOf(owner, name);
}

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const FRAMES = ["timeout", "interval", "idle", "frame", "micro", "listener", "xhr", "observer", "message"];
const stack = (word) => { seen.stacks[word] = stackOf(new Error(word)); };

async function run() {
  // Order: what is due at the same time comes as it was asked for, and small tasks come between.
  setTimeout(() => note("timeout 20 a"), 20);
  setTimeout(note, 20, "timeout 20 b");
  setTimeout("note('timeout 20 of a text')", 20);
  const never = setTimeout(() => note("never"), 10);
  clearTimeout(never);
  clearInterval(setInterval(() => note("never either"), 5));
  Promise.resolve().then(() => note("micro 1"));
  queueMicrotask(() => note("micro 2"));
  note("now");
  await later(60);
  setTimeout(() => { note("outer"); Promise.resolve().then(() => note("micro of outer")); setTimeout(() => note("inner")); });
  setTimeout(() => note("after outer"));
  await later(40);
  let beats = 0;
  await new Promise((resolve) => { const id = setInterval(function () { beats += 1; if (beats === 3) { clearInterval(id); note(`this is ${this === window}`); resolve(); } }, 5); });
  seen.values.ids = [typeof setTimeout(() => {}), typeof requestAnimationFrame(() => {}), typeof requestIdleCallback(() => {})];

  // Stacks where each kind of callback begins.
  setTimeout(function inTimeout() { stack("timeout"); });
  const id = setInterval(function inInterval() { clearInterval(id); stack("interval"); });
  requestIdleCallback(function inIdle() { stack("idle"); });
  requestAnimationFrame(function inFrame() { stack("frame"); });
  queueMicrotask(function inMicrotask() { stack("micro"); });
  document.body.addEventListener("made", function inListener() { stack("listener"); }, { once: true });
  document.body.dispatchEvent(new Event("made"));
  const channel = new MessageChannel();
  channel.port1.onmessage = function inMessage() { stack("message"); };
  channel.port2.postMessage(1);
  new MutationObserver(function inObserver() { stack("observer"); }).observe(document.body, { attributes: true });
  document.body.setAttribute("data-run", "1");

  // The network, in one order.
  const told = await fetch("/api/one?q=1", { method: "POST", headers: { "X-One": "1", "content-type": "application/json" }, body: JSON.stringify({ a: [1, "ä"] }) });
  seen.values.fetched = [told.status, told.type, told.url, told.redirected, await told.clone().text(), (await told.json()).ok, told.bodyUsed];
  const asked = new Request("/api/two", { method: "PUT", body: new URLSearchParams({ b: "2" }) });
  seen.values.request = [(await fetch(asked)).status, asked.bodyUsed];
  await new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/three");
    request.setRequestHeader("x-three", "3");
    request.onreadystatechange = () => note(`ready ${request.readyState}`);
    request.onload = function inXhr() { stack("xhr"); seen.values.xhr = [request.status, request.responseText, request.getResponseHeader("content-type"), this === request, request instanceof XMLHttpRequest]; resolve(); };
    request.send(new Blob(["three"], { type: "text/plain" }));
  });
  const form = new FormData();
  form.append("file", new File(["bytes"], "a.txt", { type: "text/plain" }));
  await fetch("/api/four", { method: "POST", body: form });
  const stream = (await fetch("/api/five")).body.getReader();
  const pieces = [];
  for (let piece = await stream.read(); !piece.done; piece = await stream.read()) pieces.push(...piece.value);
  seen.values.streamed = new TextDecoder().decode(new Uint8Array(pieces));
  navigator.sendBeacon("/api/six", "six");
  await later(50);
  const stop = new AbortController();
  const stopped = fetch("/api/slow", { signal: stop.signal }).catch((error) => error);
  stop.abort();
  const aborted = await stopped;
  seen.values.aborted = [aborted.name, aborted.message, aborted instanceof DOMException];
  async function refused() { return fetch("http://127.0.0.1:1/"); }
  const failed = await refused().catch((error) => error);
  seen.values.failed = [failed.name, failed.message, stackOf(failed)];
  for (const wrong of [() => fetch(), () => new XMLHttpRequest().send(), () => history.pushState({}, "", "http://elsewhere.test/"), () => new WebSocket("nonsense:"), () => setTimeout(), () => localStorage.setItem("x"), () => fetch.call({}, "/api/one"), () => XMLHttpRequest(), () => EventTarget.prototype.addEventListener.call(1)]) {
    let thrown;
    try { thrown = await wrong(); } catch (error) { thrown = error; }
    note(`${thrown && thrown.name}: ${thrown && thrown.message}`);
  }
  const socket = new WebSocket(`${location.origin.replace("http", "ws")}/socket`);
  seen.values.socket = [socket instanceof WebSocket, Object.prototype.toString.call(socket), WebSocket.OPEN, socket.constructor === WebSocket, Reflect.ownKeys(socket).map(String)];
  socket.close();
  class Mine extends WebSocket {}
  const mine = new Mine(socket.url);
  seen.values.mine = [mine instanceof Mine, mine instanceof WebSocket];
  mine.close();

  // The address, the store, the form.
  addEventListener("popstate", (event) => note(`pop ${JSON.stringify(event.state)} ${location.pathname}`));
  history.pushState({ page: 2 }, "", "/app/two");
  history.replaceState({ page: 3 }, "", "/app/three");
  seen.values.history = [history.length > 0, JSON.stringify(history.state), location.pathname];
  history.back();
  await later(80);
  localStorage.setItem("kept", "1");
  localStorage.other = "2";
  seen.values.stored = [Object.keys(localStorage).sort(), localStorage.getItem("kept"), "kept" in localStorage];
  document.cookie = "seen=1; path=/";
  seen.values.cookie = document.cookie.includes("seen=1");
  for (const form of document.forms) {
    form.addEventListener("submit", (event) => note(`submit ${event.target.id} ${event.submitter && event.submitter.value}`));
    const loaded = new Promise((resolve) => document.querySelector("iframe").addEventListener("load", resolve, { once: true }));
    form.querySelector("button").click();
    await loaded;
  }
  const sent = new Promise((resolve) => document.querySelector("iframe").addEventListener("load", resolve, { once: true }));
  document.forms[0].submit();
  await sent;

  // What the functions give back that the page script stands around.
  const made = document.createElement("p");
  const root = made.attachShadow({ mode: "open" });
  const moved = made.animate([{ opacity: 0 }, { opacity: 1 }], 10);
  const posted = scheduler.postTask(() => "posted");
  const answering = fetch("/api/one");
  seen.values.returned = [
    made.addEventListener("click", note), made.removeEventListener("click", note), clearTimeout(1e9), clearInterval(1e9), cancelAnimationFrame(1e9),
    history.pushState({}, "", "/app/four"), history.replaceState({}, "", "/app/four"), localStorage.setItem("given", "1"), localStorage.removeItem("given"),
    root === made.shadowRoot, moved instanceof Animation, [posted, answering].map((each) => each.constructor === Promise && Reflect.ownKeys(each).length),
  ].map(String);
  seen.values.answers = [await posted, (await answering).status];
  const numbers = [setTimeout(() => {}), setTimeout(() => {})];
  seen.values.numbers = [numbers[1] > numbers[0], numbers.every(Number.isInteger)];
  await new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.onloadend = resolve;
    seen.values.asked = [request.open("GET", "/api/two"), request.send()].map(String);
  });
  seen.values.beacon = navigator.sendBeacon("/api/six", "again");
  await later(50);

  // A flood of changes, seen by an observer of the app's own: every one, in order, with the small tasks between.
  const list = document.body.appendChild(document.createElement("ul"));
  const observer = new MutationObserver((records) => note(`flood of ${records.length}, ${records.at(-1).target.textContent} was ${records.at(-1).oldValue}`));
  observer.observe(list, { subtree: true, childList: true, characterData: true, characterDataOldValue: true, attributes: true, attributeOldValue: true });
  for (let batch = 0; batch < 40; batch += 1) {
    for (let each = 0; each < 40; each += 1) {
      const item = list.children[each] || list.appendChild(document.createElement("li"));
      item.textContent = `${batch} ${each}`;
      item.setAttribute("class", `c${batch}`);
    }
    list.firstChild.remove();
    Promise.resolve().then(() => note(`micro of ${batch}`));
    await null;
  }
  const late = list.appendChild(document.createElement("iframe"));
  window.heard = note;
  await new Promise((resolve) => {
    late.onload = resolve;
    late.srcdoc = "<script>parent.heard('late frame')</script>";
  });
  late.remove();
  observer.disconnect();

  // What the browser does out of sight: asked of nothing that could do it, and promises that are the same each time.
  seen.values.refused = [];
  for (const [owner, names] of Object.entries(OUT_OF_SIGHT)) {
    const prototype = window[owner] && window[owner].prototype;
    for (const name of names) {
      if (!prototype || !prototype[name]) continue;
      try {
        const answer = prototype[name].call({});
        seen.values.refused.push([owner, name, await Promise.resolve(answer).then(String, String), String(answer)]);
      } catch (error) {
        seen.values.refused.push([owner, name, String(error), "thrown"]);
      }
      seen.shapes[`${owner}.${name}`] = shapeOf(prototype, name);
    }
  }
  const face = new FontFace("none", "url(/none.woff2)");
  seen.values.kept = [face.load() === face.loaded, face.load() === face.load(), navigator.getBattery() === navigator.getBattery()];
  await later(150);
  document.startViewTransition(() => Promise.reject(new Error("no change"))).updateCallbackDone.catch(note);
  document.body.requestFullscreen();
  if (navigator.share) navigator.share({});
  new Blob(["x"]).text().then(note);
  new Response("{").json();
  await later(150);
  const sound = document.createElement("audio");
  seen.values.sound = [sound.constructor === HTMLAudioElement, new Audio() instanceof Audio, new Audio("x").src, Audio.prototype === HTMLAudioElement.prototype];
  const folder = FileSystemDirectoryHandle.prototype;
  seen.values.folder = [folder[Symbol.asyncIterator] === folder.entries, folder.entries.name];

  // What is written and what goes wrong.
  console.log("a", 1, { b: 2 });
  console.info("%s is %d", "ten", 10);
  console.warn("warned");
  console.error(new Error("written"));
  console.assert(false, "asserted");
  console.table([{ a: 1 }]);
  console.group("group"); console.debug("inside"); console.groupEnd();
  seen.values.logged = [console.log("x"), Object.prototype.toString.call(console), String(console)];
  setTimeout(function thrower() { throw new TypeError("thrown in a timer"); });
  document.body.addEventListener("bad", function badListener() { throw new RangeError("thrown in a listener"); });
  document.body.dispatchEvent(new Event("bad"));
  Promise.reject(new Error("nobody cares"));
  fetch("http://127.0.0.1:1/nobody");
  await later(300);
  seen.values.frames = FRAMES.filter((word) => !seen.stacks[word]);
  seen.values.globals = Object.keys(window).sort();
  seen.values.listed = (() => { const names = []; for (const name in window) names.push(name); return names.sort(); })();
  document.cookie = "seen=; path=/; max-age=0";
  localStorage.clear();
  seen.dom = document.documentElement.outerHTML;
}

run().catch((error) => { seen.broken = stackOf(error); }).then(async () => {
  console.log("witness: done");
  const body = JSON.stringify(seen);
  location.replace(await (await fetch("/told", { method: "POST", body })).text());
});
