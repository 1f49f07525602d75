import { readFileSync } from 'node:fs';
import { isMap, isSeq, LineCounter, parseDocument } from 'yaml';
import { allChecks } from './checks/catalogue.ts';
import { UsageError } from './errors.ts';
import type { CheckResult } from './model.ts';

/** Known findings: the id of a check, and why its violation is put up with. */
export type Baseline = ReadonlyMap<string, string>;

/**
 * Reads a baseline: YAML with `findings`, a list of `{ check, reason }`. Throws UsageError with file, line and reason.
 */
export function loadBaseline(file: string): Baseline {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: the baseline cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken) {
    throw new UsageError(`${file}:${lines.linePos(broken.pos[0]).line}: not YAML: ${broken.message.split('\n')[0]}`);
  }
  const findings = isMap(document.contents) ? document.get('findings', true) : undefined;
  if (!isSeq(findings)) throw new UsageError(`${file}: a baseline is a map with findings, a list of check and reason.`);
  const baseline = new Map<string, string>();
  for (const item of findings.items) {
    const range = (item as { range?: [number, number, number] } | null)?.range;
    const where = `${file}${range ? `:${lines.linePos(range[0]).line}` : ''}`;
    const [check, reason] = isMap(item) ? [item.get('check'), item.get('reason')] : [];
    if (typeof check !== 'string' || typeof reason !== 'string' || reason.trim() === '') {
      throw new UsageError(`${where}: a finding of the baseline has check (an id) and reason (some text).`);
    }
    if (!allChecks.some(({ id }) => id === check)) {
      throw new UsageError(`${where}: there is no check ${check}; 'platform-mock verify --plan' lists them.`);
    }
    if (baseline.has(check)) throw new UsageError(`${where}: the check ${check} stands in the baseline twice.`);
    baseline.set(check, reason);
  }
  return baseline;
}

/** The results with the known violations marked. */
export function markKnown(checks: readonly CheckResult[], baseline: Baseline): CheckResult[] {
  return checks.map((check) => {
    const known = check.outcome === 'violation' ? baseline.get(check.id) : undefined;
    return known === undefined ? check : { ...check, known, message: `Known (${known}). ${check.message}` };
  });
}

/** The checks of the baseline that pass: what was known is mended, and the entry must go before it hides a relapse. */
export function stale(checks: readonly CheckResult[], baseline: Baseline): string[] {
  return checks.filter(({ id, outcome }) => outcome === 'pass' && baseline.has(id)).map(({ id }) => id);
}
