import { type SpawnOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TransportError } from '../errors.ts';
import { Secrets } from '../secrets/secrets.ts';
import type { SessionConfig } from '../session/connection.ts';
import { assertTwoPeople, type FieldCommand, type Target, withVariables } from '../session/target-file.ts';
import type { RunInput } from './run-input.ts';
import { HAS_GROUPS, SIGNALS, signalGroup } from './signals.ts';

const DEFAULT_TIMEOUT_MS = 20_000;
/** Characters of a command's output that are read, and of a failed one's messages that are shown. */
const MAX_OUTPUT = 1024 * 1024;
const MAX_SHOWN = 2_000;
/** How long the last output of a command that has ended may take, in milliseconds. */
const LAST_OUTPUT_MS = 500;

/**
 * Runs `setUp` of the target file and the commands that give values, then `work`, and `tearDown` however that ends. Gives what
 * `work` gives, and what `tearDown` leaves behind, a sentence each.
 * @throws TransportError where a command fails
 */
export async function whilePrepared<T>(
  input: RunInput,
  work: (input: RunInput, config: Pick<SessionConfig, 'tearDown'>) => Promise<T>,
): Promise<{ done: T; left: string[] }> {
  if (!input.target) return { done: await work(input, {}), left: [] };
  const { commands = [], setUp, tearDown, ...rest } = input.target;
  const run = runnerOf(input.target);
  const target: Target = structuredClone(rest);
  let ended: Promise<string[]> | undefined;
  // Once: an interruption ends the run, too.
  const end = async (): Promise<string[]> => {
    const told = (error: Error) => [error.message];
    ended ??= tearDown ? run({ field: 'tearDown', ...tearDown }).then(() => [], told) : Promise.resolve([]);
    return ended;
  };
  try {
    if (setUp) await run({ field: 'setUp', ...setUp });
    for (const each of commands) setField(target, each.field, await run(each, true));
    assertTwoPeople(target, 'the target file');
    const done = await work({ ...input, target }, tearDown ? { tearDown: end } : {});
    return { done, left: await end() };
  } catch (error) {
    const left = await end();
    throw error instanceof TransportError ? new TransportError([error.message, ...left].join(' ')) : error;
  }
}

/** What runs the commands of one run, and gives what they print, for a value one line; error messages hold no secret. */
function runnerOf(target: Target) {
  const secrets = new Secrets(target);
  const id = randomUUID();
  return async ({ field, command, timeoutMs }: FieldCommand, isValue = false): Promise<string> => {
    const env: NodeJS.ProcessEnv = { ...process.env, PLATFORM_MOCK_RUN_ID: id };
    const words = command.map((word) =>
      withVariables(word, (name) => {
        const value = env[name] ?? '';
        secrets.add([{ value, name }]);
        return value;
      }),
    );
    const { stdout, why } = await execute(words, { env, cwd: target.folder }, timeoutMs);
    const value = stdout.trim();
    secrets.add([{ value, name: field }]);
    const isOneLine = value !== '' && !/[\r\n]/.test(value);
    const printed = `it must print one line, and printed ${value === '' ? 'none' : 'several'}`;
    const problem = why ?? (isValue && !isOneLine ? printed : undefined);
    if (problem === undefined) return value;
    secrets.learnText(problem);
    throw new TransportError(secrets.scrub(`${field}: ${command.join(' ')} failed: ${problem}`));
  };
}

/** Runs a command in a process group, which a time limit and a signal end as a whole; gives its output, and why it failed. */
async function execute(
  [file = '', ...words]: readonly string[],
  options: SpawnOptions,
  timeoutMs = DEFAULT_TIMEOUT_MS,
) {
  const child = spawn(file, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: HAS_GROUPS });
  const { stdout, stderr } = child;
  const printed = { stdout: '', stderr: '' };
  for (const [name, stream] of Object.entries({ stdout, stderr }) as ['stdout' | 'stderr', Socket][])
    stream.setEncoding('utf8').on('data', (part: string) => {
      printed[name] = (printed[name] + part).slice(0, MAX_OUTPUT);
    });
  let why: string | undefined;
  const stop = (reason: string): void => {
    why ??= reason;
    // What a command that has ended left in the background may stay.
    if (child.exitCode === null && child.signalCode === null) signalGroup(child, 'SIGKILL');
  };
  const timer = setTimeout(() => stop(`it did not end within ${timeoutMs} ms`), timeoutMs);
  const interrupt = (): void => stop('it was interrupted');
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    const exit = once(child, 'exit');
    // A server that setUp leaves in the background may hold its output open.
    await Promise.race([once(child, 'close'), exit.then(() => sleep(LAST_OUTPUT_MS, undefined, { ref: false }))]);
    const [code, signal] = await exit;
    if (code !== 0) why ??= signal ?? `exit code ${code}`;
  } catch (error) {
    const { message, code = message } = error as NodeJS.ErrnoException;
    why ??= code;
  } finally {
    clearTimeout(timer);
    for (const signal of SIGNALS) process.off(signal, interrupt);
    // What it left in the background may go on printing, and does not keep this process alive.
    for (const stream of [stdout, stderr] as Socket[]) stream.removeAllListeners('data').resume().unref();
  }
  const said = printed.stderr.trim().slice(-MAX_SHOWN);
  return { stdout: printed.stdout, why: why !== undefined && said !== '' ? `${why}: ${said}` : why };
}

/** Sets a field by its path: `actors.others.0.pat`. */
function setField(target: object, field: string, value: string): void {
  const path = field.split('.');
  const last = path.pop() ?? '';
  let at = target as Record<string, unknown>;
  for (const name of path) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  at[last] = value;
}
