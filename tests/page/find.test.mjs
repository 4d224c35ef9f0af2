/*
 * Element queries, matches and text questions.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same } from "./parts.mjs";

const HTML = `<main aria-label=Shop><h1>Pears</h1>
  <ul><li data-testid=row>Red <b>pear</b> <button data-kind=del>Remove</button></li><li data-testid=row>Green pear <button>Remove</button></li></ul>
  <label>Amount <input value=3></label><input placeholder="Search pears"><img alt="A Pear tree">
  <p style="display:none">Secret sale</p></main>`;
const page = loadPage(HTML, ["runQuery", "runMatch", "runText", "runRead", "refs", "Refused"]);
const { document, runQuery, runMatch, runText, runRead, refs } = page;

/** Names or texts of what a query found. */
const found = (query) => runQuery(query).elements.map((element) => element.name || element.text);

test("Each locator finds what it is for.", () => {
  same(found({ role: "button" }), ["Remove", "Remove"]);
  same(found({ by: "role", value: "heading" }), ["Pears"]);
  same(found({ text: "red pear" }), ["Red pear Remove"]);
  assert.equal(runQuery({ label: "amount" }).elements[0].value, "3");
  same(found({ placeholder: "search" }), ["Search pears"]);
  same(found({ alt: "pear" }), ["A Pear tree"]);
  assert.equal(runQuery({ testid: "row" }).count, 2);
  assert.equal(runQuery({ testid: "ro" }).count, 0);
});

test("Every further field must hold too.", () => {
  assert.equal(runQuery({ role: "textbox", value: "3" }).count, 1);
  assert.equal(runQuery({ role: "textbox", value: "4" }).count, 0);
  assert.equal(runQuery({ role: "button", attrs: { "data-kind": "del" } }).count, 1);
  assert.equal(runQuery({ testid: "row", text: "Green pear" }).count, 1, "text beside a locator is enforced");
  assert.equal(runQuery({ testid: "row", text: "Blue pear" }).count, 0, "text beside a locator is enforced");
  assert.equal(runQuery({ testid: "row", text: "remove" }).count, 2, "beside a locator the text may stand deeper");
  assert.equal(runQuery({ role: "listitem", text: "pear" }).count, 2, "beside a role too");
  same(found({ text: "remove" }), ["Remove", "Remove"]);
  assert.equal(runQuery({ role: "button", name: "remove" }).count, 0, "names are exact");
});

test("A list of attributes asks for their values.", () => {
  same(runQuery({ role: "button", attrs: ["data-kind", "id"] }).elements[0].attrs, { "data-kind": "del", id: null });
});

test("A scope narrows, a missing one is said to be missing and never becomes the page.", () => {
  assert.equal(runQuery({ role: "button", scope: "li:first-child" }).count, 1);
  const ref = runQuery({ testid: "row" }).elements[1].ref;
  assert.equal(runQuery({ role: "button", scope: ref }).count, 1);
  same(runQuery({ self: true, scope: "h1" }).elements.map((element) => element.name), ["Pears"]);
  const missing = runQuery({ role: "button", scope: "#gone" });
  same([missing.count, missing.scopeMissing], [0, true]);
  assert.equal(runQuery({ role: "button", scope: "e9999" }).scopeMissing, true);
});

test("Limit and count_only keep the exact count.", () => {
  same(runQuery({ role: "button", limit: 1 }).elements.length, 1);
  assert.equal(runQuery({ role: "button", limit: 1 }).truncated, true);
  same(runQuery({ role: "button", count_only: true }), { elements: [], count: 2 });
});

test("Nothing found comes with what there is instead.", () => {
  const { hint } = runQuery({ role: "dialog" });
  assert.equal(hint.route, "/shop");
  same(hint.presentTestids, ["row"]);
  same(hint.presentRegions[0], { role: "main", childCount: 6, sample: ["heading[Pears]", "button[Remove]", "button[Remove]"], name: "Shop" });
});

test("A number at the end of a wanted text is no part of another number, and a match says that it is only there as one.", () => {
  const rows = loadPage("<ul><li>Order 12</li><li>Order 121</li></ul><input placeholder='2 or 3'><label>Row 12 <input value=a></label>", ["runQuery", "runMatch"]);
  const names = (query) => rows.runQuery(query).count;
  same([names({ text: "order 12" }), names({ text: "order 1" }), names({ text: "2 or" }), names({ text: "order" })], [1, 0, 0, 2]);
  same([names({ role: "listitem", text: "order 12" }), names({ placeholder: "2" }), names({ label: "row 1" }), names({ label: "row 12" })], [1, 1, 0, 1]);
  const told = rows.runMatch({ query: { role: "listitem", text: "order" } });
  same([told.texts, rows.runMatch({ query: { role: "listitem" } }).texts ?? null], [["Order 12", "Order 121"], null]);
  same(["order 1", "order 3", "order 12"].map((text) => rows.runMatch({ query: { text } }).partly === true), [true, false, false]);
});

test("A query that nobody could check is refused.", () => {
  for (const query of [{}, { by: "css", value: "x" }, { by: "role" }, { colour: "red" }, { role: 5 }, { scope: "main" }, { role: "button", scope: "li[" }]) {
    assert.throws(() => runQuery(query), (error) => error.code === "bad_arguments", JSON.stringify(query));
  }
});

test("A match tells how many satisfy the state and how many the query alone.", () => {
  document.querySelector("button").disabled = true;
  const result = runMatch({ query: { role: "button" }, state: "disabled" });
  same([result.matched, result.count, result.candidates], [true, 1, 2]);
  assert.throws(() => runMatch({ query: { role: "button" }, state: "sad" }), (error) => error.code === "bad_arguments");
  assert.throws(() => runMatch({ query: { role: "dialog" }, state: "sad" }), (error) => error.code === "bad_arguments");
  document.querySelector("button").disabled = false;
});

test("A text question folds white space, minds the case and tells what is visible.", () => {
  same(
    (({ matched, count, visibleCount }) => ({ matched, count, visibleCount }))(runText({ contains: "Red   pear" })),
    { matched: true, count: 1, visibleCount: 1 },
  );
  assert.equal(runText({ contains: "red pear" }).matched, false);
  same([true, false].map((visible) => runText({ contains: "Secret sale", visible })).map(({ matched, count, visibleCount }) => [matched, count, visibleCount]), [[false, 1, 0], [true, 1, 0]]);
  same([runText({ contains: "Secret sale" }).count, runText({ contains: "Secret sale", visible: true }).matched], [1, false]);
  assert.equal(runText({ contains: "x", scope: "#gone" }).scopeMissing, true);
});

test("One question that fails does not spoil the others.", () => {
  const { answers } = runRead({ questions: [{ kind: "route" }, { kind: "match", query: { by: "css", value: "a" } }, { kind: "text", contains: "Pears" }] });
  same(answers.map((answer) => answer.ok), [true, false, true]);
  assert.equal(answers[0].pathname, "/shop");
});

test("A ref stays with its element, moves with it and dies with it.", () => {
  const item = document.querySelector("li");
  const ref = refs.of(item);
  assert.equal(refs.of(item), ref);
  item.parentElement.append(item);
  assert.equal(refs.element(ref), item);
  item.remove();
  assert.equal(refs.element(ref), undefined);
  assert.equal(refs.knows(ref), true);
  document.querySelector("ul").append(item);
  assert.equal(refs.element(ref), item, "a detached element that comes back keeps its ref");
});

test("Two documents of a tab never give out the same ref, whatever the order of their blocks.", () => {
  const tab = new Map();
  const storage = { getItem: (key) => tab.get(key) ?? null, setItem: (key, value) => tab.set(key, value), removeItem: (key) => tab.delete(key) };
  const before = (window) => Object.defineProperty(window, "sessionStorage", { value: storage });
  const html = "<p></p>".repeat(150);
  const [first, second] = [0, 1].map(() => loadPage(html, ["refs"], { before }));
  const names = [];
  for (let index = 0; index < 150; index += 1) {
    for (const one of [first, second]) names.push(one.refs.of(one.document.querySelectorAll("p")[index]));
  }
  assert.equal(new Set(names).size, 300);
});
