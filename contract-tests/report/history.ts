import type { Report } from '../model.ts';
import { isObject } from '../values/json.ts';
import { repeatedIn } from './text.ts';

/** What a history keeps of a run: one line of JSON. */
export function pastRunOf({ checks, summary, requests, target, ...report }: Report) {
  const { startedAt, verdict, exitCode, durationMs } = report;
  const { pass, violation, untested, blocked, error } = summary;
  return {
    ...{ startedAt, target: target.baseUrl, verdict, exitCode, durationMs, pass, violation },
    open: untested + blocked + error,
    requests: requests?.total ?? 0,
    repeated: repeatedIn(requests),
    /** The checks that found a violation that is not known. */
    violated: checks.filter(({ outcome, known }) => outcome === 'violation' && known === undefined).map(({ id }) => id),
  };
}
export type PastRun = ReturnType<typeof pastRunOf>;

const COUNTS = ['exitCode', 'durationMs', 'requests', 'repeated', 'pass', 'violation', 'open'];

/** Whether it is what `pastRunOf` gives. */
export const isPastRun = (value: unknown): value is PastRun =>
  isObject(value) &&
  ['startedAt', 'target', 'verdict'].every((name) => typeof value[name] === 'string') &&
  COUNTS.every((name) => typeof value[name] === 'number') &&
  Array.isArray(value.violated);
