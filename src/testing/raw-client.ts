import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from './malformed.ts';

const patience = 100;

/** Sends the bytes over a new connection, and returns what came back until it was closed or the wait timed out. */
export function sendAttack(port: number, { bytes, cuts, pauseMs, ending }: Attack): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    const giveUp = setTimeout(() => socket.destroy(), 2000);
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    // The server may well hang up while we are still talking.
    socket.on('error', () => {});
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(giveUp);
      resolve(answer);
    });
    socket.on('connect', async () => {
      let from = 0;
      for (const to of [...cuts, bytes.length]) {
        if (socket.writable) socket.write(bytes.subarray(from, to));
        from = to;
        if (pauseMs > 0) await sleep(pauseMs);
      }
      if (ending === 'half-close') socket.end();
      else if (ending === 'hang-up') socket.destroy();
      else setTimeout(() => socket.destroy(), patience);
    });
  });
}

export const statusesIn = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** Listens on a free port, and keeps no process alive. @returns the base URL */
export async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends bytes over a new connection; returns what came back, up to `until` or its end. */
export function sendRaw(baseUrl: string, bytes: string, until: RegExp): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (until.test(answer)) socket.end();
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
