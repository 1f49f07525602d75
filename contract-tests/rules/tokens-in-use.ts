import { OPERATIONS, type OperationId } from '../api/operations.ts';
import { type Entry, isProtected, type Log, sentOf } from '../log/entry.ts';
import { groupBy } from '../values/group.ts';
import { isObject } from '../values/json.ts';
import { perLog } from './rule.ts';

/** The good tokens of a log: where each was used, and what may have ended it (part 5). */

export const nameOf = (operation: OperationId | undefined): string => (operation ? OPERATIONS[operation].name : '');

export const isGood = ({ credential }: Entry): boolean =>
  credential.flaw === undefined && ['jwt', 'pat', 'opaque'].includes(credential.kind) && credential.token !== undefined;

/** Requests of protected operations with good credentials. */
export const withGood = (log: Log): Entry[] =>
  log.entries.filter((entry) => isProtected(entry.operation) && isGood(entry));

/** Every use of each good token at a protected operation, in order. */
export const usesOf = perLog((log) => groupBy(withGood(log), ({ credential }) => credential.token ?? ''));

/** What ends a token or hides it: a refusal after one of these shows nothing. */
interface Ends {
  /** Something that the document does not show, or bad credentials, which may lock a caller out. */
  any: number;
  /** Sign-ins and exchanges, by whose they are. */
  byUser: Map<string, number>;
  /** PATs made, by whose they are. */
  patsByUser: Map<string, number>;
}

/** Until which exchange something may have ended the tokens of a user, at a place of the log. */
function endsBefore(log: Log, until: Entry): Ends {
  const ends: Ends = { any: 0, byUser: new Map(), patsByUser: new Map() };
  for (const entry of log.entries) {
    if (entry.n >= until.n) break;
    const { operation, credential, answer } = entry;
    const who = whoOf(log, entry) ?? '';
    if (isProtected(operation)) {
      if (credential.flaw) ends.any = entry.n;
    } else if (operation === 'sso' || operation === 'login') ends.byUser.set(who, entry.n);
    else if (operation === 'pat') ends.patsByUser.set(credential.who ?? '', entry.n);
    // Such as the exchange of a refresh token, whose it may be.
    else if (!['GET', 'HEAD', 'OPTIONS'].includes(answer.request.method)) ends.any = entry.n;
  }
  return ends;
}

/** Whose a sign-in is: as the tokens that it hands out say. */
function whoOf(log: Log, entry: Entry): string | undefined {
  const body = sentOf(entry);
  for (const [name, actor] of Object.entries(log.actors))
    for (const claims of [actor?.sso, actor?.login])
      if (claims && isObject(body) && JSON.stringify(claims) === JSON.stringify(body)) return name;
  return entry.answer.request.body;
}

/** Whether anything between two exchanges may have ended the token of the second one, or locked it out. */
export function mayHaveEnded(log: Log, since: Entry, at: Entry): boolean {
  const { any, byUser, patsByUser } = endsBefore(log, at);
  const who = at.credential.who ?? '';
  const ended = at.credential.kind === 'pat' ? (patsByUser.get(who) ?? 0) : (byUser.get(who) ?? 0);
  return Math.max(any, ended) > since.n;
}

/** Lifetimes are whole seconds, and the time of an entry is that of its answer. */
export const ROUNDING_MS = 1_500;

/** Whether the announced lifetime of the token was over, or nothing says how long it is. */
export function isPast(entry: Entry): boolean {
  const { issued } = entry.credential;
  if (issued?.lifetime === undefined) return false;
  return entry.endedAt - issued.at > issued.lifetime * 1000 - ROUNDING_MS;
}

/** Whether a token whose lifetime nothing announces may be past it: as others of the log live. */
export function mayBePast(log: Log, { credential: { issued, kind }, endedAt }: Entry): boolean {
  if (!issued || issued.lifetime !== undefined || kind === 'pat') return false;
  const known = log.entries.flatMap(({ credential }) => credential.issued?.lifetime ?? []);
  return endedAt - issued.at > Math.min(...known) * 1000 - ROUNDING_MS;
}

/** Whether something after its issue may have ended a token before it was first used. */
export function endedByOthers(log: Log, use: Entry): boolean {
  const { issued } = use.credential;
  const issuing = issued && log.entries.find(({ n }) => n === issued.n);
  return issuing ? mayHaveEnded(log, issuing, use) : false;
}
