import { join } from 'node:path';
import { type Outgoing, outlet, rendered } from '../../contract-tests/commands/outlet.ts';
import type { RunInput, RunOptions } from '../../contract-tests/commands/run-input.ts';
import { verifyInput } from '../../contract-tests/commands/verify.ts';
import { writeFiles, writeReports } from '../../contract-tests/commands/write-reports.ts';
import { compareReports, otherSide } from '../../contract-tests/compare/compare.ts';
import type { Report } from '../../contract-tests/model.ts';
import { count, jsonText } from '../../contract-tests/report/text.ts';
import { readInput } from './verify-input.ts';

type Say = (text: Outgoing) => void;

/** Compares a target with another one: a base URL, a target file, or the report.json of an earlier run. Returns the exit code. */
export async function compare(
  other: string,
  options: RunOptions & { readonly json?: boolean; readonly reportDir?: string },
  input: RunInput,
  say: Say,
): Promise<number> {
  const { json, reportDir } = options;
  const { baseUrl, target, profile, ...rest } = options;
  const side = otherSide(other);
  // Checked first, because the run takes time.
  const there = 'report' in side ? undefined : readInput({ ...rest, ...side });
  if (reportDir !== undefined) await writeFiles(reportDir);
  const left = await run(input, say);
  const right = 'report' in side ? side.report : await run(there as RunInput, say);
  const { differences, exitCode, text } = compareReports(left, right);
  const sides = [left, right];
  const shown = rendered(sides, () => text);
  say(shown);
  const brief = ({ target, verdict, startedAt }: Report) => ({ target, verdict, startedAt });
  const comparison = rendered(sides, () => jsonText({ a: brief(left), b: brief(right), exitCode, differences }));
  if (json) outlet.print('stdout', comparison);
  if (reportDir !== undefined) {
    const files = await writeFiles(reportDir, { 'comparison.json': comparison, 'comparison.txt': shown });
    const [a, b] = [await writeReports(left, join(reportDir, 'a')), await writeReports(right, join(reportDir, 'b'))];
    say(`Reports: ${[...files, ...a, ...b].join(', ')}\n`);
  }
  return exitCode;
}

const run = (input: RunInput, say: Say): Promise<Report> =>
  verifyInput(input, {
    isCommand: true,
    onStart: ({ length }, { baseUrl }) =>
      say(`${count(length, 'check')}${input.quick ? '' : ' and the probes'} at ${baseUrl}\n`),
  });
