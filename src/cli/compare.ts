import { UsageError } from '../../contract-tests/errors.ts';
import type { Report } from '../../contract-tests/model.ts';
import { count } from '../../contract-tests/report/text.ts';
import type { RunInput, RunOptions } from '../../contract-tests/run-input.ts';
import { withoutUserInfo } from '../../contract-tests/wire/url.ts';
import { readInput } from './verify-input.ts';

export interface CompareOptions {
  /** How to run at the first target; at the other one likewise, but for URL, target file and profile. */
  readonly options: RunOptions;
  /** The same, read already. */
  readonly input: RunInput;
  /** Base URL, target file, or report.json of an earlier run. */
  readonly other: string;
  readonly json: boolean;
  readonly say: (text: string) => void;
}

/** Tells how two targets behave differently. Gives the exit code: 0 alike, 1 different or violating, 3 unreachable. */
export async function compare({ options, input, other, json, say }: CompareOptions): Promise<number> {
  const { otherSide } = await import('../../contract-tests/compare/load.ts');
  const { compareReports } = await import('../../contract-tests/compare/compare.ts');
  const { exitCodeOf, renderComparison } = await import('../../contract-tests/compare/render.ts');
  const side = otherSide(other);
  // The checks take their time: what is wrong with the other side is reported before them.
  const there = 'report' in side ? undefined : readInput({ ...withoutTarget(options), ...side });
  if ('report' in side)
    checkReport(other, () => renderComparison(side.report, side.report, compareReports(side.report, side.report)));
  const left = await run(input, say);
  const right = 'report' in side ? side.report : await run(there as RunInput, say);
  const differences = compareReports(left, right);
  say(renderComparison(left, right, differences));
  const exitCode = exitCodeOf(left, right, differences);
  if (json) {
    const brief = ({ target, verdict, startedAt }: Report) => ({ target, verdict, startedAt });
    process.stdout.write(`${JSON.stringify({ a: brief(left), b: brief(right), exitCode, differences }, null, 2)}\n`);
  }
  return exitCode;
}

/** A report that cannot be compared with itself cannot be compared with another. */
function checkReport(file: string, compareWithItself: () => void): void {
  try {
    compareWithItself();
  } catch (error) {
    throw new UsageError(
      `${file}: not a whole report of this version of platform-mock (${(error as Error).message}); write one with verify --report-dir.`,
    );
  }
}

async function run(input: RunInput, say: CompareOptions['say']): Promise<Report> {
  const { verifyInput } = await import('../../contract-tests/verify.ts');
  return verifyInput(input, {
    onStart: (checks, target) =>
      say(`${count(checks.length, 'check')} and the probes at ${withoutUserInfo(target.baseUrl)}\n`),
  });
}

/** A profile that was named is about the first target; the other one names its own. */
function withoutTarget({ baseUrl, targetFile, profile, ...rest }: RunOptions): RunOptions {
  return rest;
}
