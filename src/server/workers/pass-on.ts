import { type Agent, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { TLSSocket } from 'node:tls';

/** Says, as the first header of a request that is passed on, who sent it: address, scheme, number of headers as sent. */
const clientHeader = 'x-platform-mock-client';
/** Of one connection; who passes an answer on says these itself. */
const hopByHop = /^(connection|keep-alive|transfer-encoding)$/i;
/** Methods of which Node knows that they come without a body where no header announces one. */
const bodiless = /^(GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT)$/;

/** The process that a request is passed on to. */
interface Peer {
  readonly socketPath: string;
  readonly agent: Agent;
}

/** Sends a request that came here to the process that holds its world, and its answer back, both as streams. */
export function passOn(request: IncomingMessage, response: ServerResponse, peer: Peer): void {
  const { method = 'GET', url = '/', socket } = request;
  // Node has answered that by now.
  const sent = pairs(request.rawHeaders).filter(([name]) => !/^expect$/i.test(name));
  const scheme = (socket as TLSSocket).encrypted ? 'https' : 'http';
  const hasBody = sent.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const headers = [
    [clientHeader, `${socket.remoteAddress ?? '-'} ${scheme} ${sent.length}`],
    ...sent,
    ...(hasBody || bodiless.test(method) ? [] : [['Content-Length', '0'] as const]),
  ].flat();
  // Node's types have headers in a list only for answers.
  const outgoing = send({ ...peer, method, path: url, headers: headers as never });
  outgoing.once('response', (answer) => {
    const kept = pairs(answer.rawHeaders).filter(
      ([name, value]) => !hopByHop.test(name) || (/^connection$/i.test(name) && /^close$/i.test(value)),
    );
    response.writeHead(answer.statusCode ?? 500, answer.statusMessage, kept.flat());
    // Events may be long in coming, and the client waits for the head.
    if (answer.headers['content-length'] === undefined) response.flushHeaders();
    answer.once('error', () => response.socket?.destroy());
    answer.pipe(response);
  });
  outgoing.once('error', (error: NodeJS.ErrnoException) => {
    if (!response.headersSent && /^(ECONNREFUSED|ENOENT)$/.test(error.code ?? '')) refuse(response);
    // A fault, or a crash: as the other process closed its connection, so is the client's.
    else response.socket?.destroy();
  });
  response.once('close', () => {
    if (!response.writableFinished) outgoing.destroy();
  });
  request.once('end', () => outgoing.addTrailers(pairs(request.rawTrailers)));
  request.pipe(outgoing);
}

/** Makes a request that was passed on look as it came from its client. */
export function restoreClient(request: IncomingMessage): void {
  const { rawHeaders, headers, socket } = request;
  const [, client = ''] = rawHeaders.splice(0, 2);
  delete headers[clientHeader];
  const [address = '', scheme, count] = client.split(' ');
  // Who passed it on added these.
  for (const [name] of pairs(rawHeaders.splice(2 * Number(count)))) delete headers[name.toLowerCase()];
  // Connections between processes carry one request at a time.
  Object.defineProperties(socket, {
    remoteAddress: { value: address, configurable: true },
    encrypted: { value: scheme === 'https', configurable: true },
  });
}

const pairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as [string, string]] : []));

function refuse(response: ServerResponse): void {
  const message = 'The process that holds this world has just ended and is being started anew; retry.';
  response.setHeader('X-Mock-Basis', 'control');
  response.setHeader('Retry-After', '1');
  response.writeHead(503, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ error: { code: 'worker_restarts', message } }));
}
