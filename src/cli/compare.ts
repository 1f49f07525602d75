import { join } from 'node:path';
import type { RunInput, RunOptions } from '../../contract-tests/commands/run-input.ts';
import type { Report } from '../../contract-tests/model.ts';
import { count, jsonText } from '../../contract-tests/report/text.ts';
import { withoutUserInfo } from '../../contract-tests/values/url.ts';
import { readInput } from './verify-input.ts';

export interface CompareOptions {
  /** Options of the run at the first target; URL, target file and profile do not apply to the other one. */
  readonly options: RunOptions;
  readonly input: RunInput;
  /** Base URL, target file, or report.json of an earlier run. */
  readonly other: string;
  readonly json: boolean;
  /** Folder for the reports of both sides and the comparison. */
  readonly reportDir?: string;
  readonly say: (text: string) => void;
}

/** Compares two targets. Returns the exit code: 0 no differences, 1 differences or violations, 3 unreachable, 4 nothing was judged at both. */
export async function compare({ options, input, other, json, say, reportDir }: CompareOptions): Promise<number> {
  const { compareReports, otherSide } = await import('../../contract-tests/compare/compare.ts');
  const side = otherSide(other);
  // Checked first, because the run takes time.
  const there = 'report' in side ? undefined : readInput({ ...withoutTarget(options), ...side });
  if (reportDir !== undefined)
    await (await import('../../contract-tests/commands/write-reports.ts')).writeFiles(reportDir);
  const left = await run(input, say);
  const right = 'report' in side ? side.report : await run(there as RunInput, say);
  const { differences, exitCode, text } = compareReports(left, right);
  say(text);
  const brief = ({ target, verdict, startedAt }: Report) => ({ target, verdict, startedAt });
  const comparison = jsonText({ a: brief(left), b: brief(right), exitCode, differences });
  if (json) process.stdout.write(comparison);
  if (reportDir !== undefined) {
    const { writeFiles, writeReports } = await import('../../contract-tests/commands/write-reports.ts');
    const files = await writeFiles(reportDir, { 'comparison.json': comparison, 'comparison.txt': text });
    const [a, b] = [await writeReports(left, join(reportDir, 'a')), await writeReports(right, join(reportDir, 'b'))];
    say(`Reports: ${[...files, ...a, ...b].join(', ')}\n`);
  }
  return exitCode;
}

async function run(input: RunInput, say: CompareOptions['say']): Promise<Report> {
  const { verifyInput } = await import('../../contract-tests/commands/verify.ts');
  return verifyInput(input, {
    isCommand: true,
    onStart: (checks, target) =>
      say(
        `${count(checks.length, 'check')}${input.quick ? '' : ' and the probes'} at ${withoutUserInfo(target.baseUrl)}\n`,
      ),
  });
}

function withoutTarget({ baseUrl, target, profile, ...rest }: RunOptions): RunOptions {
  return rest;
}
