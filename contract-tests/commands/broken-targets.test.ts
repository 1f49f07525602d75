import { createPrivateKey } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startMock } from '../../src/index.ts';
import { completeTarget, metaFaults, timeoutAt, withMetaFault } from '../../src/score/meta-faults.ts';
import { credentialsOf } from '../../src/server/tls.ts';
import type { Report } from '../model.ts';
import { withFiles, withServer } from '../testing/fixtures.ts';
import { type VerifyOptions, verify, verifyAt, violatedIn } from '../testing/judge.ts';

const judge = (baseUrl: string, target: object = completeTarget, options: VerifyOptions = {}): Promise<Report> =>
  verifyAt({ baseUrl, ...target }, options);

const answer =
  (status: number): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
  };

const EXIT_CODES = { conforms: 0, violates: 1, unreachable: 3, inconclusive: 4 };

describe('a target that is not this API never conforms', () => {
  test.each(metaFaults)('one that $description', async (broken) => {
    const { verdict } = broken;
    const report = await withMetaFault(broken, (baseUrl) =>
      judge(baseUrl, completeTarget, { timeout: timeoutAt(broken) }),
    );
    expect(report).toMatchObject({ verdict, exitCode: EXIT_CODES[verdict] });
    if (verdict === 'unreachable') expect(report.summary.pass).toBe(0);
    expect(report.summary.text).not.toBe('');
  });

  test.each([
    ['refuses all credentials', 401, completeTarget, 3],
    ['is tested with none', 404, {}, 4],
  ])('one that %s: not even when every untested requirement is waived', async (_what, status, target, exitCode) => {
    const report = await withServer(answer(status), (baseUrl) => judge(baseUrl, target, { allowUntested: ['all'] }));
    expect(report.exitCode).toBe(exitCode);
  });
});

test('a byte order mark before every answer is one finding', async () => {
  await using mock = await startMock({ faults: ['json-byte-order-mark'] });
  const { checks, exitCode } = await verify({ baseUrl: mock.baseUrl, only: ['GEN-01', 'SSO-03', 'REC-07'] });
  expect([violatedIn(checks), exitCode]).toEqual([['GEN-01'], 1]);
});

describe('TLS', async () => {
  const credentials = await credentialsOf('self-signed', 'localhost');
  const withTls = (use: (baseUrl: string) => Promise<void>): Promise<void> => withServer(answer(401), use, credentials);

  test('a certificate that is not trusted is one clear line', () =>
    withTls(async (baseUrl) => {
      const report = await judge(baseUrl);
      expect(report).toMatchObject({ verdict: 'unreachable', exitCode: 3, checks: [] });
      expect(report.summary.text).toMatch(/cannot be reached: .*certificate.*; name its authority in tls\.caFile/);
    }));

  test('a target that wants a certificate of the client gets that of tls.certFile; a wrong one is named', async () => {
    const key = createPrivateKey(credentials.key);
    const encrypted = key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open' });
    const demanding = { ...credentials, requestCert: true, ca: [credentials.cert] };
    await withFiles({ 'ca.pem': credentials.cert, 'key.pem': String(encrypted) }, (path) =>
      withServer(
        answer(401),
        async (baseUrl) => {
          const tls = { caFile: path('ca.pem'), certFile: path('ca.pem'), keyFile: path('key.pem') };
          const given = (more: object) => judge(baseUrl, { ...completeTarget, tls: { ...tls, ...more } });
          expect((await given({ passphrase: 'open' })).checks.length).toBeGreaterThan(0);
          const problem = /tls: its certificate, key and passphrase do not fit: .*/;
          await expect(given({ passphrase: 'wrong' })).rejects.toThrow(problem);
          expect((await judge(baseUrl, { ...completeTarget, tls: { caFile: path('ca.pem') } })).exitCode).toBe(3);
        },
        demanding,
      ),
    );
  });

  test('tls.insecure accepts any certificate, tls.caFile those of its authority', () =>
    withFiles({ 'ca.pem': credentials.cert }, (path) =>
      withTls(async (baseUrl) => {
        for (const tls of [{ insecure: true }, { caFile: path('ca.pem') }]) {
          // It answers 401 to everything: that it was reached shows in the checks.
          expect((await judge(baseUrl, { ...completeTarget, tls })).checks.length).toBeGreaterThan(0);
        }
      }),
    ));
});
