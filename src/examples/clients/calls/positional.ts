// The seven calls with functions that take ids, body and options, and give data and status: of orval, and of swagger-typescript-api.
import { api } from './api.ts';
import { bodies, ids, words } from './world.ts';

/** The answers by operation. */
export async function answers() {
  const ssoLogin = await api.ssoLogin(bodies.ssoLogin);
  const login = await api.login(bodies.login);
  const refreshAccessToken = await api.refreshAccessToken(bodies.refreshAccessToken);
  if (!('access_token' in login.data)) throw new Error('not signed in');
  const options = { headers: { Authorization: `Bearer ${login.data.access_token}` } };
  const createApiToken = await api.createApiToken(bodies.createApiToken, options);
  const listTokenScopes = await api.listTokenScopes(options);
  const body = { ...bodies.updateRecording, analysis: words.analysis };
  const updateRecording = await api.updateRecording(ids.recordingId, body, options);
  const listTenantApiKeys = await api.listTenantApiKeys(ids.id, { provider: words.provider }, options);
  return { ssoLogin, login, refreshAccessToken, createApiToken, listTokenScopes, updateRecording, listTenantApiKeys };
}

export async function calls(): Promise<number[]> {
  const all = await answers();
  const { updateRecording: update, listTenantApiKeys: keys } = all;
  if (update.status !== 200 || keys.status !== 200) throw new Error('not what was asked for');
  const title: string = update.data.title;
  if (title === '' || keys.data[0]?.provider !== words.provider) throw new Error('not what was asked for');
  return Object.values(all).map(({ status }) => status);
}
