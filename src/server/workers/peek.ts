import { createServer, type Server, type Socket } from 'node:net';

/** More is not read before somebody decides; Node's limit of headers. */
const mostBytes = 16_384;
/** How long a connection may take to say what it wants; Node's limit of headers. */
const patienceMs = 60_000;

/** Takes a connection that nothing is read from any more, with the target of its first request and the bytes read so far. */
export type OnConnection = (socket: Socket, bytes: Uint8Array, target: string) => void;

/**
 * A server that reads of each connection until the target of its first request is known.
 * @param onConnection the target is empty for what is not HTTP
 */
export function peekingServer(onConnection: OnConnection): Server {
  // Of one byte: what was read and not taken stops Node from reading more, which would be lost for the next reader.
  return createServer({ allowHalfOpen: true, noDelay: true, highWaterMark: 1 }, (socket) => {
    let bytes = Buffer.alloc(0);
    const late = setTimeout(() => refuse(socket, '408 Request Timeout'), patienceMs);
    const onEnd = (): void => refuse(socket, bytes.length === 0 ? undefined : '400 Bad Request');
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const target = targetIn(bytes.toString('latin1')) ?? (bytes.length < mostBytes ? undefined : '');
      if (target === undefined) return;
      clearTimeout(late);
      socket.off('data', onData).off('end', onEnd).pause();
      // Still inside of the event: with this the stream is full when Node looks whether to read on.
      socket.unshift(bytes);
      setImmediate(() => onConnection(socket, bytes, target));
    };
    socket.on('data', onData).on('end', onEnd);
    socket.once('close', () => clearTimeout(late));
    // A client that breaks off.
    socket.on('error', () => socket.destroy());
  });
}

/** A server that reads nothing: where nothing can be seen of a connection. */
export const blindServer = (onConnection: OnConnection): Server =>
  createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    onConnection(socket, Buffer.alloc(0), '');
  });

/**
 * The target of the request that a text begins with, without its query.
 * @returns '' for what is not a request; undefined if there has to be more to tell
 */
function targetIn(text: string): string | undefined {
  const [start = '', , space] = /^[\r\n]*([!#$%&'*+\-.^_`|~\w]*)( ?)/.exec(text) ?? [];
  const rest = text.slice(start.length);
  if (space !== ' ') return rest === '' ? undefined : '';
  const end = rest.search(/[ ?\r\n]/);
  return end === -1 ? undefined : rest.slice(0, end);
}

function refuse(socket: Socket, status: string | undefined): void {
  if (status !== undefined) socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.destroySoon();
}
