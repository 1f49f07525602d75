import { join } from 'node:path';
import type { Command } from 'commander';
import type { Interruption } from '../../contract-tests/commands/interruption.ts';
import type { Outgoing } from '../../contract-tests/commands/outlet.ts';
import type { RunInput, RunOptions } from '../../contract-tests/commands/run-input.ts';
import { EXIT_CODES } from '../../contract-tests/commands/signals.ts';
import type { RunHooks } from '../../contract-tests/commands/verify.ts';
import { UsageError } from '../../contract-tests/errors.ts';
import type { Report } from '../../contract-tests/model.ts';
import { flagOf, repeated, wholeNumber } from './options.ts';
import { Progress } from './progress.ts';
import { withTargetOptions } from './target-options.ts';

type OfRun = Parameters<NonNullable<RunHooks['onEnd']>>;
type Say = (text: Outgoing) => boolean;

interface Flags extends Omit<RunOptions, 'rules'> {
  reportDir?: string;
  json?: boolean;
  plan?: boolean;
  compare?: string;
  har?: string;
  rules?: string[];
  sarif?: string;
  history?: string;
}

/** Options that another one excludes: what becomes of one verdict and the plan of one target; what is about sending. */
const EXCLUDED = {
  compare: { why: 'judges no single target', options: ['plan', 'sarif', 'history', 'maxTrouble', 'timeLimit'] },
  har: {
    why: 'judges what was recorded and sends nothing',
    options: [
      ...(['plan', 'quick', 'explore', 'compare', 'concurrency', 'requests', 'model'] as const),
      ...(['maxTrouble', 'wait', 'allowWrites', 'timeout', 'rps', 'timeLimit'] as const),
    ],
  },
} satisfies Partial<Record<keyof Flags, { why: string; options: (keyof Flags)[] }>>;

export function registerVerify(program: Command): void {
  const command = program.command('verify').description('run the contract suite against a target and give a verdict');
  withTargetOptions(command, {
    profile: 'answers to gaps at the target',
    writes: 'update the disposable recordings, create up to three PATs, and sign in as somebody unknown',
  })
    .option('--report-dir <dir>', 'write report.json, report.html, report.md, junit.xml and exchanges.har there')
    .option('--sarif <file>', 'also write the findings as SARIF 2.1.0')
    .option('--history <file>', 'add a line about the run (JSON); report.html draws the trend of these lines')
    .option('--json', 'print the report as JSON to stdout')
    .option('--only <id...>', 'only these checks or requirements')
    .option('--skip <id...>', 'not these checks or requirements')
    .option('--plan', 'print what would be sent and what would write, without sending anything')
    .option('--baseline <file>', 'known findings (YAML), which do not gate; one that passes again fails the run')
    .option('--explore <n>', 'also send that many generated requests of each kind', wholeNumber(1, 100_000))
    .option(
      '--seed <n>',
      'seed of what is sent, and of what --explore generates (default: 1)',
      wholeNumber(0, 2 ** 31 - 1),
    )
    .option(
      '--requests <n>',
      'send at most that many requests, probes not counted: fewer or more conditions (default: about 200)',
      wholeNumber(10, 100_000),
    )
    .option(
      '--rules <file>',
      'also judge by your own rules, a module in TypeScript or JavaScript; repeatable',
      repeated,
    )
    .option('--model <file>', 'also send values and requests of your own (YAML)')
    .option('--concurrency <n>', 'how many requests may overlap, 1 for none (default: 4)', wholeNumber(1, 64))
    .option(
      '--wait <seconds>',
      'wait this long for an access token to expire, where it is that short-lived (default: 5)',
      wholeNumber(0, 86_400),
    )
    .option(
      '--time-limit <seconds>',
      'end the run after that, put the title back, and report what was judged by then (exit 4)',
      wholeNumber(1, 86_400),
    )
    .option(
      '--max-trouble <n>',
      'gate on trouble on the way: inconclusive where more requests than that had to be repeated',
      wholeNumber(0, 100_000),
    )
    .option(
      '--quick',
      'test each requirement under few conditions, without observing gaps: about 60 requests where the target conforms',
    )
    .option(
      '--strict',
      'gaps gate too: an answer that differs from the profile is a violation, one that was not observed leaves it open',
    )
    .option('--har <file>', 'send nothing: judge the exchanges of this recording (HAR 1.2: plain, gzip or ZIP)')
    .option(
      '--without-bodies',
      'names and types of members in reports instead of values, where these are data of people',
    )
    .option('--compare <target>', 'compare with another target: base URL, target file, or report.json')
    .option('--allow-untested <id...>', 'requirements that may stay untested, or all')
    .action(async (flags: Flags) => {
      let interruption: Interruption | undefined;
      process.exitCode = await run(flags, (each) => {
        interruption = each;
      });
      // What an interrupted run waits for would keep the process alive.
      if (interruption === '--time-limit') process.exit();
      if (interruption) process.exit(EXIT_CODES[interruption]);
    });
}

async function run(flags: Flags, onInterrupted: (interruption: Interruption) => void): Promise<number> {
  const { readInput } = await import('./verify-input.ts');
  const { loadRules } = await import('../../contract-tests/own/rules-file.ts');
  const options = { ...flags, rules: await loadRules(flags.rules ?? []) };
  const read = readInput(options);
  for (const name of ['har', 'compare'] as const) {
    const isGiven = (option: keyof Flags): boolean => flags[option] !== undefined && flags[option] !== false;
    const unused = EXCLUDED[name].options.find((other) => isGiven(name) && isGiven(other));
    if (unused) throw new UsageError(`--${name} ${EXCLUDED[name].why}: leave out ${flagOf(unused)}.`);
  }
  const { assertWritable, readHistory, writeFiles } = await import('../../contract-tests/commands/write-reports.ts');
  for (const name of ['sarif', 'history'] as const)
    if (flags[name] !== undefined && !flags.plan) assertWritable(`--${name}`, flags[name]);
  if (flags.history !== undefined && !flags.plan) readHistory(flags.history);
  const { verifyInput } = await import('../../contract-tests/commands/verify.ts');
  const { countChecks, jsonText } = await import('../../contract-tests/report/text.ts');
  const { outlet, rendered } = await import('../../contract-tests/commands/outlet.ts');
  const say: Say = (text) => outlet.print(flags.json ? 'stderr' : 'stdout', text);
  if (flags.har !== undefined) {
    if (read.strict) throw new UsageError('--har observes no gap, which --strict asks about: leave out one of them.');
    const { verifyHar } = await import('../../contract-tests/har/recorded.ts');
    return finish(await verifyHar(flags.har, read), flags, say);
  }
  const own = read.target ? undefined : await (await import('../index.ts')).startMock({ profile: flags.profile });
  const input: RunInput = own ? { ...read, target: { baseUrl: own.baseUrl } } : read;
  try {
    if (flags.plan) {
      const { planOf, renderPlan } = await import('../../contract-tests/commands/plan.ts');
      const planned = await planOf(input);
      say(rendered(planned, renderPlan));
      if (flags.json) outlet.print('stdout', rendered(planned, jsonText));
      return 0;
    }
    if (flags.compare !== undefined) {
      const { compare } = await import('./compare.ts');
      return await compare(flags.compare, options, input, say);
    }
    const { PROGRESS_LEGEND, PROGRESS_MARKS } = await import('../../contract-tests/report/terminal.ts');
    if (flags.reportDir) await writeFiles(flags.reportDir);
    let progress: Progress | undefined;
    const hooks: Parameters<typeof verifyInput>[1] = {
      ...{ isCommand: true, onInterrupted },
      onStart: (checks, target) => {
        const where = own ? `its own mock (${target.baseUrl})` : target.baseUrl;
        say(`${countChecks(checks, flags.quick)} at ${where}\n${PROGRESS_LEGEND}\n`);
        progress = new Progress(checks.length, false);
      },
      onBegin: (name) => progress?.begin(name),
      onEnd: (...ran) => writeExchangesTo(flags, ran),
      onCheck: (result) => {
        progress?.mark(PROGRESS_MARKS[result.outcome], say);
        progress?.end();
      },
    };
    const verifyIt = () => verifyInput(input, hooks);
    const { withoutWaiting } = await import('../../contract-tests/wire/time.ts');
    // Only the clock of the mock moves: the suite does not wait.
    const waiting = own ? withoutWaiting((ms) => own.world.clock.advance(ms), verifyIt) : verifyIt();
    const report = await waiting.finally(() => progress?.stop());
    say(`${progress?.marks.join('') ?? ''}${report.checks.length > 0 ? '\n\n' : ''}`);
    return await finish(report, flags, say);
  } finally {
    await own?.close();
  }
}

async function finish(report: Report, flags: Flags, say: Say): Promise<number> {
  const { outlet, rendered } = await import('../../contract-tests/commands/outlet.ts');
  const { isObservable } = await import('../../contract-tests/spec-data.ts');
  const { renderTerminal } = await import('../../contract-tests/report/terminal.ts');
  say(rendered(report, (each) => renderTerminal(each, isObservable)));
  const { addToHistory, writeReports } = await import('../../contract-tests/commands/write-reports.ts');
  const past = flags.history === undefined ? [] : addToHistory(report, flags.history);
  if (flags.sarif !== undefined) {
    const { renderSarif } = await import('../../contract-tests/report/sarif.ts');
    outlet.write(flags.sarif, rendered(report, renderSarif));
  }
  if (flags.reportDir) say(`Reports: ${(await writeReports(report, flags.reportDir, past)).join(', ')}\n`);
  if (process.env.GITHUB_ACTIONS === 'true') await annotateGitHub(report, say);
  if (flags.json) {
    const { reportText } = await import('../../contract-tests/report/report-file.ts');
    outlet.print('stdout', rendered(report, reportText));
  }
  return report.exitCode;
}

/** Writes the run itself, for `replay`; not where reports must not hold the values of bodies. */
async function writeExchangesTo({ reportDir, withoutBodies }: Flags, run: OfRun): Promise<string | undefined> {
  if (!reportDir || withoutBodies) return undefined;
  const { writeExchanges } = await import('../../contract-tests/har/exchanges.ts');
  return writeExchanges(join(reportDir, 'exchanges.har'), ...run);
}

async function annotateGitHub(report: Report, say: Say): Promise<void> {
  const { outlet, rendered } = await import('../../contract-tests/commands/outlet.ts');
  const { renderAnnotations } = await import('../../contract-tests/report/github.ts');
  say(rendered(report, renderAnnotations));
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (!summary) return;
  const { renderMarkdown } = await import('../../contract-tests/report/markdown.ts');
  outlet.append(summary, rendered(report, renderMarkdown));
}
