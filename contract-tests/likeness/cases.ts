import type { JsonObject } from '../values/json.ts';
import type { Sent, Side, SideAnswer } from './side.ts';

/** What the client sends, and which answer to it is compared. */
export interface LikenessCase {
  id: string;
  send(side: Side): Promise<SideAnswer>;
}

type Send = LikenessCase['send'];

const NOBODY = { oid: '4f1d7c32-6f0e-4a3f-9f0a-000000000000', upn: 'nobody@likeness.example' };
const ADMIN_KEYS = '/v1/admin/tenants';

const sso =
  (change: (claims: JsonObject) => unknown, more: Sent = {}): Send =>
  (side) =>
    side.send('POST', '/v1/auth/sso', { json: change({ ...side.target.actors.admin.sso }), ...more });
const without =
  (name: string) =>
  ({ [name]: _, ...rest }: JsonObject): JsonObject =>
    rest;
const update =
  (json: unknown, more: Sent = {}): Send =>
  (side) =>
    side.send('PATCH', recording(side), { as: side.admin, json, ...more });
const recording = ({ target }: Side): string => `/v1/echo/recordings/${target.resources.recordingId}`;
const keys =
  (query = '', more: Sent = {}, method = 'GET'): Send =>
  (side) =>
    side.send(method, `${ADMIN_KEYS}/${side.target.resources.tenantId}/api-keys${query}`, { as: side.admin, ...more });
const scopes =
  (more: (side: Side) => Sent, query = '', method = 'GET'): Send =>
  (side) =>
    side.send(method, side.client.scopesPath + query, more(side));
const pat =
  (json: (side: Side) => unknown, more: (side: Side) => Sent = () => ({})): Send =>
  (side) =>
    side.send('POST', '/v1/api-tokens', { as: side.admin, json: json(side), ...more(side) });

/** Fields of the login as the client sends them, changed. */
const login = (fields: Record<string, string>, change: (body: JsonObject) => unknown): Send => {
  return (side) => side.send('POST', '/v1/auth/login', { json: change(side.login(fields)) });
};

const signIn = (fields: Record<string, string>): Record<string, Send> => {
  const names = Object.keys(fields);
  const [name = 'email', secret = 'password'] = [names[0], names.at(-1)];
  return {
    'sso: admin': sso((claims) => claims),
    'sso: member': (side) => side.send('POST', '/v1/auth/sso', { json: side.target.actors.member.sso }),
    'sso: without upn': sso(without('upn')),
    'sso: without oid': sso(without('oid')),
    'sso: no claims': sso(() => ({})),
    'sso: claims of the wrong type': sso(() => ({ oid: 1, tid: 2, upn: 3 })),
    'sso: unknown identity': sso((claims) => ({ ...claims, ...NOBODY })),
    'sso: body that breaks off': sso(() => ({}), { text: ['{"oid": ', 'application/json'] }),
    'sso: text/plain': sso(() => ({}), { text: ['oid=1', 'text/plain'] }),
    'sso: no body': (side) => side.send('POST', '/v1/auth/sso'),
    'sso: a list': sso(() => []),
    'sso: one claim more': sso((claims) => ({ ...claims, locale: 'en' })),
    'sso: GET': (side) => side.send('GET', '/v1/auth/sso'),
    'sso: OPTIONS': (side) => side.send('OPTIONS', '/v1/auth/sso'),
    'login: good': login(fields, (body) => body),
    'login: wrong secret': login(fields, (body) => ({ ...body, [secret]: 'wrong' })),
    'login: nobody': login(fields, (body) => ({ ...body, [name]: 'nobody@likeness.example' })),
    'login: without the secret': login(fields, without(secret)),
    'login: wrong type': login(fields, (body) => ({ ...body, [name]: 5 })),
  };
};

const refresh: Record<string, Send> = {
  'refresh: good': async (side) => {
    const json = side.client.refreshBody(await side.freshRefreshToken());
    return side.send('POST', side.client.refreshPath, { json });
  },
  'refresh: unknown token': (side) =>
    side.send('POST', side.client.refreshPath, { json: side.client.refreshBody('rt.nobody-gave-this') }),
  'refresh: spent token': async (side) => {
    const json = side.client.refreshBody(await side.freshRefreshToken());
    await side.send('POST', side.client.refreshPath, { json });
    return side.send('POST', side.client.refreshPath, { json });
  },
  'refresh: nothing': (side) => side.send('POST', side.client.refreshPath, { json: {} }),
};

const tokens: Record<string, Send> = {
  'pat: created': pat((side) => side.client.patBody('another')),
  'pat: created with a pat': pat(
    (side) => side.client.patBody('by a PAT'),
    (side) => ({ as: side.pat }),
  ),
  'pat: without credentials': pat(
    (side) => side.client.patBody('nobody'),
    () => ({ as: null }),
  ),
  'pat: nothing': pat(() => ({})),
  'pat: wrong type': pat((side) =>
    Object.fromEntries(Object.keys(side.client.patBody('x')).map((field) => [field, 5])),
  ),
  'scopes: admin': scopes((side) => ({ as: side.admin })),
  'scopes: member': scopes((side) => ({ as: side.member })),
  'scopes: pat': scopes((side) => ({ as: side.pat })),
  'scopes: no credentials': scopes(() => ({})),
  'scopes: garbage token': scopes(() => ({ as: 'not-a-token' })),
  'scopes: Basic': scopes(() => ({ headers: { Authorization: 'Basic YTpi' } })),
  'scopes: unknown parameter': scopes((side) => ({ as: side.admin }), '?no_such_parameter=1'),
  'scopes: HEAD': scopes((side) => ({ as: side.admin }), '', 'HEAD'),
  'scopes: trailing slash': scopes((side) => ({ as: side.admin }), '/'),
};

const apiKeys: Record<string, Send> = {
  'keys: all': keys(),
  'keys: one provider': keys('?provider=openai'),
  'keys: unknown provider': keys('?provider=no-such-provider'),
  'keys: unknown status': keys('?status=no-such-status'),
  'keys: empty provider': keys('?provider='),
  'keys: member': (side) => keys('', { as: side.member })(side),
  'keys: pat': (side) => keys('', { as: side.pat })(side),
  'keys: no credentials': keys('', { as: null }),
  'keys: garbage token': keys('', { as: 'bm90LWEtaGVhZGVy.bm90LWEtcGF5bG9hZA.bm90' }),
  'keys: unknown tenant': (side) =>
    side.send('GET', `${ADMIN_KEYS}/${side.target.resources.tenantId}9/api-keys`, { as: side.admin }),
  'keys: other tenant': (side) =>
    side.send('GET', `${ADMIN_KEYS}/${side.target.resources.otherTenantId}/api-keys`, { as: side.admin }),
  'keys: limit and offset': keys('?limit=1&offset=1'),
  'keys: POST': keys('', { json: {} }, 'POST'),
};

const recordings: Record<string, Send> = {
  'update: title': update({ title: 'Likeness' }),
  'update: summary and analysis': update({ summary: 'S', analysis: { key_topics: ['a'] } }),
  'update: pat': (side) => update({ title: 'Likeness' }, { as: side.pat })(side),
  'update: nothing': update({}),
  'update: unknown field': update({ title: 'Likeness', no_such_field: 1 }),
  'update: read-only field': update({ title: 'Likeness', status: 'failed' }),
  'update: number as title': update({ title: 5 }),
  'update: null as summary': update({ summary: null }),
  'update: text as analysis': update({ analysis: 'text' }),
  'update: empty title': update({ title: '' }),
  'update: member': (side) => update({ summary: 'by member' }, { as: side.member })(side),
  'update: unknown recording': (side) =>
    side.send('PATCH', `${recording(side)}9`, { as: side.admin, json: { title: 'x' } }),
  'update: no credentials': update({ title: 'x' }, { as: null }),
  'update: garbage token': update({ title: 'x' }, { as: 'not-a-token' }),
  'update: body that breaks off': update({}, { text: ['{"title": ', 'application/json'] }),
  'update: form': update({}, { text: ['title=x', 'application/x-www-form-urlencoded'] }),
  'update: GET': (side) => side.send('GET', recording(side), { as: side.admin }),
  'update: OPTIONS': (side) => side.send('OPTIONS', recording(side)),
};

const paths: Record<string, Send> = {
  'path: unknown, as admin': (side) => side.send('GET', '/v1/no-such-path', { as: side.admin }),
  'path: unknown, as nobody': (side) => side.send('POST', '/v2/auth/sso', { json: {} }),
};

/** What the client sends: seventy cases. `fields` are those of the deployment's login. */
export const likenessCases = (fields: Record<string, string>): LikenessCase[] =>
  Object.entries({ ...signIn(fields), ...refresh, ...tokens, ...apiKeys, ...recordings, ...paths }).map(
    ([id, send]) => ({ id, send }),
  );
