import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

/** Who sent a request, and how, whatever is between. */
export interface ClientAddress {
  /** The address of the client. */
  readonly of: (request: IncomingMessage) => string;
  /** The scheme that the client used. */
  readonly scheme: (request: IncomingMessage) => 'http' | 'https';
}

/** The address at the other end of the connection. */
export const ofSocket = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';
export const schemeOfSocket = ({ socket }: IncomingMessage) => ((socket as TLSSocket).encrypted ? 'https' : 'http');

/** Nobody is between: what headers say of it is not believed. */
export const directClient: ClientAddress = { of: ofSocket, scheme: schemeOfSocket };
