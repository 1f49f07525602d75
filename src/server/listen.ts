import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../core/spec/config-error.ts';
import { closeServer, connectionsOf } from './drain.ts';
import type { DrainOptions } from './options.ts';
import type { Credentials } from './tls.ts';

interface Address {
  readonly host: string;
  readonly port: number;
  readonly credentials?: Credentials | undefined;
}

/** Listens, on HTTPS with `credentials`; throws ConfigError when the address is not available. */
export async function openPort(listener: RequestListener, { host, port, credentials }: Address) {
  // Milliseconds a connection may be idle: longer than load balancers keep one. The listener says what lacks a Host.
  const options = { keepAliveTimeout: 65_000, requireHostHeader: false };
  const server = credentials ? createHttps({ ...options, ...credentials }, listener) : createHttp(options, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ConfigError([unavailable(error, host, port)])));
    server.listen(port, host, resolve);
  });
  const connections = connectionsOf(server);
  const close = (drain?: DrainOptions) => closeServer(server, connections, drain);
  return { server, port: (server.address() as AddressInfo).port, close };
}

function unavailable({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  const another = 'choose another with --host: 127.0.0.1 for this machine only, 0.0.0.0 for all that reach it';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host ${host} does not resolve (${code}); ${another}`;
  if (code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine (${code}); ${another}`;
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use; choose another port`;
  if (code === 'EACCES') return `port ${port} on ${host} may not be used without more rights; choose one above 1023`;
  return `cannot listen on ${host}:${port}: ${message}`;
}
