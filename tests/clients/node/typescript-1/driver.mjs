// node driver.mjs URL sse|http
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { run, walk } from "../walk.mjs";

await run(async (url, kind) => {
  const address = new URL(url);
  const transport = kind === "sse" ? new SSEClientTransport(address) : new StreamableHTTPClientTransport(address);
  // What was agreed is told to the transport, which sends it in a header from then on.
  let revision = null;
  const told = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => { revision = version; told?.(version); };
  const client = new Client({ name: "typescript-1", version: "1" }, { capabilities: {} });
  await client.connect(transport);
  const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
  const walked = await walk(client, call);
  await client.ping();
  const server = client.getServerVersion().name;
  await transport.terminateSession?.();
  await client.close();
  return { revision, server, pinged: true, ...walked };
});
