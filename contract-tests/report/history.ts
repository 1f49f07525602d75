import type { Report, Verdict } from '../model.ts';
import { isObject } from '../values/json.ts';
import { troubleIn } from './text.ts';

/** A run in a history: one line of JSON. */
export interface PastRun {
  startedAt: string;
  target: string;
  verdict: Verdict;
  exitCode: number;
  durationMs: number;
  /** Requests sent, and those that had to be repeated. */
  requests: number;
  repeated: number;
  /** Checks by their outcome. */
  pass: number;
  violation: number;
  open: number;
  /** The checks that found a violation that is not known. */
  violated: string[];
}

/** What a history keeps of a run. */
export function pastRunOf({ checks, summary, requests, target, ...report }: Report): PastRun {
  const { startedAt, verdict, exitCode, durationMs } = report;
  const { pass, violation, untested, blocked, error } = summary;
  return {
    startedAt,
    target: target.baseUrl,
    verdict,
    exitCode,
    durationMs,
    requests: requests?.total ?? 0,
    repeated: (requests && troubleIn(requests)?.times) ?? 0,
    pass,
    violation,
    open: untested + blocked + error,
    violated: checks.filter(({ outcome, known }) => outcome === 'violation' && known === undefined).map(({ id }) => id),
  };
}

const COUNTS = ['exitCode', 'durationMs', 'requests', 'repeated', 'pass', 'violation', 'open'];

/** Whether it is what `pastRunOf` gives. */
export const isPastRun = (value: unknown): value is PastRun =>
  isObject(value) &&
  ['startedAt', 'target', 'verdict'].every((name) => typeof value[name] === 'string') &&
  COUNTS.every((name) => typeof value[name] === 'number') &&
  Array.isArray(value.violated);
