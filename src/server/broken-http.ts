import type { RequestListener, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { memberOf } from '../../contract-tests/values/json.ts';
import { bodyGaps, contentOfStatus, occasionOf, statusError, statusTitle } from '../core/error-body.ts';
import type { World } from '../core/world/world.ts';

const statuses: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Answers what Node would refuse without a body: with an error in the profile's shape, and closes the connection. */
export function answerBrokenHttp(server: Server, world: World): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuseOn(socket, memberOf(statuses, error.code ?? '') ?? 400, 'This is not a valid HTTP request.');
  });
  server.on('connect', (_request, socket) => {
    // Node neither reads this socket any more nor handles its errors.
    socket.on('error', () => socket.destroy()).resume();
    refuseOn(socket, 400, 'CONNECT is for proxies, and this server is none.');
  });
  server.on('checkExpectation', (_request, response) => {
    const { headers, text } = refusal(world, 417, 'The only expectation that is known here is 100-continue.');
    response.writeHead(417, headers).end(text);
  });

  function refuseOn(socket: Duplex, status: number, message: string): void {
    const { headers, text } = refusal(world, status, message);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${statusTitle(status)}\r\n${lines.join('')}\r\n${text}`);
  }
}

/** RFC 9112, 3.2: HTTP/1.1 needs a Host, and a target may be a whole URL, whose host counts. For a server that does not require it. */
export const requiringHost =
  (world: World, listener: RequestListener): RequestListener =>
  (request, response) => {
    const { url = '' } = request;
    const [start = '', host] = /^https?:\/\/([^/?]+)/i.exec(url) ?? [];
    if (host !== undefined && URL.canParse(url)) {
      const target = url.slice(start.length);
      request.headers.host &&= host;
      request.url = target.startsWith('/') ? target : `/${target}`;
    }
    const refuse = (status: number, message: string): void => {
      const { headers, text } = refusal(world, status, message);
      response.writeHead(status, headers).end(text);
    };
    // Node takes off only the last coding.
    const { host: sentHost, 'transfer-encoding': coding = 'chunked' } = request.headers;
    if (coding.trim().toLowerCase() !== 'chunked')
      refuse(501, 'The only transfer coding that is known here is chunked.');
    else if (sentHost === undefined && request.httpVersion === '1.1')
      refuse(400, 'A request of HTTP/1.1 needs the header Host.');
    else listener(request, response);
  };

function refusal(world: World, status: number, message: string) {
  const { text, mediaType } = statusError(world, status, message, occasionOf({ method: '', url: '' }));
  const headers = {
    'X-Mock-Basis': `assumed; gaps=${bodyGaps(contentOfStatus(status, message), world.answers).join(',')}`,
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  };
  return { headers, text };
}
