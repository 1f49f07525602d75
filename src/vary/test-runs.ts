import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { outlet } from '../../contract-tests/commands/outlet.ts';
import { guardGroup, HAS_GROUPS, signalGroup } from '../../contract-tests/commands/signals.ts';
import { UsageError } from '../../contract-tests/errors.ts';
import { asText } from '../../contract-tests/values/json.ts';
import type { Json } from '../core/spec/gaps.ts';
import { endsWithStdin, startServer } from '../server/child-server.ts';
import { packageFile } from '../server/files/package-root.ts';
import { type Decision, decisionsIn } from './decisions.ts';
import { readInside, readJunit, type TestResult, writtenAt } from './junit.ts';
import type { Stop } from './model.ts';

export interface TestCommand {
  readonly command: readonly string[];
  /** Variables that get the mock's address, besides PLATFORM_MOCK_URL. */
  readonly variables: readonly string[];
  /** The file that the command writes, or its folder; without it, the exit code is the only result. */
  readonly junit?: string | undefined;
  /** What the mock of a run is started with, beyond the answers to try: flags by their names. */
  readonly mock: { readonly profile?: string };
  readonly folder: string;
}

/** What a run that ended showed. */
interface Ended {
  readonly decisions: readonly Decision[];
  readonly milliseconds: number;
  readonly log: string;
  readonly isSuccess: boolean;
  /** As a person would say it. */
  readonly ending: string;
}

/** A run with results: of each test, or the exit code alone. */
export interface ReadRun extends Ended {
  readonly kind: 'read';
  readonly number: number;
  readonly tests: readonly TestResult[] | undefined;
  /** The command writes its results always to the same place. */
  readonly isFixedPlace: boolean;
}

export type TestRun =
  | ReadRun
  /** The command failed and left no results, or none that can be read. */
  | (Ended & { readonly kind: 'unread'; readonly number: number; readonly reason: string })
  /** The mock did not start with these answers. */
  | { readonly kind: 'unserved'; readonly number: number; readonly reason: string }
  /** Something could not be started, read or written. */
  | { readonly kind: 'failed'; readonly number: number; readonly reason: string }
  | { readonly kind: 'stopped'; readonly number: number };

/** Milliseconds between the request to end and the end by force: runners end their browsers and web servers first. */
const graceMs = 5000;

/** Runs an app's tests, each time against a mock of their own. */
export class TestRuns {
  /** Milliseconds that one run may take. */
  timeoutMs = 3_600_000;
  count = 0;
  stoppedBy: Stop | undefined;
  /** The commands under way, each with its children. */
  private readonly running = new Set<ChildProcess>();
  private readonly folder: string;

  /** @throws UsageError for a folder of runs that cannot be made, or is a link */
  constructor(private readonly how: TestCommand) {
    this.folder = resolve(how.folder, 'runs');
    try {
      if (!existsSync(this.folder)) mkdirSync(this.folder);
      const isLink = realpathSync(this.folder) !== join(realpathSync(how.folder), 'runs');
      if (isLink) throw new Error('it is a link out of the folder of the reports');
    } catch (error) {
      throw new UsageError(`${this.folder} cannot hold the output of the runs: ${(error as Error).message}.`);
    }
  }

  /** Runs the tests once under these answers. */
  async run(answers: Readonly<Record<string, Json>>): Promise<TestRun> {
    this.count++;
    const number = this.count;
    try {
      const run = await this.runAt(number, answers);
      return this.isEnded() ? { kind: 'stopped', number } : run;
    } catch (error) {
      if (this.isEnded()) return { kind: 'stopped', number };
      if (!(error instanceof UsageError) && !('code' in (error as Error))) throw error;
      return { kind: 'failed', number, reason: (error as Error).message };
    }
  }

  /** Ends the search, and the commands under way. */
  stop(why: Stop): void {
    this.stoppedBy ??= why;
    for (const child of this.running) this.end(child);
  }

  /** The maximum number of runs lets those under way end. */
  private isEnded(): boolean {
    return this.stoppedBy !== undefined && this.stoppedBy !== 'max-runs';
  }

  private async runAt(number: number, answers: Readonly<Record<string, Json>>): Promise<TestRun> {
    const { command, variables, junit, mock } = this.how;
    const file = (ending: string): string => join(this.folder, `${String(number).padStart(3, '0')}.${ending}`);
    const [log, results, told] = [file('log'), file('xml'), file('assumptions')];
    // Not what an earlier command left there: links and pipes, too.
    for (const each of [log, results, told]) rmSync(each, { recursive: true, force: true });
    for (const each of [log, told]) outlet.write(each, '', 'wx');
    const before = junit === undefined ? undefined : writtenAt(junit);
    const own = { PLATFORM_MOCK_ANSWERS: JSON.stringify(answers), PLATFORM_MOCK_ASSUMPTIONS: told };
    const started = await startMockProcess(mock, own).catch((error: unknown) => {
      if (error instanceof UsageError) return error;
      throw error;
    });
    if (started instanceof UsageError) return { kind: 'unserved', number, reason: started.message };
    const urls = ['PLATFORM_MOCK_URL', ...variables].map((name) => [name, started.baseUrl]);
    // Where runners write their JUnit file: runs side by side need one each.
    const variablesOfRunners = ['PLAYWRIGHT_JUNIT_OUTPUT_FILE', 'JEST_JUNIT_OUTPUT_FILE', 'MOCHA_FILE'];
    const places = variablesOfRunners.map((name) => [name, results]);
    const env = { ...process.env, ...own, ...Object.fromEntries([...urls, ...places]) };
    const words = junit === undefined ? command : command.map((word) => word.replaceAll(junit, results));
    const from = performance.now();
    const { code, isTimeout } = await this.execute(words, env, log).finally(started.stop);
    const ended: Ended = {
      decisions: decisionsIn(readInside(this.folder, told)),
      milliseconds: performance.now() - from,
      log,
      isSuccess: code === 0,
      ending: isTimeout ? `did not end within ${Math.round(this.timeoutMs / 1000)} s` : `exit code ${asText(code)}`,
    };
    rmSync(told, { force: true });
    if (junit === undefined) return { kind: 'read', number, ...ended, tests: undefined, isFixedPlace: false };
    try {
      const inPlace = readJunit(results);
      const tests = inPlace ?? readJunit(junit, before);
      if (!tests) throw new UsageError('the command did not write it; does it write JUnit, and there?');
      if (tests.length === 0 && !ended.isSuccess) throw new UsageError('it contains no test.');
      return { kind: 'read', number, ...ended, tests, isFixedPlace: inPlace === undefined };
    } catch (error) {
      const reason = `--junit ${junit}: ${(error as Error).message}`;
      if (ended.isSuccess) throw new UsageError(reason);
      return { kind: 'unread', number, ...ended, reason: `${ended.ending}; ${reason}` };
    }
  }

  /** Runs a command to its end, with what it left in the background; `log` gets its output. Throws UsageError where it cannot be started. */
  private async execute(command: readonly string[], env: NodeJS.ProcessEnv, log: string) {
    const [file = '', ...words] = command;
    const output = openSync(log, 'a');
    const child = spawn(file, words, { env, stdio: ['ignore', output, output], detached: HAS_GROUPS });
    this.running.add(child);
    const release = guardGroup(child);
    let isTimeout = false;
    const timer = setTimeout(() => {
      isTimeout = true;
      this.end(child);
    }, this.timeoutMs);
    try {
      if (this.isEnded()) this.end(child);
      const [status, signal] = await once(child, 'exit');
      if (isTimeout || this.isEnded())
        for (let waited = 0; waited < graceMs && signalGroup(child, 0); waited += 50) await sleep(50);
      signalGroup(child, 'SIGKILL');
      return { code: status ?? signal, isTimeout };
    } catch (error) {
      throw new UsageError(`${command.join(' ')} cannot be started: ${(error as Error).message}.`);
    } finally {
      this.running.delete(child);
      release();
      clearTimeout(timer);
      closeSync(output);
    }
  }

  /** Like Ctrl+C in a terminal, for which runners stop what they started. */
  private end(child: ChildProcess): void {
    signalGroup(child, 'SIGINT');
    // Only while it runs: the number of an ended group may be another's.
    setTimeout(() => this.running.has(child) && signalGroup(child, 'SIGKILL'), graceMs).unref();
  }
}

/** The tests that passed in a run. */
export const passedTests = ({ tests = [] }: ReadRun): TestResult[] =>
  tests.filter(({ outcome }) => outcome === 'passed');

/** Starts `serve` on a free port with the answers in `variables`, in a process that ends with the run; throws a UsageError with its output if it does not start. */
function startMockProcess(flags: object, variables: NodeJS.ProcessEnv) {
  const options = Object.entries(flags).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().flatMap((one) => [`--${name}`, asText(one)]),
  );
  const words = [packageFile('dist', 'src', 'cli', 'start.cjs'), 'serve', '--port', '0', '--json-logs', ...options];
  // Options of this command must not become options of `serve`.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PLATFORM_MOCK_'));
  const env = { ...Object.fromEntries(own), ...variables, [endsWithStdin]: 'true' };
  return startServer(words, env, (output) => new UsageError(output.trim().replace(/^platform-mock: /, '')));
}
