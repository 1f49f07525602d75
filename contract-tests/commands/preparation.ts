import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { TransportError } from '../errors.ts';
import { Secrets } from '../secrets/secrets.ts';
import type { SessionConfig } from '../session/connection.ts';
import { assertTwoPeople } from '../session/target-choice.ts';
import type { FieldCommand, LocalCommand, Target } from '../session/target-file.ts';
import type { RunInput } from './run-input.ts';

/** The variable in which the commands of a target file find the id of the run. */
const RUN_ID = 'PLATFORM_MOCK_RUN_ID';
const DEFAULT_TIMEOUT_MS = 20_000;
const MAX_OUTPUT = 1024 * 1024;
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
  const end = async (): Promise<string[]> =>
    tearDown
      ? runner.run('tearDown', tearDown).then(
          () => [],
          (error: Error) => [error.message],
        )
      : [];
  let ended: Promise<string[]> | undefined;
  // Once: an interruption ends the run, too.
  const once = (): Promise<string[]> => {
    ended ??= end();
    return ended;
  };
  try {
    if (setUp) await runner.run('setUp', setUp);
    for (const each of commands) setField(target, each.field, await runner.valueOf(each));
    assertTwoPeople(target, 'the target file');
    const done = await work({ ...input, target }, tearDown ? { tearDown: once } : {});
    return { done, left: await once() };
  } catch (error) {
    const left = await once();
    throw error instanceof TransportError ? new TransportError([error.message, ...left].join(' ')) : error;
  }
}

/** Runs the commands of one run; what fails is told without secrets. */
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

  /** What a command prints. */
  run(field: string, command: LocalCommand): Promise<string> {
    const [file = '', ...words] = command.command;
    const timeout = command.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const options = {
      timeout,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT,
      env: { ...process.env, [RUN_ID]: this.#id },
      ...(this.#folder === undefined ? {} : { cwd: this.#folder }),
    } as const;
    return new Promise((resolve, reject) => {
      execFile(file, words, options, (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        const why =
          error.killed && error.signal === 'SIGKILL' ? `it did not end within ${timeout} ms` : reasonOf(error);
        this.#secrets.add([{ value: stdout.trim(), name: field }]);
        reject(this.#failed(field, command, [why, stderr.trim().slice(-MAX_SHOWN)].filter(Boolean).join(': ')));
      });
    });
  }

  #failed(field: string, { command }: LocalCommand, why: string): TransportError {
    this.#secrets.learnText(why);
    return new TransportError(this.#secrets.scrub(`${field}: ${command.join(' ')} failed: ${why}`));
  }
}

const reasonOf = ({ code, message }: { code?: unknown; message: string }): string =>
  typeof code === 'number' ? `exit code ${code}` : String(code ?? message);

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
