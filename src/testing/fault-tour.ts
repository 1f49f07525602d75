import { GARBAGE_TOKENS } from '../../contract-tests/api/token-forms.ts';
import { emptiedJwts, tamperedJwts, wrongSecretPats } from '../../contract-tests/plan/forged-tokens.ts';
import type { Fault } from '../core/faults/index.ts';
import { issueAccessToken } from '../core/operations/tokens.ts';
import type { User } from '../core/world/records.ts';
import { type Call, field, type TestMock } from './client.ts';

const recording = 'PATCH /v1/echo/recordings/rec_kickoff';
const keys = 'GET /v1/admin/tenants/ten_analytical/api-keys';
const scopes = 'GET /v1/api-tokens/scopes';

const bodies: readonly object[] = [
  { summary: 'S' },
  { title: 'A title', summary: 'S' },
  { title: '  <b>Ünï</b> e\u0301 \u{1F3A7} &amp;  "x" \\ %20 \u0007\r\n' },
  { summary: 'S' },
  { title: 'long '.repeat(60) },
  { summary: 'S' },
  { title: '007' },
  { title: 'null' },
  { analysis: { key_topics: [] } },
  { kb_folder_id: 'f' },
  { kb_document_id: 'd' },
  { title: 'T', kb_folder_id: 'f', kb_document_id: 'd', summary: 'S', analysis: {} },
  { summary: 'S', filename: 'x.wav', status: 'failed', method: 'meeting', quality: 'draft', language: 'de' },
  { summary: 'S', diarization_enabled: false, created_at: '2001-02-03T04:05:06Z', updated_at: '2001-02-03T04:05:06Z' },
  { quality: 'standard' },
  { title: 'T', language: 'fr' },
  { title: 'refused', summary: { no: 'text' } },
  { summary: 'S', user_id: 'usr_charles' },
  { summary: 'S' },
  { summary: 'S', id: 'rec_other' },
];

const conditionalBodies: readonly object[] = [
  { title: 'After a refusal' },
  { title: 'With a long summary', summary: 's'.repeat(300) },
  { title: 'minutes.docx' },
  { analysis: { sections: [{ items: [{ text: 'nested' }] }] } },
  { title: '\ufeffmarked' },
  { title: '\u202aleft to right\u202c' },
  { title: 'x'.repeat(5000) },
];

const queries = ['', '?provider=openai', '?status=active', '?status=revoked', '?provider=openai&status=active'];

type Go = (line: string, call?: Call) => Promise<unknown>;
type Part = (mock: TestMock, go: Go, users: { ada: User; charles: User; token: string }) => Promise<void>;

const signingIn: Part = async (mock, go, { ada, charles, token }) => {
  const { body: grant } = await mock.sso();
  for (const user of [ada, ada, charles]) await go('POST /v1/auth/sso', { json: user.sso });
  for (const line of ['POST /v1/auth/sso/', 'POST /v2/auth/sso', 'POST /platform/api/v1/auth/sso'])
    await go(line, { json: ada.sso });
  await go('POST /v1/auth/refresh', { json: { refresh_token: field(grant, 'refresh_token') } });
  await go('POST /v1/auth/login', { json: { email: ada.email, password: ada.password } });
  await go('POST /v1/api-tokens', { token, json: { name: 'tour' } });
};

const listing: Part = async (mock, go, { charles, token }) => {
  await go(scopes, { token });
  await go(scopes, { token: issueAccessToken(mock.world, charles) });
  for (const query of queries) await go(`${keys}${query}`, { token });
  await go('GET /v1/admin/tenants/ten_flowmatic/api-keys', { token });
};

const forging: Part = async (mock, go, { ada, token }) => {
  const { body } = await mock.call('POST /v1/api-tokens', { token, json: { name: 'tour' } });
  const pat = String(field(body, 'token'));
  const forged = [
    ...GARBAGE_TOKENS,
    issueAccessToken(mock.world, ada, -1),
    ...[...tamperedJwts(token, 'tour'), ...emptiedJwts(token, 'tour')].map((one) => one.token),
    ...(pat.includes('.') ? wrongSecretPats(pat).map((one) => one.token) : []),
  ];
  for (const line of [scopes, keys]) {
    await go(line);
    await go(line, { token: pat });
  }
  for (const wrong of forged) await go(scopes, { token: wrong });
  await go(recording, { json: { title: 'nobody' } });
  await go(recording, { token: pat, json: { summary: 'by PAT' } });
  await go(recording, { token, json: { summary: 'by JWT' } });
};

const updating: Part = async (_mock, go, { token }) => {
  await go(recording, { token: 'wrong', json: { title: 'wrong' } });
  for (const json of bodies) await go(recording, { token, json });
};

/** Updates that differ by their caller, earlier requests, or elapsed time. */
const updatingOnConditions: Part = async (mock, go, { charles, token }) => {
  const member = issueAccessToken(mock.world, charles);
  const [own] = mock.world.store.recordings.lookup('user', charles.id);
  await go(recording, { token, json: { title: 'Before' } });
  await go(recording, { token, json: { title: 17 } });
  for (const json of conditionalBodies) await go(recording, { token, json });
  await go(`PATCH /v1/echo/recordings/${own?.id}`, { token: member, json: { title: 'By a member' } });
  await go(recording, { token, json: { summary: 'S' } });
  mock.world.clock.advance(3000);
  await go(recording, { token, json: { summary: 'S' } });
};

/** Tokens that differ by their origin, later events, or elapsed time. */
const usingTokens: Part = async (mock, go, { ada, charles, token }) => {
  const grants: unknown[] = [];
  for (let times = 0; times < 5; times += 1) grants.push(await go('POST /v1/auth/sso', { json: ada.sso }));
  const refreshToken = field(grants[0], 'refresh_token');
  const renewed = await go('POST /v1/auth/refresh', { json: { refresh_token: refreshToken } });
  const tokens = [...grants, renewed].map((grant) => String(field(grant, 'access_token')));
  for (const maker of [token, token, issueAccessToken(mock.world, charles)])
    tokens.push(String(field(await go('POST /v1/api-tokens', { token: maker, json: { name: 'tour' } }), 'token')));
  for (const each of [token, ...tokens]) await go(scopes, { token: each });
  await go(`${keys}?provider=openai`);
  await go(`${keys}?provider=openai`, { token });
  await go(keys, { token });
  mock.world.clock.advance(3000);
  for (const each of [token, ...tokens]) await go(scopes, { token: each });
};

const all: readonly Part[] = [signingIn, listing, forging, updating, updatingOnConditions, usingTokens];

/** The part of the tour for a family; without a family, all of it. */
const concerning: Readonly<Record<string, readonly Part[]>> = {
  'response shape': [signingIn, listing, updating, updatingOnConditions],
  state: [updating, updatingOnConditions],
  'authentication and tokens': [signingIn, listing, forging, usingTokens],
  collections: [listing],
  time: [signingIn, listing, updating],
};

/**
 * Makes valid and invalid requests that concern a family of faults, and returns what clients see: the same at every mock with the
 * same seed and a frozen clock. `also` is an additional request of an administrator.
 */
export async function tour(mock: TestMock, family = '', also?: Fault['shownBy']): Promise<string[]> {
  const seen: string[] = [];
  const nothing = (error: unknown) => ({ status: 0, body: undefined, text: String(error), headers: new Headers() });
  const go: Go = async (line, call = {}) => {
    const answer = await mock.call(line, call).catch(nothing);
    const headers = [...answer.headers].filter(([name]) => !/^(date|x-mock-.*)$/.test(name));
    seen.push(JSON.stringify([line, answer.status, answer.text, headers]));
    return answer.body;
  };
  const { users, recordings } = mock.world.store;
  const [ada, charles] = [users.get('usr_ada'), users.get('usr_charles')];
  if (!ada || !charles) throw new Error('the fixtures have neither Ada nor Charles');
  const token = issueAccessToken(mock.world, ada);
  for (const part of concerning[family] ?? all) await part(mock, go, { ada, charles, token });
  if (also !== undefined) await go(also.line, { token, json: also.json });
  seen.push(JSON.stringify(recordings.get('rec_kickoff')));
  return seen;
}
