/*
 * An app with the page script and the same app without: nothing that it does, sends, throws or can look at differs.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { scriptText } from "./parts.mjs";
import { follow, inChromium, lab, link } from "./tab.mjs";

const WITNESS = readFileSync(new URL("witness.js", import.meta.url));
const PAGE = `<!doctype html><html><head><script src="/first.js"></script><title>Witness</title></head><body>
<form id="get" action="/form" target="inner"><input name="a" value="1 &amp; 2"><button name="go" value="get">Go</button></form>
<form id="post" action="/form" method="post" target="inner"><input name="b" value="ü"><button name="go" value="post">Go</button></form>
<form id="parts" action="/form" method="post" enctype="multipart/form-data" target="inner"><input name="c" value="3"><button>Go</button></form>
<iframe name="inner"></iframe><script src="/witness.js"></script></body></html>`;

/** A boundary is drawn by lot. */
const steady = (text) => text.replaceAll(/----WebKitFormBoundary\w+/g, "boundary");

/** What the witness writes last. */
const LAST_WORDS = "witness: done";

/**
 * What is known to differ, and is left: our three names on the window, which no loop over it comes across; three methods
 * wrapped where they are inherited; the name inside the text of a native function, which a proxy has not; and our
 * own frames in a stack, below or between the app's.
 */
const OURS = /^(?:window\.(?:reticle|__reticle__|Symbol\(reticle\.frame\))|EventSource\.prototype\.addEventListener)$/;
const WRAPPED_HERE = { EventSource: "addEventListener", BroadcastChannel: "addEventListener", HTMLAnchorElement: "dispatchEvent" };

function comparable(told) {
  const shapes = Object.entries(told.shapes).filter(([name]) => !OURS.test(name));
  const plain = JSON.stringify({ ...told, shapes: Object.fromEntries(shapes) }, (key, value) => {
    if (key === "text") return value.replace(/^function [\w ]*\((?=\) \{ \[native code\] \}$)/, "function (");
    if (Array.isArray(value?.prototype) && value.name in WRAPPED_HERE) {
      const [names, own] = value.prototype;
      return { ...value, prototype: [names.filter((name) => name !== WRAPPED_HERE[value.name]), own] };
    }
    if (Array.isArray(value)) return value.filter((each) => !(typeof each === "string" && each.startsWith("at ") && each.includes("/first.js:")));
    return value;
  });
  return JSON.parse(plain);
}

inChromium("the same app with and without the page script in Chromium", () => {
  /** Let the app run with this first script; answers what it wrote down and what its server was sent. */
  async function witness(first) {
    const sent = [];
    let told;
    const record = (request, response, answer) => {
      let body = "";
      request.setEncoding("latin1").on("data", (piece) => { body += piece; }).on("end", () => {
        const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${steady(value)}`);
        sent.push({ line: `${request.method} ${request.url}`, headers, body: steady(body) });
        answer(body);
      });
    };
    const json = (request, response) => record(request, response, () => response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}'));
    for (const name of ["one", "two", "three", "four", "six"]) lab.pages.set(`/api/${name}`, json);
    lab.pages.set("/api/five", (request, response) => record(request, response, () => {
      response.writeHead(200, { "content-type": "text/plain" }).write("first ");
      setTimeout(() => response.end("second"), 30);
    }));
    lab.pages.set("/api/slow", (request) => request.resume());
    lab.pages.set("/form", (request, response) => record(request, response, () => response.writeHead(200, { "content-type": "text/html" }).end("<p>taken</p>")));
    lab.pages.set("/first.js", (request, response) => response.writeHead(200, { "content-type": "text/javascript" }).end(first));
    lab.pages.set("/witness.js", (request, response) => response.writeHead(200, { "content-type": "text/javascript" }).end(WITNESS));
    lab.pages.set("/app", (request, response) => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE));
    lab.pages.set("/told", (request, response) => {
      let text = "";
      request.setEncoding("utf-8").on("data", (piece) => { text += piece; }).on("end", () => {
        told = JSON.parse(text);
        response.end(`${lab.origin}/`);
      });
    });
    const known = lab.links.length;
    const before = lab.console.length;
    await link.ask("navigate", { url: `${lab.origin}/app` });
    await lab.until(() => told, 20000, "what the app saw");
    const back = await lab.until(() => lab.links.slice(known).find((each) => each.hello?.url === `${lab.origin}/`), 10000, "the way back");
    await follow(lab.links.indexOf(back));
    await lab.until(() => lab.console.slice(before).includes(LAST_WORDS), 5000, "the last line of the console");
    return { told: comparable(told), sent, console: lab.console.slice(before) };
  }

  test("The app sees, sends, throws and writes the same, in the same order.", async () => {
    const without = await witness("");
    assert.equal(without.told.broken, undefined);
    assert.ok(without.sent.length >= 10 && without.console.length >= 10, JSON.stringify([without.sent.length, without.console]));
    assert.deepEqual(await witness(""), without, "the app itself is not the same twice");
    const withScript = await witness(scriptText());
    for (const part of ["order", "errors", "rejections", "stacks", "values", "dom", "shapes"]) {
      assert.deepEqual(withScript.told[part], without.told[part], part);
    }
    assert.deepEqual(withScript, without);
  });
});
