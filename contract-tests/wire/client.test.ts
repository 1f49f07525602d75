import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { withServer } from '../testing/fixtures.ts';
import { Client } from './client.ts';
import { readOnly } from './write-guard.ts';

test('a target that answers nothing in time is not waited for at every request of a run', () => {
  let asked = 0;
  return withServer(
    (_request, response) => {
      asked += 1;
      response.write('['); // and never the rest
    },
    async (baseUrl) => {
      const client = new Client({ baseUrl, limits: { timeoutMs: 200 } }, readOnly(), () => {});
      const errors: string[] = [];
      for (let sent = 0; sent < 20; sent += 1)
        await client.send({ method: 'GET', path: '/' }).catch((error: Error) => errors.push(error.message));
      expect(errors.slice(0, 15)).toEqual(
        Array(15).fill(expect.stringContaining('no complete response within 200 ms')),
      );
      expect(errors.slice(-5)).toEqual(Array(5).fill(expect.stringContaining('not sent: the API answers no more')));
      expect(asked).toBeLessThan(16);
      // Cleaning up is tried all the same.
      await expect(client.send({ method: 'GET', path: '/' }, true)).rejects.toThrow('no complete response');
      client.close();
    },
  );
});

test('what the first request loads takes none of the time in which the target must answer', async () => {
  let clock = 0;
  vi.resetModules();
  vi.doMock('supertest', async (load) => {
    clock += 60_000;
    return load();
  });
  onTestFinished(() => void vi.doUnmock('supertest'));
  const [fresh, time] = [await import('./client.ts'), await import('./time.ts')];
  await withServer(
    (_request, response) => void response.end('[]'),
    async (baseUrl) => {
      const client = new fresh.Client({ baseUrl }, readOnly(), () => {});
      const sending = () => client.send({ method: 'GET', path: '/' });
      const { durationMs } = await time.withoutWaiting(
        () => {},
        sending,
        () => clock,
      );
      client.close();
      expect([clock, durationMs]).toEqual([60_000, 0]);
    },
  );
});

test('time in which this process stands still, as on a busy machine, is none in which the target must answer', () =>
  withServer(
    (_request, response) => {
      response.end('[]');
      for (const from = performance.now(); performance.now() - from < 250; );
    },
    async (baseUrl) => {
      const client = new Client({ baseUrl, limits: { timeoutMs: 200 } }, readOnly(), () => {});
      expect((await client.send({ method: 'GET', path: '/' })).response.status).toBe(200);
      client.close();
    },
  ));

test('no request is sent on a connection that the server is about to close', () =>
  withServer(
    (_request, response) => {
      response.removeHeader('connection'); // closed without a word, where the client asked for that
      response.end('[]');
    },
    async (baseUrl) => {
      const troubles: unknown[] = [];
      const client = new Client({ baseUrl }, readOnly(), ({ error }) => error && troubles.push(error));
      for (let sent = 0; sent < 40; sent += 1) await client.send({ method: 'GET', path: '/' });
      client.close();
      expect(troubles).toEqual([]);
    },
  ));

test('the answer of a server that reads no body is heard, also to a body in two parts', () =>
  withServer(
    (_request, response) => void response.writeHead(401).end('{}'),
    async (baseUrl) => {
      const client = new Client({ baseUrl, limits: { timeoutMs: 2_000 } }, readOnly('POST /v1/a'), () => {});
      const sent = client.send({ method: 'POST', path: '/v1/a', json: { title: 'x' }, isSegmented: true });
      expect((await sent).response.status).toBe(401);
      client.close();
    },
  ));

describe('redirects', () => {
  /** Sends a request to a server that adds a slash to the path, or leads elsewhere; gives the answer and what the server got. */
  async function sent(method: 'GET' | 'POST', followRedirects: boolean, elsewhere?: string) {
    const got: string[] = [];
    return withServer(
      (request, response) => {
        got.push(`${request.method} ${request.url}`);
        const isThere = request.url?.endsWith('/');
        if (request.url === '/api/login')
          response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>');
        // As gateways that refuse requests without one.
        else if (request.headers['user-agent'] === undefined) response.writeHead(403).end();
        else response.writeHead(isThere ? 200 : 308, isThere ? {} : { location: elsewhere ?? `${request.url}/` }).end();
      },
      async (baseUrl) => {
        const policy = readOnly('POST /v1/a');
        const client = new Client({ baseUrl: `${baseUrl}/api`, followRedirects }, policy, () => {});
        const { response, followed, request } = await client.send({ method, path: '/v1/a' });
        client.close();
        return { status: response.status, followed, path: new URL(request.url).pathname, got };
      },
    );
  }

  test('of GET are followed below the base URL where the target file wants it, and told', async () => {
    const got = ['GET /api/v1/a', 'GET /api/v1/a/'];
    expect(await sent('GET', true)).toEqual({ status: 200, followed: ['/v1/a/'], path: '/api/v1/a', got });
  });

  test.each([
    ['GET', false, undefined],
    ['POST', true, undefined],
    ['GET', true, 'http://127.0.0.1:9/api/v1/a/'],
    ['GET', true, '//127.0.0.1:9/api/v1/a/'],
    ['GET', true, '/other/v1/a/'],
    ['GET', true, '/api/v1/a'],
    ['GET', true, '/api/login'],
  ] as const)('are not followed otherwise: %s %s %s', async (method, follows, elsewhere) => {
    const { status, followed } = await sent(method, follows, elsewhere);
    expect({ status, followed }).toEqual({ status: 308, followed: undefined });
  });
});
