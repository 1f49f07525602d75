import express, { type RequestHandler } from 'express';

/**
 * Reads the body into req.body as a Buffer, decompressed, up to `limit` bytes. A body that is plain and says how long
 * it is, is collected as it comes; Express reads all others.
 */
export function bytesReader(limit: number): RequestHandler {
  const readAny = express.raw({ type: () => true, limit, inflate: true });
  return (request, response, next) => {
    const { headers } = request;
    const length = Number(headers['content-length']);
    const isPlain = headers['content-encoding'] === undefined && headers['transfer-encoding'] === undefined;
    if (!isPlain || !(length > 0 && length <= limit)) {
      void readAny(request, response, next);
      return;
    }
    const chunks: Buffer[] = [];
    let isOver = false;
    const end = (error?: Error): void => {
      if (isOver) return;
      isOver = true;
      if (error) {
        next(error);
        return;
      }
      const [first] = chunks;
      request.body = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
      next();
    };
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => end());
    request.on('error', end);
    request.on('close', () => end(new Error('request aborted')));
  };
}
