import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Node process of the benchmark, which stops where it is disposed of. */
export type Running = ReturnType<typeof startProcess>;

const running = new Set<ChildProcess>();
// They must not outlive the benchmark.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

export interface StartOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Whether messages go to and from it. */
  readonly ipc?: boolean;
  /** Whether any exit code is an end as expected. */
  readonly mayFail?: boolean;
}

/** Starts Node with these arguments. */
export function startProcess(args: readonly string[], { env, ipc, mayFail }: StartOptions = {}) {
  const child: ChildProcess = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  running.add(child);
  let [output, errors, isStopped] = ['', '', false];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2000);
  });
  /** All that it printed. Rejects if it ends unexpectedly with another code than 0. */
  const ended = new Promise<string>((resolve, reject) => {
    child.once('close', (code) => {
      running.delete(child);
      if (code === 0 || isStopped || mayFail) resolve(output);
      else reject(new Error(`${args.join(' ').slice(0, 200)} ended with ${code}: ${errors}`));
    });
  });
  // Handled by those who await it; an unawaited rejection must not crash the benchmark.
  ended.catch(() => {});
  const stop = async () => {
    isStopped = true;
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(late);
  };
  return { child, ended, [Symbol.asyncDispose]: stop };
}

/** What the system tells of a process, on Linux; an empty text elsewhere, or when it is gone. */
function proc(child: ChildProcess, file: 'status' | 'stat'): string {
  try {
    return readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Resident memory of a process in MiB; NaN where the system does not tell. */
export const memoryOf = (child: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(proc(child, 'status'))?.[1]) / 1024;

/** CPU time in seconds that a process has used so far; NaN where the system does not tell. */
export function cpuSecondsOf(child: ChildProcess): number {
  // After the command, whose name may contain anything; Linux counts in hundredths of a second.
  const fields = proc(child, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** A folder that is removed where it is disposed of, and at the latest when the benchmark ends. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'platform-mock-bench-'));
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true });
  };
  process.once('exit', remove);
  return { path, [Symbol.dispose]: remove };
}
