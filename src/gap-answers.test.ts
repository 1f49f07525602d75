// Answers to gaps drive what the mock does, where a probe cannot see it or more is to be seen than a probe asks for.
import { afterEach, expect, test } from 'vitest';
import { isObject } from './core/spec/document.ts';
import { answersToTry, type GapAnswers, type GapId, gapLedger } from './core/spec/gaps.ts';
import { field, keys, patch, type Seen, TestMock } from './testing/client.ts';

type Observe = (mock: TestMock) => Promise<unknown>;

const refreshToken = async (mock: TestMock) => String(field((await mock.sso()).body, 'refresh_token'));
const refresh = (mock: TestMock, token: string) =>
  mock.call(`POST ${mock.world.answers.get('refresh-path')}`, { json: { refresh_token: token } });
/** The statuses a second before so many seconds are over, and then. */
async function aroundTheEnd({ world }: TestMock, seconds: number, use: () => Promise<Seen>): Promise<number[]> {
  world.clock.advance((seconds - 1) * 1000);
  const { status } = await use();
  world.clock.advance(1000);
  return [status, (await use()).status];
}
const oneOf = <T>(answers: Readonly<Record<string, T>>, seen: unknown): T | undefined => answers[String(seen)];
const collected = (mock: TestMock, name: 'method' | 'quality' | 'language') =>
  [...new Set([...mock.world.store.recordings.all()].map((recording) => recording[name]))].sort();

const observations: { readonly [Id in GapId]?: Observe } = {
  'sso-unknown-identity': async (mock) => {
    const json = { oid: 'unknown', tid: 'nowhere', upn: 'unknown@nowhere.example' };
    const signIn = () => mock.call('POST /v1/auth/sso', { json });
    const [first, second] = [await signIn(), await signIn()];
    expect(field(first.body, 'user', 'id')).toBe(field(second.body, 'user', 'id'));
    return oneOf({ 401: 'refuse', 403: 'forbid', 200: 'provision' }, first.status);
  },
  'unconfirmed-sign-in': async (mock) => oneOf({ 200: 'allow', 403: 'refuse' }, (await mock.sso('usr_mary')).status),
  'refresh-lifetime': async (mock) => {
    mock.world.clock.freeze();
    const tokens = [await refreshToken(mock), await refreshToken(mock)];
    const lifetime = mock.world.answers.get('refresh-lifetime');
    expect(await aroundTheEnd(mock, lifetime, () => refresh(mock, tokens.pop() ?? ''))).toEqual([200, 401]);
    return lifetime;
  },
  'method-values': async (mock) => collected(mock, 'method'),
  'quality-values': async (mock) => collected(mock, 'quality'),
  'language-values': async (mock) => collected(mock, 'language'),
  'foreign-recording': async (mock) => {
    const update = (recording: string, user: string) => mock.update({ title: 'x' }, { user, recording });
    const [foreign, unknown] = [await update('rec_kickoff', 'usr_charles'), await update('rec_none', 'usr_charles')];
    const { status } = await update('rec_weekly', 'usr_ada');
    const told = (seen: Seen) => seen.text.replaceAll(/rec_\w+/g, 'ID');
    if (foreign.status === 404) expect(told(foreign)).toBe(told(unknown));
    const answers = {
      403: 'forbid',
      404: 'hide',
      200: 'allow',
      '403 200': 'administrators',
      '404 200': 'administrators-else-hide',
    };
    return oneOf(answers, foreign.status === status ? status : `${foreign.status} ${status}`);
  },
  // A probe sends a number as title.
  'wrong-type': async (mock) => {
    const claims = { oid: 42, tid: 'nowhere', upn: true };
    const signIn = await mock.call('POST /v1/auth/sso', { json: claims });
    const made = await mock.call('POST /v1/api-tokens', { token: await mock.token(), json: { name: 42 } });
    expect(signIn.basis).toContain('wrong-type');
    expect(made.basis).toContain('wrong-type');
    return oneOf({ 400: 'refuse', 42: 'coerce' }, signIn.status === 400 ? made.status : field(made.body, 'name'));
  },
  // A probe sends no media type with a body that is missing.
  'missing-body': async (mock) => {
    const { body } = await mock.call(patch, { token: await mock.token(), raw: '' });
    const codes = { malformed_json: 'media-type', validation_failed: 'validation', undefined: 'empty-object' };
    return oneOf(codes, field(body, 'error', 'code'));
  },
  'body-size-limit': async (mock) => {
    const limit = mock.world.answers.get('body-size-limit');
    const rest = JSON.stringify({ title: '' }).length;
    const fits = await mock.update({ title: 'x'.repeat(limit - rest) });
    const over = await mock.update({ title: 'x'.repeat(limit - rest + 1) });
    expect([fits.status, over.status]).toEqual([200, 413]);
    return limit;
  },
};

/** Gaps whose only answer, or whose difference, no exchange over HTTP shows yet. */
const invisible: readonly GapId[] = ['status-transitions', 'events', 'version-policy', 'other-capabilities'];

/** More answers than the ledger's examples, where these are too few to tell that they matter. */
const more: Partial<{ [Id in GapId]: GapAnswers[Id][] }> = {
  'method-values': [['api', 'phone']],
  'quality-values': [['high', 'low']],
  'language-values': [['cy', 'gd']],
  'body-size-limit': [2048],
};

const cases = gapLedger().gaps.flatMap((gap) =>
  // Shapes that are written out: src/shapes.test.ts.
  [...answersToTry(gap).filter((answer) => !isObject(answer)), ...(more[gap.id] ?? [])].map((answer) => ({
    id: gap.id,
    answer,
    observe: observations[gap.id],
  })),
);

let mock: TestMock | undefined;
afterEach(async () => {
  await mock?.[Symbol.asyncDispose]();
  // No observation may make the mock break its own spec.
  expect(mock?.world.ownViolations ?? 0).toBe(0);
  mock = undefined;
});

// Every other gap is observable from outside: contract-tests/readers/round-trip.test.ts reads each of its answers back.
test('every gap that no probe can observe is observed here, or said to be invisible', () => {
  const covered: readonly string[] = [...Object.keys(observations), ...invisible];
  const unprobed = gapLedger().gaps.filter(({ unobservable }) => unobservable);
  expect(unprobed.map(({ id }) => id).filter((id) => !covered.includes(id))).toEqual([]);
});

const isVocabulary = (id: GapId) => ['method-values', 'quality-values', 'language-values'].includes(id);

test.each(cases.filter((one) => one.observe))('$id: $answer', async ({ id, answer, observe }) => {
  // Enough recordings for every word of a vocabulary to be among them.
  mock = await TestMock.withoutPort({ profile: { answers: { [id]: answer } }, recordings: 200 });
  expect(await observe?.(mock)).toEqual(isVocabulary(id) ? [...(answer as string[])].sort() : answer);
});

test('the redirect of a path with a slash leads to the same request without it, below a sandbox, too', async () => {
  mock = await TestMock.start({ profile: { answers: { 'trailing-slash': { get: 301, others: 308 } } } });
  const { call, mint } = await mock.sandbox();
  const token = await mint();
  const list = await call(`${keys}/?status=revoked`, { token });
  expect(list.text).toBe((await call(`${keys}?status=revoked`, { token })).text);
  expect((await call(`${patch}/`, { token, json: { title: 'By 308' } })).body).toMatchObject({ title: 'By 308' });
  const paths = ['/v1/echo/recordings/', '/v1/auth/sso//', '/'];
  for (const path of paths) expect((await call(`GET ${path}`, { token })).basis).not.toContain('trailing-slash');
});

test('a path whose slash is ignored says so each time, and is refused like the path without it', async () => {
  mock = await TestMock.start({ profile: { answers: { 'trailing-slash': 'same' } } });
  const token = await mock.token();
  for (const title of ['first', 'second', 7]) {
    const { status, basis } = await mock.call(`${patch}/`, { token, json: { title } });
    expect([status, basis]).toEqual([title === 7 ? 400 : 200, expect.stringContaining('trailing-slash')]);
  }
});

test('what must exist in the knowledge base is what the mock has of its own, and what a recording is linked to', async () => {
  mock = await TestMock.withoutPort({ profile: { answers: { 'unknown-kb-id': 'not-found' } } });
  await mock.call('PATCH /_mock/state/recordings/rec_weekly', { json: { kb_folder_id: 'fld_other' } });
  const before = await mock.title();
  for (const kb_document_id of ['fld_other', 'made-up', '__proto__'])
    expect(await mock.update({ title: 'x', kb_document_id })).toMatchObject({ status: 404 });
  expect(await mock.title()).toBe(before);
  for (const kb_folder_id of ['kbf_engines', 'fld_other', ''])
    expect(await mock.update({ kb_folder_id })).toMatchObject({ status: 200 });
});
