import { expect, test } from 'vitest';
import { startMock } from '../../src/index.ts';
import { madeUpId, recordingPath } from '../api/operations.ts';
import { discoverTarget } from './discover.ts';
import { Session } from './session.ts';

/** A session at its own mock, and every request that the mock sees. */
async function withSession(use: (session: Session, seen: string[]) => Promise<void>) {
  const seen: string[] = [];
  await using mock = await startMock({ port: 0, observe: ({ method, url }) => seen.push(`${method} ${url}`) });
  const target = await discoverTarget({ baseUrl: mock.baseUrl, limits: { timeoutMs: 60_000 } });
  const session = new Session({ target, answers: {}, allowWrites: true, probing: true, learns: true });
  try {
    await use(session, seen);
  } finally {
    session.client.close();
  }
}

test('a refresh token is never sent to where PATs are created', () =>
  withSession(async (session, seen) => {
    await expect(session.refresh('/v1/api-tokens', { json: {} })).rejects.toThrow('no refresh token is sent there');
    expect(seen.filter((line) => line.startsWith('POST'))).toEqual([]);
  }));

test('a POST is sent to declared paths only, a PATCH to the known recording only', () =>
  withSession(async (session, seen) => {
    for (const request of [
      { method: 'POST', path: '/v1/auth/refresh' },
      { method: 'PATCH', path: '/v1/echo/recordings/some-other' },
      { method: 'GET', path: '//elsewhere.test/' },
    ] as const) {
      await expect(session.send(request)).rejects.toThrow('The suite wanted to');
    }
    expect(seen.filter((line) => line !== 'GET /_mock/target')).toEqual([]);
  }));

test('the made-up recording of a probe is not updated again', () =>
  withSession(async (session, seen) => {
    const path = recordingPath(madeUpId());
    const headers = await session.signIn.authorization('admin');
    const send = () => session.send({ method: 'PATCH', path, json: {}, headers });
    const { response } = await session.allowingUpdate(path, send);
    expect(response.status).toBe(404);
    await expect(session.send({ method: 'PATCH', path, json: {} })).rejects.toThrow('The suite wanted to');
    expect(seen.filter((line) => line.startsWith('PATCH'))).toHaveLength(1);
  }));
