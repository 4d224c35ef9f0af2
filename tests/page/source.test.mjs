/*
 * Where in the user's code something comes from.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage } from "./parts.mjs";

const { document, sourceOf, componentOf, sourceOfStack, shortAddress, runQuery, cleanStack } = loadPage(
  '<div id=a data-reticle-source="src/A.jsx:3:1"><b></b></div><div id=b><i></i></div><div id=c></div>',
  ["sourceOf", "componentOf", "sourceOfStack", "shortAddress", "runQuery", "cleanStack"],
);
const byId = (id) => document.getElementById(id);

function Cart() { /* a component that only lends its name */ }

test("A stamped ancestor says where an element is written.", () => {
  assert.equal(sourceOf(document.querySelector("b")), "src/A.jsx:3:1");
  assert.equal(sourceOf(byId("c")), undefined);
});

test("React up to 18 notes the place itself, React 19 keeps a stack of which the user's frame counts.", () => {
  byId("b").__reactFiber$x = { return: { type: Cart, _debugSource: { fileName: "/app/src/Cart.jsx", lineNumber: 12, columnNumber: 7 } } };
  assert.equal(sourceOf(document.querySelector("i")), "/app/src/Cart.jsx:12:7");
  const stack = [
    "Error: react-stack-top-frame",
    "    at exports.jsxDEV (http://localhost:8000/node_modules/.vite/deps/react_jsx-dev-runtime.js?v=1:2:3)",
    "    at Cart (http://localhost:8000/src/Cart.tsx?t=17:20:11)",
    "    at renderWithHooks (http://localhost:8000/node_modules/.vite/deps/react-dom_client.js:4:5)",
  ].join("\n");
  byId("b").__reactFiber$x = { type: "i", _debugStack: { stack }, return: { type: Cart } };
  assert.equal(sourceOf(byId("b")), "/src/Cart.tsx:20:11");
});

test("The nearest component's name is found, and a query by component gives its outermost element.", () => {
  assert.equal(componentOf(document.querySelector("i")), "Cart");
  assert.equal(componentOf(byId("c")), undefined);
  const { elements, count } = runQuery({ component: "cart" });
  assert.deepEqual([count, elements[0].source], [1, "/src/Cart.tsx:20:11"]);
});

test("Stacks of Chromium, Firefox and bundlers give the user's first frame.", () => {
  assert.equal(sourceOfStack("Error: x\n    at save (http://localhost:8000/static/app.js:5:9)\n    at http://localhost:8000/static/b.js:1:1"), "/static/app.js:5:9");
  assert.equal(sourceOfStack("save@http://localhost:8000/static/app.js:5:9\n@http://localhost:8000/b.js:1:1"), "/static/app.js:5:9");
  assert.equal(sourceOfStack("Error\n    at eval (webpack-internal:///./src/App.js:10:5)"), "src/App.js:10:5");
  assert.equal(sourceOfStack("Error\n    at t (http://localhost:8000/node_modules/axios/index.js:1:1)\n    at load (http://localhost:8000/src/api.ts:7:3)"), "/src/api.ts:7:3");
  assert.equal(sourceOfStack("Error\n    at <anonymous>:1:1"), undefined);
});

test("Addresses of this origin lose it, others keep theirs, none keeps its query.", () => {
  assert.equal(shortAddress("http://localhost:8000/src/a.ts?t=1"), "/src/a.ts");
  assert.equal(shortAddress("https://cdn.example/lib.js"), "https://cdn.example/lib.js");
});

test("A stack loses credentials.", () => {
  assert.equal(cleanStack("Error: password=hunter22\n    at f (x.js:1:1)"), "Error: password=[REDACTED]\n    at f (x.js:1:1)");
});
