/*
 * One secret in every place where an app may have one; then everything that was sent is searched for it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, turn, until } from "./parts.mjs";

const CANARY = "c4n4ry0123456789secret";
const JWT = `eyJhbGciOiJIUzI1NiJ9.${CANARY}.${CANARY}`;
const asJson = { "content-type": "application/json" };

const HTML = `<form action="/login?api_key=${CANARY}" method=post>
  <input type=password aria-label=Secret value="${CANARY}"><input name=csrf_token type=hidden value="${CANARY}">
  <input autocomplete=one-time-code aria-label=Code value="${CANARY}"><input name=password aria-label=Shown></form>
  <a href="https://ada:${CANARY}@host/?sig=${CANARY}">Link</a><p data-token="${CANARY}" title="${JWT}">Text ${JWT}</p>
  <button aria-label="Copy ${JWT}">Copy</button>`;

test("A secret is in nothing that leaves the page, whatever way it might go.", async () => {
  const page = loadPage(HTML, ["connection"], {
    start: true,
    url: `http://localhost:8000/shop?access_token=${CANARY}#id_token=${CANARY}`,
    before(window) {
      window.console.log = window.console.error = () => undefined;
      window.fetch = () =>
        Promise.resolve(new Response(JSON.stringify({ password: CANARY, note: JWT, seen: true }), { headers: asJson }));
    },
  });
  const { window, document } = page;
  await turn(window, 5);
  const [socket] = page.sockets;
  socket.open();

  await window.fetch(`/reset/${CANARY}?token=${CANARY}`, { method: "POST", headers: { Authorization: CANARY }, body: JSON.stringify({ deep: { secret: CANARY } }) });
  const form = new window.FormData();
  form.append("password", CANARY);
  await window.fetch("/upload", { method: "POST", body: form });
  await window.fetch("/form", { method: "POST", body: `user=ada&password=${CANARY}` });
  window.console.log("token:", CANARY, { apiKey: CANARY }, `Authorization: Bearer ${CANARY}`, `set-cookie: a=${CANARY}`);
  window.console.error(new window.Error(`password=${CANARY}`));
  window.history.pushState({}, "", `/next?session_id=${CANARY}`);
  window.reticle.signal("login", { jwt: CANARY, note: JWT });
  window.reticle.registerStore("auth", () => ({ accessToken: CANARY, user: { pwd: CANARY, name: "Ada" } }));
  window.reticle.state("session_token", CANARY);
  document.querySelector("p").textContent = `Now ${JWT}`;
  document.querySelector("input").setAttribute("value", `${CANARY}2`);
  document.querySelector("input").type = "text";
  document.body.insertAdjacentHTML("beforeend", `<div role=alert>Failed for ${JWT}</div>`);

  let id = 0;
  const ask = (name, args) => { id += 1; socket.receive({ kind: "command", id: `c${id}`, name, args }); };
  ask("snapshot", {});
  ask("query", { role: "textbox", attrs: ["value", "name"] });
  ask("query", { by: "text", value: "Now", attrs: ["data-token", "title"] });
  ask("query", { role: "link", attrs: ["href"] });
  ask("query", { role: "button" });
  ask("state_read", {});
  ask("state_read", { store: "auth", path: "user.pwd" });
  ask("read", { questions: [{ kind: "route" }, { kind: "text", contains: "Now" }, { kind: "state", path: "accessToken" }] });
  ask("act", { target: { label: "Shown" }, action: "fill", args: { value: CANARY } });
  ask("act", { target: { role: "textbox", name: "Secret" }, action: "press", args: { key: "x" } });
  const results = () => socket.sent.filter((message) => message.kind === "command_result");
  await until(window, () => results().length === id);
  assert.deepEqual(results().filter((message) => !message.ok), []);

  const leaks = socket.sent.filter((message) => JSON.stringify(message).includes(CANARY));
  assert.deepEqual(leaks, []);
  const all = JSON.stringify(socket.sent);
  for (const kept of ["user=ada", '"name":"Ada"', '\\"seen\\":true']) assert.ok(all.includes(kept), kept);
});
