import { CHECKED_OPERATIONS, PROTECTED } from '../checks/operations.ts';
import { type Answer, describe, isSuccess } from '../wire/exchange.ts';
import { show } from '../wire/json.ts';
import type { Book } from './book.ts';
import { bearerOf, type Judge } from './judge.ts';
import type { Seen } from './operations-in.ts';
import type { Kind, TokensSeen } from './tokens-seen.ts';

/** Credentials that must be refused. */
const BAD = {
  none: { check: 'no-credentials', requirement: 'AUT-03', what: 'no Authorization header' },
  garbage: { check: 'garbage', requirement: 'AUT-04', what: 'a bearer token that is neither a JWT nor a PAT' },
  'refresh-token': { check: 'refresh-token', requirement: 'AUT-04', what: 'the refresh token of an SSO login' },
  'tampered-jwt': { check: 'tampered-jwt', requirement: 'AUT-05', what: 'a JWT that was tampered with' },
  'unsigned-jwt': { check: 'unsigned-jwt', requirement: 'AUT-06', what: 'a JWT without a signature' },
  'pat-wrong-secret': {
    check: 'pat-wrong-secret',
    requirement: 'AUT-07',
    what: 'a PAT with another secret than it was made with',
  },
} as const;
type Bad = keyof typeof BAD;

const isBad = (kind: Kind): kind is Bad => kind in BAD;
const checkAt = (kind: Bad, operation: string): string => `auth-${BAD[kind].check}-${operation}`;

/** Refused is what HTTP calls a client error, or sends elsewhere. */
const isRefused = ({ status }: Answer['response']): boolean => status >= 300 && status < 500 && status !== 429;

/**
 * Judges what protected operations answer to credentials that are none. What exporters strip from a recording must not be
 * taken for what was not sent: without any Authorization header in it, a recording shows nothing of a missing one.
 */
export function refusalsJudge(book: Book, tokens: TokensSeen): Judge {
  const accepted: { operation: keyof typeof PROTECTED; answer: Answer }[] = [];
  let hasHeaders = false;

  const violate = (kind: Bad, operation: keyof typeof PROTECTED, answer: Answer): void =>
    book.violate(checkAt(kind, operation), {
      requirement: BAD[kind].requirement,
      message: `${CHECKED_OPERATIONS[operation].name} accepts ${BAD[kind].what}.`,
      expected: 'a refusal (4xx)',
      actual: `${describe(answer)}: ${show(answer.response.body)}`,
      answers: [answer],
    });

  return {
    checks: (Object.keys(BAD) as Bad[]).flatMap((kind) => Object.keys(PROTECTED).map((id) => checkAt(kind, id))),
    see({ operation, answer, hasCookies }: Seen) {
      hasHeaders ||= answer.request.headers.Authorization !== undefined;
      if (operation !== 'recording' && operation !== 'api-keys' && operation !== 'scopes') return;
      // Another scheme than Bearer is none of the two tokens of part 5, and not made up either.
      const token = bearerOf(answer);
      if (token === undefined && answer.request.headers.Authorization !== undefined) return;
      const kind = tokens.kindOf(token);
      if (!isBad(kind) || (kind === 'none' && hasCookies)) return;
      if (isSuccess(answer)) {
        if (kind !== 'none') violate(kind, operation, answer);
        else if (!accepted.some((each) => each.operation === operation)) accepted.push({ operation, answer });
      } else if (isRefused(answer.response)) book.pass(checkAt(kind, operation), answer);
    },
    end() {
      for (const { operation, answer } of accepted) {
        if (hasHeaders) violate('none', operation, answer);
        else
          book.open(
            checkAt('none', operation),
            'the recording has no Authorization header at all, as exporters leave them out; export it with sensitive data',
          );
      }
    },
  };
}
