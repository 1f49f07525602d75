import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** A Node process of the benchmark. */
export interface Running {
  readonly child: ChildProcess;
  /** Rejects if it ends unexpectedly with another code than 0. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
const killAll = (): void => {
  for (const child of running) child.kill('SIGKILL');
};
// They must not outlive the benchmark.
process.once('exit', killAll);
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code));

/** Starts Node with these arguments; with `mayFail`, any exit code is an end as expected. */
export function startProcess(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  ipc = false,
  mayFail = false,
): Running {
  const child = spawn(process.execPath, args, {
    stdio: ipc ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  running.add(child);
  let output = '';
  let errors = '';
  let isStopped = false;
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2000);
  });
  const ended = new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once('close', (code) => {
      running.delete(child);
      if (code === 0 || isStopped || mayFail) resolve({ code, output });
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
  return { child, ended, stop };
}

/**
 * Runs a command that starts processes of its own, such as npm. They end with the benchmark.
 * @throws Error with the end of what it wrote, if it fails
 */
export async function runForeign(command: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const killGroup = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  // Before whatever removes the folder that they work in.
  process.prependOnceListener('exit', killGroup);
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      written = (written + text).slice(-1000);
    });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${written.trim()}`);
  } finally {
    process.off('exit', killGroup);
  }
}

/** Resident memory of a process in MiB. */
export function memoryOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
  }
}

/** CPU time in seconds that a process has used so far; NaN where the system does not tell. */
export function cpuSecondsOf(pid: number | undefined): number {
  try {
    // Behind the command, whose name may contain anything; Linux counts in hundredths of a second.
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').slice(11, 13) ?? [];
    return (Number(user) + Number(system)) / 100;
  } catch {
    return Number.NaN;
  }
}

/** A free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
