// The app's calls of the Platform API, from the server. Its address is read at each call: instrumentation.ts may set it.
const login = { email: 'ada@analytical.example', password: 'ada-password' };

async function call<T>(method: string, path: string, body?: object, token = ''): Promise<T> {
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(process.env.PLATFORM_API + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} was refused: ${response.status}`);
  return response.json() as Promise<T>;
}

const signIn = async (): Promise<string> =>
  (await call<{ access_token: string }>('POST', '/v1/auth/login', login)).access_token;

export const apiKeys = async (): Promise<{ id: string; name: string }[]> =>
  call('GET', '/v1/admin/tenants/ten_analytical/api-keys', undefined, await signIn());

export const rename = async (title: string): Promise<{ id: string; title: string }> =>
  call('PATCH', '/v1/echo/recordings/rec_kickoff', { title }, await signIn());
