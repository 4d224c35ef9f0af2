/*
 * Who meets an element, in a real Chromium: a user who sees, one who is read to, or nobody. Beside each way to be unseen
 * stands one that looks much like it and is seen.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inChromium, link, show } from "./tab.mjs";

inChromium("sight in Chromium", () => {
  /** How the element with a test id is met, and why nobody sees it. */
  const sight = async (testid) => {
    const all = await link.ask("match", { query: { testid } });
    const seen = await link.ask("match", { query: { testid }, state: "visible" });
    assert.equal(all.count, 1, testid);
    return [seen.matched ? "seen" : all.perceivable ? "spoken" : "none", all.unseen ?? ""];
  };
  /** How a text is met. */
  const textSight = async (contains) => {
    const { answers: [answer] } = await link.ask("read", { questions: [{ kind: "text", contains }] });
    assert.equal(answer.count, 1, contains);
    return answer.visibleCount ? "seen" : answer.perceivableCount ? "spoken" : "none";
  };
  const meets = async (path, body, expected, head = "") => {
    await show(path, body, head);
    const found = {};
    for (const testid of Object.keys(expected)) [found[testid]] = await sight(testid);
    assert.deepEqual(found, expected);
    assert.deepEqual(link.ofType("sdk.failed"), []);
  };

  test("What is not displayed, or folded away, is met by nobody; what is only further down is seen.", async () => {
    await meets("/displayed", `<p data-testid=none style="display:none">x</p><p data-testid=hidden hidden>x</p>
      <p data-testid=invisible style="visibility:hidden">x</p><details><summary>More</summary><p data-testid=shut>x</p></details>
      <details open><summary>More</summary><p data-testid=open>x</p></details>
      <div style="content-visibility:hidden"><p data-testid=skipped>x</p></div>
      <div data-testid=empty></div><div style="height:5000px"></div><p data-testid=below>x</p>`,
    { none: "none", hidden: "none", invisible: "none", shut: "none", open: "seen", skipped: "none", empty: "none", below: "seen" });
  });

  test("What lies before the beginning of the page is not seen; what a panel can be scrolled to is.", async () => {
    await meets("/outside", `<p data-testid=left style="position:absolute;left:-9999px">x</p>
      <p data-testid=above style="position:absolute;top:-500px">x</p><p data-testid=right style="position:absolute;left:3000px;top:0">x</p>
      <p style="position:fixed;top:110vh" data-testid=fixedBelow>x</p><p style="position:fixed;top:10px" data-testid=fixed>x</p>
      <div style="overflow:auto;height:60px"><p style="margin-top:900px" data-testid=inPanel>x</p></div>
      <div style="overflow:auto;height:60px;position:relative;margin-top:400px"><p style="position:absolute;top:-200px" data-testid=beforePanel>x</p></div>
      <div style="overflow:auto;height:60px;display:flex;flex-direction:column-reverse"><p>1</p><p>2</p><p>3</p><p data-testid=firstOfReversed>4</p></div>`,
    { left: "spoken", above: "spoken", right: "seen", fixedBelow: "spoken", fixed: "seen", inPanel: "seen", beforePanel: "none", firstOfReversed: "seen" });
  });

  test("A text under something opaque that stays is met by nobody; one under a veil, beside it or scrolled out from under it is.", async () => {
    const texts = async (path, body, expected, head) => {
      await show(path, body, head);
      const found = {};
      for (const text of Object.keys(expected)) found[text] = await textSight(text);
      assert.deepEqual(found, expected);
    };
    const layer = (style) => `<div style="position:absolute;left:0;top:0;width:300px;height:60px;${style}"></div>`;
    await texts("/covered", `${["white", "rgba(0,0,0,.5)", "white;opacity:.4", "none"].map((colour, index) =>
      `<div style="position:relative;height:60px"><p>Under${index}</p>${layer(`background:${colour}`)}</div>`).join("")}
      <div style="position:relative;height:60px"><p>Half of it shows here beside the box that lies over it, all along the line</p>${layer("background:white;width:60px")}</div>
      <div style="position:relative;height:60px"><p>Lifted</p>${layer("background:white;z-index:-1")}</div>`,
    { Under0: "none", Under1: "seen", Under2: "seen", Under3: "seen", "Half of it": "seen", Lifted: "seen" });
    await texts("/overlay", `<p>Behind</p><p style="margin-top:3000px">Further</p><div style="position:fixed;inset:0;background:#eee">Busy</div>`,
      { Behind: "none", Further: "seen", Busy: "seen" });
    await texts("/header", `<header style="position:fixed;inset:0 0 auto 0;height:80px;background:#eee">Shop</header><p>Scrolled</p><p style="margin-top:3000px">x</p>`,
      { Shop: "seen", Scrolled: "seen" });
    await texts("/modal", `<p>Page</p><dialog id=d>Sure?</dialog><script>d.showModal()</script>`, { Page: "seen", "Sure?": "seen" });
    await texts("/whole-modal", `<p>Page</p><dialog id=d style="width:100vw;height:100vh;max-width:none;max-height:none;border:0;background:#fff">Sure?</dialog><script>d.showModal()</script>`,
      { Page: "none", "Sure?": "seen" });
  });

  test("A control under something opaque that stays is met by nobody, and one that is inert is not enabled.", async () => {
    await meets("/covered-control", `<button data-testid=veiled>x</button><button data-testid=under style="position:absolute;top:60px;left:0">x</button>
      <div style="position:absolute;top:50px;left:0;width:200px;height:60px;background:white"></div>
      <label style="position:absolute;top:200px;left:0">News <input type=checkbox data-testid=styled style="position:absolute;left:0;top:0"><span style="position:absolute;left:0;top:0;width:30px;height:30px;background:navy"></span></label>`,
    { veiled: "seen", under: "seen", styled: "seen" });
    const perceivable = async (testid, state) => (await link.ask("match", { query: { testid }, state })).perceivable;
    assert.deepEqual([await perceivable("veiled"), await perceivable("under")], [true, false]);
    assert.equal(await perceivable("styled"), true, "what a label draws over its field is the field");
    await show("/inert", "<div inert><button data-testid=a>Pay</button></div>");
    const inert = async (state) => (await link.ask("match", { query: { testid: "a" }, state })).matched;
    assert.deepEqual([await inert("enabled"), await inert("disabled")], [false, true]);
  });

  test("A text that a filter takes away, a part that is transparent and what a shut <details> says are met by nobody.", async () => {
    await show("/filtered", `<p style="filter:opacity(0)">Gone</p><p style="filter:blur(30px)">Blurred</p><p style="filter:blur(1px)">Soft</p>
      <p style="filter:opacity(.5)">Pale</p><p>Total <span style="opacity:0">5</span></p><details><summary>More</summary>Shut</details>
      <details open><summary>Less</summary>Open</details><p style="text-indent:-9999px;overflow:hidden">Indented</p>
      <button id=b>Go</button><div style="color:#fff">White</div><script>b.focus()</script>`);
    const found = {};
    for (const text of ["Gone", "Blurred", "Soft", "Pale", "Total 5", "Shut", "More", "Open", "Indented", "White"]) found[text] = await textSight(text);
    assert.deepEqual(found, { Gone: "none", Blurred: "none", Soft: "seen", Pale: "seen", "Total 5": "none", Shut: "none", More: "seen", Open: "seen", Indented: "none", White: "none" });
  });

  test("What is cut off whole is not seen; what is cut in part, or held by nobody around it, is.", async () => {
    await meets("/cut", `<ul style="height:0;overflow:hidden"><li><button data-testid=folded>x</button></li></ul>
      <ul style="height:30px;overflow:hidden"><li data-testid=first>x</li><li>y</li><li data-testid=beyond>z</li></ul>
      <div style="height:0"><p data-testid=over>x</p></div>
      <div style="overflow:hidden;height:0"><p data-testid=lifted style="position:fixed;top:5px">x</p><p data-testid=placed style="position:absolute;top:40px">x</p></div>
      <div style="overflow:hidden;height:0;position:relative"><p data-testid=held style="position:absolute;top:40px">x</p></div>
      <div style="overflow:hidden;height:0;transform:translateZ(0)"><p data-testid=framed style="position:fixed;top:5px">x</p></div>
      <ul><li style="clip-path:inset(50%);padding:10px" data-testid=inset>x</li><li style="clip-path:inset(10%);padding:10px" data-testid=trimmed>x</li></ul>
      <div style="clip-path:circle(0)"><p data-testid=circled>x</p></div><div style="clip-path:circle(40%)"><p data-testid=round>x</p></div>
      <p style="transform:scale(0)" data-testid=shrunk>x</p>
      <div style="overflow:hidden;height:0"><dialog id=d><p data-testid=modal>x</p></dialog></div><script>d.showModal()</script>`,
    { folded: "none", first: "seen", beyond: "none", over: "seen", lifted: "seen", placed: "seen", held: "none", framed: "none",
      inset: "none", trimmed: "seen", circled: "none", round: "seen", shrunk: "none", modal: "seen" });
  });

  test("What is transparent is not seen, unless it is appearing or shown to who points at it.", async () => {
    await meets("/transparent", `<ul><li class=faded><a href=/x data-testid=link>x</a></li></ul><p data-testid=pale style="opacity:.05">x</p>
      <p data-testid=coming class=coming>x</p><p data-testid=pulsing class=pulsing>x</p><p data-testid=going class=going>x</p>
      <ul><li class=row>Row <button data-testid=onHover class=tool>Delete</button></li></ul>`,
    { link: "none", pale: "seen", coming: "seen", pulsing: "seen", going: "none", onHover: "spoken" },
    `<style>.faded{opacity:0} @keyframes come{from{opacity:0}to{opacity:1}} @keyframes pulse{0%{opacity:0}50%{opacity:1}100%{opacity:0}}
      @keyframes go{from{opacity:0}to{opacity:0}} .coming{animation:come 60s 60s both} .pulsing{animation:pulse 60s steps(1) infinite}
      .going{animation:go 60s both} .tool{opacity:0} .row:hover .tool{opacity:1}</style>`);
  });

  test("What is hidden from the eye alone is met by who is read to; what is hidden from them too is met by nobody.", async () => {
    const hiding = "position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip:rect(0,0,0,0);white-space:nowrap";
    await meets("/spoken", `<div role=status style="${hiding}"><p data-testid=status>Saved</p></div>
      <p aria-hidden=true style="${hiding}" data-testid=silent>Saved</p>
      <span style="position:absolute;width:1px;height:1px;overflow:hidden" data-testid=pixel>Saved</span>
      <label><input type=checkbox style="opacity:0;position:absolute" data-testid=box> Done</label>
      <label><input type=radio style="display:none" data-testid=gone> One</label>
      <input type=checkbox style="display:none" data-testid=lost aria-label=Lost>
      <div style="opacity:0"><input data-testid=inFaded aria-label=Faded></div>
      <h1 data-testid=logo style="text-indent:-9999px;background:navy;width:90px;overflow:hidden">Acme</h1>`,
    { status: "spoken", silent: "none", pixel: "spoken", box: "spoken", gone: "spoken", lost: "none", inFaded: "none", logo: "seen" });
    assert.equal(await textSight("Acme"), "spoken");
  });

  test("A text of its background's colour is not seen; one that a picture, a shadow or a gradient makes readable is.", async () => {
    await show("/colour", `<p style="color:#fff">white one</p><p style="color:#1d2430;background:#1d2430">dark one</p>
      <p style="color:transparent">clear one</p><p style="color:#ccc">grey one</p><p style="color:#fff;background:#264">green one</p>
      <p style="color:#fff;text-shadow:0 0 3px #000">shadow one</p><p style="color:#fff;background:linear-gradient(#000,#333)">gradient one</p>
      <p style="color:transparent;background:linear-gradient(red,blue);background-clip:text">clipped one</p>
      <div style="position:relative"><div style="position:absolute;inset:0;background:#000"></div><p style="position:relative;color:#fff">over one</p></div>
      <div class=before style="position:relative"><p style="position:relative;color:#fff">pseudo one</p></div>
      <button class=busy>busy one</button><svg width=90 height=20 style="background:#000;color:#000"><text y=15 fill=white>drawn one</text></svg>
      <p style="color:#fff">half <b style="color:#000">black one</b></p><div style="color:#c00;background:#0c0">red one</div>`,
    "<style>body{background:#fff} .busy{color:transparent;background:none} .busy::after{content:'';border:2px solid blue} .before::before{content:'';position:absolute;inset:0;background:#000}</style>");
    const found = {};
    const names = ["white", "dark", "clear", "grey", "green", "shadow", "gradient", "clipped", "over", "pseudo", "busy", "drawn", "black", "red"];
    for (const name of names) found[name] = await textSight(`${name} one`);
    const unseen = { white: "none", dark: "none", clear: "none" };
    assert.deepEqual(found, Object.fromEntries(names.map((name) => [name, unseen[name] ?? "seen"])));
  });

  test("A text on a gradient of its own colour is not seen, nor one whose letters are filled as what is behind; a picture says nothing.", async () => {
    const gif = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    await show("/gradients", `<p style="color:#fff;background:linear-gradient(#fff,#fdfdfd)">white one</p>
      <p style="color:#123;background:radial-gradient(circle at 10% 20%,#112233,rgb(17 34 51 / .5)),#123">dark one</p>
      <p style="color:#fff;background:repeating-linear-gradient(45deg,transparent,#fff 20px)">veil one</p>
      <p style="color:rgba(255,255,255,.6)">half one</p><p style="color:rgba(0,0,0,.01)">faint one</p>
      <p style="color:transparent;background:linear-gradient(#fff,#fdfdfd);background-clip:text">filled one</p>
      <p style="-webkit-text-fill-color:transparent;background:#fff;background-clip:text">plain one</p>
      <p style="color:transparent;background-clip:text">empty one</p>
      <h2 style="color:transparent;background:linear-gradient(#fff,#fefefe);background-clip:text"><b>inner one</b></h2>
      <p style="color:#fff;background:linear-gradient(red,blue);background-clip:text">over one</p>
      <p style="color:#fff;background:linear-gradient(#fff,#00f)">running one</p>
      <p style="color:#fff;background:linear-gradient(#fff,#fff),linear-gradient(#000,#000)">double one</p>
      <p style="color:#fff;background:linear-gradient(in hsl longer hue,#fff,#fff)">rainbow one</p>
      <p style="color:#fff;background:url(${gif})">picture one</p>
      <p style="color:#fff;background:url(${gif}),linear-gradient(#fff,#fff)">both one</p>
      <p style="color:transparent;background:url(${gif});background-clip:text">letters one</p>
      <div style="background:#000"><p style="color:#fff;background:linear-gradient(#fff,#fff) 0 0/10px 10px no-repeat">spot one</p></div>
      <div style="background:#000"><p style="color:rgba(255,255,255,.6)">light one</p></div>
      <p style="color:transparent;background:linear-gradient(red,blue);background-clip:text"><b>child one</b></p>
      <p style="color:rgba(0,0,0,.3)">pale one</p>`,
    "<style>body{background:#fff}</style>");
    const found = {};
    const unseen = ["white", "dark", "veil", "half", "faint", "filled", "plain", "empty", "inner", "over"];
    const seen = ["running", "double", "rainbow", "picture", "both", "letters", "spot", "light", "child", "pale"];
    for (const name of [...unseen, ...seen]) found[name] = await textSight(`${name} one`);
    assert.deepEqual(found, Object.fromEntries([...unseen.map((name) => [name, "none"]), ...seen.map((name) => [name, "seen"])]));
    assert.deepEqual(link.ofType("sdk.failed"), []);
  });

  test("A text is seen on whatever is drawn beside a box's background: a shadow, a border, an outline, a picture as border.", async () => {
    await meets("/beside", `<p data-testid=inset style="color:#fff;box-shadow:inset 0 0 0 100px #000">x</p>
      <p data-testid=border style="color:#fff;border-left:300px solid #000;width:300px"><span style="position:relative;left:-300px">x</span></p>
      <p data-testid=framed style="color:#fff;border:20px solid;border-image:linear-gradient(#000,#000) 1 fill">x</p>
      <p data-testid=outline style="color:#fff;height:50px;outline:200px solid #000;outline-offset:-200px">x</p>
      <p data-testid=line class=line style="color:#fff">x</p>`,
    { inset: "seen", border: "seen", framed: "seen", outline: "seen", line: "seen" }, "<style>.line::first-line{color:#000}</style>");
    await meets("/beside-one", `<div style="position:relative"><i style="position:absolute;top:-50px;width:10px;height:10px;box-shadow:0 50px 0 100px #000"></i>
      <p data-testid=over style="position:relative;color:#fff">x</p></div>`, { over: "seen" });
    await meets("/thin", `<p data-testid=thin style="color:#fff;border:1px solid #000">x</p>`, { thin: "none" });
  });

  test("A shape without an inside, or beside its box, leaves nothing; ink that hardly covers is none.", async () => {
    await meets("/shapes", `<p data-testid=flat style="clip-path:polygon(0 0,100% 0,0 0)">x</p><p data-testid=triangle style="clip-path:polygon(0 0,100% 0,0 100%)">x</p>
      <p data-testid=away style="clip-path:circle(10px at -100px -100px)">x</p><p data-testid=at style="clip-path:circle(10px at 5px 5px)">x</p>
      <p data-testid=spot style="clip-path:polygon(5px 5px,5px 5px)">x</p><p data-testid=relative style="clip-path:polygon(0 0,calc(100% - 5px) 0,0 100%)">x</p>
      <p data-testid=faint style="color:rgba(0,0,0,.01)">x</p><p data-testid=pale style="color:rgba(0,0,0,.4)">x</p>
      <div style="display:contents;opacity:0"><p data-testid=contents>x</p></div>`,
    { flat: "none", triangle: "seen", away: "none", at: "seen", spot: "none", relative: "seen", faint: "none", pale: "seen", contents: "seen" });
  });

  test("What a drawing only defines is not seen, what it draws is.", async () => {
    await meets("/defined", `<svg width=100 height=50><defs><text data-testid=defined x=5 y=30>x</text></defs>
      <symbol><text data-testid=symbol x=5 y=30>x</text></symbol><g><text data-testid=drawn x=5 y=30>x</text></g></svg>`,
    { defined: "none", symbol: "none", drawn: "seen" });
  });

  test("Of a card that was turned over one side is seen.", async () => {
    const side = "backface-visibility:hidden";
    await meets("/cards", `<div style="transform-style:preserve-3d;transform:rotateY(180deg)"><p data-testid=front style="${side}">x</p><p data-testid=back style="${side};transform:rotateY(180deg)">x</p></div>
      <div style="transform-style:preserve-3d"><p data-testid=up style="${side}">x</p><p data-testid=down style="${side};transform:rotateX(180deg)"><b data-testid=within>x</b></p></div>
      <div style="transform:rotateY(180deg)"><p data-testid=flat style="${side}">x</p></div><p data-testid=mirrored style="${side};transform:scaleX(-1)">x</p>`,
    { front: "none", back: "seen", up: "seen", down: "none", within: "none", flat: "seen", mirrored: "seen" });
  });

  test("A colour is the same in whichever way it is written.", async () => {
    await meets("/spaces", `<p data-testid=mixed style="color:color-mix(in srgb,#fff 100%,#fff)">x</p><p data-testid=oklch style="color:oklch(1 0 0)">x</p>
      <p data-testid=wide style="color:color(srgb 1 1 1)">x</p><p data-testid=clear style="color:lab(0 0 0 / 0)">x</p>
      <p data-testid=grey style="color:oklch(0.5 0 0)">x</p>
      <div style="background:oklch(0.3 0.1 250)"><p data-testid=onBlue style="color:oklch(1 0 0)">x</p></div>`,
    { mixed: "none", oklch: "none", wide: "none", clear: "none", grey: "seen", onBlue: "seen" });
  });

  test("A modal dialog is cut by nothing around it, and a drawing in a line cuts off what lies outside of it.", async () => {
    await meets("/frames", `<div style="transform:translateX(-5000px);overflow:hidden;width:10px"><dialog id=d><p data-testid=modal>x</p></dialog></div>
      <svg width=100 height=50><text data-testid=outside x=500 y=30>x</text></svg><svg width=100 height=50><text data-testid=inside x=5 y=30>x</text></svg>
      <script>d.showModal()</script>`, { modal: "seen", outside: "none", inside: "seen" });
  });

  test("White without any background is seen where the page has a dark scheme, and not where it has none.", async () => {
    await show("/dark", "<p>white one</p>", "<style>:root{color-scheme:dark} p{color:#fff}</style>");
    assert.equal(await textSight("white one"), "seen");
    await show("/meta", "<p>white one</p>", '<meta name=color-scheme content="light dark"><style>p{color:#fff}</style>');
    assert.equal(await textSight("white one"), "seen");
    await show("/light", "<p>white one</p>", "<style>p{color:#fff}</style>");
    assert.equal(await textSight("white one"), "none");
  });

  test("A bar without height is not seen; a flat line that is drawn by its outline is.", async () => {
    await meets("/drawn", `<svg width=200 height=90><rect data-testid=flat x=10 y=10 width=30 height=0 /><rect data-testid=nan x=50 y=10 width=30 height=NaN />
      <rect data-testid=bar x=90 y=10 width=30 height=40 /><line data-testid=line x1=0 y1=80 x2=190 y2=80 stroke=black /></svg>`,
    { flat: "none", nan: "none", bar: "seen", line: "seen" });
  });

  test("A text is not seen that is only whole with a part that is hidden.", async () => {
    await show("/parts", `<p>Total <b style="display:none">$9.00</b></p><p>Sum <b>$8.00</b></p><p style="font-size:0">tiny one</p>`);
    assert.deepEqual([await textSight("Total $9.00"), await textSight("Sum $8.00"), await textSight("tiny one")], ["none", "seen", "none"]);
  });

  test("Why nobody sees an element is told.", async () => {
    await show("/why", `<ul aria-label=Rows style="height:0;overflow:hidden"><li data-testid=a>x</li></ul><p data-testid=b style="color:#fff">x</p>`, "<style>body{background:#fff}</style>");
    assert.deepEqual([await sight("a"), await sight("b")], [["none", 'is cut off by list "Rows" around it'], ["none", "has the colour of its background"]]);
  });

  test("A text that nobody meets is told so, what is read out as such, and what comes into view later is told then.", async () => {
    await show("/events", `<div id=box></div><style>body{background:#fff} .off{position:absolute;left:-9999px} .faint{opacity:0}</style>
      <button onclick="const add = (name, text, look = '') => { const p = document.createElement('p'); p.className = name; p.style.cssText = look; p.textContent = text; box.append(p); return p };
        add('', 'plain one'); add('', 'white one', 'color:#fff'); add('off', 'spoken one'); add('', 'gone one', 'display:none');
        const late = add('faint', 'late one'); setTimeout(() => { late.className = '' }, 300)">Add</button>`);
    const report = await link.act("click", { role: "button", name: "Add" });
    assert.equal(report.ok, true, report.error);
    const shown = await link.event("visible.shown", ({ text }) => text === "late one");
    assert.equal(shown.data.sight, "seen");
    const sights = Object.fromEntries(link.ofType("dom.added").map(({ data }) => [data.text, data.sight]));
    assert.deepEqual(sights, { "plain one": undefined, "white one": "none", "spoken one": "spoken", "gone one": "none", "late one": "none" });
    assert.deepEqual(link.ofType("sdk.failed"), []);
  });

  test("A status off the page is told as read out, one in white on white is not told at all.", async () => {
    await show("/regions", `<style>body{background:#fff}</style><p role=status id=off style="position:absolute;left:-9999px"></p><p role=status id=white style="color:#fff"></p>
      <p role=status id=plain></p><button onclick="off.textContent = 'off one'; white.textContent = 'white one'; plain.textContent = 'plain one'">Say</button>`);
    await link.act("click", { role: "button", name: "Say" });
    await link.event("visible.shown", ({ text }) => text === "plain one");
    const said = Object.fromEntries(link.ofType("visible.shown").map(({ data }) => [data.text, data.sight]));
    assert.deepEqual(said, { "off one": "spoken", "plain one": undefined });
  });
});
