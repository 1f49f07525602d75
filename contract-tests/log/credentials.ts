import { canonical } from '../values/json.ts';
import { type Entry, isOk, isRefused, type Log, sentOf, statusOf } from './entry.ts';
import { deathsIn, isPast } from './lives.ts';

/** The fields of an actor by which it signs in, or is let in; one that has expired on purpose apart. */
const WAYS = ['sso', 'login', 'accessToken', 'pat'] as const;

/** The credentials of the target file: each field, its actor and its way, and the exchanges that used it. */
export const credentialsIn = (log: Log) =>
  Object.entries(log.actors).flatMap(([actor, ways = {}]) =>
    WAYS.filter((way) => ways[way] !== undefined).map((way) => {
      const given = ways[way];
      const isUse = (entry: Entry): boolean =>
        isSignIn(way)
          ? entry.operation === way && canonical(sentOf(entry)) === canonical(given)
          : entry.credential.token === given;
      return { field: `actors.${actor}.${way}`, actor, way, given, uses: log.entries.filter(isUse) };
    }),
  );

const isSignIn = (way: (typeof WAYS)[number]): boolean => way === 'sso' || way === 'login';

/** The credentials of the target file that the target refused, a sentence each: where it accepted none of their uses, or no later one. */
export const refusedCredentials = (log: Log): string[] =>
  credentialsIn(log).flatMap(({ field, way, uses }) => {
    const last = uses.findLast((entry) => (isSignIn(way) ? isRefused(entry) : statusOf(entry) === 401));
    const isOver = last !== undefined && (isPast(last) || deathsIn(log).some((death) => death.uses.includes(last)));
    if (!last || (uses.some(isOk) && (isSignIn(way) || !isOver))) return [];
    const { method } = last.answer.request;
    const how = uses.some(isOk) ? 'was accepted, and refused later' : 'was refused';
    return `${field} ${how}: ${method} ${last.path} was answered ${statusOf(last)}.`;
  });
