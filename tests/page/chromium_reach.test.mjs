/*
 * Where the mouse of an act goes, in a real Chromium: areas of image maps, what is wider than the window, who has captured
 * the pointer.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inChromium, lab, link, show } from "./tab.mjs";

inChromium("reaching in Chromium", () => {
  const title = async () => (await link.ask("snapshot", { mode: "status" })).status.title;

  test("AC-01: an area of an image map is clicked inside its shape, where no area before it lies, also in a picture that is padded, scaled and far down.", async () => {
    lab.pages.set("/map.svg", (_, response) => response.writeHead(200, { "content-type": "image/svg+xml" }).end('<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100" fill="red"/></svg>'));
    await show(
      "/map",
      `<p style="height:1500px">far</p><img src=/map.svg width=200 height=100 usemap=#m alt=Map style="padding:10px;border:5px solid;transform:scale(1.5);transform-origin:0 0">
       <map name=m><area shape=rect coords="40,0,60,100" href=#bar alt=Bar><area shape=rect coords="0,0,100,100" href=#half alt=Half>
         <area shape=poly coords="100,0,200,0,200,100,190,100,190,10,100,10" href=#angle alt=Angle><area shape=circle coords="145,60,15" href=#ring alt=Ring><area shape=default href=#rest alt=Rest>
         <area shape=rect coords="40,10,60,20" href=#under alt=Under></map><map name=lost><area href=#x alt=Lost></map>
       <script>addEventListener('click', e => { document.title = e.target.alt + ' ' + e.offsetX; e.preventDefault() })</script>`,
    );
    for (const name of ["Bar", "Half", "Angle", "Ring", "Rest"]) {
      const { result, error } = await link.act("click", { role: "link", name });
      assert.equal(error, undefined);
      assert.equal(result.warning, undefined);
      assert.match(await title(), new RegExp(`^${name} `));
    }
    const under = await link.act("click", { role: "link", name: "Under" });
    assert.equal(under.code, "occluded");
    assert.match(under.error, /covered by link "Bar"/);
    assert.equal((await link.act("click", { alt: "Lost" })).code, "not_visible");
  });

  test("What is wider than the window is clicked where it shows.", async () => {
    await show("/wide", `<button style="width:9000px" onclick="document.title = event.clientX < innerWidth && event.isTrusted === false">Wide</button>`);
    assert.equal((await link.act("click", { role: "button" })).error, undefined);
    assert.equal(await title(), "true");
  });

  test("AC-06: an app that captures the pointer keeps it until the release, and has the browser's own methods back afterwards.", async () => {
    await show(
      "/capture",
      `<button id=k>Knob</button><p data-testid=far style="margin-top:200px">Far</p><script>const seen = []; const note = t => { if (seen.at(-1) !== t) seen.push(t) };
       k.onpointerdown = e => k.setPointerCapture(e.pointerId);
       for (const t of ['gotpointercapture', 'pointermove', 'pointerup', 'lostpointercapture']) k.addEventListener(t, e => note(t + ' ' + k.hasPointerCapture(e.pointerId)));
       onpointerup = e => setTimeout(() => { document.title = [e.target.id, e.clientY > 150, ...seen, /native code/.test(Element.prototype.setPointerCapture)].join() });</script>`,
    );
    await link.act("drag", { role: "button" }, { target: { testid: "far" } });
    await link.event("route.change", () => false, 60).catch(() => {});
    assert.equal(await title(), "k,true,pointermove false,gotpointercapture true,pointermove true,pointerup true,lostpointercapture false,true");
  });

  test("Editable content in a dialog, in a frame of the page and in a shadow root is written, and Escape still closes the dialog.", async () => {
    lab.page("/letter", "<p contenteditable role=textbox aria-label=Letter>Dear</p>");
    await show(
      "/editable",
      `<iframe src=/letter></iframe><x-note></x-note><dialog open aria-label=Ask><div contenteditable role=textbox aria-label=Note style="min-height:20px;width:200px"></div></dialog>
       <script>document.querySelector('x-note').attachShadow({mode: 'open'}).innerHTML = '<div contenteditable role=textbox aria-label=Inner>old</div>';
       document.querySelector('dialog').close(); document.querySelector('dialog').showModal()</script>`,
    );
    assert.equal((await link.act("fill", { role: "textbox", name: "Note" }, { value: "Hi" })).error, undefined);
    await link.act("press", { role: "textbox", name: "Note" }, { key: "End" });
    const closed = await link.act("press", { role: "textbox", name: "Note" }, { key: "Escape" });
    assert.equal(closed.error, undefined);
    assert.equal(closed.result.effect.defaultAction, "close");
    await link.matched({ role: "textbox", name: "Letter" });
    for (const [name, action, args, now] of [["Letter", "type", { text: " Ada,\nhello" }, "Dear Ada, hello"], ["Inner", "fill", { value: "new" }, "new"]]) {
      const { result, error } = await link.act(action, { role: "textbox", name }, args);
      assert.deepEqual([error, result?.warning, result?.effect.valueChanged], [undefined, undefined, true], name);
      assert.equal((await link.ask("query", { role: "textbox", name })).elements[0].value, now);
    }
  });

  test("An editor that takes nothing, or something else, is not said to hold what was written.", async () => {
    await show(
      "/stubborn",
      `<div contenteditable role=textbox aria-label=Deaf onbeforeinput="event.preventDefault()">kept</div>
       <div contenteditable role=textbox aria-label=Loud style="min-height:20px" oninput="this.textContent = this.textContent.toUpperCase()"></div><div contenteditable aria-disabled=true role=textbox aria-label=Off>off</div>`,
    );
    const deaf = await link.act("fill", { role: "textbox", name: "Deaf" }, { value: "new" });
    assert.equal(deaf.result.warning, 'It says "kept" instead of "new": the app or a limit of the field made that of it.');
    assert.equal(deaf.result.effect.valueChanged, false);
    assert.match((await link.act("fill", { role: "textbox", name: "Loud" }, { value: "new" })).result.warning, /"NEW" instead of "new"/);
    assert.equal((await link.act("fill", { role: "textbox", name: "Off" }, { value: "new" })).code, "not_editable");
    assert.equal((await link.act("fill", { role: "textbox", name: "Loud" }, {})).code, "bad_arguments");
  });
});
