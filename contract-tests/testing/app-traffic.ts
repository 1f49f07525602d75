import type { SecondImplementation } from '../../fixtures/servers/second/server.ts';
import { parseJson } from '../values/json.ts';
import type { Passed } from '../wire/passed.ts';
import { encode } from './fixtures.ts';
import { harOf } from './har-of.ts';

type Json = Record<string, unknown>;

interface Call {
  token?: string | undefined;
  body?: Json;
}

/** Uses a second implementation as an app and its testers do, with good tokens and bad ones, and records that. */
export async function recordApp({ baseUrl, target, style }: SecondImplementation) {
  const exchanges: Partial<Passed>[] = [];
  const call = async (method: string, path: string, { token, body }: Call = {}): Promise<Json> => {
    const url = baseUrl + path;
    const requestHeaders: Record<string, string> = {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const sent = body ? JSON.stringify(body) : undefined;
    const startedAt = Date.now();
    const response = await fetch(url, { method, headers: requestHeaders, ...(sent ? { body: sent } : {}) });
    const text = await response.text();
    exchanges.push({
      method,
      url,
      requestHeaders,
      requestBody: Buffer.from(sent ?? ''),
      status: response.status,
      statusText: response.statusText,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody: Buffer.from(text),
      startedAt,
      durationMs: 0,
    });
    return (parseJson(text) ?? {}) as Json;
  };

  const { admin, member } = target.actors;
  const { recordingId, tenantId, otherTenantId } = target.resources;
  const recording = `/v1/echo/recordings/${recordingId}`;
  const keys = (query = ''): string => `/v1/admin/tenants/${tenantId}/api-keys${query}`;
  const patch = (token: string | undefined, body: Json): Promise<Json> => call('PATCH', recording, { token, body });

  /** The page of API keys: all of them, each filter, and all of them again. */
  const listKeys = async (token: string): Promise<void> => {
    const all = await call('GET', keys(), { token });
    const shown = Array.isArray(all) ? (all as { provider: string; status: string }[]) : [];
    const filters = [
      ...shown.map(({ provider }) => `?provider=${provider}`),
      ...shown.map(({ status }) => `?status=${status}`),
      ...shown.slice(0, 3).map(({ provider, status }) => `?provider=${provider}&status=${status}`),
    ];
    for (const query of [...new Set(filters), '']) await call('GET', keys(query), { token });
  };

  const edit = async (token: string): Promise<void> => {
    const analysis = { key_topics: ['plans'], action_items: [] };
    await patch(token, { summary: 'What was said.' });
    await patch(token, { title: `Weekly, ${Date.now() % 1000}` });
    const shown = await patch(token, { summary: 'What was said, in short.' });
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
    await patch(token, { ...shown, filename: 'renamed.wav', language: 'xx', user_id: 'somebody-else' });
    await patch(token, { summary: 'After that.' });
    await call('GET', style.scopesPath, { token });
    await call('GET', keys(), { token });
  };

  await call('GET', '/v1/me');
  const grant = await call('POST', '/v1/auth/sso', { body: { ...admin.sso } });
  const token = String(grant.access_token);
  await call('GET', style.scopesPath, { token });
  await listKeys(token);
  await call('GET', `/v1/admin/tenants/${otherTenantId}/api-keys`, { token });
  await edit(token);
  const again = await call('POST', '/v1/auth/sso', { body: { ...admin.sso } });
  await listKeys(String(again.access_token));
  const other = await call('POST', '/v1/auth/sso', { body: { ...member?.sso } });
  await call('GET', style.scopesPath, { token: String(other.access_token) });

  const login = await call('POST', '/v1/auth/login', { body: { ...admin.login } });
  const loginToken = String(login.accessToken);
  for (const path of [style.scopesPath, keys()]) await call('GET', path, { token: loginToken });
  await patch(loginToken, { summary: 'By login.' });

  const made = await call('POST', '/v1/api-tokens', {
    token: String(again.access_token),
    body: { name: 'script', scopes: ['recordings:write', 'keys:list', 'tokens:create'] },
  });
  const pat = String((made.data as Json | undefined)?.plain_text_token);
  await call('GET', style.scopesPath, { token: pat });
  await listKeys(pat);
  await edit(pat);

  const bad = await badTokens(String(again.access_token), String(again.refresh_token), pat);
  const good = await call('POST', '/v1/auth/sso', { body: { ...admin.sso } });
  for (const badToken of bad) {
    await call('GET', style.scopesPath, { token: badToken });
    await call('GET', keys(), { token: badToken });
    await patch(badToken, { title: 'Not to be written' });
  }
  for (const path of [style.scopesPath, keys()]) await call('GET', path, { token: String(good.access_token) });
  await patch(String(good.access_token), { summary: 'The end.' });
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
