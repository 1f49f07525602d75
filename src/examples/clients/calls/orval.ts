// The seven calls with orval's functions over fetch.
import {
  createApiToken,
  listTenantApiKeys,
  listTokenScopes,
  login,
  refreshAccessToken,
  ssoLogin,
  updateRecording,
} from './client/api.ts';
import { bodies, ids, words } from './world.ts';

/** The answers by operation. */
export async function answers() {
  const sso = await ssoLogin(bodies.ssoLogin);
  const signedIn = await login(bodies.login);
  const refresh = await refreshAccessToken(bodies.refreshAccessToken);
  if (!('access_token' in signedIn.data)) throw new Error('not signed in');
  const options = { headers: { Authorization: `Bearer ${signedIn.data.access_token}` } };
  const pat = await createApiToken(bodies.createApiToken, options);
  const scopes = await listTokenScopes(options);
  const body = { ...bodies.updateRecording, analysis: words.analysis };
  const update = await updateRecording(ids.recordingId, body, options);
  const keys = await listTenantApiKeys(ids.id, { provider: words.provider }, options);
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
