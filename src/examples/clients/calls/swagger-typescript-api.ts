// The seven calls with the class of swagger-typescript-api over fetch.
import { Api } from './client/api.ts';
import { bodies, ids, words } from './world.ts';

export async function calls(): Promise<number[]> {
  const { v1 } = new Api();
  const sso = await v1.ssoLogin(bodies.ssoLogin);
  const login = await v1.login(bodies.login);
  const refresh = await v1.refreshAccessToken(bodies.refreshAccessToken);
  const params = { headers: { Authorization: `Bearer ${login.data.access_token}` } };
  const pat = await v1.createApiToken(bodies.createApiToken, params);
  const scopes = await v1.listTokenScopes(params);
  const body = { ...bodies.updateRecording, analysis: words.analysis };
  const update = await v1.updateRecording(ids.recordingId, body, params);
  const keys = await v1.listTenantApiKeys(ids.id, { provider: words.provider }, params);
  const title: string = update.data.title;
  if (title === '' || keys.data[0]?.provider !== words.provider) throw new Error('not what was asked for');
  return [sso, login, refresh, pat, scopes, update, keys].map(({ status }) => status);
}
