import { createHmac, scryptSync } from 'node:crypto';
import { ConfigError } from '../../core/spec/config-error.ts';

/** Whoever has a sandbox can guess at the operator's token without asking the mock. */
const shortest = 24;

/**
 * The keys of sandboxes: a function of the operator's token and the name. So nothing that could leak is stored, every replica
 * with the same token knows all keys, and another token makes all of them worthless.
 * @throws ConfigError for a token that could be guessed
 */
export function sandboxKeys(token: string | undefined): (name: string) => string {
  if (token === undefined || token.length < shortest)
    throw new ConfigError([
      `--public needs --control-token with at least ${shortest} characters, for you alone; openssl rand -hex 32 makes one`,
    ]);
  const secret = scryptSync(token, 'platform-mock sandbox keys', 32);
  return (name) => `key_${createHmac('sha256', secret).update(name).digest('base64url')}`;
}
