// The seven calls with openapi-fetch, typed by openapi-typescript.
import createClient from 'openapi-fetch';
import type { paths } from './client/api.ts';
import { baseUrl, bodies, ids, refreshPath, scopesPath, words } from './world.ts';

/** The answers by operation. */
export async function answers() {
  const api = createClient<paths>({ baseUrl });
  const ssoLogin = await api.POST('/v1/auth/sso', { body: bodies.ssoLogin });
  const login = await api.POST('/v1/auth/login', { body: bodies.login });
  const refreshAccessToken = await api.POST(refreshPath, { body: bodies.refreshAccessToken });
  const headers = { Authorization: `Bearer ${login.data?.access_token}` };
  const createApiToken = await api.POST('/v1/api-tokens', { headers, body: bodies.createApiToken });
  const listTokenScopes = await api.GET(scopesPath, { headers });
  const updateRecording = await api.PATCH('/v1/echo/recordings/{recordingId}', {
    headers,
    params: { path: { recordingId: ids.recordingId } },
    body: { ...bodies.updateRecording, analysis: words.analysis },
  });
  const listTenantApiKeys = await api.GET('/v1/admin/tenants/{id}/api-keys', {
    headers,
    params: { path: { id: ids.id }, query: { provider: words.provider } },
  });
  const title: string | undefined = updateRecording.data?.title;
  if (title === undefined || listTenantApiKeys.data?.[0]?.provider !== words.provider)
    throw new Error('not what was asked for');
  return { ssoLogin, login, refreshAccessToken, createApiToken, listTokenScopes, updateRecording, listTenantApiKeys };
}

export const calls = async (): Promise<number[]> =>
  Object.values(await answers()).map(({ response }) => response.status);
