// The seven calls with Kubb's functions over fetch, which give the body alone: a client around theirs notes the status.
import { type Client, client as send } from '@kubb/plugin-client/clients/fetch';
import {
  createApiToken,
  listTenantApiKeys,
  listTokenScopes,
  login,
  refreshAccessToken,
  ssoLogin,
  updateRecording,
} from './client/index.ts';
import { bodies, ids, words } from './world.ts';

export async function calls(): Promise<number[]> {
  const statuses: number[] = [];
  const client: Client = async (config) => {
    const response = await send<never>({
      ...config,
      headers: { 'Content-Type': 'application/json', ...config.headers },
    });
    statuses.push(response.status);
    return response;
  };
  await ssoLogin(bodies.ssoLogin, { client });
  const { access_token: token } = await login(bodies.login, { client });
  await refreshAccessToken(bodies.refreshAccessToken, { client });
  const options = { client, headers: { Authorization: `Bearer ${token}` } };
  await createApiToken(bodies.createApiToken, options);
  await listTokenScopes(options);
  const body = { ...bodies.updateRecording, analysis: words.analysis };
  const { title } = await updateRecording(ids.recordingId, body, options);
  const keys = await listTenantApiKeys(ids.id, { provider: words.provider }, options);
  if (title === '' || keys[0]?.provider !== words.provider) throw new Error('not what was asked for');
  return statuses;
}
