import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Report } from './model.ts';
import { withFiles, withServer } from './testing/fixtures.ts';
import { CERTIFICATE, KEY } from './testing/tls.ts';
import { type VerifyOptions, verify } from './verify.ts';

/** A complete target file: no server fails for a lack of credentials. */
const CREDENTIALS = {
  actors: {
    admin: {
      sso: { oid: 'oid-of-admin', tid: 'tid-of-admin', upn: 'admin@example.test' },
      login: { email: 'admin@example.test', password: 'p4ssword-admin' },
    },
    member: { sso: { oid: 'oid-of-member', tid: 'tid-of-admin', upn: 'member@example.test' } },
  },
  resources: { recordingId: 'rec-1', tenantId: 'ten-1' },
};

async function judge(
  baseUrl: string,
  target: object = CREDENTIALS,
  options: Partial<VerifyOptions> = {},
): Promise<Report> {
  return withFiles({ 'target.yaml': { baseUrl, ...target } }, (path) =>
    verify({ targetFile: path('target.yaml'), timeoutMs: 300, inProcess: true, ...options }),
  );
}

const answer =
  (status: number, body: string, type = 'application/json', headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': type, ...headers }).end(body);
  };

function echo(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  request.pipe(response);
}

/** A hundred megabytes of blanks in a hundred kilobytes. */
const BOMB = gzipSync(Buffer.alloc(100_000_000, ' '));

const UNFIT: [name: string, handler: RequestListener, verdict: Report['verdict'], exitCode: number][] = [
  ['answers 404 to everything', answer(404, '{"error":"not found"}'), 'violates', 1],
  ['answers 401 to everything', answer(401, '{"error":"who are you"}'), 'unreachable', 3],
  ['answers 403 to everything', answer(403, '{"error":"no"}'), 'unreachable', 3],
  ['answers 400 to everything', answer(400, '{"error":"bad"}'), 'violates', 1],
  ['answers 500 to everything', answer(500, '{"error":"oops"}'), 'violates', 1],
  ['answers 200 {} to everything', answer(200, '{}'), 'violates', 1],
  ['answers 204 to everything', (_request, response) => response.writeHead(204).end(), 'violates', 1],
  ['answers with the request', echo, 'violates', 1],
  ['answers a page to everything', answer(200, '<html><body>Welcome</body></html>', 'text/html'), 'violates', 1],
  ['redirects for ever', answer(302, '', 'text/plain', { Location: '/v1/auth/sso' }), 'unreachable', 3],
  ['answers never', () => {}, 'unreachable', 3],
  ['closes the connection at once', (request) => request.socket.destroy(), 'unreachable', 3],
  [
    'closes the connection midway',
    (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
      response.write('{"access_token":', () => response.socket?.destroy());
    },
    'unreachable',
    3,
  ],
  [
    'answers without end',
    (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    },
    'unreachable',
    3,
  ],
  [
    'answers a byte at a time',
    (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    },
    'unreachable',
    3,
  ],
  [
    'answers a gzip bomb',
    (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(BOMB);
    },
    'unreachable',
    3,
  ],
  [
    'answers with huge headers',
    answer(200, '{}', 'application/json', { 'X-Huge': 'x'.repeat(100_000) }),
    'unreachable',
    3,
  ],
  [
    'answers bytes that are not UTF-8',
    (_request, response) => {
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]));
    },
    'violates',
    1,
  ],
  [
    'answers JSON that is nested ten thousand levels deep',
    answer(200, '['.repeat(10_000) + ']'.repeat(10_000)),
    'violates',
    1,
  ],
];

describe('a target that does not implement the API never conforms', () => {
  test.each(UNFIT)('one that %s', async (_name, handler, verdict, exitCode) => {
    const report = await withServer(handler, (baseUrl) => judge(baseUrl));
    expect({ verdict: report.verdict, exitCode: report.exitCode }).toEqual({ verdict, exitCode });
    if (verdict === 'unreachable') expect(report.summary.pass).toBe(0);
    expect(report.summary.text).not.toBe('');
  });

  test('not even when every untested requirement is waived', async () => {
    const report = await withServer(answer(401, '{}'), (baseUrl) =>
      judge(baseUrl, CREDENTIALS, { allowUntested: ['all'] }),
    );
    expect(report.exitCode).toBe(3);
  });
});

test('a target that refuses the connection is unreachable, in one line that names it', async () => {
  const baseUrl = await withServer(answer(200, '{}'), async (url) => url);
  const report = await judge(baseUrl);
  expect(report).toMatchObject({ verdict: 'unreachable', exitCode: 3, checks: [] });
  expect(report.summary.text).toBe(`${baseUrl} cannot be reached: connection refused.`);
});

describe('TLS', () => {
  async function withTls(use: (baseUrl: string, folder: string) => Promise<void>): Promise<void> {
    const server = createTlsServer({ key: KEY, cert: CERTIFICATE }, answer(401, '{}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const folder = await mkdtemp(join(tmpdir(), 'platform-mock-tls-'));
    try {
      await use(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, folder);
    } finally {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  test('an untrusted certificate is one clear line', () =>
    withTls(async (baseUrl) => {
      const report = await judge(baseUrl);
      expect(report).toMatchObject({ verdict: 'unreachable', exitCode: 3, checks: [] });
      expect(report.summary.text).toMatch(/cannot be reached: .*certificate/);
    }));

  test('tls.insecure accepts any certificate, tls.caFile those of its authority', () =>
    withTls(async (baseUrl, folder) => {
      const caFile = join(folder, 'ca.pem');
      await writeFile(caFile, CERTIFICATE);
      for (const tls of [{ insecure: true }, { caFile }]) {
        // It answers 401 to everything: that it was reached shows in the checks.
        expect((await judge(baseUrl, { ...CREDENTIALS, tls })).checks.length).toBeGreaterThan(0);
      }
    }));
});

test('a target file without credentials leaves everything untested, naming the fields that are missing', async () => {
  const report = await withServer(answer(404, '{}'), (baseUrl) => judge(baseUrl, {}));
  expect(report).toMatchObject({ verdict: 'inconclusive', exitCode: 4 });
  expect(report.summary).toMatchObject({ pass: 0, violation: 0, untested: report.checks.length });
  const messages = new Set(report.checks.map(({ message }) => message));
  expect([...messages].sort()).toEqual([
    'the target file has no actors.admin',
    'the target file has no actors.admin.login',
    'the target file has no actors.admin.sso',
  ]);
});

test('waiving what is untested makes nothing green of which nothing was tested', async () => {
  const report = await withServer(answer(404, '{}'), (baseUrl) => judge(baseUrl, {}, { allowUntested: ['all'] }));
  expect(report.exitCode).toBe(4);
});

test('no report contains a credential, however the target returns it', async () => {
  const everywhere: RequestListener = (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const secrets = `${body} ${encodeURIComponent('p4ssword-admin')} ${Buffer.from('x:p4ssword-admin').toString('base64')} oid-of-admin`;
      response.writeHead(500, 'oid-of-admin', {
        'Content-Type': 'application/json',
        'X-Echo': 'p4ssword-admin',
        'Set-Cookie': 'session=canary-cookie-1',
      });
      response.end(
        JSON.stringify({
          message: secrets,
          token: 'canary-token-0001',
          authorization: request.headers.authorization ?? '',
        }),
      );
    });
  };
  const text = JSON.stringify(await withServer(everywhere, (baseUrl) => judge(baseUrl)));
  for (const secret of [
    'p4ssword-admin',
    'oid-of-admin',
    'canary-token-0001',
    'canary-cookie-1',
    Buffer.from('x:p4ssword-admin').toString('base64').slice(4, -4),
  ]) {
    expect(text, secret).not.toContain(secret);
  }
});

describe('input that cannot be used is a usage error, in one line', () => {
  const usage: [name: string, options: VerifyOptions, message: RegExp][] = [
    ['neither URL nor target', {}, /--base-url URL, or --target FILE/],
    ['no URL', { baseUrl: 'not a url' }, /"not a url" is not a base URL/],
    ['another protocol', { baseUrl: 'ftp://x' }, /expected http/],
    [
      'a missing target file',
      { targetFile: '/no/such/file.yaml' },
      /\/no\/such\/file\.yaml: the target file cannot be read \(ENOENT\)/,
    ],
    [
      'an unknown check',
      { baseUrl: 'http://127.0.0.1:1', only: ['SSO-99'] },
      /--only SSO-99: unknown check or requirement/,
    ],
    [
      'an unknown waiver',
      { baseUrl: 'http://127.0.0.1:1', allowUntested: ['SSO-99'] },
      /--allow-untested SSO-99: unknown requirement/,
    ],
  ];
  test.each(usage)('%s', async (_name, options, message) => {
    await expect(verify({ inProcess: true, ...options })).rejects.toThrow(message);
  });
});
