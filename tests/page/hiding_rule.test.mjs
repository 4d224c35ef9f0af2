/*
 * Which rule of a style sheet hides an element that nobody sees.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage } from "./parts.mjs";

const PAGE = `
  <style>
    p { display: block }
    .problem { display: none }
    .faded { opacity: 0.0; color: red }
    @media print { #total { display: none } }
    .veil { visibility: hidden }
    .veil p { visibility: inherit }
    #far { left: 4px; text-indent: -9999px }
  </style>
  <p id=problem class=problem>Problem</p>
  <div class=faded><b id=inside>inside</b></div>
  <p id=total hidden>Total</p>
  <div class=veil><p id=veiled>veiled</p></div>
  <p id=far>far</p>`;
const { window, ruleThatHides } = loadPage(PAGE, ["ruleThatHides"]);
const { document } = window;
const HREF = "http://localhost/style.css?token=abc";
const named = (id, why) => {
  const rule = ruleThatHides(document.getElementById(id), why);
  return rule && `${rule.selector} ${rule.property}`;
};

test("A rule in the document itself has no sheet to be read, so none is told.", () => {
  assert.equal(named("problem", "is not displayed"), undefined);
});

test("The rule is told by its selector, the property and the sheet, without what its address is asked with.", () => {
  Object.defineProperty(document.styleSheets[0], "href", { value: HREF });
  const rule = ruleThatHides(document.getElementById("problem"), "is not displayed");
  assert.equal(rule.selector, ".problem");
  assert.equal(rule.property, "display");
  assert.ok(rule.sheet.startsWith("http://localhost/style.css") && !rule.sheet.includes("abc"));
});

test("The rule may be one for what is around the element.", () => {
  assert.equal(named("inside", "is inside a part with opacity 0"), ".faded opacity");
  assert.equal(named("veiled", "has visibility hidden"), ".veil visibility");
});

test("What an attribute or a script hides, and what is for another medium, is no rule's doing.", () => {
  assert.equal(named("total", "is not displayed"), undefined);
});

test("What is out of reach is told by what moves it there.", () => {
  assert.equal(named("far", "lies where nobody can scroll to"), "#far text-indent");
});
