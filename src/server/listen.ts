import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { ConfigError } from '../core/spec/config-error.ts';
import type { Credentials } from './tls.ts';

/**
 * Listens.
 * @param credentials for HTTPS
 * @throws ConfigError when the address is not available
 */
export function listen(
  listener: RequestListener,
  { host, port, credentials }: { host: string; port: number; credentials?: Credentials | undefined },
): Promise<Server> {
  const options = { keepAliveTimeout: 65_000 };
  const server = credentials ? createHttps({ ...options, ...credentials }, listener) : createHttp(options, listener);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new ConfigError([unavailable(error, host, port)])));
    server.listen(port, host, () => resolve(server));
  });
}

function unavailable({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  const another = 'choose another with --host: 127.0.0.1 for this machine only, 0.0.0.0 for all that reach it';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host ${host} does not resolve (${code}); ${another}`;
  if (code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine (${code}); ${another}`;
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use; choose another with --port`;
  if (code === 'EACCES')
    return `port ${port} on ${host} may not be used without more rights; choose one above 1023 with --port`;
  return `cannot listen on ${host}:${port}: ${message}`;
}
