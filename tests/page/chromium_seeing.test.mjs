/*
 * What a person sees of a page, seen by the script in a real Chromium: portals, slots, custom elements, editable content,
 * tables and grids, live regions, disclosure, and what nobody can see.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inChromium, link, REACT, show } from "./tab.mjs";

inChromium("seeing in Chromium", () => {
  const tree = async (args = {}) => (await link.ask("snapshot", args)).tree;
  const lines = (text) => text.split("\n").map((line) => line.replace(/ \(ref=e\d+\)/, ""));
  const told = (type, test_) => link.ofType(type, test_).map((event) => event.data);

  test("A dialog that React puts into a portal is told when it comes and goes, stands in the outline, and its button works.", async () => {
    await show("/portal", `<main id=root></main><div id=layers></div><script>
      const { createElement: h, useState } = React;
      function App() {
        const [open, set] = useState(false);
        return h('div', { onClick: () => console.log('bubbled') }, h('button', { onClick: () => set(true) }, 'Open'),
          open && ReactDOM.createPortal(h('div', { role: 'dialog', 'aria-label': 'Settings' }, h('button', { onClick: () => set(false) }, 'Close')), document.getElementById('layers')));
      }
      ReactDOM.createRoot(document.getElementById('root')).render(h(App));
    </script>`, REACT);
    await link.matched({ role: "button", name: "Open" });
    await link.act("click", { role: "button", name: "Open" });
    await link.event("visible.shown", ({ role, name }) => role === "dialog" && name === "Settings");
    assert.deepEqual(lines(await tree({ scope: "#layers" })), ['- dialog "Settings"', '  - button "Close"']);
    const report = await link.act("click", { role: "button", name: "Close" });
    assert.equal(report.ok, true, report.error);
    await link.event("dom.removed", ({ role }) => role === "dialog");
    assert.equal(told("console.log", ({ message }) => message === "bubbled").length, 2);
  });

  test("Slotted content stands where it shows, fallback content where nothing is slotted, and what has no slot is not there.", async () => {
    await show("/slots", `<x-card><button slot=foot>Buy</button><p>Body</p><i slot=none>Unslotted</i></x-card><script>
      customElements.define('x-card', class extends HTMLElement { constructor() { super();
        this.attachShadow({ mode: 'open' }).innerHTML = '<h2><slot name=head>No title</slot></h2><section aria-label=Body><slot></slot></section><footer aria-label=Foot role=group><slot name=foot></slot></footer>' } });
    </script>`);
    assert.deepEqual(lines(await tree({ scope: "x-card" })), ['- heading "No title"', '- region "Body"', '  - text "Body"', '- group "Foot"', '  - button "Buy"']);
    assert.equal((await link.ask("match", { query: { text: "Unslotted" }, state: "visible" })).count, 0);
  });

  test("What a custom element says of itself by ElementInternals is its role, name, state and validity.", async () => {
    await show("/internals", `<label for=s>Dark mode</label><x-switch id=s></x-switch><x-plain aria-label=Own></x-plain><script>
      customElements.define('x-switch', class extends HTMLElement { static formAssociated = true; constructor() { super();
        this.own = this.attachInternals(); this.own.role = 'switch'; this.own.ariaChecked = 'false'; this.tabIndex = 0;
        this.own.setValidity({ customError: true }, 'Must be on'); this.style.cssText = 'display:inline-block;width:40px;height:20px';
        this.onclick = () => { this.own.ariaChecked = 'true'; this.own.setValidity({}) } } });
      customElements.define('x-plain', class extends HTMLElement { constructor() { super(); const own = this.attachInternals(); own.role = 'button'; own.ariaLabel = 'Default'; own.ariaExpanded = 'true' } });
    </script>`);
    const [off] = (await link.ask("query", { role: "switch" })).elements;
    assert.deepEqual([off.name, off.states.includes("checked"), off.states.includes("invalid")], ["Dark mode", false, true]);
    const [plain] = (await link.ask("query", { role: "button" })).elements;
    assert.deepEqual([plain.name, plain.states.includes("expanded")], ["Own", true]);
    const clicked = await link.act("click", { role: "switch" });
    assert.equal(clicked.ok, true, clicked.error);
    const [on] = (await link.ask("query", { role: "switch" })).elements;
    assert.deepEqual([on.states.includes("checked"), on.states.includes("invalid")], [true, false]);
  });

  test("Editable content is a field with its text as value, a secret one without it.", async () => {
    await show("/editable", `<div contenteditable role=textbox aria-label=Note>Hello <b>Ada</b></div><section><div contenteditable aria-label="Password" data-testid=p>hunter22x</div></section><div contenteditable=plaintext-only aria-label=Plain data-testid=q>one<br>two</div><button onclick="const p = document.querySelector('[data-testid=p]'); p.firstChild.data = 'hunter22xy'; p.append('hunter22xz'); p.insertAdjacentHTML('beforeend', '<b>hunter22xx</b>'); setTimeout(() => { p.lastChild.remove(); setTimeout(() => console.log('edited'), 50) }, 50)"></button>`);
    const [note] = (await link.ask("query", { role: "textbox", name: "Note" })).elements;
    assert.equal(note.value, "Hello Ada");
    assert.deepEqual(lines(await tree()), ['- textbox "Note"', '  - text "Hello Ada"', '- text "one two"', "- button"]);
    await link.act("click", { role: "button" });
    await link.event("console.log");
    const all = JSON.stringify([await tree(), await link.ask("query", { testid: "p" }), await link.ask("query", { scope: "section", self: true }), link.events]);
    assert.ok(!all.includes("hunter22x"), all);
    assert.equal((await link.ask("query", { testid: "q" })).elements[0].value, "one two");
  });

  test("Tables have their caption, headers and cells; a grid its selected row and how many rows it has.", async () => {
    await show("/tables", `<table><caption>Orders</caption><thead><tr><th>No.<th>Total</thead><tbody><tr><th scope=row>7<td>12 €</tbody></table>
      <div role=grid aria-label=Files aria-rowcount=500><div role=row aria-selected=true><span role=gridcell>a.txt</span><span role=gridcell tabindex=0>1 KB</span></div></div>`);
    const text = await tree();
    assert.match(text, /- table "Orders"/);
    for (const name of ["No.", "Total"]) assert.equal((await link.ask("query", { role: "columnheader", name })).count, 1);
    assert.equal((await link.ask("query", { role: "rowheader", name: "7" })).count, 1);
    assert.equal((await link.ask("query", { role: "cell", name: "12 €" })).count, 1);
    assert.equal((await link.ask("query", { role: "gridcell", name: "1 KB" })).count, 1);
    assert.match(text, /- grid "Files"/);
  });

  test("SN-01: what any kind of live region comes to say is told, and stands in the lean outline.", async () => {
    const kinds = { alert: "<div role=alert></div>", status: "<div role=status></div>", polite: "<div aria-live=polite></div>", output: "<output></output>", log: "<ul role=log></ul>" };
    for (const [kind, region] of Object.entries(kinds)) {
      await show(`/live-${kind}`, `<button onclick="setTimeout(() => { document.querySelector('main').firstElementChild.textContent = 'Wrong ${kind}' }, 100)">Go</button><main>${region}</main>`);
      await link.act("click", { role: "button" });
      await link.event("visible.shown", ({ text, name }) => [text, name].includes(`Wrong ${kind}`));
      assert.ok((await tree({ mode: "interactive" })).includes(`Wrong ${kind}`), `${kind}: ${await tree({ mode: "interactive" })}`);
    }
  });

  test("Disclosure: what is folded away is not visible, and opening it is told with what came up.", async () => {
    await show("/fold", `<details><summary>More</summary><p>Inside details</p></details>
      <button aria-expanded=false aria-controls=panel onclick="panel.hidden = !panel.hidden; this.setAttribute('aria-expanded', String(!panel.hidden))">Menu</button><div id=panel hidden><p>Inside panel</p></div>
      <div hidden=until-found>Inside findable</div><button popovertarget=pop>Tip</button><div popover id=pop>Inside popover</div>`);
    const seen = async (text) => (await link.ask("read", { questions: [{ kind: "text", contains: text, visible: true }] })).answers[0].matched;
    for (const where of ["details", "panel", "findable", "popover"]) assert.equal(await seen(`Inside ${where}`), false, where);
    for (const [name, where] of [["More", "details"], ["Menu", "panel"], ["Tip", "popover"]]) {
      const target = where === "details" ? { text: "More" } : { role: "button", name };
      const report = await link.act("click", target);
      assert.equal(report.ok, true, report.error);
      assert.ok((report.result.effect.appeared || "").includes(`Inside ${where}`), `${where}: ${report.result.effect.appeared}`);
      assert.equal(await seen(`Inside ${where}`), true, where);
    }
    await link.event("dom.attr", ({ attr, value }) => attr === "aria-expanded" && value === "true");
  });

  test("Inert, hidden and covered parts are in no outline, and not clicked.", async () => {
    await show("/unseen", `<div inert><button>Inert</button></div><div aria-hidden=true><button>Hushed</button></div><div style="display:none"><button>Gone</button></div>
      <div style="visibility:hidden"><button>Ghost</button><button style="visibility:visible">Back</button></div><div style="content-visibility:hidden"><button>Skipped</button></div>
      <div style="opacity:0"><button>Glass</button></div><div style="display:contents"><button>Kept</button></div>`);
    const outline = await tree();
    for (const name of ["Inert", "Hushed", "Gone", "Ghost", "Skipped", "Glass"]) {
      assert.ok(!outline.includes(`"${name}"`), `${name}: ${outline}`);
      const report = await link.act("click", { text: name });
      assert.equal(name === "Hushed" || report.ok === false, true, `${name} was clicked`);
    }
    for (const name of ["Back", "Kept"]) assert.ok(outline.includes(`button "${name}"`), `${name}: ${outline}`);
  });
});
