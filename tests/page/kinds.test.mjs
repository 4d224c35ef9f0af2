/*
 * Acts on kinds of controls that a browser treats each in its own way, where no layout is needed: lists, groups, steps,
 * fields that do not keep what was written.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same } from "./parts.mjs";

/** Act on the one control of a page; `heard` lists its input and change events. */
async function act(html, action, args, prepare = () => {}) {
  const page = loadPage(html, ["runAct"]);
  const heard = [];
  for (const type of ["input", "change"]) page.document.addEventListener(type, ({ target }) => heard.push(`${type} ${target.value}`), true);
  prepare(page.document);
  const control = page.document.querySelector("[aria-label=A]");
  const report = await page.runAct({ target: { label: "A" }, action, args }).catch((error) => error);
  return { control, heard, report, document: page.document };
}

const LIST = "<option value=a>Alpha<option value=b disabled>Beta<option value=c>Gamma</select>";

for (const [what, key, start, now, answer] of [
  ["the next option that can be chosen", "ArrowDown", "a", "c", "select"],
  ["the one before", "ArrowUp", "c", "a", "select"],
  ["nothing after the last", "ArrowDown", "c", "c", "none"],
  ["the last", "End", "a", "c", "select"],
]) {
  test(`A key in a closed list chooses ${what}, told once by input and change.`, async () => {
    const { control, heard, report } = await act(`<select aria-label=A>${LIST}`, "press", { key }, (document) => {
      document.querySelector("select").value = start;
    });
    assert.deepEqual([control.value, report.effect.defaultAction], [now, answer]);
    assert.deepEqual(heard, start === now ? [] : [`input ${now}`, `change ${now}`]);
  });
}

test("Arrows go round a group of radio buttons, past the disabled and those of another form.", async () => {
  const html = "<form><input type=radio name=r value=1><input type=radio name=r value=2 disabled><input type=radio name=r value=3 checked aria-label=A></form><input type=radio name=r value=4>";
  const { document, heard, report } = await act(html, "press", { key: "ArrowDown" });
  assert.deepEqual([document.querySelector(":checked").value, document.activeElement.value, report.effect.defaultAction], ["1", "1", "select"]);
  assert.deepEqual(heard, ["input 1", "change 1"]);
});

for (const [attributes, key, now, answer] of [
  ["type=range value=50 step=5", "ArrowRight", "55", "step"],
  ["type=number value=2 min=2", "ArrowDown", "2", "none"],
  ["type=number value=2 step=0.5", "ArrowUp", "2.5", "step"],
  ["type=number value=2 readonly", "ArrowUp", "2", "none"],
  ["type=number value=2", "ArrowLeft", "2", "not_emulated"],
]) {
  test(`${key} in a field with ${attributes} makes it ${now}.`, async () => {
    const { control, heard, report } = await act(`<input aria-label=A ${attributes}>`, "press", { key });
    assert.deepEqual([control.value, report.effect.defaultAction], [now, answer]);
    assert.deepEqual(heard, answer === "step" ? [`input ${now}`, `change ${now}`] : []);
  });
}

for (const [html, keys, value] of [
  ["<input aria-label=A value=bc>", ["Home", "a", "End", "d"], "abcd"],
  ["<input aria-label=A value=ac>", ["End", "ArrowLeft", "b", "ArrowRight", "d"], "abcd"],
  ["<textarea aria-label=A>a\nc</textarea>", ["End", "Home", "b", "End", "d"], "a\nbcd"],
  ["<input aria-label=A value=abc>", ["Control+a", "ArrowRight", "d"], "abcd"],
]) {
  test(`The caret goes where ${keys.join(", ")} puts it.`, async () => {
    const page = loadPage(html, ["runAct"]);
    const field = page.document.querySelector("[aria-label=A]");
    field.setSelectionRange(field.value.length, field.value.length);
    for (const key of keys) await page.runAct({ target: { label: "A" }, action: "press", args: { key } });
    assert.equal(field.value, value);
  });
}

test("Several options are chosen as one change; a list where one is taken, an unknown and a disabled one change nothing.", async () => {
  const chosen = await act(`<select multiple aria-label=A><option value=z selected>${LIST}`, "select", { value: ["a", "Gamma"] });
  assert.deepEqual([...chosen.control.selectedOptions].map((one) => one.value), ["a", "c"]);
  assert.deepEqual(chosen.heard, ["input a", "change a"]);
  for (const [several, value, code] of [
    ["", ["a", "c"], "bad_arguments"],
    ["multiple", ["a", "nowhere"], "no_such_option"],
    ["multiple", ["a", "b"], "not_editable"],
    ["multiple", ["a", 4], "bad_arguments"],
  ]) {
    const { heard, report } = await act(`<select ${several} aria-label=A>${LIST}`, "select", { value });
    assert.deepEqual([report.code, heard], [code, []]);
  }
});

test("A choice in a disabled list is refused, and one that the app sets back is told of.", async () => {
  const disabled = await act(`<select disabled aria-label=A>${LIST}`, "select", { value: "a" });
  assert.equal(disabled.report.code, "not_editable");
  const { report } = await act(`<select aria-label=A>${LIST}`, "select", { value: "c" }, (document) => {
    document.addEventListener("change", ({ target }) => { target.value = "a"; });
  });
  assert.equal(report.warning, 'It was chosen, but the list still shows "Alpha": the app set that.');
});

test("What an app or a limit made of a written text is told, of a secret only that it did.", async () => {
  const upper = (document) => document.addEventListener("input", ({ target }) => { target.value = target.value.toUpperCase(); });
  const written = await act("<input aria-label=A>", "fill", { value: "abc" }, upper);
  assert.equal(written.report.warning, 'It says "ABC" instead of "abc": the app or a limit of the field made that of it.');
  const secret = await act("<input type=password aria-label=A>", "fill", { value: "hunter2" }, upper);
  assert.equal(secret.report.warning, "It does not hold what was written: the app or a limit of the field made something else of it.");
  const kept = await act("<textarea aria-label=A></textarea>", "fill", { value: "a\r\nb" });
  assert.equal(kept.report.warning, undefined);
  const cleared = await act("<input aria-label=A value=x>", "clear", {}, (document) => document.addEventListener("input", ({ target }) => { target.value = "x"; }));
  assert.equal(cleared.report.warning, 'It says "x" instead of "": the app or a limit of the field made that of it.');
});

test("A field filled with what it holds is told no change; one that was typed into before is told the change that was due.", async () => {
  const again = await act("<input aria-label=A value=x>", "fill", { value: "x" });
  assert.deepEqual(again.heard, ["input x"]);
  const page = loadPage("<input aria-label=A value=x>", ["runAct"]);
  const heard = [];
  page.document.addEventListener("change", ({ target }) => heard.push(target.value));
  await page.runAct({ target: { label: "A" }, action: "press", args: { key: "y" } });
  await page.runAct({ target: { label: "A" }, action: "fill", args: { value: "xy" } });
  await page.runAct({ target: { label: "A" }, action: "blur", args: {} });
  assert.deepEqual(heard, ["xy"]);
});

test("A box that the app draws anew is judged by the one in its place; where there is none nothing is claimed.", async () => {
  const box = (on) => `<button role=switch aria-checked=${on} aria-label=A></button>`;
  const drawn = (html) => (document) => document.addEventListener("click", () => { document.body.innerHTML = html; });
  const taken = await act(box("false"), "check", {}, drawn(box("true")));
  assert.deepEqual([taken.report.warning, taken.report.effect.valueChanged], [undefined, true]);
  const refused = await act(box("false"), "check", {}, drawn(box("false")));
  assert.equal(refused.report.warning, "It was clicked, but it is still off.");
  const gone = await act(box("false"), "check", {}, drawn("<p>Saved</p>"));
  assert.match(gone.report.warning, /taken out of the page/);
  assert.equal(gone.report.effect.valueChanged, false);
});

test("A chord of the clipboard says that nothing came of it, unless the app took the key.", async () => {
  for (const [key, done] of [["Control+c", "copied"], ["Meta+x", "cut"], ["Control+v", "pasted"]]) {
    const { report } = await act("<input aria-label=A value=x>", "press", { key });
    assert.equal(report.effect.defaultAction, "not_emulated");
    assert.match(report.warning, new RegExp(`^Nothing was ${done}: a script has no clipboard`));
  }
  const taken = await act("<input aria-label=A>", "press", { key: "Control+v" }, (document) => document.addEventListener("keydown", (event) => event.preventDefault()));
  assert.equal(taken.report.warning, undefined);
  const other = await act("<input aria-label=A>", "press", { key: "Control+k" });
  assert.equal(other.report.warning, undefined);
  same(other.heard, []);
});
