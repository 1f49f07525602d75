import { isObject } from './json.ts';
import { fromBase64url } from './secret-looks.ts';

/** The latest tokens: most are asked for again at each request that sends them. */
const decoded = new Map<string, Jwt | undefined>();
const MAX_DECODED = 200;

/** Takes a JWT in compact form apart (RFC 7519); undefined when the text is none. The signature may not be empty. */
export function decodeJwt(token: unknown): Jwt | undefined {
  if (typeof token !== 'string' || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined;
  if (decoded.has(token)) return decoded.get(token);
  if (decoded.size >= MAX_DECODED) decoded.clear();
  const jwt = taken(token);
  decoded.set(token, jwt);
  return jwt;
}

function taken(token: string) {
  const parts = token.split('.') as [string, string, string];
  const [header, payload] = parts.slice(0, 2).map(decodePart);
  if (!isObject(header) || typeof header.alg !== 'string' || !isObject(payload)) return undefined;
  return { header, payload, parts };
}
export type Jwt = NonNullable<ReturnType<typeof taken>>;

/** What a part of a JWT holds, of which only the last one is no JSON. */
export function decodePart(part: string): unknown {
  try {
    const bytes = Uint8Array.from(fromBase64url(part), (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** An encrypted JWT: five parts, of which only the header can be read (RFC 7516, compact form). */
export function isJwe(token: unknown): boolean {
  if (typeof token !== 'string' || !/^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return false;
  const header = decodePart(token.split('.')[0] ?? '');
  return isObject(header) && typeof header.alg === 'string' && typeof header.enc === 'string';
}

/** Whether a text is a JWT in either of its compact forms, signed or encrypted (RFC 7519, section 1). */
export const isJwt = (token: unknown): boolean => decodeJwt(token) !== undefined || isJwe(token);
