/*
 * htmx: what an element asks for and where the answer goes, and what counts as its work.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same } from "./parts.mjs";

const told = (html, version) => {
  const page = loadPage(html, ["htmxOf"], { before: (window) => { if (version) window.htmx = { version, config: {} }; } });
  return page.htmxOf(page.document.querySelector("[data-me]"));
};

test("An element tells its request, its target and how the answer is swapped in, by either spelling; a secret in its address is not told.", () => {
  same(told('<button data-me hx-post="/cart?token=abc123" hx-target="closest tr" hx-swap="outerHTML" hx-trigger="click">Add</button>'), {
    verb: "POST", url: "/cart?token=[REDACTED]", target: "closest tr", swap: "outerHTML", trigger: "click",
  });
  same(told('<a data-me data-hx-get="/more" data-hx-indicator="#busy">More</a>'), { verb: "GET", url: "/more", indicator: "#busy" });
  same(told('<button data-me hx-action="/x" hx-method="put">Put</button>'), { verb: "PUT", url: "/x" });
  assert.equal(told("<button data-me>Plain</button>"), undefined);
});

test("What is handed down depends on the version, and a boosted link or a form's own button tells what happens to it.", () => {
  const html = '<div hx-target="#list" hx-swap:inherited="beforeend"><button data-me hx-get="/more">More</button></div>';
  same(told(html, "2.0.4"), { verb: "GET", url: "/more", target: "#list", swap: "beforeend" });
  same(told(html, "4.0.1"), { verb: "GET", url: "/more", swap: "beforeend" });
  same(told('<div hx-target="#list"><button data-me hx-get="/more" hx-target="unset">More</button></div>', "2.0.4"), { verb: "GET", url: "/more" });
  same(told('<div hx-boost="true"><a data-me href="/next">Next</a></div>', "2.0.4"), { verb: "GET", url: "/next", boosted: true });
  assert.equal(told('<div hx-boost="true"><a data-me href="/next" hx-boost="false">Next</a></div>', "2.0.4"), undefined);
  same(told('<form hx-post="/save" hx-target="this"><button data-me>Save</button></form>'), { verb: "POST", url: "/save", target: "this" });
});

test("What htmx does for the act counts, what it did before and what polls does not.", () => {
  const page = loadPage('<button id=a hx-post="/a">A</button><div id=b class=htmx-request hx-get="/b"></div><div id=c hx-get="/c" hx-trigger="load, every 2s"></div><i id=d></i>', ["htmxWork"]);
  const at = (id) => page.document.getElementById(id).classList;
  page.htmxWork.disown();
  assert.equal(page.htmxWork.count(), 0);
  at("a").add("htmx-request");
  at("c").add("htmx-request");
  assert.equal(page.htmxWork.count(), 1);
  // the sign of a request on an element that asks nothing: whose it is cannot be told where something polls
  at("d").add("htmx-request");
  assert.equal(page.htmxWork.count(), 1);
  page.document.getElementById("c").remove();
  assert.equal(page.htmxWork.count(), 2);
  at("b").remove("htmx-request");
  page.htmxWork.count();
  at("b").add("htmx-swapping");
  assert.equal(page.htmxWork.count(), 3);
  for (const id of "abd") at(id).remove("htmx-request", "htmx-swapping");
  assert.equal(page.htmxWork.count(), 0);
});
