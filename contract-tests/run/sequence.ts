import { isSignIn } from '../api/operations.ts';
import { type Entry, type Log, overlap } from '../log/entry.ts';
import { signerOf } from '../log/log.ts';
import type { Dependence } from '../model.ts';
import type { Answer } from '../values/answer.ts';
import { hasMember } from '../values/json.ts';

const whoIn = ({ operation, answer, credential }: Entry, { actors }: Log): string | undefined =>
  isSignIn(operation) ? signerOf(actors, answer) : credential.who;

/** An actor by its name; every other one signs in with what is secret. */
function callerOf(entry: Entry, log: Log): string | undefined {
  const who = whoIn(entry, log);
  return who === undefined || hasMember(log.actors, who) ? who : 'another user';
}

/** Exchanges, each with who called, and whether it overlaps the one before. */
export const inSequence = (entries: readonly Entry[], log: Log): Answer[] =>
  entries.map((entry, at) => {
    const before = entries[at - 1];
    const caller = callerOf(entry, log);
    return {
      ...entry.answer,
      ...(caller !== undefined && { caller }),
      ...(before && overlap(before, entry) && { isAtOnce: true as const }),
    };
  });

/** Curl lines of so many exchanges are printed. */
const MAX_REPEATED = 3;

/** Milliseconds in which nothing is under way; what differs after them may be a matter of time. */
const PAUSE_MS = 1_000;

/** Whether a run paused between the first and the last of some exchanges. */
function hasPause(by: readonly Entry[], { entries }: Log): boolean {
  let end = Math.min(...by.map(({ endedAt }) => endedAt));
  const to = by.at(-1)?.startedAt ?? 0;
  const between = entries.filter(({ endedAt, startedAt }) => endedAt >= end && startedAt <= to);
  for (const { startedAt, endedAt } of between.toSorted((a, b) => a.startedAt - b.startedAt)) {
    if (startedAt - end >= PAUSE_MS) return true;
    end = Math.max(end, endedAt);
  }
  return false;
}

/** What else a finding depends on than on the requests that show it, whose curl lines then do not show it by themselves. */
export function dependsOn(by: readonly Entry[], log: Log): Dependence[] {
  const last = by.at(-1);
  const callers = new Set(by.flatMap((entry) => whoIn(entry, log) ?? []));
  const isUpdate = ({ operation }: Entry): boolean => operation === 'recording';
  const isOverlapping = by.some((one) => by.some((other) => overlap(one, other)));
  const signIns = by.flatMap(({ credential }) =>
    log.entries.filter(({ answer, operation }) => isSignIn(operation) && answer === credential.issued?.answer),
  );
  const isSent = [...signIns, ...by.slice(-1)].some(({ asked }) => asked?.odd.includes('overlap'));
  return [
    ...(callers.size > 1 ? ['caller' as const] : []),
    ...(isOverlapping || isSent ? ['overlap' as const] : []),
    ...(by.slice(0, -1).some(isUpdate) || (last && isAnsweredOtherwise(last, log)) ? ['order' as const] : []),
    ...(hasPause(by, log) ? ['pause' as const] : []),
    ...(by.length > MAX_REPEATED ? ['count' as const] : []),
    ...(by.some(({ asked }) => asked?.isSegmented) ? ['parts' as const] : []),
  ];
}

/** Whether the same request was answered with another status at another time. */
function isAnsweredOtherwise(entry: Entry, { entries }: Log): boolean {
  const { request, response } = entry.answer;
  const { who, flaw } = entry.credential;
  return entries.some(
    ({ answer, credential, asked }) =>
      answer.response.status !== response.status &&
      // Another media type, say.
      !asked?.odd.includes('gap') &&
      credential.who === who &&
      credential.flaw?.kind === flaw?.kind &&
      (['method', 'url', 'body'] as const).every((part) => answer.request[part] === request[part]),
  );
}
