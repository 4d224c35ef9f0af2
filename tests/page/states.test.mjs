/*
 * States and values: what an element is like now, by HTML and by ARIA where its role can have it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same } from "./parts.mjs";

const INNER = ["statesOf", "describe", "descriptionOf", "checkedState", "startInternalsWatch"];
const IMPLIED = new Set(["present", "visible", "hidden", "enabled"]);

/** html of one element with id `x` → its states, without those that go without saying */
const TABLE = [
  ["<input id=x type=checkbox checked>", ["checked"]],
  ["<div id=x role=checkbox aria-checked=mixed></div>", ["mixed"]],
  ["<div id=x role=checkbox aria-checked=TRUE></div>", ["checked"]],
  ["<div id=x role=checkbox aria-checked=maybe></div>", []],
  ["<button id=x aria-pressed=true>B</button>", ["checked"]],
  ["<button id=x aria-pressed=mixed>B</button>", ["mixed"]],
  ["<a id=x href=/ aria-pressed=true>B</a>", []],
  ["<button id=x aria-checked=true aria-selected=true>B</button>", []],
  ["<div id=x role=tab aria-selected=true>T</div>", ["checked"]],
  ["<li id=x aria-selected=true>T</li>", []],
  ["<button id=x aria-expanded=true>B</button>", ["expanded"]],
  ["<h2 id=x aria-expanded=true>H</h2>", []],
  ["<details id=x open><summary>S</summary></details>", []],
  ["<details open><summary id=x>S</summary></details>", ["expanded"]],
  ["<dialog id=x open></dialog>", []],
  ["<input id=x required>", ["required"]],
  ["<input id=x type=range required>", []],
  ["<button id=x aria-required=true>B</button>", []],
  ["<div id=x role=radiogroup aria-required=true></div>", ["required"]],
  ["<input id=x type=checkbox required>", ["invalid", "required"]],
  ["<input id=x type=email value=none>", ["invalid"]],
  ["<input id=x type=email value=none aria-invalid=false>", []],
  ["<input id=x aria-invalid=grammar>", ["invalid"]],
  ["<input id=x readonly>", ["readonly"]],
  ["<input id=x type=checkbox readonly>", []],
  ["<select id=x aria-readonly=true></select>", []],
  ["<div role=grid aria-readonly=true><div role=row><div id=x role=gridcell>C</div></div></div>", ["readonly"]],
  ["<div role=grid aria-readonly=true><div role=row><div id=x role=gridcell aria-readonly=false>C</div></div></div>", []],
  ["<div aria-disabled=true><button id=x>B</button></div>", ["disabled"]],
  ["<x-plain id=x disabled></x-plain>", []],
];

for (const [html, states] of TABLE) {
  test(`${html} is ${states.join(" and ") || "in no state of its own"}.`, () => {
    const { document, statesOf } = loadPage(html, INNER);
    same(statesOf(document.getElementById("x")).filter((state) => !IMPLIED.has(state)), states);
  });
}

test("A box that stands for several is half on whatever its own mark is, and checking it is still possible.", () => {
  const { document, statesOf, checkedState } = loadPage("<input id=a type=checkbox checked><div id=b role=checkbox aria-checked=mixed></div>", INNER);
  const native = document.getElementById("a");
  native.indeterminate = true;
  assert.equal(statesOf(native).includes("mixed") && !statesOf(native).includes("checked"), true);
  assert.equal(checkedState(document.getElementById("b")), false);
});

/** html of one element with id `x` → field of its descriptor and what it holds */
const DESCRIBED = [
  ["<h3 id=x>H</h3>", "level", 3],
  ["<div id=x role=heading aria-level=7>H</div>", "level", 7],
  ["<div id=x role=heading>H</div>", "level", 2],
  ["<p id=x>P</p>", "level", undefined],
  ["<div id=x role=slider aria-valuenow=5 aria-valuetext=five></div>", "value", "five"],
  ["<div id=x role=slider aria-valuemin=10 aria-valuemax=20></div>", "value", "15"],
  ["<div id=x role=progressbar></div>", "value", undefined],
  ["<div id=x role=textbox contenteditable>typed <b>text</b></div>", "value", "typed text"],
  ["<div id=x role=textbox contenteditable aria-label=password>hunter22</div>", "value", "[REDACTED]"],
  ["<div id=x role=textbox contenteditable aria-label=password>hunter22</div>", "text", undefined],
  ["<div id=x role=combobox>chosen</div>", "value", "chosen"],
];

for (const [html, field, value] of DESCRIBED) {
  test(`${html} has the ${field} ${value}.`, () => {
    const { document, describe } = loadPage(html, INNER);
    assert.equal(describe(document.getElementById("x"))[field], value);
  });
}

/** html of one element with id `x` → its description */
const DESCRIPTIONS = [
  ["<input id=x aria-describedby='d gone'><p id=d hidden>Seldom <b>used</b></p>", "Seldom used"],
  ["<button id=x aria-description='At length' title=Tip>Go</button>", "At length"],
  ["<button id=x title=Tip>Go</button>", "Tip"],
  ["<button id=x title=Tip></button>", ""],
  ["<table id=x aria-label=Prices><caption>Of May</caption><tr><td>1</td></tr></table>", "Of May"],
  ["<svg id=x><title>Chart</title><desc>It rises</desc></svg>", "It rises"],
];

for (const [html, description] of DESCRIPTIONS) {
  test(`${html} is described by ${JSON.stringify(description)}.`, () => {
    const { document, descriptionOf } = loadPage(html, INNER);
    assert.equal(descriptionOf(document.getElementById("x")), description);
  });
}

test("What a custom element says by its internals counts, and its attributes count more.", () => {
  const { window, document, describe, startInternalsWatch } = loadPage("<i></i>", INNER, {
    before: ({ HTMLElement }) => {
      HTMLElement.prototype.attachInternals = function attachInternals() {
        return { labels: [] };
      };
    },
  });
  startInternalsWatch();
  const made = window.eval(`
    class Toggle extends HTMLElement {
      constructor() { super(); this.own = this.attachInternals(); Object.assign(this.own, { role: "switch", ariaChecked: "true", ariaLabel: "Wi-Fi" }); }
    }
    customElements.define("x-toggle", Toggle);
    document.body.appendChild(document.createElement("x-toggle"))`);
  const { role, name, states } = describe(made);
  assert.deepEqual([role, name, states.includes("checked")], ["switch", "Wi-Fi", true]);
  made.setAttribute("aria-label", "Said louder");
  made.setAttribute("aria-checked", "false");
  assert.deepEqual([describe(made).name, describe(made).states.includes("checked")], ["Said louder", false]);
  assert.ok(document.body.contains(made));
});
