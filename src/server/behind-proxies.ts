import proxyAddr from 'proxy-addr';
import { ConfigError } from '../core/spec/config-error.ts';
import { type ClientAddress, ofSocket, schemeOfSocket } from './client-address.ts';

/** Trusts X-Forwarded-* of that many proxies, or of these (`loopback, 10.0.0.0/8`), as Express does; or throws ConfigError. */
export function behindProxies(proxies: string): ClientAddress {
  const trust = trustOf(proxies);
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

function trustOf(proxies: string): (address: string, hop: number) => boolean {
  if (/^\d+$/.test(proxies)) return (_address, hop) => hop < Number(proxies);
  try {
    return proxyAddr.compile(proxies.split(/[\s,]+/).filter((one) => one !== ''));
  } catch (error) {
    const how = 'give the number of proxies, or their addresses: loopback, 10.0.0.0/8';
    throw new ConfigError([`trust proxy: ${(error as Error).message}; ${how}`]);
  }
}
