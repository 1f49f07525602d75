import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function balanced(ports: readonly number[]): Promise<AsyncDisposable & { readonly baseUrl: string }> {
  let turn = 0;
  const server = createServer((sent, answer) => {
    turn += 1;
    const { method, url, rawHeaders } = sent;
    const headers = rawHeaders as unknown as string[];
    const onward = request(
      { host: '127.0.0.1', port: ports[turn % ports.length], method, path: url, headers },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.rawHeaders as unknown as string[]);
        got.on('error', () => answer.destroy()).pipe(answer);
      },
    );
    onward.on('error', () => answer.destroy());
    sent.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
