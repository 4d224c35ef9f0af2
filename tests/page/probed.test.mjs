/*
 * A document that a probe served: ids of requests come with answers, the watched action goes with requests.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same, until } from "./parts.mjs";

const RID = "a".repeat(32);
const OTHER = "b".repeat(32);
const HERE = "http://localhost:8000";
const timed = (rid) => ({ "content-type": "application/json", "server-timing": `db;dur=3, reticle;desc="${rid}"` });

/** A started page; `probed` puts the tag there that a probe writes. */
function page({ probed = true, headers = timed(OTHER) } = {}) {
  const calls = [];
  const html = probed ? `<script type="text/plain" data-rid="${RID}"></script>` : "";
  const loaded = loadPage(html, ["queue", "receiveCommand", "identity", "ridIn", "probed", "startFetchWatch"], {
    start: true,
    before(window) {
      window.Request = Request;
      window.fetch = (input, init) => {
        calls.push([input, init]);
        return Promise.resolve(new Response("{}", { headers }));
      };
    },
  });
  const events = () => loaded.queue.waiting.filter((event) => event.type === "net.request").map((event) => event.data);
  const act = () =>
    loaded.receiveCommand('{"kind":"command","id":"c1","name":"act","action":"a7-1","args":{"ref":"e99","action":"focus"}}', () => undefined);
  return Object.assign(loaded, { calls, events, act });
}

/** After the page has taken the command. */
const taken = () => new Promise((resolve) => setTimeout(resolve, 20));

test("An answer's id is told with its request.", async () => {
  const one = page();
  await one.window.fetch(`${HERE}/api`);
  assert.equal((await until(one.window, () => one.events().find((event) => event.url.endsWith("/api")))).rid, OTHER);
});

test("Another metric, or none, is no id.", () => {
  const { ridIn } = page();
  same([ridIn(`reticle;desc="${RID}"`), ridIn(`a;dur=1,reticle; desc=${RID}`)], [RID, RID]);
  for (const header of [null, "", "reticle", `xreticle;desc="${RID}"`, 'reticle;desc="short"', `reticle;desc="${RID}ff"x`.slice(0, 20)]) {
    assert.equal(ridIn(header), undefined);
  }
});

test("A document's own id is that of its tag, if it is one.", () => {
  assert.equal(page().probed.documentRid(), RID);
  const none = page({ probed: false });
  assert.equal(none.probed.documentRid(), undefined);
});

test("While an action is watched a write to the own origin carries it, and what the app gave is kept.", async () => {
  const one = page();
  one.act();
  await taken();
  const init = { method: "POST", body: '{"a":1}', headers: { "x-own": "1" } };
  await one.window.fetch(`${HERE}/api`, init);
  const [request, more] = one.calls.at(-1);
  assert.equal(more, undefined);
  same(
    [request.headers.get("content-language"), request.headers.get("x-own"), request.method, await request.text()],
    [`x-reticle-${one.identity.sessionId}.a7-1`, "1", "POST", '{"a":1}'],
  );
  same(init, { method: "POST", body: '{"a":1}', headers: { "x-own": "1" } });
});

test("A request object of the app is used up as by fetch itself, and keeps its headers.", async () => {
  const one = page();
  one.act();
  await taken();
  const own = new Request(`${HERE}/api`, { method: "PUT", body: "x", headers: { "x-own": "1" } });
  await one.window.fetch(own);
  const [request] = one.calls.at(-1);
  same([request.headers.get("content-language"), request.headers.get("x-own")], [`x-reticle-${one.identity.sessionId}.a7-1`, "1"]);
  assert.equal(own.headers.get("content-language"), null);
  assert.equal(own.bodyUsed, true);
});

test("A language that the app names stays before ours, and a long one alone; what was handed over arrives in any case.", async () => {
  const one = page();
  one.act();
  await taken();
  const mark = `x-reticle-${one.identity.sessionId}.a7-1`;
  const long = Array.from({ length: 40 }, (_, at) => `de-${at}`).join(", ");
  for (const [said, sent] of [["de", `de, ${mark}`], [long, long]]) {
    const own = { method: "POST", body: "words", headers: { "Content-Language": said } };
    for (const asked of [[`${HERE}/api`, own], [new Request(`${HERE}/api`, own)]]) {
      await one.window.fetch(...asked);
      const [request] = one.calls.at(-1);
      same([request.headers.get("content-language"), await request.text()], [sent, "words"]);
    }
  }
});

for (const [what, url, init] of [
  ["a GET", `${HERE}/api`, {}],
  ["another origin", "http://localhost:9000/api", { method: "POST" }],
]) {
  test(`Nothing is added to ${what}.`, async () => {
    const one = page();
    one.act();
    await taken();
    await one.window.fetch(url, init);
    const [input, given] = one.calls.at(-1);
    assert.equal(input, url);
    assert.equal(given, init);
  });
}

test("Nothing is ever added where no probe served the document, and none before an action.", async () => {
  const init = { method: "POST" };
  const plain = page({ probed: false, headers: timed(OTHER) });
  plain.act();
  await taken();
  await plain.window.fetch(`${HERE}/api`, init);
  assert.equal(plain.calls.at(-1)[1], init);
  const idle = page();
  await idle.window.fetch(`${HERE}/api`, init);
  assert.equal(idle.calls.at(-1)[1], init);
});

test("What a frame asks for is sent as it is: its addresses are relative to the frame's own.", async () => {
  const one = page();
  const frame = one.window.document.createElement("iframe");
  one.window.document.body.append(frame);
  const inner = frame.contentWindow;
  const asked = [];
  inner.fetch = (...args) => {
    asked.push(args);
    return Promise.resolve(new Response("{}"));
  };
  one.startFetchWatch(inner);
  one.act();
  await taken();
  const init = { method: "POST", body: "x" };
  await inner.fetch(`${HERE}/save`, init);
  assert.equal(one.queue.waiting.filter((event) => event.type === "net.pending").at(-1).data.method, "POST");
  assert.equal(asked[0][0], `${HERE}/save`);
  assert.equal(asked[0][1], init);
});

test("What fetch would refuse is refused by fetch.", async () => {
  const one = page();
  one.act();
  await taken();
  const init = { method: "POST", mode: "navigate" };
  await one.window.fetch(`${HERE}/api`, init);
  assert.equal(one.calls.at(-1)[1], init);
});
