/** A plain front server that hands requests to the instances in turn. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

export async function listen(
  apps: readonly FastifyInstance[],
  port: number,
): Promise<{ origin: string; close(): Promise<void> }> {
  let turn = 0;
  const server = createServer((request, response) => {
    const app = apps[turn % apps.length];
    turn += 1;
    app?.routing(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${bound}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await Promise.all(apps.map((app) => app.close()));
    },
  };
}
