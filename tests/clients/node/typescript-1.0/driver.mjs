// node driver.mjs URL
import EventSource from "eventsource";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/sdk/types.js";
import { run, walk } from "../walk.mjs";

globalThis.EventSource = EventSource;

await run(async (url) => {
  const client = new Client({ name: "typescript-1.0", version: "1" }, { capabilities: {} });
  const transport = new SSEClientTransport(new URL(url));
  await client.connect(transport);
  const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
  const walked = await walk(client, call);
  await client.ping();
  const server = client.getServerVersion().name;
  await client.close();
  // It knows one revision and refuses a daemon that answers with another.
  return { revision: LATEST_PROTOCOL_VERSION, server, pinged: true, ...walked };
});
