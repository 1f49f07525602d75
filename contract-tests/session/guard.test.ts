import { expect, test } from 'vitest';
import { startMock } from '../../src/index.ts';
import { madeUpId, recordingPath } from '../api/operations.ts';
import { discoverTarget } from './discover.ts';
import { Session } from './session.ts';

/** A session at its own mock, and every request that the mock sees. */
async function withSession(allowWrites: boolean, use: (session: Session, seen: string[]) => Promise<void>) {
  const seen: string[] = [];
  await using mock = await startMock({ port: 0, observe: ({ method, url }) => seen.push(`${method} ${url}`) });
  const target = await discoverTarget({ baseUrl: mock.baseUrl, limits: { timeoutMs: 60_000 } });
  const session = new Session({ target, answers: {}, allowWrites, probing: true, learns: true });
  try {
    await use(session, seen);
  } finally {
    session.client.close();
  }
}

/** PATCH of a recording with a made-up id. */
async function updateUnknown(session: Session) {
  const path = recordingPath(madeUpId());
  const headers = await session.signIn.authorization('admin');
  const send = () => session.send({ method: 'PATCH', path, json: {}, headers });
  return { path, ...(await session.allowingUpdate(path, send)) };
}

test('a refresh token is never sent to where PATs are created', () =>
  withSession(true, async (session, seen) => {
    await expect(session.refresh('/v1/api-tokens', { json: {} })).rejects.toThrow('no refresh token is sent there');
    expect(seen.filter((line) => line.startsWith('POST'))).toEqual([]);
  }));

test('a POST is sent to declared paths only, a PATCH to the known recording only', () =>
  withSession(true, async (session, seen) => {
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
  withSession(true, async (session, seen) => {
    const { path, response } = await updateUnknown(session);
    expect(response.status).toBe(404);
    await expect(session.send({ method: 'PATCH', path, json: {} })).rejects.toThrow('The suite wanted to');
    expect(seen.filter((line) => line.startsWith('PATCH'))).toHaveLength(1);
  }));

test('without permission to write not even an unknown recording is addressed', () =>
  withSession(false, async (session, seen) => {
    await expect(updateUnknown(session)).rejects.toThrow('writes are not allowed');
    expect(seen.filter((line) => line.startsWith('PATCH'))).toEqual([]);
  }));
