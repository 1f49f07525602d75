import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { expect, test, vi } from 'vitest';
import { startMock } from '../index.ts';
import { fileWith } from '../testing/refused.ts';
import { credentialsOf } from './tls.ts';

const { cert, key } = await credentialsOf('self-signed', 'localhost');
const certFile = fileWith(cert, 'cert.pem');
const keyFile = fileWith(key, 'key.pem');

const answerOf = async (url: string, options: RequestOptions): Promise<IncomingMessage> =>
  (await once(request(url, options).end(), 'response'))[0];

/** The body of an answer of a server whose certificate that authority signed. */
const get = async (url: string, ca: string) => text(await answerOf(url, { ca }));

test('HTTPS with a certificate of files; the mock knows its address', async () => {
  await using mock = await startMock({ tls: { certFile, keyFile } });
  expect(mock.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(JSON.parse(await get(`${mock.baseUrl}/_mock/info`, cert))).toMatchObject({ baseUrl: mock.baseUrl });
});

const otherKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
const otherFile = fileWith(otherKey, 'other.pem');
test.each([
  [{ certFile: '/no/none.pem', keyFile }, /none\.pem: the file cannot be read \(ENOENT\)$/],
  [{ certFile: keyFile, keyFile }, /key\.pem is not a certificate in PEM/],
  [{ certFile, keyFile: certFile }, /cert\.pem is not a private key without a passphrase in PEM/],
  [{ certFile, keyFile: otherFile }, /other\.pem is not the key of the certificate .*\(CN=platform-mock\)$/],
  [{ cert, key: 'x' }, /^tls\.key is not a private key without a passphrase in PEM/],
  [{ cert, key: otherKey }, /^tls\.key is not the key of the certificate tls\.cert/],
  [{ certFile }, /^tls: keyFile must be a string that is not empty, or a buffer; it is null$/],
  [{ cert: 1, key }, /^tls: cert must be a string that is not empty, or a buffer; it is 1$/],
  [{ cert, key, keyFiel: '' }, /^tls has no option keyFiel; it takes cert, key$/],
])('files and texts that cannot be used: %o', async (tls, message) => {
  await expect(startMock({ tls: tls as never })).rejects.toThrow(message);
});

test('a certificate made at the start is that of local names and of the host', async () => {
  await using mock = await startMock({ tls: 'self-signed', host: 'localhost' });
  const { socket } = (await answerOf(mock.baseUrl, { rejectUnauthorized: false })).resume();
  const shown = (socket as TLSSocket).getPeerCertificate();
  expect(shown.subjectaltname).toBe('DNS:localhost, DNS:*.localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
  const pem = `-----BEGIN CERTIFICATE-----\n${shown.raw.toString('base64')}\n-----END CERTIFICATE-----`;
  expect(await get(`${mock.baseUrl}/_mock/info`, pem)).toContain('platform-mock');
});

test('an upstream with a certificate of an authority that is not trusted: the answer tells how to name it', async () => {
  await using service = await startMock({ tls: { cert, key }, host: 'localhost' });
  const scopesWith = async (tls?: { ca: string }) => {
    await using mock = await startMock({ upstream: { upstream: service.baseUrl, mockOnly: ['login'], tls } });
    const response = await fetch(`${mock.baseUrl}/v1/api-tokens/scopes`);
    return [response.status, await response.text()];
  };
  expect(await scopesWith({ ca: cert })).toEqual([401, expect.stringContaining('missing_credentials')]);
  expect(await scopesWith()).toEqual([
    502,
    expect.stringMatching(/self-signed certificate; .* NODE_EXTRA_CA_CERTS=FILE/),
  ]);
});

test('without the package for certificates, the message says how to install it', async () => {
  vi.doMock('selfsigned', () => {
    throw new Error('not installed');
  });
  await expect(startMock({ tls: 'self-signed' })).rejects.toThrow('npm install --save-dev selfsigned');
  vi.doUnmock('selfsigned');
});
