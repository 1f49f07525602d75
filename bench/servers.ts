// Servers to compare with, a process each: the name of one, then the file of its answers. The port comes from the environment.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { OperationName } from './peers.ts';

const [, , name = '', bodiesFile = ''] = process.argv;
const listening = [Number(process.env.PORT), '127.0.0.1'] as const;
/** Responses of the mock. */
const constants: Readonly<Record<OperationName, unknown>> = JSON.parse(readFileSync(bodiesFile, 'utf8'));
const update = '/v1/echo/recordings/:id';
const list = '/v1/admin/tenants/:id/api-keys';

const servers: Readonly<Record<string, () => Promise<void>>> = {
  /** Reads the body and returns an equal JSON body. No validation. */
  async 'bare node:http'() {
    const answer = (response: ServerResponse, body: unknown): void => {
      const text = JSON.stringify(body);
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      response.writeHead(200, headers).end(text);
    };
    const readJson = async (request: IncomingMessage): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      JSON.parse(Buffer.concat(chunks).toString());
    };
    createServer((request, response) => {
      const { method, url } = request;
      if (method === 'GET') answer(response, url?.includes('?') ? constants.filtered : constants.list);
      else void readJson(request).then(() => answer(response, constants.update));
    }).listen(...listening);
  },

  /** The same routes, parses a JSON body and returns an equal one. No validation. */
  async 'bare Express'() {
    const { default: express } = await import('express');
    const app = express();
    app.use(express.json());
    app.patch(update, (_request, response) => void response.json(constants.update));
    app.get(list, ({ query }, response) => void response.json(query.provider ? constants.filtered : constants.list));
    app.listen(...listening);
  },
};

await servers[name]?.();
