import { decode as parts } from 'hono/jwt';
import type { Claims } from './model.ts';

/** The claims of a JWT as written, without any check; undefined for something that is not a JWT. */
export function decode(token: string): Claims | undefined {
  try {
    return parts(token).payload as unknown as Claims;
  } catch {
    return undefined;
  }
}

export function decodeHeader(token: string): { alg?: string } | undefined {
  try {
    return parts(token).header;
  } catch {
    return undefined;
  }
}
