/*
 * The person's panel: what its buttons say, what it shows, how a flagged element is named.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same, turn } from "./parts.mjs";

const NAMES = ["panel", "runPresenter", "runNarrate", "runSessionConfig", "queue", "markOf", "refs", "takeSnapshot", "execute", "attempt"];

function shown(html = "<p>app</p>", names = []) {
  const page = loadPage(html, [...NAMES, ...names]);
  page.runPresenter({ state: "active" });
  page.said = () => page.queue.waiting.filter((event) => event.type.startsWith("human.")).map((event) => [event.type, event.data]);
  page.press = (name) => page.panel.view.buttons[name].dispatchEvent(new page.window.MouseEvent("click", { bubbles: true, composed: true }));
  page.state = () => page.panel.view.section.getAttribute("data-reticle-state");
  return page;
}

test("Pause, resume and end each say so once; after the end nothing more is said.", () => {
  const page = shown();
  page.press("pause");
  assert.equal(page.state(), "paused");
  page.press("resume");
  page.press("end");
  assert.equal(page.state(), "ended");
  page.press("pause");
  page.panel.said("message", "too late");
  same(page.said(), [["human.control", { kind: "pause" }], ["human.control", { kind: "resume" }], ["human.control", { kind: "end" }]]);
});

test("A message is sent by Enter or its button, trimmed; an empty one is not.", () => {
  const page = shown();
  const { input, button } = page.panel.view.field;
  input.value = "  stop there  ";
  input.dispatchEvent(new page.window.KeyboardEvent("keydown", { key: "Enter" }));
  button.dispatchEvent(new page.window.MouseEvent("click"));
  input.value = "my password: hunter2222 9";
  button.dispatchEvent(new page.window.MouseEvent("click"));
  same(page.said().map(([, fields]) => fields.kind), ["message", "message"]);
  assert.equal(page.said()[0][1].text, "stop there");
});

test("The app's own listeners hear nothing of what is done in the panel.", () => {
  const page = shown();
  const heard = [];
  for (const type of ["click", "keydown", "input"]) page.document.addEventListener(type, () => heard.push(type));
  page.press("pause");
  page.panel.view.field.input.dispatchEvent(new page.window.KeyboardEvent("keydown", { key: "a", bubbles: true, composed: true }));
  assert.deepEqual(heard, []);
});

test("What the daemon decided is shown: state, banner, tone, the last lines.", () => {
  const page = shown();
  page.runPresenter({ state: "ended", text: "Waiting for your answer", tone: "ask" });
  for (let number = 1; number <= 25; number += 1) page.runNarrate({ text: `step ${number}`, level: "warn" });
  const { section, banner, list } = page.panel.view;
  assert.deepEqual([page.state(), section.getAttribute("data-reticle-tone"), banner.textContent], ["ended", "ask", "Waiting for your answer"]);
  assert.deepEqual([list.children.length, list.lastChild.textContent, list.lastChild.getAttribute("data-level")], [20, "step 25", "warn"]);
});

test("A session without commands is shown as ended after its time, until the next command; an end by a person stays.", async () => {
  const page = shown();
  page.panel.idle();
  assert.equal(page.state(), "ended");
  same(page.said(), []);
  await page.execute("snapshot", {});
  assert.equal(page.state(), "active");
  page.press("end");
  await page.execute("snapshot", {});
  assert.equal(page.state(), "ended");
});

test("The panel can be used by keyboard: every control is a native one with a name.", () => {
  const { panel } = shown();
  const controls = [...panel.view.root.querySelectorAll("button, input")];
  assert.deepEqual(controls.map((one) => one.textContent || one.getAttribute("aria-label")), [
    "Pause", "Resume", "End", "Flag", "Message to the agent", "Send", "What is wrong with it?", "Save",
  ]);
  assert.ok(controls.every((one) => one.tabIndex >= 0));
});

/** html, selector → anchor, strategy, label */
const MARKS = [
  ["<button data-testid=save>Save</button>", "button", "save", "testid", 'button "Save"'],
  ["<h2>Title</h2>", "h2", "heading:Title", "role", 'heading "Title"'],
  ["<ul><li><i>a</i></li></ul><ul></ul>", "ul + ul", "list#2", "position", "list"],
  ["<div></div><div id=x></div>", "#x", "el#4", "position", "<div>"],
];

for (const [html, selector, anchor, strategy, label] of MARKS) {
  test(`${html} is marked as ${anchor}.`, () => {
    const page = loadPage(html, NAMES);
    const mark = page.markOf(page.document.querySelector(selector), "looks wrong");
    same(mark, { note: "looks wrong", anchor, strategy, label, route: "/shop" });
  });
}

test("A component is marked by its name and the place it is written at.", () => {
  const page = loadPage('<div id=a data-reticle-source="src/ui/Cart.jsx:12:3">x</div><div id=b>y</div>', NAMES);
  class Cart {}
  for (const id of ["a", "b"]) page.document.getElementById(id).__reactFiber$x = { type: Cart, return: null };
  const mark = page.markOf(page.document.getElementById("a"), "n");
  same([mark.anchor, mark.strategy, mark.source], ["Cart@Cart.jsx:12", "component", { file: "src/ui/Cart.jsx", line: 12 }]);
  assert.equal(page.markOf(page.document.getElementById("b"), "n").anchor, "Cart[generic]");
});

test("Flagging: the next click chooses the element and is not the app's; the note is sent with it.", async () => {
  const page = shown("<button data-testid=go>Go</button>", ["pickElement", "native"]);
  let clicked = 0;
  page.document.querySelector("button").addEventListener("click", () => { clicked += 1; });
  page.press("flag");
  const event = new page.window.MouseEvent("click", { bubbles: true, composed: true, cancelable: true });
  page.document.querySelector("button").dispatchEvent(event);
  assert.equal(clicked, 1, "a script's click is not a person's choice");
  page.window.dispatchEvent(new page.window.KeyboardEvent("keydown", { key: "Escape" }));
  assert.equal(page.panel.view.note.row.hidden, true);
  page.panel.view.picked = page.document.querySelector("button");
  page.panel.view.save("too small");
  same(page.said(), [["human.mark", { note: "too small", anchor: "go", strategy: "testid", label: 'button "Go"', route: "/shop" }]]);
});

test("The script tag's data-panel shows the panel once there is a body; without it none is made.", async () => {
  const page = loadPage("<p>x</p>", [...NAMES, "startPanel"]);
  const tag = page.document.createElement("script");
  page.startPanel(tag);
  assert.equal(page.panel.exists, false);
  tag.setAttribute("data-panel", "");
  page.startPanel(tag);
  assert.equal(page.panel.view.isAttached(), true);
  await turn(page.window);
  assert.equal(page.document.body.querySelector("reticle-panel"), null);
});
