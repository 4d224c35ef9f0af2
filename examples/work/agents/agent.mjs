// An agent in Node: the same loop as agent.py, in another language and over the same protocol.
import { readFileSync, writeFileSync } from "node:fs";

const fixes = JSON.parse(readFileSync(new URL("./fixes.json", import.meta.url), "utf8"));
const { RETICLE_MCP_URL: url, RETICLE_MCP_TOKEN_FILE: tokenFile } = process.env;
const me = {
  repository_id: process.env.RETICLE_REPOSITORY_ID,
  session_id: process.env.RETICLE_SESSION_ID,
};
const headers = {
  Authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}`,
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
};
let last = 0;

async function post(message) {
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(message) });
  const session = answer.headers.get("mcp-session-id");
  if (session) headers["Mcp-Session-Id"] = session;
  const text = await answer.text();
  const lines = (answer.headers.get("content-type") ?? "").startsWith("text/event-stream")
    ? text.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5))
    : [text];
  return lines.filter((line) => line.trim()).map((line) => JSON.parse(line));
}

async function request(method, params) {
  last += 1;
  const id = last;
  const message = (await post({ jsonrpc: "2.0", id, method, params })).find((each) => each.id === id);
  if (message === undefined) throw new Error(`${method} got no answer`);
  if (message.error) throw new Error(`${message.error.code}: ${message.error.message}`);
  return message.result;
}

async function call(name, args) {
  const result = await request("tools/call", { name, arguments: args });
  const told = result.structuredContent ?? JSON.parse(result.content[0].text);
  if (result.isError) throw new Error(`${told.error}: ${told.message}`);
  return told;
}

async function verify({ url: address, claim }, fix) {
  const lease = await call("reticle_lease", { action: "acquire", url: address });
  const page = { sessionId: lease.sessionId };
  try {
    for (const step of fix.before) await call("reticle_act", { ...step, ...page });
    const verdict = await call("reticle_act_and_wait", { ...fix.act, until: claim, ...page });
    if (verdict.verified !== "yes") console.log("not proved:", JSON.stringify(verdict));
    return verdict.verdict_id;
  } finally {
    await call("reticle_lease", { action: "release", leaseId: lease.leaseId });
  }
}

async function work(packet) {
  const held = { ...me, lease_id: packet.lease.lease_id };
  const fix = fixes[packet.job.id];
  await call("work.ack", { ...held, message_id: packet.lease.message_id });
  const file = `${packet.run.repo_root}/${fix.file}`;
  const text = readFileSync(file, "utf8");
  if (!text.includes(fix.new)) writeFileSync(file, text.replace(fix.old, () => fix.new));
  const verdicts = [];
  for (const required of packet.requires_verdict) verdicts.push(await verify(required, fix));
  for (const { logical_name, kind, path } of packet.expected_artifacts) {
    await call("artifact.publish", { ...held, logical_name, kind, path });
  }
  await call("work.complete", { ...held, summary: `mended ${fix.file}`, verdict_ids: verdicts });
  console.log(`${packet.job.id}: completed with ${verdicts.join(", ")}`);
}

await request("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "work-demo-node", version: "1" },
});
await post({ jsonrpc: "2.0", method: "notifications/initialized" });
await call("session.report", { ...me, report_kind: "ready", phase: "await_packet" });
for (;;) {
  const got = await call("work.await_packet", { ...me, lease_seconds: 60 });
  if (got.status === "claimed") {
    await work(got.packet);
  } else if (got.idle_behavior === "exit_session") {
    console.log(`no more work: ${got.reason}`);
    break;
  }
}
