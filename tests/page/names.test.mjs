/*
 * Roles and accessible names: what an agent calls an element.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage } from "./parts.mjs";

const INNER = ["roleOf", "nameOf", "findElements", "parseQuery", "elementsIn"];

/** html of one element with id `x` → [role, name] */
const TABLE = [
  ["<a id=x href=/>Home</a>", "link", "Home"],
  ["<a id=x>Home</a>", "generic", ""],
  ["<button id=x><svg><title>Close</title></svg></button>", "button", "Close"],
  ["<button id=x><i aria-hidden=true>×</i> Close <b hidden>never</b></button>", "button", "Close"],
  ["<button id=x title=Help></button>", "button", "Help"],
  ["<button id=x aria-label=' '>Text</button>", "button", "Text"],
  ["<button id=x>Two<br>lines and cafe&#769;</button>", "button", "Two lines and café"],
  ["<i id=l>One</i><b id=m hidden>Two</b><button id=x aria-labelledby='l gone m'>no</button>", "button", "One Two"],
  ["<button id=x aria-labelledby='x y'>Delete</button><span id=y>pears.txt</span>", "button", "Delete pears.txt"],
  ["<label>Name <input id=x> (required)</label>", "textbox", "Name (required)"],
  ["<label for=x>Mail</label><input id=x type=email placeholder=you@>", "textbox", "Mail"],
  ["<input id=x placeholder='Your name'>", "textbox", "Your name"],
  ["<input id=x type=search aria-label=Find>", "searchbox", "Find"],
  ["<input id=x list=l>", "combobox", ""],
  ["<input id=x type=submit>", "button", "Submit"],
  ["<input id=x type=button value=Go>", "button", "Go"],
  ["<input id=x type=image alt=Send>", "button", "Send"],
  ["<input id=x type=file aria-label=File>", "button", "File"],
  ["<label>Pick <select id=x><option>A<option>B</select></label>", "combobox", "Pick"],
  ["<label><input id=x type=checkbox> Agree</label>", "checkbox", "Agree"],
  ["<select id=x multiple></select>", "listbox", ""],
  ["<img id=x alt='A cat'>", "img", "A cat"],
  ["<img id=x alt=''>", "presentation", ""],
  ["<img id=x alt='' onclick='1' tabindex=0>", "img", ""],
  ["<svg id=x><title>Chart</title></svg>", "img", "Chart"],
  ["<section id=x>plain</section>", "generic", ""],
  ["<section id=x aria-label=News>named</section>", "region", "News"],
  ["<fieldset id=x><legend>Size</legend></fieldset>", "group", "Size"],
  ["<figure id=x><figcaption>Fig</figcaption></figure>", "figure", "Fig"],
  ["<table id=x><caption>Prices</caption></table>", "table", "Prices"],
  ["<table><tr><td id=x>7</td></tr></table>", "cell", "7"],
  ["<table><tr><th id=x>H</th></tr></table>", "columnheader", "H"],
  ["<table><tr><th id=x scope=row>H</th></tr></table>", "rowheader", "H"],
  ["<table><tr id=x><td>a</td><td>b</td></tr></table>", "row", "a b"],
  ["<select><option id=x label=Long>l</option></select>", "option", "Long"],
  ["<output id=x>42</output>", "status", "42"],
  ["<progress id=x aria-label=Load></progress>", "progressbar", "Load"],
  ["<meter id=x aria-label=Disk></meter>", "meter", "Disk"],
  ["<details id=x><summary>More</summary>text</details>", "group", "More"],
  ["<details><summary id=x>More</summary>text</details>", "button", "More"],
  ["<div id=x role='foo button'>Go</div>", "button", "Go"],
  ["<button id=x role=none>Go</button>", "button", "Go"],
  ["<header id=x></header>", "banner", ""],
  ["<article><header id=x></header></article>", "generic", ""],
  ["<div id=x role=alert>No <b>money</b></div>", "alert", "No money"],
  ["<h2 id=x>Part</h2>", "heading", "Part"],
  ["<p id=x>Prose</p>", "paragraph", ""],
];

for (const [html, role, name] of TABLE) {
  test(`${html} is ${role} ${JSON.stringify(name)}.`, () => {
    const { document, roleOf, nameOf } = loadPage(html, INNER);
    const element = document.getElementById("x");
    assert.deepEqual([roleOf(element), nameOf(element)], [role, name]);
  });
}

test("Whatever name is shown, a query by that role and name finds the element.", () => {
  const { document, roleOf, nameOf, findElements, parseQuery, elementsIn } = loadPage(TABLE.map((row) => row[0].replace(/ id=x/, "")).join("\n"), INNER);
  for (const element of elementsIn(document.body)) {
    const name = nameOf(element);
    if (!name) continue;
    const { elements } = findElements(parseQuery({ role: roleOf(element), name }));
    assert.ok(elements.includes(element), `${roleOf(element)} ${name}`);
  }
});

test("A name query does not care about the kind of white space or of accents.", () => {
  const { findElements, parseQuery } = loadPage("<button>Caf\u00e9\u00a0au\u200b lait</button>", INNER);
  assert.equal(findElements(parseQuery({ role: "button", name: "Cafe\u0301 au lait" })).elements.length, 1);
});
