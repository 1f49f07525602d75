import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * A load balancer for tests: each request goes to the next server. As with nginx, one that refuses the connection is passed over,
 * and one that is lost after the request was sent is answered with 502: nobody knows what it did, so it is not repeated.
 * @param ports looked at with each request
 */
export async function balanced(
  ports: readonly number[],
): Promise<AsyncDisposable & { readonly baseUrl: string; readonly passedOver: number; readonly lost: number }> {
  let turn = 0;
  let passedOver = 0;
  let lost = 0;
  const pass = (sent: IncomingMessage, body: Buffer, answer: ServerResponse, left: number): void => {
    turn += 1;
    const { method, url, rawHeaders } = sent;
    const headers = rawHeaders as unknown as string[];
    const port = ports[turn % ports.length];
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.rawHeaders as unknown as string[]);
      got.on('error', () => answer.destroy()).pipe(answer);
    });
    onward.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (answer.headersSent) return answer.destroy();
      if (code === 'ECONNREFUSED' && left > 0) {
        passedOver += 1;
        return pass(sent, body, answer, left - 1);
      }
      lost += 1;
      return answer.writeHead(502).end();
    });
    onward.end(body);
  };
  const server = createServer(async (sent, answer) => {
    try {
      pass(sent, await buffer(sent), answer, ports.length - 1);
    } catch {
      answer.destroy();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get passedOver() {
      return passedOver;
    },
    get lost() {
      return lost;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
