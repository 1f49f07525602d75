import { family } from './fault.ts';
import { signInFaults } from './sign-in.ts';
import { tokenLifeFaults } from './token-lives.ts';
import { acceptedTokenFaults } from './tokens-accepted.ts';
import { refusedTokenFaults } from './tokens-refused.ts';

/** Faults of sign-in, and of tokens and their use. */
export const authenticationFaults = family('authentication and tokens', [
  ...signInFaults,
  ...refusedTokenFaults,
  ...acceptedTokenFaults,
  ...tokenLifeFaults,
]);
