import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HAS_GROUPS, signalGroup } from '../../contract-tests/commands/signals.ts';
import { UsageError } from '../../contract-tests/errors.ts';
import { asText } from '../../contract-tests/values/json.ts';
import { startServer } from '../cli/child-server.ts';
import type { Json } from '../core/spec/gaps.ts';
import { packageFile } from '../server/files/package-root.ts';
import { decisionsIn } from './decisions.ts';
import { readJunit, type TestResult, writtenAt } from './junit.ts';

/** What the mock of a run is started with, beyond the answers to try. */
export interface MockFlags {
  readonly profile?: string;
  readonly seed?: number;
  readonly recordings?: number;
  readonly fixtures?: string;
  readonly routes?: readonly string[];
}

export interface TestCommand {
  readonly command: readonly string[];
  /** Variables that get the mock's address, besides PLATFORM_MOCK_URL. */
  readonly variables: readonly string[];
  /** The file that the command writes, or its folder; without it, the exit code is the only result. */
  readonly junit?: string | undefined;
  readonly mock: MockFlags;
  readonly folder: string;
}

export type TestRun = Awaited<ReturnType<TestRuns['run']>>;

/** Milliseconds between the request to end and the end by force: runners end their browsers and web servers first. */
const graceMs = 5000;

/** Runs an app's tests, each time against a mock of their own. */
export class TestRuns {
  /** Milliseconds that one run may take. */
  timeoutMs = 3_600_000;
  count = 0;
  /** The commands under way, each with its children. */
  private readonly running = new Set<ChildProcess>();
  private isStopped = false;

  constructor(private readonly how: TestCommand) {
    mkdirSync(join(how.folder, 'runs'), { recursive: true });
  }

  /** Runs the tests once under these answers; throws UsageError without its results, or if the mock refuses its options. */
  async run(answers: Readonly<Record<string, Json>>) {
    this.count++;
    const { command, variables, junit, mock, folder } = this.how;
    const number = this.count;
    const file = (ending: string): string => resolve(folder, 'runs', `${String(number).padStart(3, '0')}.${ending}`);
    const [log, results, told] = [file('log'), file('xml'), file('assumptions')];
    for (const each of [log, told]) writeFileSync(each, '');
    rmSync(results, { force: true });
    const own = { PLATFORM_MOCK_ANSWERS: JSON.stringify(answers), PLATFORM_MOCK_ASSUMPTIONS: told };
    const { baseUrl, stop } = await startMockProcess(mock, own);
    const before = junit === undefined ? undefined : writtenAt(junit);
    const urls = ['PLATFORM_MOCK_URL', ...variables].map((name) => [name, baseUrl]);
    // Where runners write their JUnit file: runs side by side need one each.
    const variablesOfRunners = ['PLAYWRIGHT_JUNIT_OUTPUT_FILE', 'JEST_JUNIT_OUTPUT_FILE', 'MOCHA_FILE'];
    const places = variablesOfRunners.map((name) => [name, results]);
    const env = { ...process.env, ...own, ...Object.fromEntries([...urls, ...places]) };
    const words = junit === undefined ? command : command.map((word) => word.replaceAll(junit, results));
    const from = performance.now();
    const { code, isTimeout } = await this.execute(words, env, log).finally(stop);
    const milliseconds = performance.now() - from;
    const decisions = decisionsIn(readFileSync(told, 'utf8'));
    rmSync(told, { force: true });
    const inPlace = readJunit(results);
    // Undefined if the command wrote no JUnit file.
    const found = inPlace ?? (junit === undefined ? undefined : readJunit(junit, before));
    const isSuccess = code === 0;
    if (isSuccess && junit !== undefined && !found)
      throw new UsageError(`--junit ${junit}: the command did not write it; does it write JUnit, and there?`);
    const ending = isTimeout
      ? `did not end within ${Math.round(this.timeoutMs / 1000)} s`
      : `exit code ${asText(code)}`;
    // The command writes its results always to the same place.
    const isFixedPlace = inPlace === undefined && found !== undefined;
    return { number, tests: found, decisions, milliseconds, ending, isSuccess, log, isFixedPlace };
  }

  /** Ends all commands; none starts any more. */
  stop(): void {
    this.isStopped = true;
    for (const child of this.running) this.end(child);
  }

  /** Runs a command to its end, with what it left in the background; `log` gets its output. Throws UsageError where it cannot be started. */
  private async execute(command: readonly string[], env: NodeJS.ProcessEnv, log: string) {
    const [file = '', ...words] = command;
    const output = openSync(log, 'a');
    const child = spawn(file, words, { env, stdio: ['ignore', output, output], detached: HAS_GROUPS });
    this.running.add(child);
    let isTimeout = false;
    const timer = setTimeout(() => {
      isTimeout = true;
      this.end(child);
    }, this.timeoutMs);
    try {
      if (this.isStopped) this.end(child);
      const [status, signal] = await once(child, 'exit');
      if (isTimeout || this.isStopped)
        for (let waited = 0; waited < graceMs && signalGroup(child, 0); waited += 50) await sleep(50);
      signalGroup(child, 'SIGKILL');
      return { code: status ?? signal, isTimeout };
    } catch (error) {
      throw new UsageError(`${command.join(' ')} cannot be started: ${(error as Error).message}.`);
    } finally {
      this.running.delete(child);
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
export const passedTests = ({ tests = [] }: TestRun): TestResult[] =>
  tests.filter(({ outcome }) => outcome === 'passed');

/** Starts `serve` on a free port with the answers in `variables`, in a process that ends with the run; throws its output if it does not start. */
function startMockProcess(flags: MockFlags, variables: NodeJS.ProcessEnv) {
  const options = Object.entries(flags).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => [`--${name}`, asText(one)]),
  );
  const words = [packageFile('dist', 'src', 'cli', 'start.cjs'), 'serve', '--port', '0', '--json-logs', ...options];
  // Options of this command must not become options of `serve`.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PLATFORM_MOCK_'));
  return startServer(words, { ...Object.fromEntries(own), ...variables }, (output, code) => {
    const message = output.trim().replace(/^platform-mock: /, '');
    return code === 2 ? new UsageError(message) : new Error(message);
  });
}
