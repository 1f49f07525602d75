/** What tests of the suite share: answers, tokens, servers and files made by hand. */

import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Answer } from '../values/answer.ts';
import { testFolder } from './folder.ts';

interface Given {
  status?: number;
  headers?: Record<string, string>;
  request?: Partial<Answer['request']>;
}

/** An answer with this body: text as it is, anything else as JSON. */
export function answerOf(body: unknown, { status = 200, headers = {}, request = {} }: Given = {}): Answer {
  return {
    request: { method: 'GET', url: 'https://host.test/v1', headers: {}, ...request },
    response: { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
    durationMs: 1,
  };
}

export const encode = (part: object | string): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

/** A JWT with these claims; its signature is never checked. */
export const jwtOf = (claims: object, signature = encode('signature')): string =>
  `${encode({ alg: 'HS256' })}.${encode(claims)}.${signature}`;

/** Runs `use` with the URL of a server that listens on a free port, by TLS where a certificate is given. */
export async function withServer<T>(
  handler: RequestListener,
  use: (baseUrl: string) => Promise<T>,
  tls?: { key: string; cert: string },
): Promise<T> {
  // On a busy machine, clients in the same thread may pause for longer than the usual 5 s.
  const lasting = { keepAliveTimeout: 65_000 };
  const server = (tls ? createTlsServer({ ...tls, ...lasting }, handler) : createServer(lasting, handler)).listen(
    0,
    '127.0.0.1',
  );
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    return await use(`http${tls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Passes a request on to another server, and its answer back, with the status that `statusOf` gives for the true one. */
export function passOn(
  incoming: IncomingMessage,
  response: ServerResponse,
  baseUrl: string,
  { url = incoming.url, statusOf = (status: number) => status } = {},
): true {
  const { method, headers } = incoming;
  const onward = request(`${baseUrl}${url}`, { method, headers }, (answer) => {
    response.writeHead(statusOf(answer.statusCode ?? 500), answer.headers);
    answer.pipe(response);
  });
  // As a gateway does whose server closes a kept connection.
  onward.on('error', () => response.destroy());
  incoming.pipe(onward);
  return true;
}

/** Runs `use` with files in a new folder; a content that is not text is written as YAML. */
export async function withFiles<T>(
  files: Record<string, unknown>,
  use: (path: (name: string) => string) => Promise<T>,
): Promise<T> {
  const folder = testFolder();
  const path = (name: string): string => join(folder, name);
  for (const [name, content] of Object.entries(files))
    await writeFile(path(name), typeof content === 'string' ? content : stringify(content));
  return use(path);
}
