/*
 * Rows without keys, of which React keeps one's element for another.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same } from "./parts.mjs";

const COMPLAINT = 'Each child in a list should have a unique "key" prop.\n\nCheck the render method of `TaskList`. See https://react.dev/link/warning-keys for more information.';

function component(name) {
  return Object.defineProperty(() => null, "name", { value: name });
}

/** A list as React draws it: elements with its nodes on them, of a component that it complained of. */
function drawn(texts, { complaint = COMPLAINT, key = null, owner = "TaskList", isWrittenOut = false, field = "<input type=checkbox>" } = {}) {
  const page = loadPage("<ul></ul>", ["unkeyedRows"], { start: false });
  const list = page.window.document.querySelector("ul");
  page.rows = (shown) => {
    while (list.children.length > shown.length) list.lastChild.remove();
    const children = shown.map(() => ({}));
    if (isWrittenOut) Object.freeze(children);
    shown.forEach((text, index) => {
      const row = list.children[index] || list.appendChild(page.window.document.createElement("li"));
      row.innerHTML = `${field}<a>${text}</a>`;
      const draws = { type: component(owner), return: null };
      const parent = { type: "ul", memoizedProps: { children }, return: draws };
      row.__reactFiber$x = { type: "li", key: null, _debugOwner: { type: component("TaskRow") }, return: { type: component("TaskRow"), key, _debugOwner: draws, return: parent, memoizedProps: {} } };
    });
  };
  page.list = list;
  page.rows(texts);
  page.unkeyedRows.heard(complaint);
  page.unkeyedRows.begin();
  return page;
}

/** What is told when the rows show these texts then. */
function after(texts, options, from = ["Call", "Fix", "Ask", "Pay"]) {
  const page = drawn(from, options);
  page.rows(texts);
  return page.unkeyedRows.tell();
}

test("A row's element that shows what another row showed is told, however React words its complaint.", () => {
  const told = { mixed: [{ component: "TaskList", rows: 2 }] };
  same(after(["Ask", "Pay"]), told);
  same(after(["Fix", "Ask", "New"]), told);
  const older = 'Warning: Each child in a list should have a unique "key" prop.\n\nCheck the render method of `TaskList`. See https://reactjs.org/link/warning-keys for more information.\n    at TaskRow';
  same(after(["Ask", "Pay"], { complaint: older }), told);
  const page = drawn(["Call", "Fix", "Ask"]);
  const row = () => page.list.children[0].__reactFiber$x.return;
  row()._debugSource = { fileName: "src/List.jsx", lineNumber: 50, columnNumber: 28 };
  page.unkeyedRows.begin();
  page.rows(["Fix", "Ask"]);
  same(page.unkeyedRows.tell(), { mixed: [{ component: "TaskList", source: "src/List.jsx:50:28", rows: 2 }] });
  const passed = 'Each child in a list should have a unique "key" prop.\n\nCheck the render method of `Box`. It was passed a child from TaskList. See https://react.dev';
  same(after(["Ask", "Pay"], { complaint: passed }), told);
});

test("Rows that changed where they stand, came or went at the end, or are other ones altogether are not mixed up.", () => {
  for (const texts of [["Call", "Fixed", "Ask", "Pay"], ["Call", "Fix"], ["Call", "Fix", "Ask", "Pay", "New"], ["Rufen", "Richten", "Fragen", "Zahlen"], []]) {
    assert.deepEqual(Object.keys(after(texts)), [], texts.join());
  }
  same(after(["Same", "Call"], {}, ["Same", "Same", "Same"]), {});
});

test("Rows that were made anew are themselves.", () => {
  const page = drawn(["Call", "Fix", "Ask"]);
  page.list.replaceChildren();
  page.rows(["Ask", "Call"]);
  same(page.unkeyedRows.tell(), {});
});

test("Another complaint, another component, keys, children that were written out and rows with nothing to mix up are let be.", () => {
  for (const options of [{ complaint: "Warning: something else of `TaskList`" }, { owner: "Menu" }, { key: "7" }, { isWrittenOut: true }, { field: "" }]) {
    assert.deepEqual(Object.keys(after(["Ask", "Pay"], options)), [], JSON.stringify(options));
  }
});
