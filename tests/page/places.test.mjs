/*
 * Elements by the place in the code where they are written.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same } from "./parts.mjs";

const HTML = `<main data-reticle-source="src/App.tsx:3:1"><h1>Pears</h1>
  <ul data-reticle-source="src/List.tsx:9:5">
    <li data-reticle-source="./src/List.tsx:12:7"><button>Remove</button></li>
    <li data-reticle-source="./src/List.tsx:12:7"><button data-reticle-source="src/List.tsx:13:9">Keep</button></li>
  </ul></main><p>Plain</p>`;
const NAMES = ["runQuery", "runMatch", "runPlaces", "writtenOf", "Refused"];

/** Tags of what a query found. */
const tags = (page, query) => page.runQuery({ ...query, attrs: ["id"] }).elements.map((element) => element.role);

test("A place alone finds what is written there, and nothing inside that tells no place of its own.", () => {
  const page = loadPage(HTML, NAMES);
  same(tags(page, { source: { file: "src/App.tsx", line: 3 } }), ["main"]);
  same(tags(page, { source: { file: "src/List.tsx", line: 12 } }), ["listitem", "listitem"]);
  assert.equal(page.runQuery({ source: { file: "src/List.tsx", line: 1 } }).count, 0);
});

test("A path may be told from another folder, with other slashes, a column is compared where both tell one.", () => {
  const page = loadPage(HTML, NAMES);
  for (const file of ["List.tsx", "/srv/shop/src/List.tsx", "./src/List.tsx", "C:\\shop\\src\\List.tsx"]) {
    assert.equal(page.runQuery({ source: { file, line: 13 } }).count, 1, file);
  }
  for (const file of ["ist.tsx", "lib/List.tsx", "List.ts"]) assert.equal(page.runQuery({ source: { file, line: 13 } }).count, 0, file);
  assert.equal(page.runQuery({ source: { file: "List.tsx", line: 13, column: 9 } }).count, 1);
  assert.equal(page.runQuery({ source: { file: "List.tsx", line: 13, column: 2 } }).count, 0);
});

test("Beside a locator the place is the one that a description shows.", () => {
  const page = loadPage(HTML, NAMES);
  const [first] = page.runQuery({ role: "button", name: "Remove" }).elements;
  assert.equal(first.source, "./src/List.tsx:12:7");
  assert.equal(page.runQuery({ role: "button", source: { file: "src/List.tsx", line: 12 } }).count, 1);
  assert.equal(page.runMatch({ query: { text: "Keep", source: { file: "src/List.tsx", line: 12 } } }).matched, false);
  assert.equal(page.runQuery({ self: true, scope: "ul", source: { file: "src/List.tsx", line: 9 } }).count, 1);
});

test("React's own notes are places too; a component file without a line is none.", () => {
  const page = loadPage("<div id=a><i></i></div><div id=b></div>", NAMES);
  page.document.getElementById("a").__reactFiber$x = { _debugSource: { fileName: "/app/src/Cart.jsx", lineNumber: 12 } };
  page.document.getElementById("b").__vueParentComponent = { type: { __file: "src/Pear.vue" } };
  assert.equal(page.runQuery({ source: { file: "src/Cart.jsx", line: 12, column: 3 } }).count, 1);
  assert.equal(page.runQuery({ source: { file: "src/Pear.vue", line: 0 } }).count, 0);
});

test("A page that tells no places is no proof that nothing is written there.", () => {
  const page = loadPage("<button>Save</button>", NAMES);
  const refused = (error) => error.code === "unsupported_surface";
  assert.throws(() => page.runQuery({ source: { file: "src/Cart.tsx", line: 12 } }), refused);
  assert.throws(() => page.runMatch({ query: { self: true, scope: "button", source: { file: "src/Cart.tsx", line: 12 } } }), refused);
});

test("Places elsewhere in the page are enough to say that none is here.", () => {
  const page = loadPage(HTML, NAMES);
  assert.equal(page.runQuery({ scope: "p", self: true, source: { file: "src/App.tsx", line: 3 } }).count, 0);
});

test("What is no place is refused with the form of one.", () => {
  const page = loadPage(HTML, NAMES);
  const wrong = ["src/App.tsx:3", [], { file: "src/App.tsx" }, { line: 3 }, { file: "./", line: 3 }, { file: "a", line: 1.5 }, { file: "a", line: 1, col: 2 }];
  for (const source of wrong) {
    assert.throws(() => page.runQuery({ source }), (error) => error.code === "bad_arguments", JSON.stringify(source));
  }
});

test("A place in a running script is none, until the daemon says what it was built from.", () => {
  const page = loadPage("<div id=a><i></i></div><div id=b></div><p id=c></p>", NAMES);
  const made = (id, line) => {
    const stack = `Error: react-stack-top-frame\n    at jsx (http://localhost:8000/app.js:1:1)\n    at Cart (http://localhost:8000/app.js:${line}:5)`;
    page.document.getElementById(id).__reactFiber$x = { _debugStack: { stack } };
  };
  made("a", 100);
  made("b", 200);
  made("c", 300);
  const query = { source: { file: "src/Cart.tsx", line: 12 } };
  assert.throws(() => page.runQuery(query), page.Refused);
  const { unknown } = page.runPlaces({});
  same(unknown.map(({ frames }) => frames), [100, 200, 300].map((line) => [["http://localhost:8000/app.js", line, 5]]));
  const known = [[unknown[0].key, "src/Cart.tsx:12:7"], [unknown[1].key, null], [unknown[2].key, "src/Cart.tsx:30:7"]];
  same(page.runPlaces({ known }).unknown, []);
  assert.equal(page.runQuery(query).count, 1);
  same(page.writtenOf(page.document.querySelector("i")), { source: "src/Cart.tsx:12:7" });
  assert.equal(page.writtenOf(page.document.getElementById("b")).frames.length, 1);
  same(page.runPlaces({}).unknown.map(({ key }) => key), [unknown[1].key]);
  assert.throws(() => page.runPlaces({ known: 5 }), page.Refused);
});
