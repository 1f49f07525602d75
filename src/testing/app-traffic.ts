import { encode } from '../../contract-tests/testing/fixtures.ts';
import { harOf } from '../../contract-tests/testing/har-of.ts';
import type { Passed } from '../../contract-tests/wire/passed.ts';
import type { SecondImplementation } from '../../fixtures/servers/second/server.ts';
import { callerOf, field } from './client.ts';

/** Uses a second implementation as an app and its testers do, with good tokens and bad ones, and records that. */
export async function recordApp({ baseUrl, target, style }: SecondImplementation) {
  const exchanges: Partial<Passed>[] = [];
  const call = callerOf(baseUrl, async (url, { method = 'GET', headers, body } = {}) => {
    const startedAt = Date.now();
    const response = await fetch(url, { method, headers, body } as RequestInit);
    exchanges.push({
      ...{ method, url: String(url), startedAt, durationMs: 0 },
      ...{ status: response.status, statusText: response.statusText },
      requestHeaders: { ...(headers as Record<string, string>) },
      requestBody: Buffer.from(String(body ?? '')),
      responseHeaders: Object.fromEntries(response.headers),
      responseBody: Buffer.from(await response.clone().arrayBuffer()),
    });
    return response;
  });
  const textOf = async (answer: Promise<{ body: unknown }>, ...path: string[]): Promise<string> =>
    String(field((await answer).body, ...path));

  const { admin, member } = target.actors;
  const { recordingId, tenantId, otherTenantId } = target.resources;
  const recording = `/v1/echo/recordings/${recordingId}`;
  const keys = (query = ''): string => `GET /v1/admin/tenants/${tenantId}/api-keys${query}`;
  const scopes = `GET ${style.scopesPath}`;
  const patch = (token: string | undefined, json: object) => call(`PATCH ${recording}`, { token, json });
  const signIn = (json: object | undefined) => call('POST /v1/auth/sso', { json });

  /** The page of API keys: all of them, each filter, and all of them again. */
  const listKeys = async (token: string): Promise<void> => {
    const { body } = await call(keys(), { token });
    const shown = Array.isArray(body) ? (body as { provider: string; status: string }[]) : [];
    const queries = [
      ...shown.map(({ provider }) => ({ provider })),
      ...shown.map(({ status }) => ({ status })),
      ...shown.slice(0, 3).map(({ provider, status }) => ({ provider, status })),
    ];
    const filters = queries.map((query) => `?${new URLSearchParams(query)}`);
    for (const query of [...new Set(filters), '']) await call(keys(query), { token });
  };

  const edit = async (token: string): Promise<void> => {
    const analysis = { key_topics: ['plans'], action_items: [] };
    await patch(token, { summary: 'What was said.' });
    await patch(token, { title: `Weekly, ${Date.now() % 1000}` });
    const { body: shown } = await patch(token, { summary: 'What was said, in short.' });
    const place = { kb_folder_id: 'folder-1', kb_document_id: 'document-1' };
    await patch(token, { title: 'Weekly with all', ...place, summary: 'S', analysis });
    for (const [field, value] of Object.entries(place)) await patch(token, { [field]: value });
    await patch(token, { title: 'A title that says all of what was said in a meeting', kb_document_id: 'document-1' });
    await patch(token, { analysis });
    // An emoji that was cut in two: UTF-8 has nothing for a lone surrogate.
    await patch(token, { title: 'Weekly, once more \ud83d', summary: 'Both.' });
    await patch(token, { summary: 'Both, again.' });
    await patch(token, { title: 'With its topics', analysis });
    // An app that sends the record back as a whole, with what its user has changed in it.
    await patch(token, { ...(shown as object), filename: 'renamed.wav', language: 'xx', user_id: 'somebody-else' });
    await patch(token, { summary: 'After that.' });
    await call(scopes, { token });
    await call(keys(), { token });
  };

  await call('GET /v1/me');
  const token = await textOf(signIn(admin.sso), 'access_token');
  await call(scopes, { token });
  await listKeys(token);
  await call(`GET /v1/admin/tenants/${otherTenantId}/api-keys`, { token });
  await edit(token);
  const { body: grant } = await signIn(admin.sso);
  const [again, refresh] = ['access_token', 'refresh_token'].map((name) => String(field(grant, name)));
  await listKeys(again ?? '');
  await call(scopes, { token: await textOf(signIn(member?.sso), 'access_token') });

  const loginToken = await textOf(call('POST /v1/auth/login', { json: admin.login }), 'accessToken');
  for (const line of [scopes, keys()]) await call(line, { token: loginToken });
  await patch(loginToken, { summary: 'By login.' });

  const json = { name: 'script', scopes: ['recordings:write', 'keys:list', 'tokens:create'] };
  const pat = await textOf(call('POST /v1/api-tokens', { token: again, json }), 'data', 'plain_text_token');
  await call(scopes, { token: pat });
  await listKeys(pat);
  await edit(pat);

  const bad = await badTokens(again ?? '', refresh ?? '', pat);
  const good = await textOf(signIn(admin.sso), 'access_token');
  for (const badToken of bad) {
    for (const line of [scopes, keys()]) await call(line, { token: badToken });
    await patch(badToken, { title: 'Not to be written' });
  }
  for (const line of [scopes, keys()]) await call(line, { token: good });
  await patch(good, { summary: 'The end.' });
  return await harOf(exchanges);
}

/** None, what is left of one, a refresh token, and forged ones. */
async function badTokens(token: string, refresh: string, pat: string): Promise<(string | undefined)[]> {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = signature ? (JSON.parse(Buffer.from(payload, 'base64url').toString()) as object) : {};
  const tampered = `${header}.${encode({ ...claims, admin: true })}.${signature}`;
  const forged = signature ? [tampered, `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`] : [];
  return [undefined, 'undefined', 'not-a-token', refresh, ...forged, `${pat.slice(0, -4)}0000`];
}
