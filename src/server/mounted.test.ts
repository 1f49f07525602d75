import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { createMock } from '../index.ts';

test('mounted in another Express app, both work', async () => {
  const { app } = await createMock();
  const outer = express();
  outer.use('/mock', app);
  outer.get('/own', (request, response) => {
    response.json({ query: request.query });
  });
  const server = createServer(outer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const refused = await fetch(`${base}/mock/v1/api-tokens/scopes`);
  expect([refused.status, refused.headers.get('x-mock-basis')]).toEqual([401, expect.stringContaining('assumed')]);
  expect(await (await fetch(`${base}/own?a=1`)).json()).toEqual({ query: { a: '1' } });
  server.close();
});
