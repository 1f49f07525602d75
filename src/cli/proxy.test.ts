import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { startMock } from '../index.ts';
import { startServer } from '../testing/command.ts';
import { fileWith } from '../testing/refused.ts';

const folder = testFolder();

const start = (args: string[]) => startServer(args, { TMPDIR: folder });

describe('proxy', () => {
  test('asks a mock for its profile, reports violations, and ends cleanly on SIGINT', async () => {
    await using mock = await startMock({ profile: 'nest' });
    const proxy = await start(['proxy', '--base-url', mock.baseUrl, '--assumptions']);
    const what = 'by the document and the profile of the target';
    expect(proxy.output()).toContain(`from ${proxy.baseUrl} to ${mock.baseUrl} ${what}`);

    const response = await fetch(`${proxy.baseUrl}/v1/auth/sso`, { method: 'POST', body: '{"oid":1}' });
    expect(JSON.parse(response.headers.get('sl-violations') ?? '[]')).not.toEqual([]);
    expect(await response.json()).toMatchObject({ statusCode: response.status });

    expect(await proxy.end('SIGINT')).toMatchObject({ code: 0, stderr: '' });
    expect(proxy.output()).toMatch(/\[HTTP SERVER\] post \/v1\/auth\/sso/);
    expect(proxy.output()).toMatch(/\[VALIDATOR\].*Violation: request/);
    await expect(fetch(proxy.baseUrl)).rejects.toThrow();
    expect((await readdir(folder)).filter((name) => name.startsWith('platform-mock-prism'))).toEqual([]);
  });

  test.each([
    [[], null],
    [['--assumptions', '--profile', 'default'], expect.stringContaining('status code')],
  ])('reports what the document states, and what is assumed only when asked: %j', async (words, violations) => {
    await using mock = await startMock({ profile: 'rfc9457' });
    const proxy = await start(['proxy', '--base-url', mock.baseUrl, ...words]);
    const { data } = await mock.control.POST('/tokens', { body: { user: 'usr_ada' } });
    const headers = { authorization: `Bearer ${data.token}` };
    const ask = (path: string) => fetch(proxy.baseUrl + path, { headers });
    const refused = await ask('/v1/admin/tenants/ten_analytical/api-keys?provider=none');
    expect([refused.status, refused.headers.get('sl-violations')]).toEqual([422, violations]);
    await ask('/v1/unknown');
    await ask('/v1/admin/tenants/ten_analytical/api-keys');
    expect((await proxy.end('SIGINT')).code).toBe(0);
    expect(proxy.output().includes('route not found')).toBe(words.length > 0);
  });

  test('takes a target file, starts before its target does, and ends cleanly on SIGTERM', async () => {
    const target = 'baseUrl: http://127.0.0.1:1/api\nprofile: strict\nheaders: { X-Env: staging }\n';
    const proxy = await start(['proxy', '--target', fileWith(target)]);
    expect(proxy.output()).toContain('to http://127.0.0.1:1/api by what the document states.');
    await expect.poll(() => proxy.output()).toContain('clients must send X-Env themselves');
    expect((await proxy.end('SIGTERM')).code).toBe(0);
  });
});

test('Prism ends with our process, even if that is killed', async () => {
  await using mock = await startMock();
  const proxy = await start(['proxy', '--base-url', mock.baseUrl]);
  await proxy.end('SIGKILL');
  while (await fetch(proxy.baseUrl).catch(() => undefined));
});
