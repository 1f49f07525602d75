// The app's calls of the Platform API, from the server. Its address is read at each call: instrumentation.ts may set it.
import { type ApiClient, apiClient } from 'platform-mock/client';

const login = { email: 'ada@analytical.example', password: 'ada-password' };

async function signedIn(): Promise<ApiClient> {
  const baseUrl = process.env.PLATFORM_API ?? '';
  const { data } = await apiClient(baseUrl).POST('/v1/auth/login', { body: login });
  return apiClient(baseUrl, { token: data?.access_token });
}

export async function apiKeys() {
  const path = { id: 'ten_analytical' };
  const { data = [] } = await (await signedIn()).GET('/v1/admin/tenants/{id}/api-keys', { params: { path } });
  return data;
}

export async function rename(title: string) {
  const path = { recordingId: 'rec_kickoff' };
  return (await signedIn()).PATCH('/v1/echo/recordings/{recordingId}', { params: { path }, body: { title } });
}
