// The app: signs in, and renames a recording.

const send = async (method: string, url: string, token: string, body: object): Promise<Record<string, string>> => {
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`Refused: ${response.status}`);
  return response.json();
};

export async function startApp(base: string, page: ParentNode = document): Promise<void> {
  const [input, button, output] = ['input', 'button', 'output'].map((name) => page.querySelector(name));
  const login = { email: 'ada@analytical.example', password: 'ada-password' };
  const { access_token: token = '' } = await send('POST', `${base}/v1/auth/login`, '', login);
  button?.addEventListener('click', async () => {
    const title = (input as HTMLInputElement).value;
    const saved = await send('PATCH', `${base}/v1/echo/recordings/rec_kickoff`, token, { title }).then(
      (recording) => `Saved: ${recording.title}`,
      (error: Error) => (error instanceof TypeError ? 'No connection' : error.message),
    );
    if (output) output.textContent = saved;
  });
  button?.removeAttribute('disabled');
}
