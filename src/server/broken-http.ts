import type { Duplex } from 'node:stream';
import { bodyGaps, statusError, statusTitle } from '../core/error-body.ts';
import type { World } from '../core/world/world.ts';

const statuses: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Handles the server's event clientError (invalid HTTP): sends an error in the profile's shape and closes. */
export const answerBrokenHttp = (world: World) => (error: NodeJS.ErrnoException, socket: Duplex) => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[error.code ?? ''] ?? 400;
  const request = { method: '', url: '' };
  const { text, mediaType } = statusError(world, status, 'This is not a valid HTTP request.', request);
  const head = [
    `HTTP/1.1 ${status} ${statusTitle(status)}`,
    `X-Mock-Basis: assumed; gaps=${bodyGaps(world.answers).join(',')}`,
    `Content-Type: ${mediaType}; charset=utf-8`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
};
