import dns from 'node:dns';
import { afterEach, expect, test, vi } from 'vitest';
import { planRun, readRunInput } from '../commands/run-input.ts';
import { withServer } from '../testing/fixtures.ts';
import { Client } from './client.ts';
import { isLoopback } from './loopback.ts';
import { readOnly } from './write-guard.ts';

afterEach(() => vi.restoreAllMocks());

const { lookup } = dns;

/** Lets a name have these addresses, each lookup the next; the last one from then on. */
function resolveTo(name: string, ...addresses: string[]): void {
  vi.spyOn(dns, 'lookup').mockImplementation(((host: string, options: dns.LookupOptions, done: never) => {
    if (host !== name) return lookup(host, options as never, done);
    const address = (addresses.length > 1 ? addresses.shift() : addresses[0]) ?? '';
    (done as (error: null, found: dns.LookupAddress[]) => void)(null, [{ address, family: 4 }]);
  }) as never);
}

test.each([
  ['http://127.0.0.1:1', true],
  ['http://[::1]:1', true],
  ['http://localhost:1', true],
  ['http://127.example.test', false],
  ['http://10.0.0.1', false],
])('%s is at loopback: %s', async (url, expected) => expect(await isLoopback(url)).toBe(expected));

test('a local name counts by the address that it has', async () => {
  resolveTo('prod.localhost', '127.0.0.1', '10.1.2.3');
  expect(await isLoopback('http://prod.localhost')).toBe(true);
  expect(await isLoopback('http://prod.localhost')).toBe(false);
});

test('without --allow-writes a local name that is elsewhere is not written to', () =>
  withServer(
    (_request, response) => response.end('{}'),
    async (baseUrl) => {
      const input = readRunInput({ baseUrl: baseUrl.replace('127.0.0.1', 'prod.localhost') });
      resolveTo('prod.localhost', '127.0.0.1');
      expect(await planRun(input)).toMatchObject({ allowWrites: true, loopbackOnly: true });
      resolveTo('prod.localhost', '127.0.0.1', '10.1.2.3');
      expect(await planRun(input)).toMatchObject({ allowWrites: false });
    },
  ));

test('nothing is sent where the address changes between check and connection', () =>
  withServer(
    (_request, response) => response.end('{}'),
    async (baseUrl) => {
      const policy = { ...readOnly(), loopbackOnly: true };
      const client = new Client({ baseUrl: baseUrl.replace('127.0.0.1', 'prod.localhost') }, policy, () => {});
      resolveTo('prod.localhost', '127.0.0.1');
      expect((await client.send({ method: 'GET', path: '/' })).response.status).toBe(200);
      client.close();
      resolveTo('prod.localhost', '10.1.2.3');
      await expect(client.send({ method: 'GET', path: '/' })).rejects.toThrow(
        'prod.localhost has the address 10.1.2.3, which is not of this machine',
      );
    },
  ));
