// A minimal Node server: reads the body and returns an equal JSON body. No validation.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readBodies } from '../operations.ts';

const bodies = readBodies();

createServer((request, response) => {
  if (request.method === 'GET') return answer(response, request.url?.includes('?') ? bodies.filtered : bodies.list);
  void readJson(request).then(() => answer(response, bodies.update));
}).listen(Number(process.env.PORT), '127.0.0.1');

function answer(response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}
