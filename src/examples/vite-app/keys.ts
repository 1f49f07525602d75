import { apiClient } from 'platform-mock/client';

const login = { email: 'ada@analytical.example', password: 'ada-password' };

/** Signs in and lists the names of a tenant's API keys. @param baseUrl by default the page's own origin */
export async function keyNames(baseUrl = ''): Promise<string[]> {
  const { data: session } = await apiClient(baseUrl).POST('/v1/auth/login', { body: login });
  const api = apiClient(baseUrl, { token: session?.access_token });
  const params = { path: { id: 'ten_analytical' } };
  const { data, error, response } = await api.GET('/v1/admin/tenants/{id}/api-keys', { params });
  if (error) throw new Error(`Refused: ${response.status}`);
  return data.map(({ name }) => name);
}
