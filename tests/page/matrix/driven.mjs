/*
 * The acting matrix by real input, through a daemon and a browser that it drives: `node driven.mjs <URL of the daemon>`.
 * Prints the table; fails when a cell is not as it must be. A second argument is the name of the one framework to look at.
 */
import { Lab } from "../lab.mjs";
import { serveApps, STYLE } from "./apps.mjs";
import { BY_HAND, byHand } from "./by_hand.mjs";
import { fillIn, Sheet, table } from "./judge.mjs";

const [, , daemon, only = null] = process.argv;

let asked = 0;
async function call(name, args) {
  asked += 1;
  const body = JSON.stringify({ jsonrpc: "2.0", id: asked, method: "tools/call", params: { name, arguments: args } });
  const response = await fetch(`${daemon}/mcp`, { method: "POST", headers: { "content-type": "application/json", accept: "application/json, text/event-stream" }, body });
  const text = await response.text();
  const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  if (error) throw new Error(`${name}: ${JSON.stringify(error)}`);
  return result.structuredContent;
}

/** What a report leaves out because it goes without saying. */
const UNSAID = { dispatched: true, valueChanged: false, alreadyAtValue: false };

/** The page of a lease, asked through the daemon's tools. */
class Driven {
  constructor(sessionId) {
    this.sessionId = sessionId;
  }

  ask(name, args) {
    return call(`reticle_${name}`, { ...args, sessionId: this.sessionId });
  }

  async act(action, target, args) {
    const where = typeof target === "string" ? { ref: target } : { target };
    const trusted = BY_HAND.has(action);
    const told = await call("reticle_act", { action, ...where, args, ...(trusted ? { trusted } : {}), sessionId: this.sessionId });
    if (!told.ok) return { ok: false, code: told.error, error: told.message };
    if (trusted && told.inputMode !== "trusted" && !told.effect.alreadyAtValue) return { ok: false, code: "not_trusted", error: JSON.stringify(told) };
    return { ok: true, result: { warning: told.warning, effect: { ...UNSAID, ...told.effect } } };
  }
}

/** The app's state, as the page under test posts it. */
const STATE = `<script>addEventListener("DOMContentLoaded", () => {
  let last = "", count = 0;
  const look = () => {
    const text = document.querySelector("[data-testid=state]")?.textContent ?? "";
    if (text === last) return;
    last = text;
    count += 1;
    fetch("/told?" + count, { method: "POST", body: text });
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
})</script>`;

const lab = await new Lab().start();
serveApps(lab);
let state = "";
let told = 0;
lab.pages.set("/told", async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const count = Number(request.url.split("?")[1]);
  // two that are under way at a time may come in another order
  if (count > told) [told, state] = [count, body];
  response.writeHead(204).end();
});
let failed = 1;
let lease = null;
try {
  const judged = await fillIn(
    async (path, body) => {
      [told, state] = [0, ""];
      lab.pages.set(path, `<!doctype html><html><head><title>Matrix</title>${STYLE}${STATE}</head><body>${body}</body></html>`);
      if (lease) await call("reticle_lease", { action: "release", leaseId: lease });
      const got = await call("reticle_lease", { action: "acquire", url: lab.origin + path });
      lease = got.leaseId;
      if (!got.ok) throw new Error(JSON.stringify(got));
      return new Sheet(new Driven(got.sessionId), async () => state);
    },
    only,
    byHand,
  );
  console.log(table(judged).join("\n"));
  failed = judged.faults.length > 0 ? 1 : 0;
} finally {
  if (lease) await call("reticle_lease", { action: "release", leaseId: lease }).catch(() => undefined);
  await lab.stop();
}
process.exit(failed);
