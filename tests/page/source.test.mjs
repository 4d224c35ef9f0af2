/*
 * Where in the user's code something comes from.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same } from "./parts.mjs";

const { document, window, sourceOf, componentOf, writtenOf, writtenInStack, shortAddress, runQuery, cleanStack } = loadPage(
  '<div id=a data-reticle-source="src/A.jsx:3:1"><b></b></div><div id=b><i></i></div><div id=c></div>',
  ["sourceOf", "componentOf", "writtenOf", "writtenInStack", "shortAddress", "runQuery", "cleanStack"],
);
/** As it goes over the wire. */
const sent = (value) => JSON.parse(JSON.stringify(value));
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
  assert.deepEqual(sent(writtenOf(byId("b"))), { source: "/src/Cart.tsx:20:11", frames: [["http://localhost:8000/src/Cart.tsx?t=17", 20, 11]] });
  assert.equal(sourceOf(byId("b")), undefined, "a place in a running script is no place in a file yet");
});

test("The nearest component's name is found, and a query by component gives its outermost element.", () => {
  assert.equal(componentOf(document.querySelector("i")), "Cart");
  assert.equal(componentOf(byId("c")), undefined);
  const { elements, count } = runQuery({ component: "cart" });
  assert.deepEqual([count, elements[0].source, elements[0].frames.length], [1, "/src/Cart.tsx:20:11", 1]);
});

test("Of a React stack only the frames of the component that made the element count, wherever a bundle put React.", () => {
  const stack = [
    "Error: react-stack-top-frame",
    "    at exports.jsxDEV (http://localhost:8000/app.js:2:3)",
    "    at Cart (http://localhost:8000/app.js:20:11)",
    "    at Object.react_stack_bottom_frame (http://localhost:8000/app.js:4:5)",
    "    at renderWithHooks (http://localhost:8000/app.js:5:5)",
  ].join("\n");
  byId("b").__reactFiber$x = { type: "i", _debugStack: { stack }, return: null };
  assert.deepEqual(sent(writtenOf(byId("b")).frames), [["http://localhost:8000/app.js", 20, 11]]);
});

test("Stacks of Chromium, Firefox and bundlers give the user's frames, the first of them for people.", () => {
  const first = (stack) => (writtenInStack(stack) || {}).source;
  assert.equal(first("Error: x\n    at save (http://localhost:8000/static/app.js:5:9)\n    at http://localhost:8000/static/b.js:1:1"), "/static/app.js:5:9");
  assert.equal(first("save@http://localhost:8000/static/app.js:5:9\n@http://localhost:8000/b.js:1:1"), "/static/app.js:5:9");
  assert.equal(first("Error\n    at eval (webpack-internal:///./src/App.js:10:5)"), "src/App.js:10:5");
  assert.equal(first("Error\n    at t (http://localhost:8000/node_modules/axios/index.js:1:1)\n    at load (http://localhost:8000/src/api.ts:7:3)"), "/src/api.ts:7:3");
  assert.equal(first("Error\n    at x (http://localhost:8000/src/react.jsx:7:3)"), "/src/react.jsx:7:3");
  assert.equal(first("Error\n    at <anonymous>:1:1"), undefined);
  const deep = Array.from({ length: 9 }, (_, line) => `    at f (http://localhost:8000/a.js?token=abcdefghijklmnop:${line + 1}:1)`).join("\n");
  const { frames } = writtenInStack(deep);
  assert.equal(frames.length, 6);
  assert.ok(!frames[0][0].includes("abcdefghijklmnop"));
});

test("A place in the document's own scripts is where a person wrote it, and the document is never named for reading.", () => {
  const here = window.location.href;
  same(writtenInStack(`Error\n    at save (${here}:5:9)\n    at http://localhost:8000/b.js:1:1`), { source: `${shortAddress(here)}:5:9` });
  const { frames } = writtenInStack(`Error\n    at f (http://localhost:8000/b.js:1:1)\n    at save (${here}#part:5:9)`);
  same(frames, [["http://localhost:8000/b.js", 1, 1]]);
});

test("The attributes of build plugins tell places, where they hold one.", () => {
  const at = (attributes) => {
    byId("c").innerHTML = `<p ${attributes}><u></u></p>`;
    return sourceOf(byId("c").querySelector("u"));
  };
  assert.equal(at('data-reticle-source="shop/cart.html:12"'), "shop/cart.html:12");
  assert.equal(at('data-source="src/A.tsx:5:3"'), "src/A.tsx:5:3");
  assert.equal(at('data-tsd-source="/src/A.tsx:5:3"'), "/src/A.tsx:5:3");
  assert.equal(at('data-v-inspector="src/App.vue:5:3"'), "src/App.vue:5:3");
  assert.equal(at('data-insp-path="src/App.vue:5:3:p"'), "src/App.vue:5:3");
  assert.equal(at('data-inspector-relative-path="src/A.tsx" data-inspector-line="5" data-inspector-column="3"'), "src/A.tsx:5:3");
  assert.equal(at('data-ng-source-location="src/app.html@o:12,l:4,c:2"'), "src/app.html:5:3");
  assert.equal(at('data-source="api"'), undefined);
  assert.equal(at('data-inspector-line="x" data-inspector-relative-path="src/A.tsx"'), undefined);
  window.__LOCATOR_DATA__ = { "/app/src/A.tsx": { expressions: [{ loc: { start: { line: 5, column: 2 } } }] } };
  assert.equal(at('data-locatorjs-id="/app/src/A.tsx::0"'), "/app/src/A.tsx:5:3");
  assert.equal(at('data-locatorjs-id="/app/src/A.tsx::9"'), undefined);
  byId("c").innerHTML = "";
});

test("The nearest element that tells a place counts, whoever tells it.", () => {
  byId("c").innerHTML = '<p data-reticle-source="outer.html:1"><b id=q><u></u></b></p>';
  byId("q").__svelte_meta = { loc: { file: "src/Q.svelte", line: 4, column: 2 } };
  assert.equal(sourceOf(byId("c").querySelector("u")), "src/Q.svelte:4:3");
  assert.equal(componentOf(byId("c").querySelector("u")), "Q");
  delete byId("q").__svelte_meta.loc;
  assert.equal(sourceOf(byId("c").querySelector("u")), "outer.html:1");
  byId("c").innerHTML = "";
});

test("What a framework keeps in an unknown shape is nothing told, and no error.", () => {
  byId("c").__vueParentComponent = { get type() { throw new Error("changed"); } };
  assert.deepEqual([sourceOf(byId("c")), componentOf(byId("c"))], [undefined, undefined]);
  delete byId("c").__vueParentComponent;
});

test("Addresses of this origin lose it, others keep theirs, none keeps its query.", () => {
  assert.equal(shortAddress("http://localhost:8000/src/a.ts?t=1"), "/src/a.ts");
  assert.equal(shortAddress("https://cdn.example/lib.js"), "https://cdn.example/lib.js");
});

test("A stack loses credentials.", () => {
  assert.equal(cleanStack("Error: password=hunter22\n    at f (x.js:1:1)"), "Error: password=[REDACTED]\n    at f (x.js:1:1)");
});
