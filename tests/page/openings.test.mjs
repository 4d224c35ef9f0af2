/*
 * Windows that the app opens while an act runs.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage, same } from "./parts.mjs";

/** Click the one button of a page whose window.open gives `answer`. */
async function clicked(html, use, answer = null, launch = undefined) {
  const asked = [];
  const page = loadPage(html, ["runAct"], {
    start: true,
    launch,
    before(window) {
      window.open = function open(...args) {
        asked.push([this, String(args[0]), ...args.slice(1)]);
        return typeof answer === "function" ? answer(window) : answer;
      };
    },
  });
  const target = page.document.querySelector("button, a");
  if (use) target.addEventListener("click", () => { page.opened = use(page.window); });
  const report = await page.runAct({ target: { role: target.localName === "a" ? "link" : "button" }, action: "click" });
  return Object.assign(page, { asked, report, effect: report.effect });
}

const NEW = { parent: undefined };
NEW.parent = NEW;

test("A window that the browser blocked is named with its address, and the app gets what the browser gave.", async () => {
  const page = await clicked("<button>Print</button>", (window) => window.open("/print?token=abc", "_blank", "width=300"));
  same(page.effect.opened, [{ url: "http://localhost:8000/print?token=[REDACTED]", blocked: true }]);
  assert.match(page.report.warning, /browser blocked a window/);
  assert.equal(page.opened, null);
  same(page.asked.map(([, ...args]) => args), [["/print?token=abc", "_blank", "width=300"]]);
});

test("A window that opened is named without a warning, the very object reaches the app.", async () => {
  const page = await clicked("<button>Print</button>", (window) => window.open("/print"), NEW);
  same(page.effect.opened, [{ url: "http://localhost:8000/print", blocked: false }]);
  assert.equal(page.report.warning, undefined);
  assert.equal(page.opened, NEW);
});

test("Without an opener nobody can tell whether it opened, and that is said.", async () => {
  const page = await clicked("<button>Help</button>", (window) => window.open("https://help.example/", "_blank", "noopener,width=9"));
  same(page.effect.opened, [{ url: "https://help.example/" }]);
  assert.match(page.report.warning, /nobody here can tell/);
});

test("In a browser that the daemon drives nobody is in doubt: it tells itself what opened, and that real input was not asked for.", async () => {
  const launch = '{ channel: { send() {} }, session: "b1", url: "ws://127.0.0.1:1/reticle" }';
  const page = await clicked("<button>Help</button>", (window) => window.open("/help", "_blank", "noopener"), null, launch);
  same(page.effect.opened, [{ url: "http://localhost:8000/help" }]);
  assert.equal(page.report.warning, undefined);
  assert.equal(page.report.inputModeReason, "trusted-not-asked-for");
});

test("A link to a new tab is named; one that the app handles, or that stays in this window or a frame, is not.", async () => {
  const link = (more) => `<a href="/two" ${more}>Two</a><iframe name=side></iframe>`;
  same((await clicked(link("target=_blank"))).effect.opened, [{ url: "http://localhost:8000/two" }]);
  const handled = await clicked(link("target=_blank"), () => undefined);
  assert.ok("opened" in handled.effect);
  const prevented = loadPage(link("target=_blank"), ["runAct"], { start: true });
  prevented.document.querySelector("a").addEventListener("click", (event) => event.preventDefault());
  assert.equal("opened" in (await prevented.runAct({ target: { role: "link" }, action: "click" })).effect, false);
  for (const target of ["target=_self", "target=side", "target=_top"]) {
    const page = await clicked(link(target), (window) => window.document.querySelector("a").removeAttribute("href"));
    assert.equal("opened" in page.effect, false, target);
  }
});

test("Enter on a link to a new tab is named as a click is.", async () => {
  const page = loadPage("<a href=/two target=_blank>Two</a>", ["runAct"], { start: true });
  const { effect } = await page.runAct({ target: { role: "link" }, action: "press", args: { key: "Enter" } });
  same(effect.opened, [{ url: "http://localhost:8000/two" }]);
  page.document.querySelector("a").addEventListener("click", (event) => event.preventDefault());
  assert.equal("opened" in (await page.runAct({ target: { role: "link" }, action: "press", args: { key: "Enter" } })).effect, false);
});

test("Going elsewhere in this window or in a frame opens nothing.", async () => {
  const here = await clicked("<button>A</button>", (window) => window.open("/x", "_self"), (window) => window);
  assert.equal("opened" in here.effect, false);
  const frame = { parent: NEW };
  const framed = await clicked("<button>A</button>", (window) => window.open("/x", "side"), frame);
  assert.equal("opened" in framed.effect, false);
});

test("What opens outside of an act is not told, and an object as the address is converted once.", async () => {
  let conversions = 0;
  const address = { toString() { conversions += 1; return "/x"; } };
  const page = await clicked("<button>A</button>", (window) => window.open(address), (window) => { return window && NEW; });
  same(page.effect.opened, [{ url: "", blocked: false }]);
  assert.equal(conversions, 1);
  page.window.open("/later");
  const next = await page.runAct({ target: { role: "button" }, action: "hover" });
  assert.equal("opened" in next.effect, false);
});
