import type { CheckResult } from '../model.ts';

/** What the checks of one run found so far. */
export class Ledger {
  /** Whether forged PATs were sent: a target may lock a PAT that somebody tries to guess. */
  hasForgedPats = false;
  readonly #results = new Map<string, CheckResult>();

  note(result: CheckResult): void {
    this.#results.set(result.id, result);
  }

  /** Whether a check has passed; one that did not run yet has not. */
  hasPassed(checkId: string): boolean {
    return this.#results.get(checkId)?.outcome === 'pass';
  }

  /** The check that found one of these requirements violated; undefined where none did so far. */
  reporterOf(requirements: readonly string[]): string | undefined {
    const isAbout = (result: CheckResult): boolean => requirements.some((id) => result.requirements.includes(id));
    return [...this.#results.values()].find((result) => result.outcome === 'violation' && isAbout(result))?.id;
  }
}
