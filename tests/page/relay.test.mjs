/*
 * The ways to the daemon of a page that a probe in the app's server prepared.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same, turn, until } from "./parts.mjs";

const BRIDGE = "ws://127.0.0.1:4400/reticle";

/** A page whose script came from its own origin, with what its tag says. */
function probed(attributes, options = {}) {
  const posts = [];
  const answers = [];
  const page = loadPage("<title>T</title>", ["connection", "identity"], {
    start: true,
    url: "http://localhost:8000/shop",
    ...options,
    before(window) {
      const tag = window.document.createElement("script");
      tag.src = `${window.location.origin}/__reticle__/sdk.js?v=0`;
      for (const [name, value] of Object.entries({ "data-url": BRIDGE, ...attributes })) tag.setAttribute(name, value);
      Object.defineProperty(window.document, "currentScript", { value: tag });
      window.fetch = (url, init) => {
        const question = JSON.parse(init.body);
        posts.push({ url: String(url), question });
        return new Promise((resolve) => {
          answers.push({ question, give: (value, status = 200) => resolve({ status, text: async () => JSON.stringify(value) }) });
        });
      };
      if (options.before) options.before(window);
    },
  });
  const asked = async (match) => {
    await until(page.window, () => answers.some((one) => match(one.question)));
    return answers.splice(answers.findIndex((one) => match(one.question)), 1)[0];
  };
  return Object.assign(page, { posts, asked });
}

test("A page dials the daemon itself, and the app's own origin once that was refused.", async () => {
  const page = probed({ "data-relay": "ws" });
  assert.equal(page.sockets[0].url, BRIDGE);
  page.sockets[0].drop();
  await until(page.window, () => page.sockets.length === 2);
  assert.equal(page.sockets[1].url, "ws://localhost:8000/__reticle__/ws");
  page.sockets[1].open();
  assert.equal(page.sockets[1].sent[0].kind, "hello");
  assert.equal(page.connection.state, "open");
});

test("A socket that was open is tried again before any other way.", async () => {
  const page = probed({ "data-relay": "ws" });
  page.sockets[0].open();
  page.sockets[0].drop();
  await until(page.window, () => page.sockets.length === 2);
  assert.equal(page.sockets[1].url, BRIDGE);
});

test("Where a policy forbids the daemon's address it is never dialled: no violation is the app's to see.", () => {
  const page = probed({ "data-relay": "ws", "data-direct": "no" });
  same(page.sockets.map((socket) => socket.url), ["ws://localhost:8000/__reticle__/ws"]);
});

test("A page under a development name reaches the daemon through its own origin only.", () => {
  const page = probed({ "data-relay": "ws" }, { url: "http://myapp.test:8000/" });
  same(page.sockets.map((socket) => socket.url), ["ws://myapp.test:8000/__reticle__/ws"]);
  assert.equal(page.identity.blocked, undefined);
});

test("Without a relay nothing changes: a page elsewhere stays silent.", () => {
  const page = probed({}, { url: "http://myapp.test:8000/" });
  assert.equal(page.sockets.length, 0);
  assert.match(page.identity.blocked, /not both on this machine/);
});

test("Posts carry the hello, the events and the commands where there are no WebSockets.", async () => {
  const page = probed({ "data-relay": "poll", "data-direct": "no" });
  assert.equal(page.posts[0].url, "http://localhost:8000/__reticle__/poll");
  (await page.asked((question) => question.open)).give({ id: "p1" });
  const first = await page.asked((question) => question.send);
  assert.equal(JSON.parse(first.question.send[0]).kind, "hello");
  const holding = await page.asked((question) => question.hold);
  assert.equal(page.posts.filter((post) => post.question.send).length, 1, "one post after the other");
  first.give({ messages: [], closed: null });
  holding.give({ messages: ['{"kind":"command","id":"c1","name":"frobnicate"}'], closed: null });
  const said = [];
  while (!said.some((message) => message.kind === "command_result")) {
    const post = await page.asked((question) => question.send);
    said.push(...post.question.send.map((text) => JSON.parse(text)));
    post.give({ messages: [], closed: null });
  }
  assert.equal(said.at(-1).id, "c1");
  assert.equal(page.connection.socket.bufferedAmount >= 0, true);
  await page.asked((question) => question.hold);
});

test("A server that answers one at a time is asked in pauses.", async () => {
  const page = probed({ "data-relay": "poll", "data-direct": "no" });
  (await page.asked((question) => question.open)).give({ id: "p1" });
  (await page.asked((question) => question.hold)).give({ messages: [], closed: null, pauseMs: 20 });
  await turn(page.window, 2);
  const before = page.posts.filter((post) => post.question.hold).length;
  await page.asked((question) => question.hold);
  assert.equal(before, 1);
});

test("The daemon's refusal is the end here too, and another process of the app is a new beginning.", async () => {
  const refused = probed({ "data-relay": "poll", "data-direct": "no" });
  (await refused.asked((question) => question.open)).give({ id: "p1" });
  (await refused.asked((question) => question.hold)).give({ messages: [], closed: { code: 1008, reason: "no" } });
  await until(refused.window, () => refused.connection.state === "ended");
  const moved = probed({ "data-relay": "poll", "data-direct": "no" });
  (await moved.asked((question) => question.open)).give({ id: "p1" });
  (await moved.asked((question) => question.hold)).give({}, 410);
  assert.ok(await moved.asked((question) => question.open));
});

test("A page that goes to sleep says goodbye to the app's server.", async () => {
  const page = probed({ "data-relay": "poll", "data-direct": "no" });
  (await page.asked((question) => question.open)).give({ id: "p1" });
  await page.asked((question) => question.hold);
  page.connection.park();
  assert.equal((await page.asked((question) => question.close)).question.id, "p1");
});
