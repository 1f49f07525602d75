import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { TransportError } from '../errors.ts';
import { Secrets } from '../secrets/secrets.ts';
import type { SessionConfig } from '../session/connection.ts';
import { assertTwoPeople } from '../session/target-choice.ts';
import { type FieldCommand, type LocalCommand, type Target, withVariables } from '../session/target-file.ts';
import type { RunInput } from './run-input.ts';
import { HAS_GROUPS, SIGNALS, signalGroup } from './signals.ts';

/** The variable in which the commands of a target file find the id of the run. */
const RUN_ID = 'PLATFORM_MOCK_RUN_ID';
const DEFAULT_TIMEOUT_MS = 20_000;
const MAX_OUTPUT = 1024 * 1024;
/** How long the last output of a command that has ended may take, in milliseconds. */
const LAST_OUTPUT_MS = 500;
/** Characters of a failed command's messages that are shown. */
const MAX_SHOWN = 2_000;

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
  const runner = new Runner(input.target);
  const target: Target = structuredClone(rest);
  let ended: Promise<unknown> | undefined;
  // Once: an interruption ends the run, too.
  const end = async (): Promise<string[]> => {
    ended ??= tearDown && runner.run('tearDown', tearDown).catch((error: Error) => error);
    const failure = await ended;
    return failure instanceof Error ? [failure.message] : [];
  };
  try {
    if (setUp) await runner.run('setUp', setUp);
    for (const each of commands) setField(target, each.field, await runner.valueOf(each));
    assertTwoPeople(target, 'the target file');
    const done = await work({ ...input, target }, tearDown ? { tearDown: end } : {});
    return { done, left: await end() };
  } catch (error) {
    const left = await end();
    throw error instanceof TransportError ? new TransportError([error.message, ...left].join(' ')) : error;
  }
}

/** Runs the commands of one run; error messages hold no secret. */
class Runner {
  readonly #secrets: Secrets;
  readonly #folder: string | undefined;
  readonly #id = randomUUID();

  constructor(target: Target) {
    this.#secrets = new Secrets(target);
    this.#folder = target.folder;
  }

  /** The one line that a command prints. */
  async valueOf({ field, ...command }: FieldCommand): Promise<string> {
    const value = (await this.run(field, command)).trim();
    this.#secrets.add([{ value, name: field }]);
    if (value === '' || /[\r\n]/.test(value))
      throw this.#failed(field, command, `it must print one line, and printed ${value === '' ? 'none' : 'several'}`);
    return value;
  }

  /** What a command prints. It runs in a process group, which a time limit and a signal end as a whole. */
  async run(field: string, { command, timeoutMs = DEFAULT_TIMEOUT_MS }: LocalCommand): Promise<string> {
    const env: NodeJS.ProcessEnv = { ...process.env, [RUN_ID]: this.#id };
    const [file = '', ...words] = command.map((word) => withVariables(word, (name) => this.#variable(env, name)));
    const cwd = this.#folder;
    const child = spawn(file, words, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: HAS_GROUPS });
    let why: string | undefined;
    const stop = (reason: string): void => {
      why ??= reason;
      // What a command that has ended left in the background may stay.
      if (child.exitCode === null && child.signalCode === null) signalGroup(child, 'SIGKILL');
    };
    const printed = ['', ''];
    for (const [at, stream] of [child.stdout, child.stderr].entries())
      stream.setEncoding('utf8').on('data', (part: string) => {
        printed[at] += part;
        if ((printed[at]?.length ?? 0) > MAX_OUTPUT) stop(`it printed more than ${MAX_OUTPUT} characters`);
      });
    const timer = setTimeout(() => stop(`it did not end within ${timeoutMs} ms`), timeoutMs);
    const interrupt = (): void => stop('it was interrupted');
    for (const signal of SIGNALS) process.on(signal, interrupt);
    const code = await new Promise<number | string | null>((resolve) => {
      child.once('error', ({ message, code: name = message }: NodeJS.ErrnoException) => resolve(name));
      child.once('close', (status, signal) => resolve(status ?? signal));
      // A server that setUp leaves in the background may hold its output open.
      child.once('exit', (status, signal) => setTimeout(() => resolve(status ?? signal), LAST_OUTPUT_MS).unref());
    });
    clearTimeout(timer);
    // What it left in the background may go on printing, and does not keep this process alive.
    for (const stream of [child.stdout, child.stderr]) (stream.removeAllListeners('data').resume() as Socket).unref();
    for (const signal of SIGNALS) process.off(signal, interrupt);
    const [stdout = '', stderr = ''] = printed;
    if (code === 0 && why === undefined) return stdout;
    why ??= typeof code === 'number' ? `exit code ${code}` : String(code);
    this.#secrets.add([{ value: stdout.trim(), name: field }]);
    throw this.#failed(field, { command }, [why, stderr.trim().slice(-MAX_SHOWN)].filter(Boolean).join(': '));
  }

  /** A variable that a command is given: its value may be a credential. */
  #variable(env: NodeJS.ProcessEnv, name: string): string {
    const value = env[name] ?? '';
    this.#secrets.add([{ value, name }]);
    return value;
  }

  #failed(field: string, { command }: LocalCommand, why: string): TransportError {
    this.#secrets.learnText(why);
    return new TransportError(this.#secrets.scrub(`${field}: ${command.join(' ')} failed: ${why}`));
  }
}

/** Sets a field by its path: `actors.others.0.pat`. */
function setField(target: object, field: string, value: string): void {
  const path = field.split('.');
  const last = path.pop() as string;
  let at = target as Record<string, Record<string, unknown>>;
  for (const name of path) {
    at[name] ??= {};
    at = at[name] as typeof at;
  }
  (at as Record<string, unknown>)[last] = value;
}
