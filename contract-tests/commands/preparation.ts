import { type SpawnOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TransportError } from '../errors.ts';
import { Secrets } from '../secrets/secrets.ts';
import { assertTwoPeople, type FieldCommand, type Target, withVariables } from '../session/target-file.ts';
import { asText, memberOf } from '../values/json.ts';
import type { RunInput } from './run-input.ts';
import { HAS_GROUPS, onInterruption, signalGroup } from './signals.ts';

/** Characters of a command's output that are read, and of a failed one's messages that are shown. */
const MAX_OUTPUT = 1024 * 1024;
const MAX_SHOWN = 2_000;

/** Runs `setUp` and the commands that give values, then `work`, and `tearDown` once, however that ends. Throws TransportError. */
export async function whilePrepared<T>(input: RunInput, work: (input: RunInput) => Promise<T>): Promise<T> {
  if (!input.target) return work(input);
  const { commands = [], setUp, tearDown: ending, ...rest } = input.target;
  const run = runnerOf(input.target);
  const target: Target = structuredClone(rest);
  let ended: Promise<string> | undefined;
  const tearDown = async (): Promise<string[]> => {
    ended ??= ending ? run({ field: 'tearDown', ...ending }).then(() => '') : Promise.resolve('');
    return [await ended.catch(({ message }: Error) => message)].filter(Boolean);
  };
  try {
    if (setUp) await run({ field: 'setUp', ...setUp });
    for (const each of commands) {
      const path = each.field.split('.');
      const parent = path.slice(0, -1).reduce((at: object, name) => Reflect.get(at, name), target);
      Reflect.set(parent, path.at(-1) ?? '', await run(each, true));
    }
    assertTwoPeople(target, 'the target file');
    return await work({ ...input, target, tearDown });
  } catch (error) {
    const left = await tearDown();
    throw error instanceof TransportError ? new TransportError([error.message, ...left].join(' ')) : error;
  }
}

/** What runs the commands of one run, and gives what they print, for a value one line; error messages hold no secret. */
function runnerOf(target: Target) {
  const secrets = new Secrets(target);
  const id = randomUUID();
  return async ({ field, command, timeoutMs }: FieldCommand, isValue = false): Promise<string> => {
    const env: NodeJS.ProcessEnv = { ...process.env, PLATFORM_MOCK_RUN_ID: id };
    const read = (name: string): string => {
      secrets.add([{ value: memberOf(env, name) ?? '', name }]);
      return memberOf(env, name) ?? '';
    };
    const words = command.map((word) => withVariables(word, read));
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
async function execute([file = '', ...words]: string[], options: SpawnOptions, timeoutMs = 20_000) {
  const child = spawn(file, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: HAS_GROUPS });
  const printed = { stdout: '', stderr: '' };
  const names = ['stdout', 'stderr'] as const;
  for (const name of names)
    child[name]?.setEncoding('utf8').on('data', (part: string) => {
      printed[name] = (printed[name] + part).slice(0, MAX_OUTPUT);
    });
  let why: string | undefined;
  const stop = (reason: string): void => {
    why ??= reason;
    // What a command that has ended left in the background may stay.
    if (child.exitCode === null && child.signalCode === null) signalGroup(child, 'SIGKILL');
  };
  const timer = setTimeout(() => stop(`it did not end within ${timeoutMs} ms`), timeoutMs);
  const uninterrupted = onInterruption(() => stop('it was interrupted'));
  try {
    const exit = once(child, 'exit');
    // A server that setUp leaves in the background may hold its output open.
    await Promise.race([once(child, 'close'), exit.then(() => sleep(500, undefined, { ref: false }))]);
    const [code, signal] = await exit;
    if (code !== 0) why ??= signal ?? `exit code ${asText(code)}`;
  } catch (error) {
    const { message, code = message } = error as NodeJS.ErrnoException;
    why ??= code;
  } finally {
    clearTimeout(timer);
    uninterrupted();
    // Nor does it keep this process alive.
    for (const name of names) (child[name] as Socket).unref();
  }
  const said = printed.stderr.trim().slice(-MAX_SHOWN);
  return { stdout: printed.stdout, why: why !== undefined && said !== '' ? `${why}: ${said}` : why };
}
