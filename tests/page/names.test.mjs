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
  ["<input id=x list=l><datalist id=l></datalist>", "combobox", ""],
  ["<input id=x list=gone>", "textbox", ""],
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
  ["<figure id=x aria-label=Fig><figcaption>Caption</figcaption></figure>", "figure", "Fig"],
  ["<table id=x><caption>Prices</caption></table>", "table", "Prices"],
  ["<table><tr><td id=x>7</td></tr></table>", "cell", "7"],
  ["<table><tr><th id=x>H</th></tr></table>", "columnheader", "H"],
  ["<table><tr><th id=x scope=row>H</th></tr></table>", "rowheader", "H"],
  ["<table><tr id=x><td>a</td><td>b</td></tr></table>", "row", "a b"],
  ["<select><option id=x label=Long>l</option></select>", "option", "Long"],
  ["<output id=x>42</output>", "status", "42"],
  ["<progress id=x aria-label=Load></progress>", "progressbar", "Load"],
  ["<meter id=x aria-label=Disk></meter>", "meter", "Disk"],
  ["<details id=x><summary>More</summary>text</details>", "group", ""],
  ["<summary id=x>Alone</summary>", "generic", ""],
  ["<details><summary id=x>More</summary>text</details>", "button", "More"],
  ["<div id=x role='foo button'>Go</div>", "button", "Go"],
  ["<button id=x role=none>Go</button>", "button", "Go"],
  ["<header id=x></header>", "banner", ""],
  ["<article><header id=x></header></article>", "sectionheader", ""],
  ["<div role=article><footer id=x></footer></div>", "sectionfooter", ""],
  ["<main><aside id=x></aside></main>", "complementary", ""],
  ["<article><aside id=x></aside></article>", "generic", ""],
  ["<article><aside id=x title=Tip></aside></article>", "complementary", "Tip"],
  ["<section id=x title=Tips></section>", "region", "Tips"],
  ["<div id=x role=region>plain</div>", "generic", ""],
  ["<div id=x role=region aria-label=Part></div>", "region", "Part"],
  ["<ul role=none><li id=x>One</li></ul>", "presentation", ""],
  ["<table role=presentation><tr><td id=x>One</td></tr></table>", "generic", ""],
  ["<table><tr role=none><td id=x>One</td></tr></table>", "generic", ""],
  ["<table role=grid><tr><td id=x>One</td></tr></table>", "gridcell", "One"],
  ["<div role=grid><table><tr><td id=x>One</td></tr></table></div>", "cell", "One"],
  ["<table><tr><th id=x>Pear</th><td>1</td></tr></table>", "rowheader", "Pear"],
  ["<img id=x role=none aria-label=Kept>", "img", "Kept"],
  ["<div id=x role=none aria-live=polite></div>", "generic", ""],
  ["<div id=x title=Tip>Prose</div>", "generic", ""],
  ["<svg id=x><a href=/><text>Bar</text></a></svg>", "graphics-document", ""],
  ["<div id=x popover></div>", "group", ""],
  ["<input id=x type=submit title=Tip>", "button", "Submit"],
  ["<input id=x type=checkbox placeholder=none>", "checkbox", ""],
  ["<div id=x role=textbox aria-placeholder=Name></div>", "textbox", "Name"],
  ["<label hidden for=x>Never</label><input id=x>", "textbox", ""],
  ["<fieldset id=x><legend hidden>Never</legend></fieldset>", "group", ""],
  ["<div id=l hidden>Not <i hidden>deep</i></div><input id=x aria-labelledby=l>", "textbox", "Not deep"],
  ["<button id=x>Go <input value=5 aria-label=Count></button>", "button", "Go 5"],
  ["<label><input id=x type=checkbox> At <i role=slider aria-valuenow=5 aria-valuetext=five></i></label>", "checkbox", "At five"],
  ["<label><input id=x type=checkbox> List <i role=listbox><b role=option aria-selected=true>One</b><b role=option>Two</b></i></label>", "checkbox", "List One"],
  ["<ul role=tree><li id=x role=treeitem>Old <ul role=group><li role=treeitem>plan</ul></ul>", "treeitem", "Old"],
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

test("Many names are read with one look for labels, and the next reading looks anew.", () => {
  const { document, findElements, parseQuery } = loadPage("<label for=a>One</label><input id=a><label>Two <input id=b></label>", INNER);
  const count = (name) => findElements(parseQuery({ role: "textbox", name })).elements.length;
  const asked = [];
  const all = document.querySelectorAll;
  document.querySelectorAll = (selector) => asked.push(selector) && all.call(document, selector);
  assert.deepEqual([count("One"), count("Two")], [1, 1]);
  assert.deepEqual(asked, ["label", "label"]);
  document.querySelector("label").textContent = "Three";
  assert.deepEqual([count("One"), count("Three")], [0, 1]);
});
