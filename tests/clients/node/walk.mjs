// What every Node client does with the daemon, and the one line of JSON that tells how it went.
// The Python drivers do the same in ../drivers/walk.py; ../outcome.py reads the line.
import process from "node:process";

const heading = { kind: "text", contains: "Bench", visible: true };
const never = { kind: "text", contains: "this is nowhere" };
const step = { action: "click", target: { testid: "save" } };
const saved = { kind: "net", method: "POST", urlContains: "/api/save", status: 200 };

const calls = {
  sessions: ["reticle_sessions", {}],
  asserted: ["reticle_assert", { predicate: heading }],
  acted: ["reticle_act_and_wait", { action: "click", target: { testid: "save" }, until: saved }],
  refused: ["reticle_assert", { sessionId: "nobody", predicate: heading }],
  // Progress comes well before the end: what comes together with the answer, these SDKs lose.
  stepped: ["reticle_act_sequence", { steps: [step, { ...step, args: { holdMs: 400 } }] }],
};

const CANCEL_MS = 500;
const REST_MS = 5_000;
const WHOLE_MS = 60_000;

// `client` is connected; `call(name, args, options)` gives a result as on the wire, `options` being
// {onprogress, signal} as both SDKs take them.
export async function walk(client, call) {
  const progress = [];
  const results = {};
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  for (const [key, [name, args]] of Object.entries(calls)) {
    results[key] = await call(name, args, { onprogress: (told) => progress.push(told.progress) });
  }
  const has = client.getServerCapabilities();
  return {
    tools, results, progress,
    prompts: has.prompts ? (await client.listPrompts()).prompts.map((prompt) => prompt.name) : null,
    resources: has.resources ? (await client.listResources()).resources.map((found) => found.uri) : null,
    cancelled: await cancelled(call),
  };
}

// Gives up a long wait; true when the daemon then has nothing to do any more.
async function cancelled(call) {
  const signal = AbortSignal.timeout(CANCEL_MS);
  try {
    await call("reticle_wait_for", { predicate: never, timeout_ms: 50_000 }, { signal });
  } catch {
    if (!signal.aborted) return false;
    const deadline = performance.now() + REST_MS;
    while (performance.now() < deadline) {
      const status = await (await fetch(process.env.STATUS_URL)).json();
      if (status.calls.in_flight === 0) return true;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  return false;
}

// Runs a driver; says what it found once everything is closed. A process that does not end by itself
// afterwards has left something open, and the test's own limit ends it.
export async function run(drive) {
  const limit = setTimeout(() => { console.error("the driver took too long"); process.exit(3); }, WHOLE_MS);
  const found = await drive(...process.argv.slice(2));
  clearTimeout(limit);
  console.log(JSON.stringify(found));
}
