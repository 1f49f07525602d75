import { type ChildProcess, spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { vi } from 'vitest';
import { runCommandLine } from '../cli/command-line.ts';
import { commands } from '../cli/commands.ts';
import { packageFile } from '../server/files/package-root.ts';

/** How a command ended, and all that it printed. */
export interface Ended {
  readonly code: number | null;
  /** The signal that ended its process, if any. */
  readonly signal?: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Starts `platform-mock` as users run it: compiled, in a separate process. `npm test` builds first.
 * @param limit a command of the shell that runs before it in the same process, such as `ulimit`
 */
export function startCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  limit?: string,
): { child: ChildProcess; ended: Promise<Ended> } {
  const command = [process.execPath, packageFile('dist', 'src', 'cli', 'start.cjs'), ...args];
  const limited = ['sh', '-c', `${limit}; exec "$0" "$@"`, ...command];
  const [file = '', ...words] = limit === undefined ? command : limited;
  const child = spawn(file, words, {
    env: { ...process.env, VITEST: undefined, NO_COLOR: '1', ...env },
  });
  let stdout = '';
  let stderr = '';
  // A character of several bytes may arrive in two pieces.
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return {
    child,
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))),
  };
}

/** Starts a command that serves, and waits until it has printed its address. */
export async function startServer(args: readonly string[], env?: NodeJS.ProcessEnv, limit?: string) {
  const { child, ended } = startCommand([...args, '--port', '0'], env, limit);
  let output = '';
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const collect = (text: string): void => {
      output += text;
      const url = /https?:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      if (url && /Ctrl\+C|listening on/.test(output)) resolve(url);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    ended.then(({ stderr }) => reject(new Error(`It ended: ${stderr}`)));
  });
  const end = (signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  return { baseUrl, child, ended, end, output: () => output };
}

/** Runs `platform-mock` to its end. */
export const runCommand = (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> =>
  startCommand(args, env).ended;

/**
 * Runs `platform-mock` to its end in this process, a few hundred times faster: for its output and exit code. Not for `serve`, which
 * changes the process. One at a time.
 */
export async function runHere(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  const streams = ['stdout', 'stderr'] as const;
  const spies = streams.map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += stripVTControlCharacters(String(text));
      return true;
    }),
  );
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    await runCommandLine(words, commands);
    return { code: Number(process.exitCode ?? 0), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
    process.exitCode = undefined;
  }
}
