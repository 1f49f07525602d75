import type { CheckResult } from '../model.ts';
import type { Session } from '../target/session.ts';

/** What the checks of each run found, by check id. */
const runs = new WeakMap<Session, Map<string, CheckResult>>();

/** Remembers how a check of the session's run went. */
export function noteResult(session: Session, result: CheckResult): void {
  const results = runs.get(session) ?? new Map<string, CheckResult>();
  runs.set(session, results.set(result.id, result));
}

/** Whether a check of the run was seen to pass; one that did not run yet was not. */
export function hasPassed(session: Session, checkId: string): boolean {
  return runs.get(session)?.get(checkId)?.outcome === 'pass';
}

/** The check of the run that found one of these requirements violated; undefined where none did so far. */
export function reporterOf(session: Session, requirements: readonly string[]): string | undefined {
  const results = [...(runs.get(session)?.values() ?? [])];
  const isAbout = (result: CheckResult): boolean => requirements.some((id) => result.requirements.includes(id));
  return results.find((result) => result.outcome === 'violation' && isAbout(result))?.id;
}
