import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';

export const statusesIn = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** Listens on a free port, and keeps no process alive. @returns the base URL */
export async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends bytes over a new connection, and no more after them unless it waits for a pattern; returns what came back, up to that or its end. */
export function sendRaw(baseUrl: string, bytes: string, until?: RegExp): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => {
      socket.write(bytes, 'latin1');
      if (!until) socket.end();
    });
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (until?.test(answer)) socket.end();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

/** Sends a part of an update; the returned function sends the rest. @returns the status */
export function beginUpdate(baseUrl: string, token: string, title: string) {
  const body = JSON.stringify({ title });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': body.length,
  };
  const sending = request(`${baseUrl}/v1/echo/recordings/rec_kickoff`, { method: 'PATCH', headers });
  sending.write(body.slice(0, 5));
  return async () => {
    const [answer] = (await once(sending.end(body.slice(5)), 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
}
