/*
 * What an element shows and what a key holds, for claims that compare the page with another channel.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage } from "./parts.mjs";

const PAGE = `
  <p data-testid=total>Total:  <b>$12.50</b><span hidden>$99.00</span><span style="visibility:hidden">!</span></p>
  <ul><li class=row>one</li><li class=row>two</li><li class=row hidden>three</li></ul>
  <p class=phone style="display:none">phone</p><p class=phone>phone wide</p>
  <p data-testid=gone style="display:none">7</p>
  <label>Name <input id=name value="Anna"></label><input type=password aria-label=Pin value=1234>
  <pre data-testid=long>${"x".repeat(2000)}</pre>`;
const { window, runRead } = loadPage(PAGE, ["runRead"]);
const ask = (question) => JSON.parse(JSON.stringify(runRead({ questions: [question] }).answers[0]));
const content = (query, more = {}) => ask({ kind: "content", query, ...more });

test("An element's text is told without the parts that are hidden.", () => {
  const answer = content({ testid: "total" });
  assert.equal(answer.text, "Total: $12.50");
  assert.equal(answer.visible, true);
  assert.equal(answer.value, undefined);
});

test("Of several elements the one that shows is meant; of several that show, none.", () => {
  assert.equal(content({ by: "text", value: "phone" }).text, "phone wide");
  const rows = content({ role: "listitem" });
  assert.deepEqual([rows.count, rows.visibleCount, rows.text], [3, 2, undefined]);
});

test("A hidden element is there, and is told to be hidden.", () => {
  const answer = content({ testid: "gone" });
  assert.deepEqual([answer.ok, answer.count, answer.visibleCount, answer.visible], [true, 1, 0, false]);
});

test("A field's value is told, a credential's is not, and a long text is marked as cut.", () => {
  assert.equal(content({ label: "Name" }).value, "Anna");
  assert.equal(content({ label: "Pin" }).value, "[REDACTED]");
  const long = content({ testid: "long" });
  assert.deepEqual([long.cut, long.text.length], [true, 1024]);
});

test("The numbers alone are told where all are asked for.", () => {
  assert.deepEqual(content({ testid: "total" }, { all: true }), { ok: true, count: 1, visibleCount: 1 });
  assert.equal(content({ testid: "nowhere" }).count, 0);
});

test("One key of the storage is told, and where else it stands.", () => {
  window.localStorage.setItem("cart", "[1,2]");
  assert.equal(ask({ kind: "stored", key: "cart" }).value, "[1,2]");
  window.sessionStorage.setItem("cart", "other");
  assert.deepEqual(ask({ kind: "stored", key: "cart" }).alsoIn, ["session"]);
  assert.equal(ask({ kind: "stored", key: "cart", area: "session" }).value, "other");
  assert.equal(ask({ kind: "stored", key: "none" }).found, false);
  assert.equal(ask({ kind: "stored", key: "cart", area: "attic" }).ok, false);
});
