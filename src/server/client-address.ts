import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

/** The sender of a request and its scheme, behind any proxies. */
export interface ClientAddress {
  readonly of: (request: IncomingMessage) => string;
  readonly scheme: (request: IncomingMessage) => 'http' | 'https';
}

/** Address of the other end of the connection. */
export const ofSocket = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';
export const schemeOfSocket = ({ socket }: IncomingMessage) => ((socket as TLSSocket).encrypted ? 'https' : 'http');

/** Without proxies: forwarding headers are ignored. */
export const directClient: ClientAddress = { of: ofSocket, scheme: schemeOfSocket };
