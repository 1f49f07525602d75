// The seven calls with Kubb's functions over fetch, which give the body alone: a client around theirs notes the status.
import { type Client, client as send } from '@kubb/plugin-client/clients/fetch';
import * as api from './client/index.ts';
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
  await api.ssoLogin(bodies.ssoLogin, { client });
  const { access_token: token } = await api.login(bodies.login, { client });
  await api.refreshAccessToken(bodies.refreshAccessToken, { client });
  const options = { client, headers: { Authorization: `Bearer ${token}` } };
  await api.createApiToken(bodies.createApiToken, options);
  await api.listTokenScopes(options);
  const body = { ...bodies.updateRecording, analysis: words.analysis };
  const { title } = await api.updateRecording(ids.recordingId, body, options);
  const keys = await api.listTenantApiKeys(ids.id, { provider: words.provider }, options);
  if (title === '' || keys[0]?.provider !== words.provider) throw new Error('not what was asked for');
  return statuses;
}
