import { type ChildProcess, spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { vi } from 'vitest';
import { runCommandLine } from '../cli/command-line.ts';
import { packageFile } from '../server/files/package-root.ts';

/** How a command ended, and all that it printed. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `platform-mock` as users run it: compiled, in a process of its own. `npm test` builds first. */
export function startCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [packageFile('dist', 'src', 'cli', 'main.js'), ...args], {
    env: { ...process.env, VITEST: undefined, NO_COLOR: '1', ...env },
  });
  let stdout = '';
  let stderr = '';
  // A character of several bytes may come in two pieces.
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr }))) };
}

/** Runs `platform-mock` to its end. */
export const runCommand = (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> =>
  startCommand(args, env).ended;

/**
 * Runs `platform-mock` to its end in this process, a few hundred times faster: for what a command prints and how it ends.
 * Not for `serve`, which changes the process that it runs in. One at a time.
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
    await runCommandLine(words);
    return { code: Number(process.exitCode ?? 0), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
    process.exitCode = undefined;
  }
}
