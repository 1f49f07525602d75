import type { Report } from '../../contract-tests/model.ts';
import type { VerifyOptions } from '../../contract-tests/verify.ts';

export interface CompareOptions {
  /** How to run at the first target; at the other one likewise, but for URL, target file and profile. */
  readonly options: VerifyOptions;
  /** Base URL, target file, or report.json of an earlier run. */
  readonly other: string;
  readonly json: boolean;
  readonly say: (text: string) => void;
}

/** Tells how two targets behave differently. Gives the exit code: 0 alike, 1 different or violating, 3 unreachable. */
export async function compare({ options, other, json, say }: CompareOptions): Promise<number> {
  const { otherSide } = await import('../../contract-tests/compare/load.ts');
  const { compareReports } = await import('../../contract-tests/compare/compare.ts');
  const { exitCodeOf, renderComparison } = await import('../../contract-tests/compare/render.ts');
  const side = otherSide(other);
  const left = await run(options, say);
  const right = 'report' in side ? side.report : await run({ ...withoutTarget(options), ...side }, say);
  const differences = compareReports(left, right);
  say(renderComparison(left, right, differences));
  const exitCode = exitCodeOf(left, right, differences);
  if (json) {
    const brief = ({ target, verdict, startedAt }: Report) => ({ target, verdict, startedAt });
    process.stdout.write(`${JSON.stringify({ a: brief(left), b: brief(right), exitCode, differences }, null, 2)}\n`);
  }
  return exitCode;
}

async function run(options: VerifyOptions, say: CompareOptions['say']): Promise<Report> {
  const { verify } = await import('../../contract-tests/verify.ts');
  return verify({
    ...options,
    onStart: (checks, target) => say(`${checks.length} checks and the probes at ${target.baseUrl}\n`),
  });
}

/** A profile that was named is about the first target; the other one names its own. */
function withoutTarget({ baseUrl, targetFile, profile, ...rest }: VerifyOptions): VerifyOptions {
  return rest;
}
