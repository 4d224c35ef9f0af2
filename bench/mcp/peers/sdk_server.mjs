// The peer of the TypeScript SDK: one no-op tool, straight on node:http, which is its fastest form.
//
//     node sdk_server.mjs http|json|sse|stdio [PORT]
//
// `http` answers a POST with an event stream (the SDK's default), `json` with one JSON body.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const [carrier, port] = process.argv.slice(2);
const sessions = new Map();

function makeServer() {
  const server = new McpServer({ name: 'bench', version: '1' });
  server.registerTool(
    'noop',
    { description: 'Do nothing.', inputSchema: { text: z.string().optional() } },
    async () => ({ content: [{ type: 'text', text: 'ok' }] }),
  );
  return server;
}

function refuse(response, status, words) {
  response.writeHead(status).end(words);
}

async function streamable(request, response) {
  const named = request.headers['mcp-session-id'];
  if (named !== undefined) {
    const transport = sessions.get(named);
    return transport ? transport.handleRequest(request, response) : refuse(response, 404, 'no such session');
  }
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: carrier === 'json',
    onsessioninitialized: (id) => { sessions.set(id, transport); },
  });
  await makeServer().connect(transport);
  return transport.handleRequest(request, response);
}

async function pair(request, response) {
  const url = new URL(request.url, 'http://localhost');
  if (request.method === 'GET') {
    const transport = new SSEServerTransport('/messages', response);
    sessions.set(transport.sessionId, transport);
    response.on('close', () => sessions.delete(transport.sessionId));
    return makeServer().connect(transport);
  }
  const transport = sessions.get(url.searchParams.get('sessionId'));
  return transport ? transport.handlePostMessage(request, response) : refuse(response, 404, 'no such session');
}

if (carrier === 'stdio') {
  await makeServer().connect(new StdioServerTransport());
} else {
  createServer(carrier === 'sse' ? pair : streamable).listen(Number(port), '127.0.0.1', 1024);
}
