import type { RequestListener } from 'node:http';

// They look like a JWT and a PAT, and are never checked.
const token = `${[
  { alg: 'HS256', typ: 'JWT' },
  { sub: '1', iat: 1_700_000_000, exp: 1_700_003_600 },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')}.c2lnbmF0dXJl`;
const time = '2025-01-01T00:00:00Z';
const user = { id: '1', email: 'a@example.test', username: 'a', confirmed: true, created_at: time };
const grant = { access_token: token, refresh_token: 'r', token_type: 'bearer', expires_in: 3600, user };
const recording = {
  id: 'rec-1',
  title: 'Title',
  filename: 'a.wav',
  status: 'completed',
  method: 'upload',
  quality: 'high',
  language: 'en',
  diarization_enabled: true,
  user_id: '1',
  created_at: time,
  updated_at: time,
};
const key = { id: '1', provider: 'openai', name: 'Key', status: 'active', created_at: time };

const answers: readonly [method: string, path: RegExp, body: unknown][] = [
  ['POST', /^\/v1\/auth\//, grant],
  ['POST', /^\/v1\/api-tokens$/, { token: 'pat_1.secret' }],
  ['PATCH', /^\/v1\/echo\/recordings\/[^/]+$/, recording],
  ['GET', /^\/v1\/admin\/tenants\/[^/]+\/api-keys(\?|$)/, [key]],
  ['GET', /^\/v1\/api-tokens\/scopes$/, { scopes: ['a:read'], is_admin: true }],
];

/** A server of examples, as a mock without state is: every answer has the right shape, and none depends on the request. */
export const examples: RequestListener = ({ method, url = '' }, response) => {
  const found = answers.find(([wanted, path]) => method === wanted && path.test(url));
  response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(found?.[2] ?? { error: 'not found' }));
};
