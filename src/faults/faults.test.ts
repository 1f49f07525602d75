import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../spec/package-root.ts';
import { field, TestMock } from '../testing/client.ts';
import { checkFaultIds, faults } from './index.ts';

const keys = 'GET /v1/admin/tenants/ten_analytical/api-keys';

let mock: TestMock | undefined;
afterEach(async () => {
  await mock?.[Symbol.asyncDispose]();
  mock = undefined;
});

const listed = async (path = keys) => (await mock?.call(path, { token: await mock.token() }))?.body;

/** What shows each fault; the same is false of a mock without it. */
const symptoms: Record<string, (of: TestMock) => Promise<unknown>> = {
  'sso-token-type-capital': async (of) => field((await of.sso()).body, 'token_type') === 'Bearer',
  'sso-expires-in-text': async (of) => typeof field((await of.sso()).body, 'expires_in') === 'string',
  'sso-expires-in-minutes': async (of) => field((await of.sso()).body, 'expires_in') === 60,
  'sso-no-refresh-token': async (of) => field((await of.sso()).body, 'refresh_token') === undefined,
  'title-truncated': async (of) =>
    String(field((await of.update({ title: 'x'.repeat(100) })).body, 'title')).length === 64,
  'update-flips-status': async (of) => {
    const [first, second] = [await of.update({}), await of.update({})];
    return field(first.body, 'status') !== field(second.body, 'status');
  },
  'filename-writable': async (of) => field((await of.update({ filename: 'x' })).body, 'filename') === 'x',
  'recording-no-language': async (of) => field((await of.update({})).body, 'language') === undefined,
  'key-secret-leaked': async () => field(await listed(), 0, 'secret') !== undefined,
  'provider-filter-ignored': async () => ((await listed(`${keys}?provider=google`)) as unknown[]).length > 1,
  'unsigned-jwt-accepted': async (of) => {
    const [, payload] = (await of.token()).split('.');
    const token = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    return (await of.call(keys, { token })).status === 200;
  },
  'jwt-signature-unchecked': async (of) =>
    (await of.call(keys, { token: `${(await of.token()).slice(0, -4)}AAAA` })).status === 200,
};

test.each(faults.map(({ id }) => id))('%s shows, and only where it is armed', async (id) => {
  mock = await TestMock.start({ faults: [id] });
  expect(await symptoms[id]?.(mock)).toBe(true);
  expect(mock.world.ownViolations).toBe(0);
  await mock[Symbol.asyncDispose]();
  mock = await TestMock.start();
  expect(await symptoms[id]?.(mock)).toBe(false);
});

test('a fault names requirements that exist, and its own id', () => {
  const file = parse(readFileSync(packageFile('spec', 'requirements.yaml'), 'utf8')) as {
    requirements: { id: string }[];
  };
  const known = file.requirements.map(({ id }) => id);
  expect(faults.flatMap((fault) => fault.requirements).filter((id) => !known.includes(id))).toEqual([]);
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
});

test('an unknown fault is refused with those that there are', () => {
  expect(() => checkFaultIds(['nonsense'])).toThrow('there is no fault nonsense; there are: sso-token-type-capital');
});
