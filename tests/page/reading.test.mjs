/*
 * The questions `match` and `text`: a text alone, computed style, and who is described first.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage } from "./parts.mjs";

const PAGE = `
  <style>.row { color: rgb(1, 2, 3) }</style>
  <p data-testid=found>1 products</p><p><b>1</b> product</p><p>Found: 1 product</p><p hidden>2 products</p>
  <p>3 <i>new</i> <span style="display:none">old</span> products</p>
  <ul><li class=row hidden>one</li><li class=row>two</li></ul>`;
const { runRead } = loadPage(PAGE, ["runRead"]);
const ask = (question) => JSON.parse(JSON.stringify(runRead({ questions: [question] }).answers[0]));

test("A text alone is all that an element says, whatever it is made of; what only has it is told instead.", () => {
  const part = ask({ kind: "text", contains: "1 product" });
  const alone = ask({ kind: "text", contains: "1 product", exact: true });
  assert.deepEqual([part.count, alone.count, alone.visibleCount], [3, 1, 1]);
  assert.deepEqual(alone.holding, ["1 products", "Found: 1 product"]);
  assert.equal(part.holding, undefined);
  assert.equal(ask({ kind: "text", contains: "1 products", exact: true }).holding, undefined);
});

test("A text alone that is hidden is in the document and met by nobody; one that hides a part of itself is not.", () => {
  const hidden = ask({ kind: "text", contains: "2 products", exact: true });
  assert.deepEqual([hidden.count, hidden.visibleCount, hidden.perceivableCount], [1, 0, 0]);
  assert.equal(hidden.samples[0].unseen, "is not displayed");
});

test("Of many texts with a number at an end the one that has it as that number is told first.", () => {
  const rows = [15, 14, 13, 12, 11, 10, 1].map((number) => `<p>Order ${number}</p>`).join("");
  const { runRead: read } = loadPage(`${rows}<p>21 open</p><p>1 open, 21 in all</p>`, ["runRead"]);
  const first = (contains) => JSON.parse(JSON.stringify(read({ questions: [{ kind: "text", contains }] }).answers[0])).samples[0].text;
  assert.equal(first("Order 1"), "Order 1");
  assert.equal(first("1 open"), "1 open, 21 in all");
  assert.equal(first("Order"), "Order 15");
});

test("Of many texts the one that has the wanted words as words, and its number without a minus, is told first.", () => {
  const rows = Array.from({ length: 6 }, () => "<p>unsaved</p><p>-$5.00</p>").join("");
  const { runRead: read } = loadPage(`${rows}<p>saved</p><p>$5.00</p>`, ["runRead"]);
  const first = (contains) => JSON.parse(JSON.stringify(read({ questions: [{ kind: "text", contains }] }).answers[0])).samples[0].text;
  assert.equal(first("saved"), "saved");
  assert.equal(first("$5.00"), "$5.00");
});

test("Who is met stands before who is not, and why the first is not seen is told where nobody is.", () => {
  const rows = ask({ kind: "match", query: { role: "listitem" } });
  assert.deepEqual([rows.count, rows.perceivable, rows.unseen], [2, true, undefined]);
  assert.deepEqual(rows.elements.map((one) => one.visible), [true, false]);
  const hidden = ask({ kind: "match", query: { role: "listitem", text: "one" } });
  assert.deepEqual([hidden.matched, hidden.perceivable, hidden.unseen], [true, false, "is not displayed"]);
  assert.deepEqual(hidden.elements[0].states, ["hidden", "enabled"]);
  assert.equal(ask({ kind: "match", query: { role: "listitem", text: "one" }, state: "attached" }).matched, true);
  assert.equal(ask({ kind: "match", query: { role: "listitem", text: "one" }, state: "present" }).matched, false);
});

test("Computed values are told of the properties that are asked for, and an unknown one is refused.", () => {
  const [row] = ask({ kind: "match", query: { role: "listitem", text: "two" }, style: ["color", "--ink"] }).elements;
  assert.deepEqual(row.style, { color: "rgb(1, 2, 3)", "--ink": "" });
  const refused = ask({ kind: "match", query: { role: "listitem" }, style: ["colour"] });
  assert.deepEqual([refused.ok, refused.error], [false, "There is no style property colour in this browser."]);
  assert.equal(ask({ kind: "match", query: { role: "listitem" }, style: "color" }).ok, false);
});
