/*
 * A switch to dark or light that nothing of the page follows, in a real Chromium. Beside it the switches that work, and
 * pages of which it cannot be told.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inChromium, link, show } from "./tab.mjs";

const TEXTS = "<h1>Shop</h1><p>Three lamps</p><p>Two chairs</p><p>A table</p>";

inChromium("theme switches in Chromium", () => {
  /** What is told when a button has done this. */
  const told = async (code, head = "", body = TEXTS) => {
    await show("/theme", `${body}<button data-testid=go onclick="${code}">Dark mode</button>`, head);
    const { element } = await link.ask("resolve", { query: { testid: "go" } }).catch(() => ({}));
    const ref = element ? element.ref : (await link.ask("match", { query: { testid: "go" } })).elements[0].ref;
    await link.ask("act", { ref, action: "click" });
    const { pending } = await link.ask("read", { questions: [] });
    assert.deepEqual(link.ofType("sdk.failed"), []);
    return pending.unheeded && pending.unheeded.scheme;
  };
  const DARK = "document.documentElement.dataset.theme = 'dark'";
  const style = (selector, more = "") => `<style>body { color: #111; background: #fff } ${selector} { color: #eee; background: #111 } ${more}</style>`;

  test("An attribute, a class or a scheme that no style sheet looks for is told.", async () => {
    assert.equal(await told(DARK, style("[data-mode=dark] body")), "dark");
    assert.equal(await told("document.body.classList.add('dark-theme')", style("body.dark")), "dark");
    assert.equal(await told("document.documentElement.dataset.theme = 'light'", style("body")), "light");
    assert.equal(await told(DARK, style("none", "button { transition: none } [data-theme] button { color: #eee; background: #111 }")), "dark");
  });

  test("A switch that the page follows, in whole or in a part, is none; nor is one that says what the page is already.", async () => {
    assert.equal(await told(DARK, style("[data-theme=dark] body")), undefined);
    assert.equal(await told(DARK, style("[data-theme=dark] h1")), undefined);
    assert.equal(await told(DARK, style("body")), undefined);
    assert.equal(await told(DARK, style("none", "body { background: #fff } [data-theme=dark] body { background: #ddd }")), undefined);
    assert.equal(await told("document.documentElement.style.colorScheme = 'dark'"), undefined);
  });

  test("Words for a part of the page or for something else, pictures behind the text, and too few texts tell nothing.", async () => {
    for (const code of ["document.documentElement.dataset.codeTheme = 'dark'", "document.documentElement.dataset.theme = 'ocean'", "document.body.classList.add('navbar-dark')"]) {
      assert.equal(await told(code, style("none")), undefined, code);
    }
    assert.equal(await told(DARK, style("none", "body { background-image: linear-gradient(#fff, #eee) }")), undefined);
    assert.equal(await told(DARK, style("none"), "<p>One</p><p>Two</p>"), undefined);
  });
});
