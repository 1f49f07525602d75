import { appendFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { UsageError } from '../../contract-tests/errors.ts';
import type { Report } from '../../contract-tests/model.ts';
import type { RunOptions } from '../../contract-tests/run-input.ts';
import { withoutUserInfo } from '../../contract-tests/wire/url.ts';
import { positive, wholeNumber } from './options.ts';

interface Flags {
  baseUrl?: string;
  target?: string;
  reportDir?: string;
  json?: boolean;
  profile?: string;
  only?: string[];
  skip?: string[];
  allowWrites?: boolean;
  plan?: boolean;
  quick?: boolean;
  strict?: boolean;
  explore?: number;
  seed?: number;
  baseline?: string;
  compare?: string;
  allowUntested?: string[];
  timeout?: number;
  rps?: number;
}

/** `verify`: runs the contract suite at a deployment, or at a mock of its own when no target is named. */
export function registerVerify(program: Command): void {
  program
    .command('verify')
    .description('run the contract suite at a target and judge it')
    .option('--base-url <url>', 'where the API starts; a mock describes itself there')
    .option('--target <file>', 'target file (YAML): base URL, actors, resources, limits')
    .option('--report-dir <dir>', 'write report.json, report.html, report.md and junit.xml there')
    .option('--json', 'print the report as JSON to stdout')
    .option('--profile <file|name>', 'answers to gaps that hold at the target')
    .option('--only <id...>', 'only these checks or requirements')
    .option('--skip <id...>', 'not these checks or requirements')
    .option(
      '--allow-writes',
      'let the suite update the disposable recording, create one PAT and, where gaps are observed, sign in as somebody unknown (always allowed at loopback)',
    )
    .option('--plan', 'say what would be sent, above all what would write, and send nothing')
    .option('--baseline <file>', 'known findings (YAML), which do not gate; one that passes again fails the run')
    .option(
      '--explore <n>',
      'also send that many generated requests for each property; findings are made as small as they get',
      wholeNumber(1, 100_000),
    )
    .option('--seed <n>', 'which requests --explore generates (default: 1)', wholeNumber(0, 2 ** 31 - 1))
    .option('--quick', 'test each requirement in few conditions, with at most 60 requests; observe no gaps')
    .option('--strict', 'let gaps gate, too: an answer that differs from the profile violates')
    .option('--compare <target>', 'tell how another target behaves differently: base URL, target file, or report.json')
    .option('--allow-untested <id...>', 'requirements that may stay untested, or all')
    .option('--timeout <ms>', 'how long to wait for each response', positive)
    .option('--rps <n>', 'how many requests a second at the most', positive)
    .action(async (flags: Flags) => {
      process.exitCode = await run(flags);
    });
}

async function run(flags: Flags): Promise<number> {
  const { readInput } = await import('./verify-input.ts');
  const options = toOptions(flags);
  const read = readInput(options);
  if (flags.compare !== undefined && flags.reportDir !== undefined && !flags.plan)
    throw new UsageError('--compare writes no reports: leave out --report-dir, or run verify without --compare.');
  const { verifyInput, planOf } = await import('../../contract-tests/verify.ts');
  const { count } = await import('../../contract-tests/report/text.ts');
  const say = (text: string): boolean => (flags.json ? process.stderr : process.stdout).write(text);
  const mock = read.target ? undefined : await startOwnMock(flags.profile);
  const input = mock ? { ...read, target: { baseUrl: mock.baseUrl } } : read;
  try {
    if (flags.plan) {
      const { renderPlan } = await import('../../contract-tests/report/plan.ts');
      const planned = await planOf(input);
      say(renderPlan(planned));
      if (flags.json) process.stdout.write(`${JSON.stringify(planned, null, 2)}\n`);
      return 0;
    }
    if (flags.compare !== undefined) {
      const { compare } = await import('./compare.ts');
      return await compare({ options, input, other: flags.compare, json: flags.json === true, say });
    }
    const { isObservable } = await import('../../contract-tests/spec-data.ts');
    const { PROGRESS_LEGEND, progressMark, renderTerminal } = await import('../../contract-tests/report/terminal.ts');
    if (flags.reportDir) {
      const { prepareFolder } = await import('../../contract-tests/write-reports.ts');
      await prepareFolder(flags.reportDir);
    }
    const report = await verifyInput(input, {
      onStart: (checks, target) =>
        say(
          `${count(checks.length, 'check')} at ${mock ? `a mock of its own (${target.baseUrl})` : withoutUserInfo(target.baseUrl)}\n${PROGRESS_LEGEND}\n`,
        ),
      onCheck: (result) => say(progressMark(result)),
    });
    say(`${report.checks.length > 0 ? '\n\n' : ''}${renderTerminal(report, isObservable)}`);
    if (flags.reportDir) {
      const { writeReports } = await import('../../contract-tests/write-reports.ts');
      say(`Reports: ${(await writeReports(report, flags.reportDir)).join(', ')}\n`);
    }
    if (process.env.GITHUB_ACTIONS === 'true') await tellGitHub(report, say);
    if (flags.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    return report.exitCode;
  } finally {
    await mock?.close();
  }
}

/** Annotations for the findings, and the report as the summary of the job's step. */
async function tellGitHub(report: Report, say: (text: string) => void): Promise<void> {
  const { renderAnnotations } = await import('../../contract-tests/report/github.ts');
  say(renderAnnotations(report));
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (!summary) return;
  const { renderMarkdown } = await import('../../contract-tests/report/markdown.ts');
  await appendFile(summary, renderMarkdown(report));
}

async function startOwnMock(profile: string | undefined): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const { startMock } = await import('../index.ts');
  return startMock({ port: 0, ...(profile === undefined ? {} : { profile }) });
}

function toOptions(flags: Flags): RunOptions {
  return {
    ...(flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl }),
    ...(flags.target === undefined ? {} : { targetFile: flags.target }),
    ...(flags.profile === undefined ? {} : { profile: flags.profile }),
    ...(flags.only === undefined ? {} : { only: flags.only }),
    ...(flags.skip === undefined ? {} : { skip: flags.skip }),
    ...(flags.allowWrites === undefined ? {} : { allowWrites: true }),
    ...(flags.allowUntested === undefined ? {} : { allowUntested: flags.allowUntested }),
    ...(flags.strict === undefined ? {} : { strict: true }),
    ...(flags.quick === undefined ? {} : { quick: true }),
    ...(flags.explore === undefined ? {} : { exploration: { runs: flags.explore, seed: flags.seed ?? 1 } }),
    ...(flags.baseline === undefined ? {} : { baselineFile: flags.baseline }),
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout }),
    ...(flags.rps === undefined ? {} : { requestsPerSecond: flags.rps }),
  };
}
