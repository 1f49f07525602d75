// The seven calls with the SDK of @hey-api/openapi-ts.
import * as api from './client/index.ts';
import { bodies, ids, words } from './world.ts';

export async function calls(): Promise<number[]> {
  const sso = await api.ssoLogin({ body: bodies.ssoLogin });
  const signedIn = await api.login({ body: bodies.login });
  const refresh = await api.refreshAccessToken({ body: bodies.refreshAccessToken });
  const auth = () => signedIn.data?.access_token;
  const pat = await api.createApiToken({ auth, body: bodies.createApiToken });
  const scopes = await api.listTokenScopes({ auth });
  const body = { ...bodies.updateRecording, analysis: words.analysis };
  const update = await api.updateRecording({ auth, path: { recordingId: ids.recordingId }, body });
  const keys = await api.listTenantApiKeys({ auth, path: { id: ids.id }, query: { provider: words.provider } });
  const title: string | undefined = update.data?.title;
  if (title === undefined || keys.data?.[0]?.provider !== words.provider) throw new Error('not what was asked for');
  return [sso, signedIn, refresh, pat, scopes, update, keys].map(({ response }) => response?.status ?? 0);
}
