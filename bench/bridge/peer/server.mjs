// The peer of the page bridge: a `ws` server that parses each message and validates it with zod.
//
//     node server.mjs PORT
//
// It keeps nothing of an event but a count, which GET /counts tells.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { z } from 'zod';

const event = z.object({
  type: z.string().min(1).max(64),
  data: z.record(z.string(), z.unknown()).default({}),
  ref: z.string().max(128).optional(),
  seq: z.number().int().optional(),
  t: z.number().optional(),
  documentId: z.string().max(64).optional(),
  editEpoch: z.number().int().optional(),
});
const message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), event }),
  z.object({ kind: z.literal('events'), events: z.array(event) }),
  z.object({
    kind: z.literal('command_result'),
    id: z.string(),
    ok: z.boolean(),
    result: z.unknown(),
    error: z.string().max(4096).optional(),
  }),
  z.object({
    kind: z.literal('hello'),
    protocolVersion: z.number().int(),
    script: z.string().optional(),
    sessionId: z.string().max(128),
    documentId: z.string().max(64).optional(),
    url: z.string().max(4096),
    title: z.string().max(512),
  }),
]);

let recorded = 0;
let refused = 0;

const server = createServer((request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ recorded, lost: refused }));
});
const sockets = new WebSocketServer({ server, path: '/reticle', maxPayload: 4 * 1024 * 1024, perMessageDeflate: false });
sockets.on('connection', (socket) => {
  socket.on('message', (data, binary) => {
    let value;
    try {
      value = message.safeParse(JSON.parse(data.toString()));
    } catch {
      value = { success: false };
    }
    if (binary || !value.success) refused += 1;
    else if (value.data.kind === 'event') recorded += 1;
    else if (value.data.kind === 'events') recorded += value.data.events.length;
  });
  socket.on('error', () => {});
});
server.listen(Number(process.argv[2]), '127.0.0.1', 1024);
