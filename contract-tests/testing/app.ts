import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asText, objectOf } from '../values/json.ts';
import { testFolder } from './folder.ts';

const folder = testFolder();
let count = 0;

interface Described {
  actors: Record<'admin' | 'member', { sso: object; login: { email: string; password: string } }> & {
    others: { sso: object }[];
  };
  profile?: { answers?: Record<string, unknown> };
  resources: Record<'recordingId' | 'otherRecordingId' | 'tenantId' | 'otherTenantId', string>;
}

/** Uses a mock as an app and its tests do, with requests that overlap, and gives the recording of its journal. */
export async function recordedApp(baseUrl: string): Promise<string> {
  const json = async (path: string) => (await fetch(baseUrl + path)).json() as Promise<unknown>;
  const { actors, resources, profile } = (await json('/_mock/target')) as Described;
  const call = async (line: string, token?: string, body?: unknown, type = 'application/json') => {
    const [method = '', path = ''] = line.split(' ');
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': type }),
    };
    const answer = await fetch(baseUrl + path, { method, headers, ...(body !== undefined && { body: text }) });
    return objectOf(JSON.parse((await answer.text()) || 'null'));
  };
  /** The token in an answer of whatever shape. */
  const tokenOf = async (answer: Promise<Record<string, unknown>>): Promise<string> =>
    /eyJ[\w-]+\.[\w-]+\.[\w-]+|[A-Za-z]\w*_[\w-]+\.[\w-]{16,}/.exec(JSON.stringify(await answer))?.[0] ?? 'none';
  const recording = `PATCH /v1/echo/recordings/${resources.recordingId}`;
  const keys = `GET /v1/admin/tenants/${resources.tenantId}/api-keys`;
  const scopes = `GET ${asText(profile?.answers?.['scopes-path'] ?? '/v1/api-tokens/scopes')}`;

  const grant = await call('POST /v1/auth/sso', undefined, actors.admin.sso);
  const admin = asText(grant.access_token);
  await Promise.all([call(scopes, admin), call(keys, admin)]);
  for (const query of ['?provider=openai', '?status=active', '?provider=openai&status=inactive', '?provider=nobody'])
    await call(keys + query, admin);
  await call(`GET /v1/admin/tenants/${resources.otherTenantId}/api-keys`, admin);
  await call('GET /v1/admin/tenants/ten_unknown/api-keys', admin);
  const shown = await call(recording, admin, { summary: 'What was said.' });
  await call(recording, admin, { title: 'Weekly' });
  await call(recording, admin, { ...shown, title: 'Sent back as a whole', filename: 'renamed.wav' });
  await Promise.all([
    call(recording, admin, { summary: 'One' }),
    call(recording, admin, { analysis: { key_topics: [] } }),
  ]);
  await call(recording, admin, { kb_folder_id: 'folder-of-the-app', kb_document_id: 'document-of-the-app' });
  for (const wrong of [{ title: 7 }, { unknown: true }, {}, { title: null }, '{"title":', '[]'])
    await call(recording, admin, wrong);
  await call(recording, admin, 'title=x', 'application/x-www-form-urlencoded');
  await call('PATCH /v1/echo/recordings/rec_unknown', admin, { title: 'Nothing' });
  await call(`PATCH /v1/echo/recordings/${resources.otherRecordingId}`, admin, { summary: 'Of somebody else' });
  const member = await tokenOf(call('POST /v1/auth/login', undefined, actors.member.login));
  await Promise.all([call(scopes, member), call(keys, member)]);
  await call(recording, member, { title: 'By the member' });
  await call('POST /v1/auth/login', undefined, { ...actors.admin.login, password: 'not-the-password' });
  const stranger = await tokenOf(call('POST /v1/auth/sso', undefined, actors.others[0]?.sso));
  await call(keys, stranger);
  const refreshed = await call('POST /v1/auth/refresh', undefined, { refresh_token: grant.refresh_token });
  await call(scopes, asText(refreshed.access_token ?? admin));
  const pat = await tokenOf(
    call('POST /v1/api-tokens', admin, { name: 'script', scopes: ['recordings:write', 'scopes:read'] }),
  );
  await Promise.all([call(scopes, pat), call(recording, pat, { title: 'By a script' })]);
  const minted = await tokenOf(call('POST /_mock/tokens', undefined, { user: 'ada', kind: 'jwt' }));
  await call(scopes, minted);
  const [header = '', claims = '', signature = ''] = admin.split('.');
  const tampered = Buffer.from(JSON.stringify({ sub: 'usr_grace', exp: 4e9 })).toString('base64url');
  for (const bad of [
    undefined,
    'not-a-token',
    `${header}.${claims}.${signature.slice(0, -8)}AAAAAAAA`,
    `${header}.${tampered}.${signature}`,
    `${header}.${claims}.`,
    `${pat.slice(0, -8)}AAAAAAAA`,
  ])
    await call(recording, bad, { title: 'Not to be written' });
  await call('GET /v1/nothing', admin);
  await call(recording, admin, { title: 'The end' });

  count += 1;
  const file = join(folder, `app-${count}.har`);
  writeFileSync(file, JSON.stringify(await json('/_mock/journal/har')));
  return file;
}
