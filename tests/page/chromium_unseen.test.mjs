/*
 * Ways by which something may come that the script does not see begin, in a real Chromium: each is named from its first
 * use on, and a page that uses none of them names none.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inChromium, lab, link, show } from "./tab.mjs";

inChromium("ways out of sight in Chromium", () => {
  const click = async (name) => (await link.act("click", { role: "button", name })).result;
  const unseen = async () => (await link.ask("read", { questions: [] })).pending.unseen;

  test("A plain page that answers a click with a request and a timer has nothing out of sight.", async () => {
    await show("/plain", "<button onclick=\"fetch('/api/ok').then((answer) => answer.text()); setTimeout(() => {}, 10)\">Go</button>");
    await click("Go");
    assert.equal(await unseen(), undefined);
  });

  test("What the app uses is named from then on, and not before.", async () => {
    const uses = {
      atomics: "Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
      audio: "new AudioContext()",
      channel: "new BroadcastChannel('c')",
      codec: "new VideoDecoder({ output() {}, error() {} })",
      location: "navigator.geolocation.getCurrentPosition(() => {}, () => {})",
      peer: "new RTCPeerConnection()",
      recorder: "new MediaRecorder(new MediaStream())",
      speech: "speechSynthesis.speak(new SpeechSynthesisUtterance('x'))",
      stream: "fetch('/api/ok').then((answer) => answer.body.getReader().read())",
      transport: "new WebTransport('https://127.0.0.1:9/')",
      video: "document.createElement('video').requestVideoFrameCallback(() => {})",
      // an endless animation tells each of its rounds
      motion: "document.body.animate([{ opacity: 1 }, { opacity: 0.9 }], { duration: 900, iterations: Infinity })",
    };
    for (const [way, script] of Object.entries(uses)) {
      await show(`/uses-${way}`, `<button onclick="try { ${script.replaceAll('"', "&quot;")} } catch {}">Go</button>`);
      assert.equal(await unseen(), undefined, way);
      await click("Go");
      // a body is read when its answer has come
      let named = await unseen();
      for (let round = 0; round < 100 && way === "stream" && !named; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        named = await unseen();
      }
      // SharedArrayBuffer is there for pages that keep others out alone
      if (way !== "atomics" || named !== undefined) assert.deepEqual(named, [way]);
    }
  });

  test("A page with modules may ask for further ones, and one that did so without is found out.", async () => {
    lab.pages.set("/late.js", (_, response) => response.writeHead(200, { "content-type": "text/javascript" }).end("export {};"));
    await show("/modules", '<script type="module">1;</script><button>Go</button>');
    assert.deepEqual(await unseen(), ["modules"]);
    await show("/imports", "<button onclick=\"import('/late.js')\">Go</button>");
    assert.equal(await unseen(), undefined);
    await click("Go");
    for (let round = 0; round < 100 && !(await unseen()); round += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(await unseen(), ["modules"]);
  });

  test("A page that another one opened, or shows in a frame, may be sent messages; SVG moves by itself.", async () => {
    await show("/svg", '<svg><rect width="9" height="9"><animate attributeName="x" to="9" dur="1s" /></rect></svg>');
    assert.deepEqual(await unseen(), ["motion"]);
  });

  test("The app gets what it asked for, and its classes are its classes.", async () => {
    await show("/same", `<p id="out"></p><script>
      const made = new BroadcastChannel("c");
      class Mine extends BroadcastChannel {}
      const mine = new Mine("d");
      out.textContent = [made instanceof BroadcastChannel, made.constructor === BroadcastChannel, mine instanceof Mine, mine.name].join(" ");
    </script>`);
    const told = await link.ask("read", { questions: [{ kind: "text", contains: "true true true d" }] });
    assert.equal(told.answers[0].matched, true);
  });
});
