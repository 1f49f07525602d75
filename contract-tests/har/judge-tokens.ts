import { CHECKED_OPERATIONS, PROTECTED } from '../checks/operations.ts';
import { findJwts } from '../session/tokens-in-answers.ts';
import { type Answer, describe, isSuccess } from '../wire/exchange.ts';
import type { Book } from './book.ts';
import { bearerOf, type Judge, REMEMBERED } from './judge.ts';
import type { Seen } from './operations-in.ts';
import { Recent } from './recent.ts';
import type { Issued, TokensSeen, Way } from './tokens-seen.ts';

type Protected = keyof typeof PROTECTED;

/** What became of a token. */
interface Life {
  /** The last answer that let it in, by operation, and when. */
  accepted: Map<string, { answer: Answer; at: number }>;
  /** The first answer of each operation that refused it with 401 before anything let it in again. */
  refused: Map<string, { answer: Answer; at: number }>;
  /** How many exchanges were seen when it was last let in, or first sent. */
  since: number;
}

/** Tokens of one way of signing in: whether any was ever let in, and one that was not. */
interface WayOf {
  check: string;
  requirement: string;
  what: string;
  accepted?: Answer;
  refused?: Answer;
}

/** Clocks differ, and services allow for that. */
const LEEWAY_MS = 60_000;
/** Lifetimes are whole seconds, and the time of an entry is that of its start. */
const ROUNDING_MS = 2_000;

/** Judges which tokens are accepted and refused over time, and for how long. */
export function tokensJudge(book: Book, tokens: TokensSeen): Judge {
  const lives = new Recent<string, Life>(REMEMBERED);
  /** How many exchanges were seen so far, and when something came that may end tokens. */
  let seen = 0;
  const ends = { ofAny: 0, ofIdentity: new Recent<string, number>(REMEMBERED) };
  const ways: Record<Exclude<Way, 'elsewhere'>, WayOf> = {
    sso: { check: 'sso-token-works', requirement: 'SSO-15', what: 'The access token of an SSO answer' },
    login: { check: 'login-jwt', requirement: 'AUT-08', what: `The JWT of ${CHECKED_OPERATIONS.login.name}` },
    pat: { check: 'pat-created', requirement: 'AUT-09', what: 'A PAT that was created' },
  };
  /** By operation and kind of token: whether it was ever let in, and one that is let in elsewhere and refused here. */
  const kinds = new Map<string, { isAccepted: boolean; refused?: Answer; elsewhere?: Answer }>();

  const accept = (token: string, operation: Protected, kind: string, { answer, endedAt, startedAt }: Seen): void => {
    const life = lives.ensure(token, () => ({ accepted: new Map(), refused: new Map(), since: seen }));
    life.accepted.set(operation, { answer, at: endedAt });
    for (const [other, { answer: refused }] of life.refused) {
      // It is good, since it is let in after it was refused elsewhere.
      if (other === operation) flaps(life, operation, answer);
      else noteKind(`${kind}-${other}`, { refused, elsewhere: answer });
    }
    life.refused.delete(operation);
    life.since = seen;
    noteKind(`${kind}-${operation}`, { isAccepted: true });
    if (kind === 'jwt' || kind === 'pat') book.pass(`auth-accepts-${kind}-${operation}`, answer);
    const issued = tokens.get(token);
    if (!issued) return;
    if (issued.way === 'login' && kind === 'opaque' && findJwts(issued.answer).length === 0)
      book.violate('login-jwt', {
        requirement: 'AUT-08',
        message: `${CHECKED_OPERATIONS.login.name} answered a token that works and is not a JWT.`,
        expected: 'a JWT access token',
        actual: 'a token of another form',
        answers: [answer, issued.answer],
      });
    else if (issued.way !== 'elsewhere') {
      ways[issued.way].accepted ??= answer;
      if (issued.way === 'login') book.pass(`login-accepted-by-${operation}`, answer);
    }
    judgeExpiry(issued, operation, answer, startedAt);
  };

  const judgeExpiry = (
    { lifetime, at, answer: issuing }: Issued,
    operation: Protected,
    answer: Answer,
    now: number,
  ): void => {
    if (lifetime === undefined || lifetime <= 0) return;
    const overdue = now - at - lifetime * 1000;
    if (overdue <= LEEWAY_MS) return;
    book.violate('auth-expired-jwt', {
      requirement: 'AUT-12',
      message: `${CHECKED_OPERATIONS[operation].name} accepts an access token ${Math.round(overdue / 1000)} s after its lifetime of ${lifetime} s was over.`,
      expected: 'a refusal (4xx)',
      actual: describe(answer),
      answers: [issuing, answer],
    });
  };

  /** Accepted, refused and accepted again by one operation: nobody ended it. */
  const flaps = (life: Life, operation: Protected, again: Answer): void => {
    const refused = life.refused.get(operation)?.answer;
    if (!refused || !life.accepted.has(operation)) return;
    book.violate('after-a-pause', {
      requirement: 'SSO-08',
      message: `${CHECKED_OPERATIONS[operation].name} refused a token with 401 that it accepted before and after.`,
      expected: 'a success (2xx)',
      actual: describe(refused),
      answers: [again, refused],
    });
  };

  const refuse = (token: string, operation: Protected, { answer, startedAt, endedAt }: Seen): void => {
    const life = lives.ensure(token, () => ({ accepted: new Map(), refused: new Map(), since: seen }));
    const issued = tokens.get(token);
    const age = issued && startedAt - issued.at;
    const isOver = issued?.lifetime !== undefined && (age ?? 0) >= issued.lifetime * 1000 - ROUNDING_MS;
    if (isOver) {
      book.pass('auth-expired-jwt', answer);
      return;
    }
    if (!life.refused.has(operation)) life.refused.set(operation, { answer, at: endedAt });
    if (issued && issued.way !== 'elsewhere' && life.accepted.size === 0 && !mayHaveEnded(life, issued))
      ways[issued.way].refused ??= answer;
    const before = life.accepted.get(operation);
    if (!before || !issued || issued.lifetime === undefined || mayHaveEnded(life, issued)) return;
    book.violate('after-a-pause', {
      requirement: 'SSO-08',
      message: `An access token died ${Math.round((age ?? 0) / 1000)} s after its SSO login, of a promised ${issued.lifetime} s: ${CHECKED_OPERATIONS[operation].name} accepted it before, and nothing in the recording ended it.`,
      expected: 'a success (2xx), as before',
      actual: describe(answer),
      answers: [before.answer, answer],
    });
  };

  const noteKind = (key: string, seen: { isAccepted?: boolean; refused?: Answer; elsewhere?: Answer }): void => {
    const own = kinds.get(key) ?? { isAccepted: false };
    kinds.set(key, { ...seen, ...own, isAccepted: own.isAccepted || seen.isAccepted === true });
  };

  /** A sign-in may end the sessions of its user, and whatever the document does not show may end any. */
  const noteEnds = ({ operation, answer }: Seen): void => {
    const { method, body = '' } = answer.request;
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || operation === 'recording') return;
    if (operation === 'sso') ends.ofIdentity.set(body, seen);
    else ends.ofAny = seen;
  };

  const mayHaveEnded = ({ since }: Life, { identity = '' }: Issued): boolean =>
    Math.max(ends.ofAny, ends.ofIdentity.get(identity) ?? 0) > since;

  return {
    checks: [
      ...Object.values(ways).map(({ check }) => check),
      ...Object.keys(PROTECTED).flatMap((id) => [
        `auth-accepts-jwt-${id}`,
        `auth-accepts-pat-${id}`,
        `login-accepted-by-${id}`,
      ]),
    ],
    see(each) {
      seen += 1;
      noteEnds(each);
      const { operation, answer } = each;
      const token = bearerOf(answer);
      if (token === undefined) return;
      const kind = tokens.kindOf(token);
      if (kind !== 'jwt' && kind !== 'pat' && kind !== 'opaque') {
        // Who sends bad credentials may be locked out.
        ends.ofAny = seen;
        return;
      }
      if (operation !== 'recording' && operation !== 'api-keys' && operation !== 'scopes') return;
      const way = tokens.get(token)?.way;
      if (isSuccess(answer)) accept(token, operation, way === 'login' && kind === 'jwt' ? 'login' : kind, each);
      else if (answer.response.status === 401) refuse(token, operation, each);
      if (isSuccess(answer) && way === 'login' && kind === 'jwt') book.pass(`auth-accepts-jwt-${operation}`, answer);
    },
    end() {
      for (const { check, requirement, what, accepted, refused } of Object.values(ways)) {
        if (accepted) book.pass(check, accepted);
        else if (refused)
          book.violate(check, {
            requirement,
            message: `${what} is refused by every protected operation that the recording shows it at.`,
            expected: 'a success (2xx)',
            actual: describe(refused),
            answers: [refused],
          });
      }
      for (const [key, { isAccepted, refused, elsewhere }] of kinds) {
        const [, kind = '', operation = ''] = /^(jwt|pat|login)-(.+)$/.exec(key) ?? [];
        if (isAccepted || !refused || !elsewhere || kind === '') continue;
        const requirement = { jwt: 'AUT-01', pat: 'AUT-02', login: 'AUT-08' }[kind] ?? '';
        book.violate(kind === 'login' ? `login-accepted-by-${operation}` : `auth-accepts-${kind}-${operation}`, {
          requirement,
          message: `${CHECKED_OPERATIONS[operation as Protected].name} refuses with 401 a token that another operation accepts.`,
          expected: 'a success (2xx)',
          actual: describe(refused),
          answers: [elsewhere, refused],
        });
      }
    },
  };
}
