import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { ConfigError } from '../core/spec/config-error.ts';

/** The sender of a request and its scheme, behind any proxies. */
export type ClientAddress = Readonly<typeof directClient>;

const ofSocket = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';
const schemeOfSocket = ({ socket }: IncomingMessage) => ((socket as TLSSocket).encrypted ? 'https' : 'http');

/** Without proxies: forwarding headers are ignored. */
export const directClient = { of: ofSocket, scheme: schemeOfSocket };

/** Trusts X-Forwarded-* of that many proxies, or of these (`loopback, 10.0.0.0/8`), as Express does; or throws ConfigError. */
export async function clientBehind(proxies: string | undefined): Promise<ClientAddress> {
  if (proxies === undefined) return directClient;
  const { default: proxyAddr } = await import('proxy-addr');
  let trust = (_address: string, hop: number): boolean => hop < Number(proxies);
  try {
    if (!/^\d+$/.test(proxies)) trust = proxyAddr.compile(proxies.split(/[\s,]+/).filter((one) => one !== ''));
  } catch (error) {
    const how = 'give the number of proxies, or their addresses: loopback, 10.0.0.0/8';
    throw new ConfigError([`trust proxy: ${(error as Error).message}; ${how}`]);
  }
  return {
    of: (request) => proxyAddr(request, trust),
    scheme: (request) => {
      if (!trust(ofSocket(request), 0)) return schemeOfSocket(request);
      // Each proxy adds a value; the first one is the client's.
      const [first] = String(request.headers['x-forwarded-proto'] ?? schemeOfSocket(request)).split(',');
      return first?.trim() === 'https' ? 'https' : 'http';
    },
  };
}
