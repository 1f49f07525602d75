/** JWT access tokens: signing and checking, without any knowledge of users. */
import { randomBytes } from 'node:crypto';
import { createDecoder, createVerifier, createSigner as jwtSigner } from 'fast-jwt';
import type { AccessClaims } from './model.ts';

const LEEWAY_MS = 1000;

export interface TokenSigner {
  sign(claims: AccessClaims): string;
  /** the claims, or undefined when the token is not one of ours or has run out */
  verify(token: string, options?: { ignoreExpiration?: boolean }): AccessClaims | undefined;
  /** the claims without any check */
  peek(token: string): AccessClaims | undefined;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export function createSigner(): TokenSigner {
  const key = randomBytes(48).toString('base64');
  const sign = jwtSigner({ key, algorithm: 'HS256' });
  const rules = { key, algorithms: ['HS256' as const], clockTolerance: LEEWAY_MS };
  const verify = createVerifier(rules);
  const verifyOld = createVerifier({ ...rules, ignoreExpiration: true });
  const decode = createDecoder();
  return {
    sign: (claims) => sign({ ...claims }),
    verify: (token, options) => attempt(() => (options?.ignoreExpiration ? verifyOld : verify)(token) as AccessClaims),
    peek: (token) => attempt(() => decode(token) as AccessClaims),
  };
}
