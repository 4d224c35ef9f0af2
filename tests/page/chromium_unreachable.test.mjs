/*
 * WS-07: the app's page in a real Chromium when the daemon cannot be reached. The app boots as if we were not
 * there, and one line in the console says what is known.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { findChromium, Lab } from "./lab.mjs";

const skip = findChromium() ? false : "no Chromium on this machine (set RETICLE_CHROMIUM)";

/** Long enough for four attempts (at 0, 250, 750 and 1,750 ms), so that a second notice would show. */
const FOUR_ATTEMPTS_MS = 2500;

/** What the page keeps for us: what the console was told of reticle, what went wrong, what the policy stopped. */
const RECORDER = `
  const seen = { notes: [], errors: [], blocked: [], tries: 0 };
  for (const level of ["debug", "log", "info", "warn", "error"]) {
    const real = console[level];
    console[level] = (...words) => {
      if (words.join(" ").includes("reticle")) seen.notes.push([level, words.join(" ")]);
      real.apply(console, words);
    };
  }
  addEventListener("error", (event) => seen.errors.push(event.message));
  addEventListener("unhandledrejection", (event) => seen.errors.push(String(event.reason)));
  addEventListener("securitypolicyviolation", (event) => seen.blocked.push(event.blockedURI));
`;

/** The app: draws itself, asks its server, and later tells how it went and goes to where the answer says. */
const app = (waitMs) => `<h1></h1><script>
  const heading = document.querySelector("h1");
  heading.textContent = "Shop";
  fetch("/cart").then((answer) => answer.json()).then((cart) => { heading.textContent += " with " + cart.items; });
  setTimeout(async () => {
    const body = JSON.stringify({ ...seen, heading: heading.textContent, api: typeof window.reticle.signal });
    location.replace(await (await fetch("/told", { method: "POST", body })).text());
  }, ${waitMs});
</script>`;

/** The notice that is due after three attempts at an address. */
const noticeFor = (address) =>
  `[reticle] no connection to ${address} after 3 attempts; trying on quietly. No daemon there, a Content-Security-Policy ` +
  "without it in connect-src, or an https page with a ws: address: these look alike from here.";

describe("WS-07 in Chromium", { skip }, () => {
  /** @type {Lab} the daemon, which also serves the script */
  let daemon;
  /** @type {Lab} the app's own server, on another port */
  let shop;
  let link;
  let socketUrl;

  before(async () => {
    daemon = await new Lab().start();
    shop = await new Lab().start();
    socketUrl = `${daemon.origin.replace("http:", "ws:")}/reticle`;
    link = await daemon.open(daemon.page("/", "<h1>Start</h1>"));
  });
  after(async () => {
    await daemon.stop();
    await shop.stop();
  });

  /** Show the app once; answers what it told, when the tab is back on the daemon's start page. */
  async function boot({ first = "", tag = "", headers = {}, waitMs = FOUR_ATTEMPTS_MS } = {}) {
    let told;
    shop.pages.set("/cart", (request, response) => response.writeHead(200, { "content-type": "application/json" }).end('{"items":2}'));
    shop.pages.set("/told", (request, response) => {
      let text = "";
      request.setEncoding("utf-8").on("data", (piece) => { text += piece; }).on("end", () => {
        told = JSON.parse(text);
        response.end(`${daemon.origin}/`);
      });
    });
    shop.pages.set("/app", (request, response) =>
      response.writeHead(200, { "content-type": "text/html", ...headers }).end(
        `<!doctype html><head><script>${RECORDER}${first}</script><script src="${daemon.origin}/sdk.js" ${tag}></script></head><body>${app(waitMs)}</body>`,
      ),
    );
    const known = daemon.links.length;
    await link.ask("navigate", { url: `${shop.origin}/app` });
    link = await daemon.until(() => daemon.links.slice(known).find((each) => each.hello?.url === `${daemon.origin}/`), 10000, "the way back");
    return { told, links: daemon.links.slice(known).filter((each) => each !== link) };
  }

  /** The app came up whole, with our API there and nothing thrown into it. */
  function assertBooted(told) {
    assert.equal(told.heading, "Shop with 2");
    assert.equal(told.api, "function");
    assert.deepEqual(told.errors, []);
  }

  test("WS-07: where a policy says connect-src 'self', the app boots and one notice names address, attempts and the three causes.", async () => {
    const { told, links } = await boot({ headers: { "content-security-policy": "connect-src 'self'" } });
    assertBooted(told);
    assert.deepEqual(told.notes, [["info", noticeFor(socketUrl)]]);
    assert.deepEqual(told.blocked, Array(4).fill(socketUrl));
    assert.equal(links.length, 0);
  });

  test("WS-07: a WebSocket whose constructor throws is a refused connection to us and nothing to the app.", async () => {
    const first = 'window.WebSocket = function WebSocket() { seen.tries += 1; throw new DOMException("insecure", "SecurityError"); };';
    const { told, links } = await boot({ first });
    assertBooted(told);
    assert.deepEqual(told.notes, [["info", noticeFor(socketUrl)]]);
    assert.equal(told.tries, 4);
    assert.equal(links.length, 0);
  });

  test("WS-07: without a WebSocket there is nothing to try, and the notice says just that.", async () => {
    const { told, links } = await boot({ first: "window.WebSocket = undefined;", waitMs: 1000 });
    assertBooted(told);
    assert.deepEqual(told.notes, [["info", "[reticle] not connecting: this browser has no WebSocket"]]);
    assert.equal(links.length, 0);
  });

  test("WS-07: a WebSocket that the app wraps, before or after us, carries our connection and the app's own.", async () => {
    const wrapping = (name) => `{
      const Inner = window.WebSocket;
      window.WebSocket = class ${name} extends Inner {
        constructor(...given) { super(...given); seen.tries += 1; }
      };
    }`;
    const late = `addEventListener("DOMContentLoaded", () => {
      ${wrapping("Late")}
      new WebSocket("${shop.origin.replace("http:", "ws:")}/reticle").onopen = (event) => {
        event.target.send(JSON.stringify({ kind: "mine" }));
        event.target.close();
      };
    });`;
    const { told, links } = await boot({ first: wrapping("Early") + late, waitMs: 1000 });
    assertBooted(told);
    assert.deepEqual(told.notes, []);
    assert.equal(told.tries, 3, "once for our socket, twice for the app's");
    const kinds = [links, shop.links].map((each) => each.map(({ messages }) => messages[0].kind));
    assert.deepEqual(kinds, [["hello"], ["mine"]]);
  });

  test("WS-07: started with no daemon, the app boots; when the daemon comes, the page is there by itself.", async () => {
    const absent = await new Lab().start();
    const port = Number(new URL(absent.origin).port);
    await absent.stop();
    const address = `ws://127.0.0.1:${port}/reticle`;
    const { told } = await boot({ tag: `data-url="${address}"` });
    assertBooted(told);
    assert.deepEqual(told.notes, [["info", noticeFor(address)]]);

    const late = await new Lab().start(port);
    try {
      const { told: joined } = await boot({ tag: `data-url="${address}"` });
      assertBooted(joined);
      assert.deepEqual(joined.notes, []);
      assert.equal(late.links[0].hello.url, `${shop.origin}/app`);
    } finally {
      await late.stop();
    }
  });
});
