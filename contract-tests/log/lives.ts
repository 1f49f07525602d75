import { isProtected, isSafe, isSignIn } from '../api/operations.ts';
import { isSuccess } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { decodeJwt } from '../values/jwt.ts';
import { once } from '../values/once.ts';
import { type Credential, type Entry, isOk, type Log, statusOf } from './entry.ts';
import { signerOf } from './log.ts';

/** How long tokens live: which uses protected operations accept and refuse, and what explains a refusal. */

/** How long instances of a deployment may need to hear of a token, or of its end, in milliseconds. */
export const LAG_MS = 3_000;
/** Lifetimes are whole seconds, and the time of an entry is that of its answer. */
export const ROUNDING_MS = 1_500;
/** A wait of LAG_MS, as it is measured from answer to request. */
const MEASURED_LAG_MS = LAG_MS - 100;

export const isGood = ({ credential }: Entry): boolean =>
  credential.flaw === undefined && ['jwt', 'pat', 'opaque'].includes(credential.kind) && credential.token !== undefined;

/** Every use of each good token at a protected operation, in order. */
export const usesOf = once((log: Log) =>
  groupBy(
    log.entries.filter((entry) => isProtected(entry.operation) && isGood(entry)),
    ({ credential }) => credential.token ?? '',
  ),
);

export const placeOf = ({ operation, resource }: Entry): string => `${operation} ${resource}`;

const isSignInOf = (log: Log, { operation, answer }: Entry, who: string | undefined): boolean =>
  isSignIn(operation) && signerOf(log.actors, answer) === who;

/** Whether an exchange may end a token or hide it, so that a refusal after it shows nothing. */
function mayEnd(log: Log, entry: Entry, { kind, who }: Credential): boolean {
  const { operation, credential, answer, asked } = entry;
  // Bad credentials may lock a caller out.
  if (isProtected(operation)) return credential.flaw !== undefined;
  // Odd claims, such as a name in capitals, may be anybody's where they are accepted.
  if (isSignIn(operation))
    return kind !== 'pat' && ((isOk(entry) && (asked?.odd ?? []).length > 0) || isSignInOf(log, entry, who));
  if (operation === 'pat') return credential.who === who;
  // Such as the exchange of a refresh token, whose it may be.
  return !isSafe(answer.request.method);
}

const mayEndBetween = (log: Log, since: number, at: Entry): Entry[] =>
  log.entries.filter((entry) => entry.n > since && entry.n < at.n && mayEnd(log, entry, at.credential));

export const mayHaveEnded = (log: Log, since: number, at: Entry): boolean => mayEndBetween(log, since, at).length > 0;

/** Whether bad credentials may have locked its caller out: no good ones were accepted since. */
export function mayBeLockedOut(log: Log, at: Entry): boolean {
  const before = log.entries.filter(({ n, operation }) => n < at.n && isProtected(operation));
  const bad = before.findLast(({ credential }) => credential.flaw !== undefined);
  return bad !== undefined && !before.some((entry) => entry.n > bad.n && isGood(entry) && isOk(entry));
}

/** Whether the lifetime of the token was over: the announced one, else its own, else the shortest that the log announces. */
export function isPast({ credential: { issued, kind, token }, endedAt, date }: Entry, log?: Log): boolean {
  if (kind === 'pat') return false;
  if (!issued) {
    const { exp } = decodeJwt(token)?.payload ?? {};
    return typeof exp === 'number' && date > exp * 1000 - ROUNDING_MS;
  }
  const others = log?.entries.flatMap(({ credential }) => credential.issued?.lifetime ?? []) ?? [];
  return endedAt - issued.at > (issued.lifetime ?? Math.min(...others)) * 1000 - ROUNDING_MS;
}

/** Which users are let in where. */
const lettingIn = once(
  (log: Log) =>
    new Set(
      log.entries.flatMap((entry) => (isOk(entry) && isGood(entry) ? `${placeOf(entry)} ${entry.credential.who}` : [])),
    ),
);

/** The last success of a token before a use of it. */
const lastBefore = (uses: readonly Entry[], { n }: Entry) => uses.findLast((use) => use.n < n && isOk(use));

/**
 * Why a good token was refused with 401 within its life where its user is let in: it was new, and accepted later; its user got another one meanwhile,
 * which may end it (gap concurrent-sessions); or nothing that conforms explains it.
 */
export type Refused = 'new' | 'replaced' | 'unexplained';

function whyRefused(log: Log, uses: readonly Entry[], entry: Entry): Refused | undefined {
  const { issued, kind, who } = entry.credential;
  const before = lastBefore(uses, entry);
  if (statusOf(entry) !== 401 || !(before ?? issued) || isPast(entry, log)) return undefined;
  if (!lettingIn(log).has(`${placeOf(entry)} ${who}`)) return undefined;
  const isNew = (other: Entry): boolean => other.startedAt - (issued?.at ?? 0) <= LAG_MS;
  if (uses.some((other) => other.n > entry.n && isOk(other) && isNew(other))) return 'new';
  const between = mayEndBetween(log, before?.n ?? issued?.n ?? 0, entry);
  const isReplacing = ({ operation }: Entry): boolean =>
    kind === 'pat' ? operation === 'pat' : !isProtected(operation);
  return between.some(isReplacing) ? 'replaced' : 'unexplained';
}

/** How many refusals of good tokens there are of each kind. */
export function countRefused(log: Log): Record<Refused, number> {
  const all = [...usesOf(log).values()].flatMap((uses) => uses.map((entry) => whyRefused(log, uses, entry)));
  const count = (why: Refused): number => all.filter((each) => each === why).length;
  return { new: count('new'), replaced: count('replaced'), unexplained: count('unexplained') };
}

/** A token that was accepted, and that the same operation refused twice, LAG_MS apart, with nothing between that may end it. */
export interface Death {
  kind: Credential['kind'];
  uses: readonly Entry[];
  before: Entry;
  /** The second one of the two refusals. */
  last: Entry;
}

function deathOf(log: Log, uses: readonly Entry[]): Death | undefined {
  const before = uses.findLast(isOk);
  if (!before) return undefined;
  const after = uses.filter((use) => use.n > before.n && whyRefused(log, uses, use) === 'unexplained');
  const last = after.findLast((entry) => {
    const first = after.find((other) => placeOf(other) === placeOf(entry));
    const isApart = first && entry.startedAt - first.endedAt >= MEASURED_LAG_MS;
    return isApart && !mayHaveEnded(log, before.n, entry);
  });
  return last && { kind: last.credential.kind, uses, before, last };
}

/** The deaths that a log holds, each of another token. */
export const deathsIn = once((log: Log): Death[] =>
  [...usesOf(log).values()].flatMap((uses) => deathOf(log, uses) ?? []),
);

type Fate = 'kept' | 'ended' | undefined;

/** What became of a token after its user was given another one by an exchange `isOther`: refused, and nothing else explains that. */
function fateOf(log: Log, entry: Entry, isOther: (other: Entry) => boolean): Fate {
  const { issued, token = '' } = entry.credential;
  const uses = usesOf(log).get(token);
  if (!uses || !issued || !isProtected(entry.operation)) return undefined;
  const isLater = (other: Entry): boolean =>
    other.n > issued.n && other.end < entry.begin && isOk(other) && !other.answer.response.body.includes(token);
  if (!log.entries.some((other) => isLater(other) && isOther(other))) return undefined;
  if (isSuccess(entry.answer)) return 'kept';
  const before = lastBefore(uses, entry);
  if (!before || whyRefused(log, uses, entry) !== 'replaced') return undefined;
  return mayEndBetween(log, before.n, entry).every(isOther) ? 'ended' : undefined;
}

/**
 * What became of the access token of a sign-in after another sign-in of the same user: `kept` where it was accepted, `ended`
 * where it was refused and nothing else explains that. Undefined for every other exchange.
 */
export function afterAnotherSignIn(entry: Entry, log: Log): Fate {
  const { issued, who, kind } = entry.credential;
  const isOfSignIn = kind !== 'pat' && issued?.way !== 'pat' && issued?.way !== 'elsewhere';
  return isOfSignIn ? fateOf(log, entry, (other) => isSignInOf(log, other, who)) : undefined;
}

/** The same of a PAT that the log has made, after another one of the same user. */
export function afterAnotherPat(entry: Entry, log: Log): Fate {
  const { issued, who, kind } = entry.credential;
  const isOther = ({ operation, credential }: Entry): boolean => operation === 'pat' && credential.who === who;
  return kind === 'pat' && issued?.way === 'pat' ? fateOf(log, entry, isOther) : undefined;
}

/** Whether a log shows that several sessions of one user live at the same time: else another client may have ended one. */
export const keepsSessions = once((log: Log) =>
  [...usesOf(log).values()].some((uses) => uses.some((entry) => afterAnotherSignIn(entry, log) === 'kept')),
);
