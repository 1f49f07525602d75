/** What this app says after a change of a recording's title. */
export async function rename(baseUrl: string, token: string, recording: string, title: unknown): Promise<string> {
  const response = await fetch(`${baseUrl}/v1/echo/recordings/${recording}`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title }),
  });
  if (response.status === 404) return 'There is no such recording.';
  const body = await response.json();
  return response.ok ? `It is called ${body.title}.` : `Sorry: ${body.error.message}`;
}
