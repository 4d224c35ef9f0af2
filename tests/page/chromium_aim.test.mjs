/*
 * Real input in a real Chromium: `aim` says where, a hand at the debugging port does it, `landed` says what came of it.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { HANDS, Hands } from "./hands.mjs";
import { inChromium, lab, link, show } from "./tab.mjs";

inChromium(
  "real input in Chromium",
  () => {
    /** @type {Hands} */
    let hands;
    before(async () => {
      hands = await Hands.of(lab);
    });
    after(() => hands.close());

    const title = async () => (await link.ask("snapshot", { mode: "status" })).status.title;
    const aim = (action, target, args) => link.raw("aim", { action, ...(typeof target === "string" ? { ref: target } : { target }), ...(args ? { args } : {}) });
    const landed = (aimed) => link.raw("landed", { aim: aimed.result.aim });
    /** Aim, click there, and hear what came of it. */
    const click = async (target, times) => {
      const aimed = await aim(times === 2 ? "dblclick" : "click", target);
      assert.ok(aimed.ok, aimed.error);
      await hands.click(aimed.result.at, times);
      return landed(aimed);
    };

    test("A real click is trusted, activates the page, and is reported as an act is.", async () => {
      await show(
        "/real",
        `<p style="height:1500px">far</p><button>Go</button><script>document.querySelector('button').onclick = e => {
         document.title = [e.isTrusted, e.detail, navigator.userActivation.isActive, document.activeElement === e.target].join(); document.body.append('Done') }</script>`,
      );
      const { result } = await click({ role: "button" });
      assert.equal(await title(), "true,1,true,true");
      assert.deepEqual(
        [result.ok, result.action, result.role, result.name, result.inputMode, result.inputModeReason, result.settled],
        [true, "click", "button", "Go", "trusted", undefined, true],
      );
      const { dispatched, scrolledIntoView, defaultPrevented, appeared, focusMoved, received } = result.effect;
      assert.deepEqual([dispatched, scrolledIntoView, defaultPrevented, appeared, received], [true, true, false, "Done", undefined]);
      assert.equal(focusMoved, `null->${result.ref}`);
    });

    test("The point is right in a frame with border and padding, in a frame drawn smaller, and in a page that is zoomed by two fingers.", async () => {
      const button = (id) => `<body style="margin:0;height:900px"><button style="position:absolute;left:60px;top:500px;width:40px;height:20px" onclick="parent.document.title += ' ${id}' + event.isTrusted">${id}</button>`;
      lab.page("/inner-a", button("A"));
      lab.page("/inner-b", button("B"));
      await show(
        "/frames",
        `<title>T</title><iframe src=/inner-a style="border:9px solid;padding:21px;width:200px;height:300px"></iframe>
         <iframe src=/inner-b style="transform:scale(0.5);transform-origin:0 0;width:300px;height:400px;border:4px solid"></iframe>
         <button style="position:absolute;left:700px;top:500px" onclick="document.title += ' C' + event.isTrusted">C</button>`,
      );
      await link.matched({ role: "button", name: "B" });
      for (const name of ["A", "B"]) assert.equal((await click({ role: "button", name })).code, undefined);
      await hands.send("Emulation.setPageScaleFactor", { pageScaleFactor: 1.5 });
      const { code, error } = await click({ role: "button", name: "C" });
      await hands.send("Emulation.setPageScaleFactor", { pageScaleFactor: 1 });
      assert.equal(code, undefined, error);
      assert.match(await title(), / Atrue Btrue Ctrue$/);
    });

    test("What moved under the mouse after the aim gets nothing: the press is stopped and named.", async () => {
      await show(
        "/moved",
        `<button id=a style="position:absolute;left:20px;top:20px" onclick="document.title = 'A'">A</button>
         <button id=b style="position:absolute;left:20px;top:90px" onclick="document.title = 'B'" onpointerdown="document.title = 'B'">B</button>`,
      );
      const aimed = await aim("click", { name: "A" });
      await hands.send("Runtime.evaluate", { expression: "a.style.top = '90px'; b.style.top = '20px'" });
      await hands.click(aimed.result.at);
      const answer = await landed(aimed);
      assert.deepEqual([answer.code, answer.details.received.name], ["wrong_target", "B"]);
      assert.match(answer.error, /meant for button "A" would have reached button "B"\. It was stopped; nothing was done/);
      assert.equal(await title(), "Lab /moved");
      // and the next act is free to land
      assert.equal((await click({ name: "B" })).code, undefined);
      assert.equal(await title(), "B");
    });

    test("What the app does between press and release is told: a menu that comes over the button, a button that is drawn anew.", async () => {
      await show(
        "/between",
        `<button onmousedown="lid.hidden = false" onclick="document.title = 'clicked'">Menu</button><div id=lid hidden style="position:fixed;inset:0;background:#eee">Items</div>
         <div id=box style="position:fixed;top:200px"><button>Go</button></div>`,
      );
      assert.match((await click({ name: "Menu" })).result.warning, /^Something came to lie over it while the button was down/);
      assert.equal((await link.ask("match", { query: { text: "Items" }, state: "visible" })).matched, true);
      await hands.send("Runtime.evaluate", { expression: "lid.remove(); box.onpointerdown = () => { box.innerHTML = '<button>Go</button>' }" });
      assert.match((await click({ name: "Go" })).result.warning, /^The app took what was pressed out of the page/);
      assert.equal(await title(), "Lab /between");
    });

    test("The point is the element's own: not a button inside it, a label for a box that does not show, the visible line of a wrapped link.", async () => {
      await show(
        "/own",
        `<div role=button aria-label=Outer onclick="document.title = 'outer'" style="width:200px;height:60px;padding:20px"><button style="width:160px;height:40px" onclick="event.stopPropagation(); document.title = 'inner'">Inner</button></div>
         <label for=cb>Lab</label><input type=checkbox id=cb style="opacity:0" aria-label=Hid><p style="width:90px">text text <a href="#x" onclick="document.title = 'link'">a long wrapping link text here</a></p>
         <div id=host></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<button>Deep</button>'; host.onclick = () => { document.title = 'shadow' }</script>`,
      );
      for (const [role, name, told] of [["button", "Outer", "outer"], ["button", "Inner", "inner"], ["link", "a long wrapping link text here", "link"], ["button", "Deep", "shadow"]]) {
        assert.equal((await click({ role, name })).code, undefined);
        assert.equal(await title(), told);
      }
      const box = await aim("check", { label: "Hid" });
      await hands.click(box.result.at);
      const { effect } = (await landed(box)).result;
      assert.deepEqual([effect.value, effect.received.name], [true, "Lab"]);
    });

    test("A press that another origin's frame takes is no success.", async () => {
      await show("/taken", `<button style="position:absolute;left:20px;top:20px">A</button>`);
      const aimed = await aim("click", { name: "A" });
      await hands.send("Runtime.evaluate", {
        expression: `const f = document.createElement('iframe'); f.src = 'data:text/html,hi'; f.style = 'position:absolute;left:0;top:0;width:300px;height:200px'; document.body.append(f); new Promise(r => f.onload = () => requestAnimationFrame(() => requestAnimationFrame(r)))`,
        awaitPromise: true,
      });
      await hands.click(aimed.result.at);
      const answer = await landed(aimed);
      assert.deepEqual([answer.code, answer.details.may_have_happened], ["wrong_target", true]);
    });

    test("Refusals are those of a script's act; what is covered stays refused with force.", async () => {
      await show(
        "/refused",
        `<button disabled>Off</button><button style="display:none">Gone</button><button>Delete all</button>
         <div style="position:relative;width:200px;height:40px"><button style="width:200px;height:40px">Under</button><div style="position:absolute;inset:0;background:#eee" data-testid=lid role=img aria-label=Lid></div></div>
         <select aria-label=S><option>a<option>b</select><input type=date aria-label=Day><input type=file aria-label=F><form><input aria-label=T></form>`,
      );
      const cases = [
        ["click", { name: "Off" }, {}],
        ["click", { name: "Gone" }, {}],
        ["click", { name: "Delete all" }, {}],
        ["click", { name: "Under" }, {}],
        ["click", { name: "Nobody" }, {}],
        ["fill", { name: "Off" }, { value: "x" }],
        ["click", { label: "F" }, {}],
        ["select", { label: "S" }, { value: "zzz" }],
      ];
      for (const [action, target, args] of cases) {
        const [real, scripted] = [await aim(action, target, args), await link.act(action, target, args)];
        assert.deepEqual([real.ok, real.code, real.error], [false, scripted.code, scripted.error]);
      }
      const forced = await aim("click", { name: "Under" }, { force: true });
      assert.deepEqual([forced.code, forced.details.occludedBy.name], ["occluded", "Lid"]);
      assert.match(forced.recovery, /a real click goes to what lies on top/);
      for (const [action, target, args, why] of [
        ["select", { label: "S" }, { value: "b" }, /a window of the browser's own/],
        ["fill", { label: "Day" }, { value: "2026-01-01" }, /a field of type date/],
        ["upload", { label: "F" }, { content: "x" }, /files are chosen/],
        ["submit", { label: "T" }, {}, /no key and no mouse button/],
        ["focus", { label: "T" }, {}, /a focus follows/],
        ["press", { testid: "lid" }, { key: "a" }, /Cannot press a key on/],
      ]) {
        const { code, error } = await aim(action, target, args);
        assert.match(`${code} ${error}`, why);
        assert.match(code, action === "press" ? /wrong_target/ : /unsupported_surface/);
      }
    });

    test("Fields are written by hand: a text replaced, text that is edited in place, and a field that has the focus already is not clicked again.", async () => {
      await show(
        "/write",
        `<input aria-label=Name value=old><div contenteditable=true role=textbox aria-label=Rich>rich</div><script>
         const seen = []; for (const t of ['keydown', 'beforeinput', 'input', 'change', 'click']) addEventListener(t, e => { seen.push(t + (e.inputType || '') + e.isTrusted); document.title = seen.join(' ') }, true)</script>`,
      );
      for (const [label, before] of [["Name", "old"], ["Rich", "rich"]]) {
        const aimed = await aim("fill", { label }, { value: "new" });
        assert.deepEqual([aimed.result.focused, aimed.result.multiline], [false, label === "Rich"]);
        await hands.click(aimed.result.at);
        await hands.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "a", code: "KeyA", modifiers: 2, windowsVirtualKeyCode: 65, commands: ["selectAll"] });
        await hands.write("new");
        const { result, error } = await landed(aimed);
        assert.equal(error, undefined);
        assert.equal(result.effect.valueChanged, true, before);
      }
      assert.match(await title(), /beforeinputinsertTexttrue inputinsertTexttrue/);
      assert.equal((await aim("type", { label: "Rich" }, { text: "!" })).result.focused, true);
      assert.deepEqual((await link.ask("query", { label: "Rich" })).elements[0].text, "new");
      const empty = await show("/empty", "<input aria-label=E>");
      const nothing = await empty.ask("aim", { action: "clear", target: { label: "E" } });
      assert.deepEqual([nothing.aim, nothing.done.effect.alreadyAtValue, nothing.done.effect.dispatched], [undefined, true, false]);
    });

    test("A mouse that the page has locked to an element reaches no other one.", async () => {
      await show("/locked", `<button onclick="document.body.requestPointerLock().then(() => { document.title = 'locked' })">Lock</button><button>Other</button>`);
      await click({ name: "Lock" });
      assert.equal(await title(), "locked");
      const answer = await aim("click", { name: "Other" });
      assert.deepEqual([answer.code, /has locked the mouse/.test(answer.recovery)], ["wrong_target", true]);
      await hands.send("Runtime.evaluate", { expression: "document.exitPointerLock()" });
    });

    test("Keys reach what has the focus; a field that loses it gets nothing of what was meant for it.", async () => {
      await show(
        "/keys",
        `<form onsubmit="event.preventDefault(); document.title = 'sent'"><input aria-label=Q></form><input aria-label=Other id=o>`,
      );
      const aimed = await aim("press", { label: "Q" }, { key: "Enter" });
      assert.deepEqual([aimed.result.key, aimed.result.modifiers, aimed.result.at], ["Enter", [], undefined]);
      await hands.key("Enter", 13);
      assert.equal((await landed(aimed)).result.inputMode, "trusted");
      assert.equal(await title(), "sent");
      const chord = await aim("press", { label: "Q" }, { key: "Control+Shift+K" });
      assert.deepEqual([chord.result.key, chord.result.modifiers], ["K", ["Control", "Shift"]]);
      await hands.key("K", 75, 10);
      assert.equal((await landed(chord)).code, undefined);
      const lost = await aim("type", { label: "Q" }, { text: "x" });
      await hands.send("Runtime.evaluate", { expression: "o.focus()" });
      await hands.key("x", 88);
      const answer = await landed(lost);
      assert.deepEqual([answer.code, answer.details.received.name], ["wrong_target", "Other"]);
      assert.equal((await link.ask("query", { label: "Other" })).elements[0].value ?? "", "");
    });

    test("A mouse over an element is really there; boxes, open lists and double clicks say whether they changed.", async () => {
      await show(
        "/more",
        `<style>p { width: 80px } p:hover + b { display: inline } b { display: none }</style><p data-testid=p>P</p><b>Shown</b>
         <label><input type=checkbox> Box</label><input type=checkbox aria-label=Stuck onclick="event.preventDefault()">
         <select size=3 aria-label=L><option selected>a<option>b<option>c</select><i data-testid=d ondblclick="document.title = 'dbl' + event.isTrusted">D</i>`,
      );
      const over = await aim("hover", { testid: "p" });
      await hands.move(over.result.at);
      assert.equal((await landed(over)).code, undefined);
      assert.equal((await link.ask("match", { query: { text: "Shown" }, state: "visible" })).matched, true);
      const away = await aim("hover", { testid: "p" });
      await hands.move({ x: 900, y: 600 });
      assert.equal((await landed(away)).code, "wrong_target");
      const check = async (label) => {
        const aimed = await aim("check", { label });
        await hands.click(aimed.result.at);
        return (await landed(aimed)).result;
      };
      assert.deepEqual((await check("Box")).effect.value, true);
      assert.equal((await check("Stuck")).warning, "It was clicked, but it is still off.");
      const choose = await aim("select", { label: "L" }, { value: "c" });
      await hands.click(choose.result.at);
      const chosen = (await landed(choose)).result.effect;
      assert.deepEqual([chosen.value, chosen.valueChanged, chosen.received.name], ["c", true, "c"]);
      assert.equal((await click({ testid: "d" }, 2)).result.effect.dispatched, true);
      assert.equal(await title(), "dbltrue");
    });

    test("A real drag moves what follows the mouse; ends that never show together are refused.", async () => {
      await show(
        "/drag",
        `<div id=a data-testid=a style="position:absolute;left:10px;top:10px;width:50px;height:50px;background:red">a</div><div data-testid=z style="position:absolute;left:300px;top:300px;width:50px;height:50px">z</div><p style="height:3000px"></p><p data-testid=far>far</p><script>
         let on = false; a.onpointerdown = e => { on = true; a.setPointerCapture(e.pointerId) }; a.onpointermove = e => { if (on) { a.style.left = e.clientX + 'px'; a.style.top = e.clientY + 'px' } }; a.onpointerup = () => { on = false }</script>`,
      );
      const aimed = await aim("drag", { testid: "a" }, { target: { testid: "z" } });
      await hands.drag(aimed.result.at, aimed.result.to);
      const { result } = await landed(aimed);
      assert.deepEqual([result.effect.moved, result.effect.dropped, result.warning], [true, undefined, undefined]);
      const apart = await aim("drag", { testid: "a" }, { target: { testid: "far" } });
      assert.deepEqual([apart.code, /do not show at the same time/.test(apart.error)], ["not_visible", true]);
      const data = await aim("drag", { testid: "a" }, { target: { testid: "z" }, data: { mime: "text/plain", value: "x" } });
      assert.equal(data.code, "unsupported_surface");
    });

    test("Nothing else acts between an aim and its landing; what was asked meanwhile is done then.", async () => {
      await show("/turns", `<button onclick="document.title += ' A'">A</button><button onclick="document.title += ' B'">B</button>`);
      const first = await aim("click", { name: "A" });
      const second = aim("click", { name: "B" });
      const byScript = link.act("click", { name: "B" });
      assert.equal((await link.ask("snapshot", { mode: "status" })).status.title, "Lab /turns");
      await hands.click(first.result.at);
      assert.equal((await landed(first)).code, undefined);
      const aimed = await second;
      await hands.click(aimed.result.at);
      assert.equal((await landed(aimed)).code, undefined);
      assert.equal((await byScript).ok, true);
      assert.equal(await title(), "Lab /turns A B B");
    });

    test("A document that did not hear of an aim says so.", async () => {
      await show("/before", "<button>A</button>");
      const aimed = await aim("click", { name: "A" });
      await show("/after", "<p>new</p>");
      const answer = await landed(aimed);
      assert.deepEqual([answer.code, answer.details.may_have_happened], ["page_error", true]);
    });
  },
  HANDS,
);
