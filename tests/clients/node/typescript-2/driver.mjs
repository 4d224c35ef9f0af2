// node driver.mjs URL sse|http default|auto|2026-07-28
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { run, walk } from "../walk.mjs";

await run(async (url, kind, mode) => {
  const address = new URL(url);
  const transport = kind === "sse" ? new SSEClientTransport(address) : new StreamableHTTPClientTransport(address);
  const negotiation = mode === "auto" ? { mode: "auto" } : { mode: { pin: mode } };
  const options = mode === "default" ? {} : { versionNegotiation: negotiation };
  const client = new Client({ name: "typescript-2", version: "1" }, options);
  await client.connect(transport);
  const revision = client.getNegotiatedProtocolVersion();
  const call = (name, args, more) => client.callTool({ name, arguments: args }, more);
  const walked = await walk(client, call);
  const pinged = revision < "2026" ? (await client.ping(), true) : null;
  const server = client.getServerVersion().name;
  await transport.terminateSession?.();
  await client.close();
  return { revision, server, pinged, ...walked };
});
