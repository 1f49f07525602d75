import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { SignatureKey } from 'hono/utils/jwt/jws';
import type { Ids } from './ids.ts';
import { createIds } from './ids.ts';
import type { Store } from './seed.ts';
import { seed } from './seed.ts';
import type { Settings } from './settings.ts';

/** Everything one server instance owns. Nothing is shared between instances. */
export interface World {
  settings: Settings;
  ids: Ids;
  store: Store;
  keys: { sign: SignatureKey; verify: SignatureKey };
  startedAt: number;
}

function signingKeys(alg: Settings['signing']): World['keys'] {
  if (alg === 'HS256') {
    const secret = randomBytes(32).toString('base64');
    return { sign: secret, verify: secret };
  }
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    sign: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    verify: pair.publicKey.export({ type: 'spki', format: 'pem' }) as string,
  };
}

export function createWorld(settings: Settings): World {
  const ids = createIds();
  const startedAt = Date.now();
  return { settings, ids, store: seed(ids, startedAt), keys: signingKeys(settings.signing), startedAt };
}
