import type { Duplex } from 'node:stream';
import { bodyGaps, codeOfStatus, renderError, statusTitle } from '../core/error-body.ts';
import { timestamp } from '../core/operations/present.ts';
import type { World } from '../core/world/world.ts';

const statuses: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Handles the server's event clientError (invalid HTTP): sends an error in the profile's shape and closes. */
export const answerBrokenHttp =
  ({ answers, clock }: World) =>
  (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = statuses[error.code ?? ''] ?? 400;
    const title = statusTitle(status);
    const message = 'This is not a valid HTTP request.';
    const content = { status, code: codeOfStatus(status), title, message, details: [] };
    const occasion = { method: '', path: '', time: timestamp(clock.nowIso(), answers), id: '0' };
    const { body, mediaType } = renderError(content, answers, occasion);
    const text = mediaType.includes('json') ? (JSON.stringify(body) ?? '') : String(body ?? '');
    const head = [
      `HTTP/1.1 ${status} ${title}`,
      `X-Mock-Basis: assumed; gaps=${bodyGaps(answers).join(',')}`,
      `Content-Type: ${mediaType}; charset=utf-8`,
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  };
