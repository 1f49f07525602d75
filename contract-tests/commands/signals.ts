import { type ChildProcess, spawn } from 'node:child_process';

/** Exit codes of an interrupted process, as shells have them. */
export const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
export type Signal = keyof typeof EXIT_CODES;

/** Calls a handler at each signal that interrupts, until the returned function ends that. */
export function onInterruption(handler: (signal: Signal) => void): () => void {
  const signals = Object.keys(EXIT_CODES) as Signal[];
  for (const signal of signals) process.on(signal, handler);
  return () => {
    for (const signal of signals) process.off(signal, handler);
  };
}

/** Whether commands get a process group, so that a signal reaches their children, too; Windows has none. */
export const HAS_GROUPS = process.platform !== 'win32';

/** Sends a signal to a command that was started with `detached: HAS_GROUPS`, and to its children; 0 asks only. Gives whether any is still there. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return HAS_GROUPS && child.pid !== undefined ? process.kill(-child.pid, signal) : child.kill(signal);
  } catch {
    return false;
  }
}

/** Ends a command's process group where this process ends by force, which leaves it no time: a shell waits for that at a pipe. The result calls it off. */
export function guardGroup({ pid }: ChildProcess): () => void {
  if (!HAS_GROUPS || pid === undefined) return () => {};
  const script = 'read -r _ || { kill -s INT -- "-$0"; sleep 5; kill -s KILL -- "-$0"; }';
  const guard = spawn('sh', ['-c', script, String(pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  for (const each of [guard, guard.stdin]) each.on('error', () => {});
  return () => guard.stdin.end('\n');
}
