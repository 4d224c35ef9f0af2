/*
 * Aiming for real input, as far as it needs no layout: what is refused, what the hand is told, where input may go.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same, turn } from "./parts.mjs";

/** A page with the aim's inner names. */
function aimed(html) {
  return loadPage(html, ["runAct", "runAim", "runLanded", "aims", "LIMIT"], { start: false });
}

/** A trusted event of a browser on its way to an element. */
function real(page, type, target) {
  const event = { type, isTrusted: true, stopped: false, defaultPrevented: false, composedPath: () => [target] };
  event.preventDefault = () => {
    event.defaultPrevented = true;
  };
  event.stopImmediatePropagation = () => {
    event.stopped = true;
  };
  page.aims.open.see(event);
  return event;
}

/** html, action, target, args → code */
const REFUSALS = [
  ["<button disabled>A</button>", "click", { role: "button" }, {}, "not_editable"],
  ["<button style='display:none'>A</button>", "click", { role: "button" }, {}, "not_visible"],
  ["<button>Delete account</button>", "click", { role: "button" }, {}, "confirm_dangerous"],
  ["<form><input aria-label=A><button>Place_order</button></form>", "press", { label: "A" }, { key: "Enter" }, "confirm_dangerous"],
  ["<button>A</button><button>A</button>", "click", { role: "button" }, {}, "ambiguous_target"],
  ["<p></p>", "click", "e77", {}, "stale_ref"],
  ["<input aria-label=A readonly>", "fill", { label: "A" }, { value: "y" }, "not_editable"],
  ["<input aria-label=A type=number>", "fill", { label: "A" }, { value: "12,5" }, "bad_arguments"],
  ["<input type=file aria-label=F>", "click", { label: "F" }, {}, "unsupported_surface"],
  ["<button>A</button>", "press", { role: "button" }, { key: "Hyper" }, "bad_arguments"],
  ["<label><input type=radio checked> A</label>", "uncheck", { role: "radio" }, {}, "wrong_target"],
  ["<button>A</button>", "click", { role: "button" }, { modifiers: ["Hyper"] }, "bad_arguments"],
  ["<button>A</button>", "click", { role: "button" }, { speed: 1 }, "bad_arguments"],
];

for (const [html, action, target, args, code] of REFUSALS) {
  test(`${action} on ${html} is refused as by script: ${code}.`, async () => {
    const given = { ...(typeof target === "string" ? { ref: target } : { target }), action, args };
    const page = aimed(html);
    const [byHand, byScript] = [await page.runAim(given).catch((error) => error), await page.runAct(given).catch((error) => error)];
    assert.deepEqual([byHand.code, byHand.message], [code, byScript.message]);
    assert.equal(page.aims.open, null);
  });
}

/** html, action, target, args → why no hand does it */
const BY_SCRIPT_ONLY = [
  ["<form><input aria-label=A></form>", "submit", { label: "A" }, {}, /no key and no mouse button/],
  ["<input aria-label=A>", "focus", { label: "A" }, {}, /a focus follows/],
  ["<input aria-label=A>", "blur", { label: "A" }, {}, /a focus follows/],
  ["<input aria-label=A>", "scrollIntoView", { label: "A" }, {}, /where a real wheel stops/],
  ["<input type=file aria-label=F>", "upload", { label: "F" }, { content: "x" }, /files are chosen/],
  ["<select aria-label=S><option>a<option>b</select>", "select", { label: "S" }, { value: "b" }, /the list opens in a window/],
  ["<input type=date aria-label=D>", "fill", { label: "D" }, { value: "2026-01-31" }, /a field of type date/],
];

for (const [html, action, target, args, why] of BY_SCRIPT_ONLY) {
  test(`${action} on ${html} is nothing for a hand, and it says why.`, async () => {
    const error = await aimed(html).runAim({ target, action, args }).catch((one) => one);
    assert.equal(error.code, "unsupported_surface");
    assert.match(error.message, why);
  });
}

test("The hand is told what it has to know: keys as read, whether the focus is there, where lines end.", async () => {
  const page = aimed("<input aria-label=A value=x><textarea aria-label=T>t</textarea>");
  const chord = await page.runAim({ target: { label: "A" }, action: "press", args: { key: "Ctrl+k" } });
  same([chord.key, chord.modifiers, "at" in chord], ["k", ["Control"], false]);
  page.aims.open.close();
  const typed = await page.runAim({ target: { label: "A" }, action: "type", args: { text: "y" } });
  same([typed.focused, typed.multiline, typed.ref, typed.name], [true, false, chord.ref, "A"]);
  page.aims.open.close();
  const lines = await page.runAim({ target: { label: "T" }, action: "fill", args: { value: "y" } });
  same([lines.focused, lines.multiline], [false, true]);
});

test("What is as wanted already is reported, and no input is waited for.", async () => {
  const page = aimed("<label><input type=checkbox checked> A</label><input aria-label=E><select multiple aria-label=S><option selected>a<option>b</select>");
  for (const [action, target, args] of [["check", { role: "checkbox" }, {}], ["clear", { label: "E" }, {}], ["select", { label: "S" }, { value: "a" }]]) {
    const { done, aim } = await page.runAim({ target, action, args });
    same([aim, done.effect.alreadyAtValue, done.effect.dispatched, done.inputMode, page.aims.open], [null, true, false, "trusted", null]);
  }
});

test("A press reaches what was meant, or what lies in it; anything else is stopped until the end, and named.", async () => {
  const page = aimed("<button><b>A</b></button><button>B</button>");
  const [a, b] = page.document.querySelectorAll("button");
  const meant = { target: { name: "A", role: "button" }, action: "click" };
  const first = await page.runAim(meant);
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) assert.equal(real(page, type, a.firstChild).stopped, false);
  const report = await page.runLanded({ aim: first.aim });
  same([report.inputMode, report.effect.received.role, "warning" in report], ["trusted", "generic", false]);
  const second = await page.runAim(meant);
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "keydown"]) {
    const event = real(page, type, b);
    same([type, event.stopped, event.defaultPrevented], [type, true, true]);
  }
  const error = await page.runLanded({ aim: second.aim }).catch((one) => one);
  same([error.code, error.details.received.name], ["wrong_target", "B"]);
});

test("Keys that come where none were meant are stopped; input that is nowhere seen is no success.", async () => {
  const page = aimed("<button>A</button><input aria-label=I>");
  const clicked = await page.runAim({ target: { role: "button" }, action: "click" });
  assert.equal(real(page, "keydown", page.document.querySelector("input")).stopped, true);
  assert.equal((await page.runLanded({ aim: clicked.aim }).catch((one) => one)).code, "wrong_target");
  const unseen = await page.runAim({ target: { role: "button" }, action: "click" });
  const error = await page.runLanded({ aim: unseen.aim }).catch((one) => one);
  same([error.code, error.details.may_have_happened], ["wrong_target", true]);
});

test("What the first click of two opens does not get the second one, and it says what was done.", async () => {
  const page = aimed("<button>Row</button><button>Delete</button>");
  const [row, danger] = page.document.querySelectorAll("button");
  const { aim } = await page.runAim({ target: { name: "Row", role: "button" }, action: "dblclick" });
  for (const type of ["pointerdown", "mousedown", "mouseup", "click"]) assert.equal(real(page, type, row).stopped, false);
  for (const type of ["pointerdown", "mousedown", "mouseup", "click", "dblclick"]) assert.equal(real(page, type, danger).stopped, true);
  const error = await page.runLanded({ aim }).catch((one) => one);
  same([error.code, error.details.received.name, error.details.may_have_happened], ["wrong_target", "Delete", true]);
  assert.match(error.message, /what came before it was done/);
});

test("Characters that would go where the app has moved the focus to are stopped; a single key is its own.", async () => {
  const page = aimed("<input aria-label=I><button>Send</button>");
  const [field, button] = [page.document.querySelector("input"), page.document.querySelector("button")];
  const typed = await page.runAim({ target: { label: "I" }, action: "type", args: { text: "a b" } });
  for (const type of ["pointerdown", "mousedown", "click", "keydown", "beforeinput"]) assert.equal(real(page, type, field).stopped, false);
  assert.equal(real(page, "keydown", button).stopped, true);
  const error = await page.runLanded({ aim: typed.aim }).catch((one) => one);
  same([error.code, error.details.received.name, error.details.may_have_happened], ["wrong_target", "Send", true]);
  field.focus();
  const pressed = await page.runAim({ target: { label: "I" }, action: "press", args: { key: "Tab" } });
  for (const [type, at] of [["keydown", field], ["keyup", button], ["beforeinput", button]]) assert.equal(real(page, type, at).stopped, false);
  assert.equal((await page.runLanded({ aim: pressed.aim })).inputMode, "trusted");
});

test("Only events of the browser itself count, and nothing is held back when no input is under way.", async () => {
  const page = loadPage("<button>A</button>", ["runAim", "aims"], { start: true });
  let clicks = 0;
  const button = page.document.querySelector("button");
  button.addEventListener("click", () => { clicks += 1; });
  button.click();
  await page.runAim({ target: { role: "button" }, action: "hover" });
  button.click();
  assert.equal(clicks, 2);
  assert.equal(page.aims.open.pressed, null);
});

test("An aim that nothing comes of lets others act after its time; its landing is then refused.", async () => {
  const page = aimed("<button>A</button>");
  const { aim } = await page.runAim({ target: { role: "button" }, action: "click", args: { holdMs: 500 } });
  let over = false;
  page.aims.over().then(() => { over = true; });
  await turn(page.window);
  assert.equal(over, false);
  page.aims.open.close();
  await turn(page.window);
  assert.equal(over, true);
  assert.equal(page.aims.over(), undefined);
  const error = await page.runLanded({ aim }).catch((one) => one);
  same([error.code, error.details.may_have_happened], ["page_error", true]);
});
