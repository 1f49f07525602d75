import { readFileSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import type { Report } from '../model.ts';
import { reportIn } from '../report/report-file.ts';
import { isObject, parseJson } from '../values/json.ts';
import { compareReports } from './compare.ts';
import { renderComparison } from './render.ts';

/** The other side of a comparison: an earlier run's report, or a target to run at now. */
export type OtherSide = { report: Report } | { baseUrl: string } | { targetFile: string };

/** What `--compare` names: a base URL, a report.json, or else a target file. Throws UsageError when it cannot be read. */
export function otherSide(named: string): OtherSide {
  if (/^https?:\/\//.test(named)) return { baseUrl: named };
  let text: string;
  try {
    text = readFileSync(named, 'utf8');
  } catch {
    const known = 'neither a base URL, nor a file that can be read (a target file, or a report.json)';
    throw new UsageError(`${named}: ${known}.`);
  }
  const json = parseJson(text);
  if (!isObject(json) || !('schemaVersion' in json)) return { targetFile: named };
  const isReport =
    json.schemaVersion === 1 && Array.isArray(json.checks) && Array.isArray(json.gaps) && isObject(json.target);
  if (!isReport) throw new UsageError(`${named}: not a report of this version of platform-mock.`);
  try {
    const report = reportIn(json as unknown as Report);
    // What is complete can be compared with itself.
    renderComparison(report, report, compareReports(report, report));
    return { report };
  } catch (error) {
    throw new UsageError(
      `${named}: not a complete report of this version of platform-mock (${(error as Error).message}); write one with verify --report-dir.`,
    );
  }
}
