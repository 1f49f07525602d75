import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import { outlet } from '../../contract-tests/commands/outlet.ts';
import { TransportError, UsageError } from '../../contract-tests/errors.ts';
import { ConfigError } from '../core/spec/config-error.ts';
import { joinedLines } from '../server/child-server.ts';
import { packageVersion } from '../server/files/package-root.ts';
import { keepFromMessages, secretsInOptions, tellBug, told } from './crash.ts';
import { EnvironmentCommand } from './environment.ts';

/** Exit codes in addition to the verdicts of `verify`. */
const usageOrConfiguration = 2;
const couldNotRun = 3;

const maxReasons = 3;

export type Register = (program: Command) => void;

export async function runProcess(commands: readonly Register[]): Promise<void> {
  // An unhandled rejection ends the process like any other bug.
  process.on('uncaughtException', (error) => {
    tellBug(error);
    process.exit(couldNotRun);
  });
  let isCut = false;
  keepGoing(process.stderr, () => {});
  keepGoing(process.stdout, (code) => {
    if (!isCut) process.stderr.write(`platform-mock: the output cannot be written (${code}).\n`);
    isCut = true;
  });
  // At the end, since a write may fail after the command.
  process.once('exit', () => {
    if (isCut) process.exitCode ||= couldNotRun;
  });
  await runCommandLine(process.argv.slice(2), commands);
  // Leftovers of a failed start, such as a connection's timer, must not keep the process alive: a supervisor waits for its end.
  if (process.exitCode === usageOrConfiguration) setTimeout(() => process.exit(), 1000).unref();
}

/** Lets a command go on whose output cannot be written, on a full disk, say: a mock serves, and the exit code of a run may gate. */
function keepGoing(stream: NodeJS.WriteStream, cut: (code: string | undefined) => void): void {
  const failed = ({ code }: NodeJS.ErrnoException): void => {
    // A reader that ends early, such as head, has what it wants.
    if (code !== 'EPIPE') cut(code);
  };
  stream.on('error', failed);
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]): boolean => {
    try {
      return write(...args);
    } catch (error) {
      // Files are written at once.
      failed(error as NodeJS.ErrnoException);
      return true;
    }
  };
}

export async function runCommandLine(words: readonly string[], commands: readonly Register[]): Promise<void> {
  const program = new EnvironmentCommand('platform-mock')
    .description('A stateful mock of the Platform API, and a contract suite for any deployment of it.')
    .version(packageVersion)
    .configureOutput({ outputError: (text, write) => write(`platform-mock: ${line(text)}\n`) })
    .exitOverride();
  for (const register of commands) register(program);
  for (const command of program.commands) command.copyInheritedSettings(program);
  program.hook('preAction', (_program, command) => keepFromMessages(secretsInOptions(command.opts())));
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageOrConfiguration;
  if (error instanceof ConfigError || error instanceof UsageError || error instanceof InvalidArgumentError) {
    const reasons = error instanceof ConfigError ? error.reasons : [error.message];
    outlet.print('stderr', `platform-mock: ${line(listed(reasons))}\n`);
    return usageOrConfiguration;
  }
  if (error instanceof TransportError) {
    outlet.print('stderr', `platform-mock: ${line(error.message)}\n`);
    return couldNotRun;
  }
  tellBug(error);
  return couldNotRun;
}

function listed(reasons: readonly string[]): string {
  const more = reasons.length - maxReasons;
  return [...reasons.slice(0, maxReasons), ...(more > 0 ? [`${more} more`] : [])].join('; also ');
}

/** A message in one line, without passwords and without control sequences. */
const line = (text: string): string => told(joinedLines(text.replace(/^error: /, '')));
