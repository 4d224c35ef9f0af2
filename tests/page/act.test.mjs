/*
 * Acting: what is refused and why, and that apps hear what they would hear from a person.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same } from "./parts.mjs";

/** One act on a fresh page; a refusal comes back as itself. */
async function act(html, action, target, args, prepare) {
  const page = loadPage(html, ["runAct", "refs", "startDomWatch"], { start: false });
  page.startDomWatch();
  if (prepare) await prepare(page);
  const given = typeof target === "string" ? { ref: target } : { target };
  const report = await page.runAct({ ...given, action, args }).catch((error) => error);
  return Object.assign(page, { report, effect: report.effect });
}

/** html, action, target, args → code and what the message must say */
const REFUSALS = [
  ["<p></p>", "click", "e77", {}, "stale_ref", /was not given out by this document/],
  ["<button>A</button>", "click", { role: "link" }, {}, "no_match", /No element/],
  ["<button>A</button><button>A</button>", "click", { role: "button" }, {}, "ambiguous_target", /^2 elements/],
  ["<button disabled>A</button>", "click", { role: "button" }, {}, "not_editable", /"A" is disabled/],
  ["<fieldset disabled><button>A</button></fieldset>", "click", { role: "button" }, {}, "not_editable", /inside a disabled fieldset/],
  ["<button aria-disabled=true>A</button>", "click", { role: "button" }, {}, "not_editable", /aria-disabled/],
  ["<div inert><button>A</button></div>", "click", { role: "button" }, {}, "not_editable", /inert/],
  ["<button style='display:none'>A</button>", "click", { role: "button" }, {}, "not_visible", /is not displayed/],
  ["<details><summary>s</summary><button>A</button></details>", "click", { name: "A" }, {}, "not_visible", /closed <details>/],
  ["<button>Delete account</button>", "click", { role: "button" }, {}, "confirm_dangerous", /it says "Delete"/],
  ["<form action=/buy><input aria-label=A><button>Go</button></form>", "click", { role: "button" }, {}, "confirm_dangerous", /"buy"/],
  ["<form><input aria-label=A><button>Place_order</button></form>", "press", { label: "A" }, { key: "Enter" }, "confirm_dangerous", /"Place order"/],
  ["<form><input type=hidden name=_method value=delete><button>Ok</button></form>", "submit", { role: "button" }, {}, "confirm_dangerous", /"delete"/],
  ["<div data-reticle-danger><button>Ok</button></div>", "click", { role: "button" }, {}, "confirm_dangerous", /marked it/],
  ["<input type=file aria-label=F>", "click", { label: "F" }, {}, "unsupported_surface", /file input/],
  ["<input type=file aria-label=F>", "fill", { label: "F" }, { value: "x" }, "unsupported_surface", /file input/],
  ["<div contenteditable=true data-testid=x>t</div>", "fill", { testid: "x" }, { value: "y" }, "unsupported_surface", /contenteditable/],
  ["<div data-testid=x>t</div>", "fill", { testid: "x" }, { value: "y" }, "wrong_target", /<div>/],
  ["<input type=checkbox aria-label=A>", "fill", { label: "A" }, { value: "y" }, "wrong_target", /<input>/],
  ["<select aria-label=A></select>", "fill", { label: "A" }, { value: "y" }, "wrong_target", /<select>/],
  ["<input aria-label=A readonly>", "fill", { label: "A" }, { value: "y" }, "not_editable", /read-only/],
  ["<input aria-label=A value=keep>", "fill", { label: "A" }, {}, "bad_arguments", /args.value/],
  ["<input aria-label=A value=keep>", "fill", { label: "A" }, { text: "x" }, "bad_arguments", /does not know text/],
  ["<input aria-label=A type=number value=3>", "fill", { label: "A" }, { value: "12,5" }, "bad_arguments", /type number does not take "12,5"/],
  ["<select aria-label=A><option value=a>Apple</option></select>", "select", { label: "A" }, { value: "Pear" }, "no_such_option", /"Pear"/],
  ["<select aria-label=A><option value=a disabled>Apple</option></select>", "select", { label: "A" }, { value: "a" }, "not_editable", /disabled/],
  ["<div role=listbox aria-label=A></div>", "select", { role: "listbox" }, { value: "a" }, "wrong_target", /select on/],
  ["<button>A</button>", "check", { role: "button" }, {}, "wrong_target", /check/],
  ["<button>A</button>", "submit", { role: "button" }, {}, "wrong_target", /submit/],
  ["<button>A</button>", "press", { role: "button" }, {}, "bad_arguments", /args.key/],
  ["<button>A</button>", "press", { role: "button" }, { key: "Hyper" }, "bad_arguments", /no key "Hyper"/],
  ["<button>A</button>", "click", { role: "button" }, { modifiers: ["Hyper"] }, "bad_arguments", /no modifier/],
  ["<button>A</button>", "press", { role: "button" }, { key: "x", modifiers: {} }, "bad_arguments", /modifiers must be a list/],
  ["<input aria-label=A type=range value=50>", "fill", { label: "A" }, { value: "abc" }, "bad_arguments", /type range does not take "abc"/],
  ["<input aria-label=A type=range value=50>", "fill", { label: "A" }, { value: "500" }, "bad_arguments", /type range does not take "500"/],
  ["<input aria-label=A type=color>", "fill", { label: "A" }, { value: "reddish" }, "bad_arguments", /type color does not take "reddish"/],
  ["<label><input type=radio checked> A</label>", "uncheck", { role: "radio" }, {}, "wrong_target", /Cannot uncheck radio/],
  ["<button>A</button>", "uncheck", { role: "button" }, {}, "wrong_target", /uncheck/],
  ["<input type=checkbox checked aria-label='Delete all'>", "uncheck", { role: "checkbox" }, {}, "confirm_dangerous", /"Delete"/],
  ["<input aria-label=A value=keep>", "type", { label: "A" }, {}, "bad_arguments", /args.text/],
  ["<input aria-label=A value=keep>", "type", { label: "A" }, { value: "x" }, "bad_arguments", /does not know value; it takes text, force/],
  ["<input aria-label=A value=keep>", "type", { label: "A" }, { text: "a\nb" }, "bad_arguments", /no line break/],
  ["<input aria-label=A type=number value=1>", "type", { label: "A" }, { text: ",5" }, "bad_arguments", /"1,5"/],
  ["<input aria-label=A type=date>", "type", { label: "A" }, { text: "1" }, "wrong_target", /type into/],
  ["<input aria-label=A readonly value=keep>", "clear", { label: "A" }, {}, "not_editable", /read-only/],
  ["<div contenteditable=true data-testid=x>t</div>", "type", { testid: "x" }, { text: "y" }, "unsupported_surface", /contenteditable/],
  ["<select aria-label=A></select>", "clear", { label: "A" }, {}, "wrong_target", /<select>/],
  ["<p data-testid=x>t</p>", "focus", { testid: "x" }, {}, "wrong_target", /focus/],
  ["<button hidden>A</button>", "hover", { role: "button" }, {}, "not_visible", /is not displayed/],
  ["<button>A</button>", "hover", { role: "button" }, { holdMs: 31000 }, "bad_arguments", /0 to 30000/],
  ["<button>A</button>", "click", { role: "button" }, { force: "yes" }, "bad_arguments", /force must be true or false/],
  ["<button disabled>A</button>", "click", { role: "button" }, { force: true }, "not_editable", /is disabled/],
  ["<label for=b>L</label><input id=b type=checkbox disabled>", "click", { by: "text", value: "L" }, {}, "not_editable", /checkbox "L" is disabled/],
  ["<button>A</button>", "focus", { role: "button" }, { delay: 1 }, "bad_arguments", /does not know delay; it takes nothing/],
  ["<button>A</button>", "upload", { role: "button" }, { content: "x" }, "wrong_target", /upload/],
  ["<input type=file aria-label=F>", "upload", { label: "F" }, {}, "bad_arguments", /args.content/],
  ["<input type=file aria-label=F>", "upload", { label: "F" }, { content: "x", name: "../a" }, "bad_arguments", /bare file name/],
  ["<input type=file aria-label=F>", "upload", { label: "F" }, { content: "%", encoding: "base64" }, "bad_arguments", /not base64/],
  ["<button>A</button>", "drag", { role: "button" }, {}, "bad_arguments", /toRef or args.target/],
  ["<button>A</button>", "drag", { role: "button" }, { target: { role: "link" } }, "no_match", /No element/],
  ["<button>A</button><i>x</i>", "drag", { role: "button" }, { target: { text: "x" }, data: { mime: 1 } }, "bad_arguments", /mime, value/],
  ["<button>A</button>", "scrollIntoView", { role: "button" }, { block: "top" }, "bad_arguments", /start, center/],
  ["<button>A</button>", "wiggle", { role: "button" }, {}, "bad_arguments", /no action wiggle; actions are click, dblclick/],
];

for (const [html, action, target, args, code, says] of REFUSALS) {
  test(`${action} ${JSON.stringify(target)} ${JSON.stringify(args)} on ${html} is refused with ${code} and changes nothing.`, async () => {
    const { report, document } = await act(html, action, target, args, ({ document: page }) => {
      for (const type of ["click", "input", "change", "submit", "keydown"]) page.addEventListener(type, () => { page.heard = type; });
    });
    assert.equal(report.code, code, report.message);
    assert.match(report.message, says);
    assert.ok(report.recovery.length > 10);
    assert.equal(document.heard, undefined);
    for (const field of document.querySelectorAll("input[value]")) assert.equal(field.value, field.getAttribute("value"));
  });
}

test("Refusals name what the caller may choose from.", async () => {
  const ambiguous = await act("<button>A</button><button>B</button>", "click", { role: "button" });
  same(ambiguous.report.details.candidates.map((one) => one.name), ["A", "B"]);
  const option = await act("<select aria-label=A><option value=a>Apple</option></select>", "select", { label: "A" }, { value: "x" });
  same(option.report.details.options, [{ value: "a", label: "Apple" }]);
});

test("One visible match among hidden ones is meant.", async () => {
  const { report } = await act("<button hidden>A</button><button style='display:none'>A</button><button>A</button>", "click", { role: "button" });
  assert.equal(report.ok, true);
});

test("A confirmed dangerous act is done; words that only look dangerous need no confirmation.", async () => {
  assert.equal((await act("<button>Delete</button>", "click", { role: "button" }, { confirmDangerous: true })).report.ok, true);
  for (const text of ["Undelete", "Dropdown", "Payload", "Send message", "Buyer"]) {
    assert.equal((await act(`<button>${text}</button>`, "click", { role: "button" })).report.ok, true, text);
  }
  const inForm = await act("<form onsubmit='return false'><p>Remove is over there</p><button>Save</button></form>", "click", { role: "button" });
  assert.equal(inForm.report.ok, true, "a form's text is not its meaning");
});

/** Watch a field as React does: a setter on the instance remembers the value last seen. */
function trackLikeReact(page, selector) {
  const field = page.document.querySelector(selector);
  const native = Object.getOwnPropertyDescriptor(page.window.HTMLInputElement.prototype, "value");
  const tracked = { seen: field.value, changes: [] };
  Object.defineProperty(field, "value", {
    configurable: true,
    get: () => native.get.call(field),
    set: (value) => { tracked.seen = value; native.set.call(field, value); },
  });
  field.addEventListener("input", () => {
    const now = native.get.call(field);
    if (now !== tracked.seen) tracked.changes.push(now);
    tracked.seen = now;
  });
  return tracked;
}

test("Enter in a text area writes, whatever the form's button says.", async () => {
  const { report } = await act("<form><textarea aria-label=A></textarea><button>Delete</button></form>", "press", { label: "A" }, { key: "Enter" });
  assert.equal(report.ok, true, report.message);
});

test("A framework that tracks the value hears of a fill exactly once.", async () => {
  let tracked;
  const { effect } = await act("<input aria-label=A value=old>", "fill", { label: "A" }, { value: "new" }, (page) => { tracked = trackLikeReact(page, "input"); });
  assert.deepEqual(tracked.changes, ["new"]);
  assert.deepEqual([effect.value, effect.valueChanged, effect.alreadyAtValue], ["new", true, false]);
});

test("A value that the app rewrites, prevents or limits is reported as it is.", async () => {
  const masked = await act("<input aria-label=A>", "fill", { label: "A" }, { value: "1a2" }, ({ document }) => {
    document.querySelector("input").addEventListener("input", (event) => { event.target.value = "12"; });
  });
  assert.equal(masked.effect.value, "12");
  const prevented = await act("<input aria-label=A value=x>", "fill", { label: "A" }, { value: "y" }, ({ document }) => {
    document.addEventListener("beforeinput", (event) => event.preventDefault());
  });
  assert.deepEqual([prevented.effect.defaultPrevented, prevented.effect.value, prevented.effect.valueChanged], [true, "x", false]);
  const limited = await act("<input aria-label=A maxlength=3>", "fill", { label: "A" }, { value: "abcdef" });
  assert.equal(limited.effect.value, "abc");
  const secret = await act("<input type=password aria-label=A>", "fill", { label: "A" }, { value: "geheim99" });
  assert.equal(secret.effect.value, "[REDACTED]");
  assert.ok(!JSON.stringify(secret.report).includes("geheim99"));
});

test("Filling with nothing clears a field.", async () => {
  const { effect, document } = await act("<textarea aria-label=A>old</textarea>", "fill", { label: "A" }, { value: "" });
  assert.equal(document.querySelector("textarea").value, "");
  assert.equal(effect.valueChanged, true);
});

test("A save-on-blur field saves once when the next field is used.", async () => {
  let saves = 0;
  const page = await act("<input aria-label=A><input aria-label=B>", "fill", { label: "A" }, { value: "x" }, ({ document }) => {
    document.querySelector("input").addEventListener("blur", () => { saves += 1; });
  });
  assert.equal(saves, 0);
  const next = await page.runAct({ target: { label: "B" }, action: "fill", args: { value: "y" } });
  assert.equal(saves, 1);
  assert.equal(next.effect.focusMoved, `${page.report.ref}->${next.ref}`);
});

test("select chooses by value or label and sends input and change once.", async () => {
  const heard = [];
  const html = "<select aria-label=A><option value=a>Apple</option><option value=p>Green  pear</option></select>";
  const { effect } = await act(html, "select", { label: "A" }, { value: "Green pear" }, ({ document }) => {
    for (const type of ["input", "change"]) document.addEventListener(type, (event) => heard.push(`${type} ${event.target.value}`));
  });
  assert.deepEqual(heard, ["input p", "change p"]);
  assert.deepEqual([effect.value, effect.valueChanged], ["p", true]);
  const same2 = await act(html, "select", { label: "A" }, { value: "a" });
  assert.deepEqual([same2.effect.dispatched, same2.effect.alreadyAtValue], [false, true]);
});

test("check is idempotent, and reports what became of it.", async () => {
  const on = await act("<label><input type=checkbox> A</label>", "check", { role: "checkbox" });
  assert.deepEqual([on.effect.value, on.effect.dispatched], [true, true]);
  const again = await on.runAct({ ref: on.report.ref, action: "check" });
  assert.deepEqual([again.effect.value, again.effect.dispatched, again.effect.alreadyAtValue], [true, false, true]);
  const kept = await act("<input type=checkbox aria-label=A>", "check", { label: "A" }, {}, ({ document }) => {
    document.querySelector("input").addEventListener("click", (event) => event.preventDefault());
  });
  assert.deepEqual([kept.effect.value, kept.effect.defaultPrevented, kept.effect.valueChanged], [false, true, false]);
});

test("Keys in fields insert, delete and break lines at the caret.", async () => {
  const page = await act("<textarea aria-label=A>ab</textarea>", "press", { label: "A" }, { key: "Enter" }, ({ document }) => {
    document.querySelector("textarea").setSelectionRange(1, 1);
  });
  assert.equal(page.document.querySelector("textarea").value, "a\nb");
  assert.equal(page.effect.defaultAction, "insert");
  await page.runAct({ ref: page.report.ref, action: "press", args: { text: "x" } });
  await page.runAct({ ref: page.report.ref, action: "press", args: { key: "Backspace" } });
  await page.runAct({ ref: page.report.ref, action: "press", args: { key: "Delete" } });
  assert.equal(page.document.querySelector("textarea").value, "a\n");
  const chord = await page.runAct({ ref: page.report.ref, action: "press", args: { key: "k", modifiers: ["Control"] } });
  assert.deepEqual([chord.effect.defaultAction, chord.effect.valueChanged], ["not_emulated", false]);
});

test("Submitting an invalid form sends nothing and says which fields.", async () => {
  const { effect, document } = await act("<form><input aria-label=A required><button>Go</button></form>", "submit", { role: "button" }, {}, ({ document: page }) => {
    page.addEventListener("submit", () => { page.sent = true; });
  });
  assert.equal(document.sent, undefined);
  assert.equal(effect.dispatched, false);
  same(effect.invalid, [{ ref: effect.invalid[0].ref, role: "textbox", name: "A", message: "Constraints not satisfied" }]);
});

test("The report names the element as it was, where it is written and what came up.", async () => {
  const { report } = await act('<div data-reticle-source="src/Cart.jsx:12:3"><button data-testid=go>Go</button><p role=status></p></div>', "click", { role: "button" }, {}, ({ document }) => {
    document.querySelector("button").addEventListener("click", (event) => {
      document.querySelector("p").textContent = "Saved";
      event.target.remove();
    });
  });
  assert.deepEqual([report.role, report.name, report.testid, report.source], ["button", "Go", "go", "src/Cart.jsx:12:3"]);
  assert.deepEqual([report.effect.targetMatched, report.effect.domMutatedWithin, report.effect.appeared], [false, 2, "Saved"]);
  assert.deepEqual([report.settled, report.settleReason], [true, null]);
});

test("AC-03: a field that a background window focuses tells the app of it all the same, once.", async () => {
  const heard = [];
  const page = await act("<input aria-label=A><input aria-label=B>", "focus", { label: "A" }, {}, ({ window, document }) => {
    // a window that is not in front: the focus moves without a word
    for (const [name, active] of [["focus", (field) => field], ["blur", () => document.body]]) {
      window.HTMLElement.prototype[name] = function silently() {
        Object.defineProperty(document, "activeElement", { configurable: true, value: active(this) });
      };
    }
    for (const type of ["focusin", "focusout"]) document.addEventListener(type, (event) => heard.push(`${type} ${event.target.getAttribute("aria-label")}`));
  });
  await page.runAct({ target: { label: "B" }, action: "fill", args: { value: "x" } });
  await page.runAct({ target: { label: "B" }, action: "blur" });
  assert.deepEqual(heard, ["focusin A", "focusout A", "focusin B", "focusout B"]);
});

test("Typing lets the app prevent a key, keep a character out and move on to the next field.", async () => {
  const odd = await act("<input aria-label=A>", "type", { label: "A" }, { text: "1a2" }, ({ document }) => {
    document.addEventListener("keydown", (event) => { if (event.key === "a") event.preventDefault(); });
  });
  assert.deepEqual([odd.effect.value, odd.effect.defaultPrevented], ["12", true]);
  const code = await act("<input aria-label=A maxlength=1><input aria-label=B>", "type", { label: "A" }, { text: "12" }, ({ document }) => {
    document.querySelector("input").addEventListener("input", () => document.querySelectorAll("input")[1].focus());
  });
  assert.deepEqual([...code.document.querySelectorAll("input")].map((field) => field.value), ["1", ""]);
  const heard = [];
  await act("<textarea aria-label=A>x</textarea>", "type", { label: "A" }, { text: "B\n" }, ({ document }) => {
    for (const type of ["keydown", "change"]) document.addEventListener(type, (event) => heard.push([type, event.key, event.code, event.shiftKey, event.target.value].join(" ")));
  });
  assert.deepEqual(heard, ["keydown B KeyB true x", "keydown Enter Enter false xB", "change    xB\n"]);
});

test("An app that is already as wanted hears nothing: uncheck, clear, focus, blur.", async () => {
  const html = "<input type=checkbox aria-label=C><input aria-label=A><input aria-label=F>";
  for (const [action, label] of [["uncheck", "C"], ["clear", "A"], ["blur", "A"], ["focus", "F"]]) {
    const heard = [];
    const page = await act(html, action, { label }, {}, ({ document }) => {
      document.querySelector("[aria-label=F]").focus();
      for (const type of ["click", "input", "change", "focusin", "focusout"]) document.addEventListener(type, () => heard.push(type));
    });
    assert.deepEqual([page.effect.dispatched, page.effect.alreadyAtValue, heard], [false, true, []], action);
  }
});

test("SN-09: in a hidden tab text, test id and role agree, and the act says that the tab is throttled.", async () => {
  const page = loadPage("<button data-testid=go>Go</button>", ["runAct", "runRead", "startDomWatch"], {
    before: (window) => {
      Object.defineProperty(window.document, "hidden", { value: true });
      window.requestAnimationFrame = () => 0;
    },
  });
  page.startDomWatch();
  const report = await page.runAct({ target: { testid: "go" }, action: "click" });
  same([report.settled, report.settleReason, report.effect.visible], [false, "throttled", true]);
  const { answers } = page.runRead({
    questions: [{ kind: "text", contains: "Go", visible: true }, ...[{ testid: "go" }, { role: "button" }].map((query) => ({ kind: "match", query, state: "visible" }))],
  });
  same(answers.map((answer) => answer.count), [1, 1, 1]);
});

for (const marked of ["aria-hidden=true", "inert"]) {
  test(`SN-04: an open dialog that sets ${marked} on the rest is named, and what it hides is refused as covered or inert, not as missing.`, async () => {
    const page = loadPage(`<main ${marked}><button>Behind</button></main><div role=dialog aria-modal=true aria-label=Ask><button>Ok</button></div>`, ["runAct", "takeSnapshot", "startDomWatch"]);
    page.startDomWatch();
    const { status } = page.takeSnapshot({ mode: "interactive" });
    assert.equal(status.overlayHidingPage, "Ask");
    const refused = await page.runAct({ target: { role: "button", name: "Behind" }, action: "click" }).catch((error) => error);
    if (marked === "inert") assert.equal(refused.code, "occluded");
    else assert.equal(refused.ok, true, "without layout nothing lies over it");
    assert.match(page.takeSnapshot({ scope: "[role=dialog]" }).tree, /Ok/);
  });
}

test("A key never empties a field whose value it cannot be a part of.", async () => {
  for (const [attributes, key, kept] of [
    ["type=number value=12", ".", "12"],
    ["type=date value=2026-01-31", "1", "2026-01-31"],
    ["type=date value=2026-01-31", "Backspace", "2026-01-31"],
    ["type=range value=50", "5", "50"],
  ]) {
    const { document, effect } = await act(`<input aria-label=A ${attributes}>`, "press", { label: "A" }, { key });
    assert.deepEqual([document.querySelector("input").value, effect.defaultAction], [kept, "not_emulated"], `${attributes} ${key}`);
  }
});

test("What was typed key by key is told by one change: when the field is left, or before its form is sent.", async () => {
  const heard = [];
  const page = await act("<form><input aria-label=A><input aria-label=B></form>", "press", { label: "A" }, { key: "x" }, ({ document }) => {
    for (const type of ["change", "blur"]) document.querySelector("input").addEventListener(type, (event) => heard.push(`${type} ${event.target.value}`));
  });
  await page.runAct({ ref: page.report.ref, action: "press", args: { key: "Shift+y" } });
  assert.deepEqual(heard, []);
  await page.runAct({ target: { label: "B" }, action: "focus" });
  assert.deepEqual(heard, ["change xY", "blur xY"]);
  await page.runAct({ ref: page.report.ref, action: "press", args: { key: "z" } });
  await page.runAct({ ref: page.report.ref, action: "press", args: { key: "Enter" } });
  await page.runAct({ ref: page.report.ref, action: "blur" });
  assert.deepEqual(heard.slice(2), ["change xYz", "blur xYz"]);
});

test("A keypress carries the character's number, keydown and keyup that of the key.", async () => {
  const heard = [];
  await act("<input aria-label=A>", "press", { label: "A" }, { key: "+" }, ({ document }) => {
    for (const type of ["keydown", "keypress", "keyup"]) {
      document.querySelector("input").addEventListener(type, (event) => heard.push([event.code, event.keyCode, event.charCode].join()));
    }
  });
  assert.deepEqual(heard, ["Equal,187,0", "Equal,43,43", "Equal,187,0"]);
});

test("Enter whose form has a disabled default button sends nothing and does not say that it did.", async () => {
  const { effect } = await act("<form><input aria-label=A><fieldset disabled><button>Go</button></fieldset></form>", "press", { label: "A" }, { key: "Enter" });
  assert.equal(effect.defaultAction, "none");
});

test("Tab stops at one radio button of a group.", async () => {
  const page = await act("<input aria-label=A><input type=radio name=r aria-label=R1><input type=radio name=r checked aria-label=R2><input aria-label=B>", "press", { label: "A" }, { key: "Tab" });
  assert.equal(page.document.activeElement.getAttribute("aria-label"), "R2");
  await page.runAct({ target: { label: "R2" }, action: "press", args: { key: "Tab" } });
  assert.equal(page.document.activeElement.getAttribute("aria-label"), "B");
});

test("A key into an editor's own document is said to be not emulated.", async () => {
  const { effect } = await act("<div contenteditable=true tabindex=0 data-testid=x>t</div>", "press", { testid: "x" }, { key: "a" });
  assert.equal(effect.defaultAction, "not_emulated");
});

for (const removed of ["pointerdown", "mousedown"]) {
  test(`A button that leaves the page at ${removed} gets no click, as in a browser, and the report says so.`, async () => {
    let clicks = 0;
    const { report } = await act("<p><button>Go</button></p>", "click", { role: "button" }, {}, ({ document }) => {
      const button = document.querySelector("button");
      button.addEventListener("click", () => { clicks += 1; });
      button.addEventListener(removed, () => { button.parentNode.innerHTML = "<button>Go</button>"; });
    });
    assert.equal(clicks, 0);
    assert.match(report.warning, /^The app took what was pressed out of the page .* click again\.$/);
  });
}

test("Checking a switch that stays off is said to have done nothing.", async () => {
  const { report } = await act("<div role=switch aria-checked=false tabindex=0>W</div>", "check", { role: "switch" }, {});
  assert.equal(report.warning, "It was clicked, but it is still off.");
});

test("A place that says Drop here is dropped on without a confirmation; one that says Delete is not.", async () => {
  const html = (words) => `<p data-testid=card draggable=true>Card</p><div data-testid=zone>${words}</div>`;
  const onto = { target: { testid: "zone" } };
  const taken = await act(html("Drop files here"), "drag", { testid: "card" }, onto);
  assert.equal(taken.report.ok, true);
  const refused = await act(html("Drop here to delete"), "drag", { testid: "card" }, onto);
  assert.deepEqual([refused.report.code, /"delete"/.test(refused.report.message)], ["confirm_dangerous", true]);
});

test("Enter in a form whose own checks fail does not claim to have sent it, and says which fields.", async () => {
  const { effect, refs } = await act("<form><input aria-label=A required><button>Go</button></form>", "press", { label: "A" }, { key: "Enter" });
  assert.equal(effect.defaultAction, "click");
  same(effect.invalid.map(({ ref, name }) => [ref, name]), [["e1", "A"]]);
  assert.equal(refs.element("e1").localName, "input");
});

test("A click on a submit button whose form's own checks fail says which fields, and what is wrong with a secret only by its kind.", async () => {
  const html = "<form><input aria-label=Mail required><input type=password aria-label=Code required><input aria-label=Fine value=x><button>Go</button></form>";
  const { effect, document } = await act(html, "click", { role: "button" }, {}, ({ document: page }) => {
    page.querySelector("input").setCustomValidity("Give your address, token=abc123def456ghi");
    page.addEventListener("submit", () => { page.sent = true; });
  });
  assert.equal(document.sent, undefined);
  same(effect.invalid.map(({ name, message }) => [name, message]), [["Mail", "Give your address, token=[REDACTED]"], ["Code", "valueMissing"]]);
});

test("A form that is sent, one whose fault the app mends at once, and a fill tell of no invalid field.", async () => {
  const sent = await act("<form><input aria-label=A value=x required><button>Go</button></form>", "click", { role: "button" }, {}, ({ document }) => {
    document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  });
  assert.equal("invalid" in sent.effect, false);
  const mended = await act("<form><input aria-label=A required><button>Go</button></form>", "click", { role: "button" }, {}, ({ document }) => {
    document.querySelector("input").addEventListener("invalid", (event) => { event.target.value = "x"; });
  });
  assert.equal("invalid" in mended.effect, false);
  const filled = await act("<input aria-label=A type=email>", "fill", { label: "A" }, { value: "x" }, ({ document }) => {
    document.querySelector("input").addEventListener("input", (event) => event.target.checkValidity());
  });
  assert.equal("invalid" in filled.effect, false);
});

test("An invalid field inside a shadow root is heard of.", async () => {
  const { effect } = await act("<x-form></x-form>", "click", { role: "button" }, {}, ({ document }) => {
    document.querySelector("x-form").attachShadow({ mode: "open" }).innerHTML = "<form><input aria-label=A required><button>Go</button></form>";
  });
  same(effect.invalid.map(({ name }) => name), ["A"]);
});

test("The report says why no real input was used.", async () => {
  const clicked = await act("<button>A</button>", "click", { role: "button" });
  assert.equal(clicked.report.inputModeReason, "real-input-not-configured-for-this-session");
  const filled = await act("<input aria-label=A>", "fill", { label: "A" }, { value: "x" });
  assert.equal(filled.report.inputModeReason, "not-a-pointer-action");
});

/** The app draws its button anew, once, a moment after the mouse came over it, or at once whenever it comes. */
function drawnAnew(always) {
  return ({ document }) => {
    const draw = (isFirst) => {
      const button = document.createElement("button");
      button.textContent = "A";
      button.addEventListener("click", () => document.body.append("clicked "));
      if (always) button.addEventListener("mouseover", () => draw(false));
      else if (isFirst) button.addEventListener("mouseover", () => Promise.resolve().then(() => draw(false)));
      document.querySelector("main").replaceChildren(button);
    };
    draw(true);
  };
}

test("What the app draws anew between the look and the press is looked for again and clicked once.", async () => {
  const { report, document } = await act("<main></main>", "click", { role: "button" }, {}, drawnAnew(false));
  assert.deepEqual([report.ok, report.warning, report.effect?.targetMatched], [true, undefined, true]);
  assert.equal(document.body.textContent.trim(), "Aclicked");
});

test("A click shortly before the tick at which the app draws its button anew waits for it, and reaches the new one once.", async () => {
  const page = loadPage("<main></main><p></p>", ["runAct", "pendingWork"], { start: false });
  const { window, document } = page;
  page.pendingWork.watch(window);
  const draw = () => {
    document.querySelector("main").innerHTML = "<button>A</button>";
    document.querySelector("button").addEventListener("click", () => document.querySelector("p").append("clicked "));
  };
  draw();
  window.setInterval(draw, 300);
  const begun = performance.now();
  const left = () => 300 - ((performance.now() - begun) % 300);
  const work = (ms) => {
    for (const end = performance.now() + ms; performance.now() < end;);
  };
  // a busy machine: the mouse comes 20 ms before the tick, which is due before the button comes up
  document.addEventListener("mousemove", () => work(left() - 20), { once: true });
  document.addEventListener("mousedown", () => left() <= 20 && work(left() + 5));
  const report = await page.runAct({ target: { role: "button" }, action: "click" });
  assert.deepEqual([report.ok, report.warning, document.querySelector("p").textContent], [true, undefined, "clicked "]);
});

test("What is drawn anew each time is refused in a second as gone and not as hidden, and is not clicked.", async () => {
  const begun = Date.now();
  const { report, document } = await act("<main></main>", "click", { role: "button" }, {}, drawnAnew(true));
  assert.deepEqual([report.code, /taken out of the page before/.test(report.message)], ["stale_ref", true]);
  assert.ok(Date.now() - begun < 5000);
  assert.equal(document.body.textContent.trim(), "A");
});

test("A ref whose element is drawn anew before the press is stale: another may be meant.", async () => {
  const page = loadPage("<main></main>", ["runAct", "refs"], { start: false });
  drawnAnew(false)(page);
  const ref = page.refs.of(page.document.querySelector("button"));
  const refused = await page.runAct({ ref, action: "click" }).catch((error) => error);
  assert.equal(refused.code, "stale_ref");
  assert.equal(page.document.body.textContent.trim(), "A");
});

test("While a document loads, a refusal of what is not there or not shown yet says so, and later no more.", async () => {
  const page = loadPage("<button hidden>A</button>", ["runAct"], { start: false });
  const loading = async (name, state) => {
    Object.defineProperty(page.document, "readyState", { value: state, configurable: true });
    const refused = await page.runAct({ target: { role: "button", name }, action: "click" }).catch((error) => error);
    return [refused.code, refused.details?.loading];
  };
  assert.deepEqual(await loading("A", "interactive"), ["not_visible", true]);
  assert.deepEqual(await loading("B", "loading"), ["no_match", true]);
  assert.deepEqual(await loading("A", "complete"), ["not_visible", undefined]);
  assert.deepEqual(await loading("B", "complete"), ["no_match", undefined]);
});
