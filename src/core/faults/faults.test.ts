import { expect, test } from 'vitest';
import { loadRequirements } from '../../../contract-tests/spec-data.ts';
import { type Call, field, keys, patch as recording, TestMock } from '../../testing/client.ts';
import { issueAccessToken } from '../operations/tokens.ts';
import { ConfigError } from '../spec/config-error.ts';
import type { User } from '../world/records.ts';
import { checkFaultIds, faults } from './index.ts';

test('each fault has a unique id and a unique description', () => {
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
  expect(new Set(faults.map(({ description }) => description)).size).toBe(faults.length);
  for (const { id, description } of faults) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(description).toMatch(/^\S.*\.$/);
  }
});

test('a fault names existing requirements, each once', () => {
  const known = loadRequirements().map(({ id }) => id);
  for (const { id, requirements: broken } of faults) {
    const existing = [...new Set(broken)].filter((one) => known.includes(one));
    expect(existing, id).toEqual(broken);
  }
});

test('every fault violates a requirement, except environment faults and variations', () => {
  for (const { id, family, requirements: broken } of faults)
    expect(broken.length > 0, id).toBe(family !== 'environment' && family !== 'variation');
});

const bodies: readonly object[] = [
  { title: 'A title', summary: 'S' },
  { title: '  <b>Ünï</b> e\u0301 \u{1F3A7} &amp;  "x" \\ %20 \u0007\r\n' },
  { title: 'long '.repeat(60) },
  { summary: 's'.repeat(300) },
  { title: 'T', kb_folder_id: 'f', kb_document_id: 'd', summary: 'S', analysis: {} },
  { title: 'refused', summary: { no: 'text' } },
];

/** Signs in, uses every kind of token, lists and updates; what clients see is the same at every mock with the same seed and a frozen clock. */
async function tour(mock: TestMock): Promise<string[]> {
  const seen: string[] = [];
  const go = async (line: string, call: Call = {}) => {
    const { status, text, headers, body } = await mock.call(line, call);
    seen.push(JSON.stringify([line, status, text, [...headers].filter(([name]) => !/^(date|x-mock-.*)$/.test(name))]));
    return body;
  };
  const { users, recordings } = mock.world.store;
  const ada = users.get('usr_ada') as User;
  const token = issueAccessToken(mock.world, ada);
  const signIns = [await go('POST /v1/auth/sso', { json: ada.sso }), await go('POST /v1/auth/sso', { json: ada.sso })];
  signIns.push(await go('POST /v1/auth/login', { json: { email: ada.email, password: ada.password } }));
  const json = { refresh_token: field(signIns[0], 'refresh_token') };
  signIns.push(await go('POST /v1/auth/refresh', { json }));
  const tokens = ['wrong', token, issueAccessToken(mock.world, ada, -1)];
  tokens.push(...signIns.map((grant) => String(field(grant, 'access_token'))));
  for (const name of ['first', 'second'])
    tokens.push(String(field(await go('POST /v1/api-tokens', { token, json: { name } }), 'token')));
  for (const each of tokens) await go('GET /v1/api-tokens/scopes', { token: each });
  for (const query of ['', '', '?status=revoked', '?provider=tavily']) await go(`${keys}${query}`, { token });
  for (const body of bodies) await go(recording, { token, json: body });
  seen.push(JSON.stringify(recordings.get('rec_kickoff')));
  return seen;
}

async function tourWith(ids: readonly string[]) {
  await using mock = await TestMock.withoutPort({ faults: ids });
  mock.world.clock.freeze(Date.parse('2026-11-20T10:00:00Z'));
  const seen = await tour(mock);
  return { seen, hits: ids.map((id) => mock.world.faultHits.get(id) ?? 0), own: mock.world.ownViolations };
}

const { seen: faithful } = await tourWith([]);

/** Tested in environment.test.ts, since they need many requests or time, or below. */
const onTheWire = ['chunked', 'json-byte-order-mark'];
const testedSeparately = ['limited', 'limited-until', 'busy', 'slow', ...onTheWire];
const unjudged = loadRequirements().flatMap(({ id, excluded }) => (excluded === undefined ? [] : [id]));
/** `npm run score` shows that each other fault has an effect, which a check sees, and no side effects. */
const visible = faults.filter(
  ({ id, family, requirements: [main = ''] }) =>
    (family === 'variation' || unjudged.includes(main)) && !testedSeparately.includes(id),
);

test('the tour is reproducible without faults', async () => {
  expect((await tourWith([])).seen).toEqual(faithful);
});

test('the control plane has no faults', async () => {
  await using mock = await TestMock.withoutPort({ faults: faults.map(({ id }) => id) });
  expect((await mock.call('GET /_mock/info')).status).toBe(200);
});

test.each(onTheWire)('%s is visible on the wire only, by the length of the body', async (id) => {
  const lengthWith = async (faults: string[]) => {
    await using mock = await TestMock.start({ faults });
    return (await mock.sso()).headers.get('content-length');
  };
  expect(await lengthWith([id])).not.toBe(await lengthWith([]));
});

test.each(visible)('$id has a visible effect and no side effects', async ({ id }) => {
  const { seen, hits, own } = await tourWith([id]);
  expect(hits[0]).toBeGreaterThan(0);
  expect(own).toBe(0);
  expect(seen).not.toEqual(faithful);
});

const all = `\`platform-mock faults\` or GET /_mock/faults lists all ${faults.length}`;
const meant = 'did you mean sso-token-type-capital or sso-token-type-jwt?';
test.each([
  [['nonsense'], `there is no fault nonsense; ${all}`],
  [['sso-token-type-captial'], `there is no fault sso-token-type-captial; ${all}; ${meant}`],
  [['title-truncated', ...'abcdefg'], `there is no fault a, b, c, d, e and 2 more; ${all}`],
])('%j are refused with suggestions, not with the whole list', (ids, message) => {
  expect(() => checkFaultIds(ids)).toThrow(new ConfigError([message]));
});
