import { family } from './fault.ts';
import { signInFaults } from './sign-in.ts';
import { acceptedTokenFaults } from './tokens-accepted.ts';
import { refusedTokenFaults } from './tokens-refused.ts';

/** Faults of signing in, of tokens, and of what they are good for. */
export const authenticationFaults = family('authentication and tokens', [
  ...signInFaults,
  ...refusedTokenFaults,
  ...acceptedTokenFaults,
]);
