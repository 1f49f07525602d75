import { stripVTControlCharacters } from 'node:util';
import { vi } from 'vitest';
import { runCommandLine } from '../cli/command-line.ts';
import { commands } from '../cli/commands.ts';
import { packageFile } from '../server/files/package-root.ts';
import { type Ended, runProgram } from './program.ts';

/** Starts the compiled `platform-mock` in a separate process. `limit`: a shell command before it there, such as `ulimit`. */
export function startCommand(args: readonly string[], env: NodeJS.ProcessEnv = {}, limit?: string) {
  const command = [process.execPath, packageFile('dist', 'src', 'cli', 'start.cjs'), ...args];
  const limited = ['sh', '-c', `${limit}; exec "$0" "$@"`, ...command];
  const [file = '', ...words] = limit === undefined ? command : limited;
  return runProgram(file, words, { VITEST: undefined, ...env });
}

/** Starts a command that serves, and waits until it has printed its address. */
export async function startServer(args: readonly string[], env?: NodeJS.ProcessEnv, limit?: string) {
  const server = startCommand([...args, '--port', '0'], env, limit);
  await server.printed(/Ctrl\+C|listening on/);
  const [baseUrl] = await server.printed(/https?:\/\/127\.0\.0\.1:\d+/);
  return { ...server, baseUrl, end: (signal: NodeJS.Signals = 'SIGTERM') => server.end(signal) };
}

export const runCommand = (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> =>
  startCommand(args, env).ended;

/** Runs `platform-mock` to its end in this process, hundreds of times faster. Not for `serve`. One at a time. */
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
