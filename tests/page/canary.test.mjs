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
  <button aria-label="Copy ${JWT}" data-testid="copy-${JWT}">Copy</button>
  <a href="data:text/plain,${JWT}" download="${JWT}.txt" aria-label=File>File</a><input type=file aria-label=Upload>`;

test("A secret is in nothing that leaves the page, whatever way it might go.", async () => {
  const page = loadPage(HTML, ["connection"], {
    start: true,
    url: `http://localhost:8000/shop?access_token=${CANARY}#id_token=${CANARY}`,
    before(window) {
      window.console.log = window.console.error = () => undefined;
      window.alert = () => undefined;
      window.prompt = () => CANARY;
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

  window.localStorage.setItem("refresh_token", CANARY);
  window.localStorage.setItem("user", JSON.stringify({ name: "Ada", deep: { sessionToken: CANARY } }));
  window.sessionStorage.setItem(`note-${JWT}`, JWT);
  window.sessionStorage.assigned = `token=${CANARY}`;
  document.cookie = `sessionid=${CANARY}`;
  document.cookie = `hint=${JWT}`;
  window.alert(`token=${CANARY}`);
  window.prompt("Password", "");
  window.reticle.registerCapabilities({ testids: [JWT], signals: [JWT], flows: [{ name: JWT, steps: [{ password: CANARY }] }], owner: JWT });
  document.querySelector("[download]").addEventListener("click", (event) => event.stopPropagation());
  document.querySelector("[download]").click();
  function Login() {}
  const hooks = [CANARY, { pass: CANARY, token: CANARY }].reduce((next, value) => ({ memoizedState: value, queue: {}, next }), null);
  document.querySelector("form").__reactFiber$c = { type: Login, return: null, memoizedState: hooks, stateNode: null };

  let id = 0;
  const ask = (name, args) => { id += 1; socket.receive({ kind: "command", id: `c${id}`, name, args }); };
  const answer = (number) => socket.sent.find((message) => message.id === `c${number}`);
  const refOf = async (role, name) => {
    ask("query", name ? { role, name } : { role });
    const asked = id;
    return (await until(window, () => answer(asked))).result.elements[0];
  };
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
  ask("act", { target: { role: "textbox", name: "Secret" }, action: "clear" });
  ask("act", { target: { label: "Code" }, action: "type", args: { text: CANARY } });
  ask("act", { target: { role: "button", text: "Copy" }, action: "hover" });
  for (const { ref } of [await refOf("link", "Link"), await refOf("button")]) ask("inspect", { ref });
  ask("state_read", { ref: (await refOf("form")).ref });
  ask("storage_read", {});
  ask("storage_read", { key: "refresh_token" });
  ask("storage_read", { area: "cookies", key: "hint" });
  ask("capabilities", {});
  ask("narrate", { text: JWT });
  const results = () => socket.sent.filter((message) => message.kind === "command_result");
  await until(window, () => results().length === id);
  assert.deepEqual(results().filter((message) => !message.ok), []);

  const leaks = socket.sent.filter((message) => JSON.stringify(message).includes(CANARY));
  assert.deepEqual(leaks, []);
  const all = JSON.stringify(socket.sent);
  for (const kept of ["user=ada", '"name":"Ada"', '\\"seen\\":true']) assert.ok(all.includes(kept), kept);
});
