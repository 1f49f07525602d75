import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type Response } from 'express';
import type { BodyReader, ReadBody } from '../core/message.ts';

/**
 * Reads the body of a request when it is asked for; undefined where there is none. One that is plain and says how long
 * it is, is collected as it comes; Express's reader takes all others.
 */
export function bodyReader(request: IncomingMessage, response: ServerResponse): BodyReader | undefined {
  const { 'content-length': length, 'content-encoding': encoding, 'transfer-encoding': transfer } = request.headers;
  if (transfer === undefined && (length === undefined || Number(length) === 0)) return undefined;
  if (transfer !== undefined || encoding !== undefined) return (limit) => readAny(request, response, limit);
  return (limit) => (Number(length) > limit ? Promise.resolve({ problem: 'too-large' }) : collect(request));
}

const collect = (request: IncomingMessage): Promise<ReadBody> =>
  new Promise((done) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [first] = chunks;
      done({ bytes: first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks) });
    });
    const broken = () => done({ problem: 'unreadable' });
    request.on('error', broken);
    request.on('close', broken);
  });

const readers = new Map<number, ReturnType<typeof express.raw>>();

const readAny = (request: IncomingMessage, response: ServerResponse, limit: number): Promise<ReadBody> =>
  new Promise((done) => {
    const reader = readers.get(limit) ?? express.raw({ type: () => true, limit, inflate: true });
    readers.set(limit, reader);
    // The reader uses nothing that Express adds.
    void reader(request as Request, response as Response, (error?: unknown) => {
      const { type } = (error ?? {}) as { type?: string };
      const body: unknown = (request as Request).body;
      if (!error) done({ bytes: Buffer.isBuffer(body) ? body : undefined });
      else if (type === 'entity.too.large') done({ problem: 'too-large' });
      else done({ problem: type === 'encoding.unsupported' ? 'encoding' : 'unreadable' });
    });
  });
