import { type SpawnOptions, spawn } from 'node:child_process';

export interface Ended {
  readonly code: number | null;
  readonly signal?: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs any program. `output` is what it printed so far, in that order; `printed` waits for what it prints, on either stream; `end` sends a signal and waits for its end. */
export function runProgram(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  options: Pick<SpawnOptions, 'cwd' | 'detached'> = {},
) {
  const child = spawn(command, args, { ...options, env: { ...process.env, NO_COLOR: '1', ...env }, stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  let both = '';
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      both += text;
      for (const listener of listeners) listener();
    });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...output }));
  });
  const printed = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(output.stdout) ?? pattern.exec(output.stderr);
        if (found) resolve(found);
      };
      listeners.add(look);
      look();
      ended.then(
        () => reject(new Error(`${command} ended before it printed ${pattern}: ${JSON.stringify(output)}`)),
        reject,
      );
    });
  return {
    child,
    output: () => both,
    ended,
    printed,
    end: (signal: NodeJS.Signals): Promise<Ended> => {
      child.kill(signal);
      return ended;
    },
  };
}
