// The seven calls with functions that take ids, body and options, and give data and status: of orval, and of swagger-typescript-api.
import { api } from './api.ts';
import { bodies, ids, words } from './world.ts';

/** The answers by operation. */
export async function answers() {
  const sso = await api.ssoLogin(bodies.ssoLogin);
  const signedIn = await api.login(bodies.login);
  const refresh = await api.refreshAccessToken(bodies.refreshAccessToken);
  if (!('access_token' in signedIn.data)) throw new Error('not signed in');
  const options = { headers: { Authorization: `Bearer ${signedIn.data.access_token}` } };
  const pat = await api.createApiToken(bodies.createApiToken, options);
  const scopes = await api.listTokenScopes(options);
  const body = { ...bodies.updateRecording, analysis: words.analysis };
  const update = await api.updateRecording(ids.recordingId, body, options);
  const keys = await api.listTenantApiKeys(ids.id, { provider: words.provider }, options);
  return {
    ssoLogin: sso,
    login: signedIn,
    refreshAccessToken: refresh,
    createApiToken: pat,
    listTokenScopes: scopes,
    updateRecording: update,
    listTenantApiKeys: keys,
  };
}

export async function calls(): Promise<number[]> {
  const all = await answers();
  const { updateRecording: update, listTenantApiKeys: keys } = all;
  if (update.status !== 200 || keys.status !== 200) throw new Error('not what was asked for');
  const title: string = update.data.title;
  if (title === '' || keys.data[0]?.provider !== words.provider) throw new Error('not what was asked for');
  return Object.values(all).map(({ status }) => status);
}
