import type { components } from '../control-types.ts';

/** Headers that curl sets itself, and headers of the connection. */
const omitted = ['host', 'connection', 'content-length', 'accept-encoding', 'user-agent', 'transfer-encoding'];

/** A request as a curl command. The variable TOKEN replaces bearer tokens. */
export function curlOf(
  { method, url, headers, body }: components['schemas']['JournalEntry']['request'],
  serverUrl: string,
): string {
  const parts = ['curl', '-i'];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET') parts.push('-X', method);
  parts.push(quoted(serverUrl + url));
  for (const { name, value } of headers) {
    if (omitted.includes(name.toLowerCase())) continue;
    const isCredentials = name.toLowerCase() === 'authorization' && value.startsWith('Bearer ');
    parts.push('-H', isCredentials ? `"${name}: Bearer $TOKEN"` : quoted(`${name}: ${value}`));
  }
  if (body) parts.push('--data-raw', quoted(body.text));
  return parts.join(' ');
}

const quoted = (text: string): string => (/^[\w:/.,@%+=~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
