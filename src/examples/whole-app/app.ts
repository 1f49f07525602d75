// An app as a user of the API writes it: it knows a base URL and nothing of a mock.

type Json = Readonly<Record<string, unknown>>;

/** A client of the API and of the rest of the service: sends a request, with the token of the latest sign-in. */
export function appAt(baseUrl: string) {
  let token: string | undefined;
  return async (method: string, path: string, body?: Json) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = (text === '' ? {} : JSON.parse(text)) as Json;
    if (typeof json.access_token === 'string') token = json.access_token;
    return { status: response.status, body: json, basis: response.headers.get('x-mock-basis') ?? '' };
  };
}
