/** Replaces a secret. */
export const masked = '[masked]';

/** Headers whose values are secrets, in lower case. */
const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key'];

/** Names of fields and parameters with secret values, case-insensitive, with or without underscores. */
const secretNames =
  /^(access|refresh|id|api)?_?token$|^password$|^passwd$|secret|^key$|^authorization$|^credentials?$/i;

// Anything that looks like a JWT or a PAT (part 5).
const tokens = /\beyJ[\w-]+\.[\w-]+\.[\w-]*|\b[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9-]{8,}\.[\w-]{16,}/g;

const secretMembers =
  /("(?:(?:access|refresh|id|api)?_?token|password|passwd|[\w-]*secret[\w-]*|key|authorization|credentials?)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi;

/** A header's value without secrets; the authentication scheme is kept. */
export function maskedHeader(name: string, value: string): string {
  if (!secretHeaders.includes(name.toLowerCase())) return maskedText(value);
  const [, scheme] = /^([A-Za-z][\w-]*) +\S/.exec(value) ?? [];
  return scheme === undefined ? masked : `${scheme} ${masked}`;
}

/** A text without tokens and without the values of secret JSON members. */
export const maskedText = (text: string): string =>
  text.replace(secretMembers, `$1"${masked}"`).replace(tokens, masked);

/** A URL without secrets in its query. */
export function maskedUrl(url: string): string {
  const [path = '', ...query] = url.split('?');
  if (query.length === 0) return maskedText(path);
  const pairs = query
    .join('?')
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=');
      return secretNames.test(decode(name)) ? `${name}=${masked}` : maskedText(pair);
    });
  return `${maskedText(path)}?${pairs.join('&')}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A JSON value without secrets. */
export function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(tokens, masked);
  if (Array.isArray(value)) return value.map(maskedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretNames.test(name) && member !== null && typeof member !== 'object' ? masked : maskedValue(member),
    ]),
  );
}
