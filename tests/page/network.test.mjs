/*
 * fetch, XMLHttpRequest, sendBeacon, WebSocket and EventSource: seen, never changed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same, until } from "./parts.mjs";

const asJson = { "content-type": "application/json" };

/** A started page whose network is a test's. `answer` stands for the server behind fetch. */
function netPage(answer = () => Promise.resolve(new Response("{}", { headers: asJson })), more = () => undefined) {
  const calls = [];
  const page = loadPage("", ["queue"], {
    start: true,
    before(window) {
      window.fetch = function fetch(input, init) {
        calls.push([this, input, init]);
        return answer(input, init);
      };
      window.Request = Request;
      window.Navigator.prototype.sendBeacon = function sendBeacon(url, body) { return String(url) !== "/full" && body !== null; };
      more(window);
    },
  });
  const events = (type) => page.queue.waiting.filter((event) => event.type === type).map((event) => event.data);
  return Object.assign(page, { calls, events, done: () => until(page.window, () => events("net.request")[0]) });
}

test("The app gets the very response that the browser gave, with its body unread.", async () => {
  const response = new Response('{"a":1}', { status: 201, headers: asJson });
  const page = netPage(() => Promise.resolve(response));
  const got = await page.window.fetch("/api", { method: "post", body: '{"b":2}' });
  assert.equal(got, response);
  assert.equal(await got.text(), '{"a":1}');
  const done = await page.done();
  const [pending] = page.events("net.pending");
  same(pending, { id: "n1", method: "POST", url: "/api", initiator: "fetch" });
  same((({ id, status, ok, requestBody, responseBody, contentType }) => ({ id, status, ok, requestBody, responseBody, contentType }))(done), {
    id: "n1", status: 201, ok: true, requestBody: '{"b":2}', responseBody: '{"a":1}', contentType: "application/json",
  });
});

test("Arguments and this reach the browser as they were, without a header more.", async () => {
  const page = netPage();
  const init = { headers: { a: "b" } };
  await page.window.fetch.call("self", "/x", init);
  assert.equal(page.calls[0][0], "self");
  assert.equal(page.calls[0][2], init);
  same(init, { headers: { a: "b" } });
});

test("A rejection is the same error.", async () => {
  const error = new TypeError("Failed to fetch");
  const page = netPage(() => Promise.reject(error));
  await assert.rejects(page.window.fetch("/x"), (caught) => caught === error);
  const done = await page.done();
  same([done.status, done.ok, done.error], [0, false, "Failed to fetch"]);
});

test("An abort is told as one, an exception thrown at once is thrown on.", async () => {
  const abort = Object.assign(new Error("gone"), { name: "AbortError" });
  const page = netPage(() => Promise.reject(abort));
  await page.window.fetch("/x").catch(() => undefined);
  assert.equal((await page.done()).aborted, true);
  const bad = new Error("illegal");
  const throwing = netPage(() => { throw bad; });
  assert.throws(() => throwing.window.fetch("/x"), (caught) => caught === bad);
  assert.equal((await throwing.done()).error, "illegal");
});

test("Wrapped functions look like the originals.", () => {
  const originals = {};
  const page = netPage(undefined, (window) => { originals.fetch = window.fetch; originals.send = window.XMLHttpRequest.prototype.send; });
  const { fetch } = page.window;
  assert.deepEqual([fetch.name, fetch.length, fetch.toString()], ["fetch", 2, Function.prototype.toString.call(originals.fetch)]);
  assert.notEqual(fetch, originals.fetch);
  assert.equal(page.window.XMLHttpRequest.prototype.send.length, originals.send.length);
  assert.equal(Object.getOwnPropertyDescriptor(page.window, "fetch").enumerable, true);
});

test("A long or silent stream is reported with what came in time, and the app still gets all.", async () => {
  const chunks = ["one ", "two"];
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  const stream = new ReadableStream({
    async pull(controller) {
      if (chunks.length === 1) await held;
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(new TextEncoder().encode(chunk));
      else controller.close();
    },
  });
  const page = netPage(() => Promise.resolve(new Response(stream, { headers: { "content-type": "text/plain" } })));
  const response = await page.window.fetch("/slow");
  const done = await page.done();
  same([done.responseBody, done.bodyTruncated], ["one ", true]);
  release();
  assert.equal(await response.text(), "one two");
});

test("Event streams and binary bodies are not touched at all.", async () => {
  for (const type of ["text/event-stream", "application/x-ndjson", "image/png"]) {
    const response = new Response("data", { headers: { "content-type": type } });
    response.clone = () => assert.fail("cloned");
    const page = netPage(() => Promise.resolve(response));
    await page.window.fetch("/x");
    assert.equal("responseBody" in (await page.done()), false);
  }
});

test("Request bodies of every kind are told, credentials and files by what they are.", async () => {
  const form = (window) => { const data = new window.FormData(); data.append("q", "pear"); data.append("password", "hunter22"); data.append("q", "fig"); return data; };
  const cases = [
    [() => "plain", "plain"],
    [() => new URLSearchParams("a=1&token=x"), "a=1&token=[REDACTED]"],
    [form, '{"q":["pear","fig"],"password":"[REDACTED]"}'],
    [() => new Uint8Array(3), "[binary 3 bytes]"],
    [() => new Blob(["abc"]), "[Blob 3 bytes]"],
  ];
  for (const [make, expected] of cases) {
    const page = netPage();
    await page.window.fetch("/x", { method: "POST", body: make(page.window) });
    assert.equal((await page.done()).requestBody, expected);
  }
});

test("A Request object's own method, address and text body are read, and it can still be used.", async () => {
  let received;
  const page = netPage(async (input) => { received = await input.text(); return new Response("{}", { headers: asJson }); });
  await page.window.fetch(new Request("http://localhost/x?sig=abc", { method: "PUT", body: '{"n":1}', headers: asJson }));
  const done = await page.done();
  assert.equal(received, '{"n":1}');
  same([done.method, done.url, done.requestBody], ["PUT", "http://localhost/x?sig=[REDACTED]", '{"n":1}']);
});

test("A large body is cut at 8,192 characters and says so.", async () => {
  const page = netPage(() => Promise.resolve(new Response(JSON.stringify({ pad: "p".repeat(9000) }), { headers: asJson })));
  await page.window.fetch("/x");
  const done = await page.done();
  same([done.responseBody.length, done.bodyTruncated], [8192, true]);
});

/** An XMLHttpRequest of which a test plays the network. */
function fakeXhr(window) {
  window.XMLHttpRequest = class XMLHttpRequest extends window.EventTarget {
    constructor() { super(); Object.assign(this, { responseType: "", status: 0, statusText: "", responseText: "" }); }

    open(method, url) { this.target = [method, url]; }

    send(body) { this.sentBody = body; if (body === "explode") throw new window.Error("not opened"); }

    getResponseHeader() { return "application/json"; }

    play(type, fields = {}) { Object.assign(this, fields); this.dispatchEvent(new window.Event(type)); }
  };
}

test("XMLHttpRequest is told with status and bodies, a reused object once for each send.", async () => {
  const page = netPage(undefined, fakeXhr);
  const xhr = new page.window.XMLHttpRequest();
  for (const [url, status] of [["/a", 200], ["/b", 500]]) {
    xhr.open("GET", url, true);
    xhr.send();
    xhr.play("loadend", { status, responseText: `{"url":"${url}"}` });
  }
  xhr.open("POST", "/c");
  xhr.send("x=1");
  xhr.play("abort");
  xhr.play("loadend");
  same(page.events("net.request").map((done) => [done.id, done.url, done.status, done.ok, done.responseBody ?? done.error, done.initiator]), [
    ["n1", "/a", 200, true, '{"url":"/a"}', "xhr"], ["n2", "/b", 500, false, '{"url":"/b"}', "xhr"], ["n3", "/c", 0, false, "abort", "xhr"],
  ]);
});

test("An answer that came from elsewhere than was asked is told as redirected.", async () => {
  const sentOn = new Response("<p>Log in</p>", { headers: { "content-type": "text/html" } });
  Object.defineProperty(sentOn, "redirected", { value: true });
  const fetching = netPage(() => Promise.resolve(sentOn));
  await fetching.window.fetch("/api/orders", { method: "POST" });
  assert.equal((await fetching.done()).redirected, true);

  const page = netPage(undefined, fakeXhr);
  const xhr = new page.window.XMLHttpRequest();
  const here = page.window.location.origin;
  for (const responseURL of [`${here}/a?b=1`, `${here}/login`, ""]) {
    xhr.open("POST", "/a?b=1#c");
    xhr.send();
    xhr.play("loadend", { status: 200, responseURL });
  }
  same(page.events("net.request").map((done) => "redirected" in done), [false, true, false]);
});

test("Subclasses of XMLHttpRequest keep working, and what send throws is thrown.", () => {
  const page = netPage(undefined, fakeXhr);
  class Mine extends page.window.XMLHttpRequest {}
  const mine = new Mine();
  assert.ok(mine instanceof Mine && mine instanceof page.window.XMLHttpRequest);
  mine.open("GET", "/x");
  assert.throws(() => mine.send("explode"), /not opened/);
  assert.equal(page.events("net.request")[0].error, "not opened");
});

test("A beacon is a request without a status; one that was not queued failed.", () => {
  const page = netPage();
  assert.equal(page.window.navigator.sendBeacon("/log?token=a", "x=1"), true);
  assert.equal(page.window.navigator.sendBeacon("/full", "y"), false);
  const [sent, full] = page.events("net.request");
  same([sent.url, sent.method, "ok" in sent, "status" in sent, sent.requestBody], ["/log?token=[REDACTED]", "POST", false, false, "x=1"]);
  same([full.ok, full.status, full.error], [false, 0, "not queued"]);
});

test("The app's sockets keep their class, statics and subclasses; ours are not reported.", () => {
  const page = netPage(undefined, (window) => {
    Object.assign(window.WebSocket, { OPEN: 1 });
    window.WebSocket.prototype.OPEN = 1;
  });
  const { WebSocket } = page.window;
  class Mine extends WebSocket { hello() { return "mine"; } }
  const mine = new Mine("ws://localhost/live?token=x");
  assert.ok(mine instanceof Mine && mine instanceof WebSocket);
  assert.equal(mine.hello(), "mine");
  assert.equal(WebSocket.OPEN, 1);
  assert.equal(new WebSocket("ws://localhost/").constructor, WebSocket);
  mine.open();
  mine.receive('{"password":"x","n":1}');
  mine.send('"out"');
  mine.drop();
  const streams = page.events("net.stream");
  same(streams.map((stream) => stream.direction), ["open", "in", "out", "close"]);
  same(streams[1], { transport: "ws", id: "w1", url: "ws://localhost/live?token=[REDACTED]", direction: "in", bytes: 22, preview: '{"password":"[REDACTED]","n":1}' });
  page.sockets[0].open();
  assert.equal(page.events("net.stream").length, 0, "opening ours sent what waited and added nothing");
});

test("A flood of stream messages is sampled and the rest declared.", async () => {
  const page = netPage();
  const socket = new page.window.WebSocket("ws://localhost/live");
  for (let index = 0; index < 500; index += 1) socket.receive("tick");
  const sent = page.events("net.stream").length;
  assert.ok(sent >= 200 && sent <= 400);
  const declared = () => page.events("truncated").reduce((sum, event) => sum + event.dropped, 0);
  await until(page.window, () => declared() === 500 - sent);
});

test("A socket whose close was refused is not closed by the app: what ends it later is not the app's doing.", () => {
  const page = netPage(undefined, (window) => {
    window.WebSocket.prototype.close = function (code) { if (code === 999) throw new RangeError("no such code"); };
  });
  const socket = new page.window.WebSocket("ws://localhost/live");
  socket.open();
  assert.throws(() => socket.close(999), /no such code/);
  socket.drop();
  assert.equal(page.events("net.stream").at(-1).by, undefined);
  const other = new page.window.WebSocket("ws://localhost/live");
  other.open();
  other.close(1000);
  other.drop();
  assert.equal(page.events("net.stream").at(-1).by, "app");
});

test("A source that the app closes is told once, with how much it brought and how much of it the page showed.", async () => {
  const page = netPage(undefined, (window) => {
    window.EventSource = class EventSource extends window.EventTarget {
      constructor(url) { super(); this.url = url; this.readyState = 1; }
      close() { this.readyState = 2; }
    };
  });
  const { window } = page;
  const source = new window.EventSource("/sse");
  const place = window.document.body.appendChild(window.document.createElement("output"));
  source.addEventListener("message", (event) => { place.textContent = event.data; });
  await new Promise((resolve) => { setTimeout(resolve, 20); });
  for (const text of ["1", "2", "3"]) {
    source.dispatchEvent(new window.MessageEvent("message", { data: text }));
    await new Promise((resolve) => { setTimeout(resolve, 5); });
    assert.equal(place.textContent, text);
  }
  source.dispatchEvent(new window.MessageEvent("message", { data: "3" }));
  source.close();
  source.close();
  assert.equal(source.readyState, 2);
  const closes = page.events("net.stream").filter((stream) => stream.direction === "close");
  same(closes, [{ transport: "sse", id: "s1", url: "/sse", direction: "close", by: "app", heard: 4, fed: 3 }]);
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  const gone = new window.EventSource("/gone");
  gone.dispatchEvent(new window.MessageEvent("message", { data: "x" }));
  place.remove();
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  gone.close();
  same(page.events("net.stream").at(-1), { transport: "sse", id: "s2", url: "/gone", direction: "close", by: "app", heard: 1, fed: 1 });
});

test("Named events of an EventSource are seen when the app listens for them, each once.", () => {
  const page = netPage(undefined, (window) => {
    window.EventSource = class EventSource extends window.EventTarget { constructor(url) { super(); this.url = url; this.readyState = 1; } };
    window.EventSource.CLOSED = 2;
  });
  const source = new page.window.EventSource("/sse");
  const heard = [];
  source.addEventListener("price", (event) => heard.push(event.data));
  source.addEventListener("price", () => undefined);
  const say = (type, text) => source.dispatchEvent(new page.window.MessageEvent(type, { data: text }));
  say("price", "3");
  say("message", "m");
  say("other", "unheard");
  source.dispatchEvent(new page.window.Event("error"));
  assert.deepEqual(heard, ["3"]);
  assert.ok(source instanceof page.window.EventSource);
  same(page.events("net.stream").map((stream) => [stream.direction, stream.preview]), [["in", "3"], ["in", "m"]]);
});
