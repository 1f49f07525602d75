import type { ChildProcess } from 'node:child_process';

/** Exit codes of an interrupted process, as shells have them. */
export const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 };
export type Signal = keyof typeof EXIT_CODES;
export const SIGNALS = Object.keys(EXIT_CODES) as Signal[];

/** Whether commands get a process group, so that a signal reaches their children, too; Windows has none. */
export const HAS_GROUPS = process.platform !== 'win32';

/** Sends a signal to a command that was started with `detached: HAS_GROUPS`, and to its children. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (HAS_GROUPS && child.pid !== undefined) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // All of them have ended.
  }
}

/** Whether a command, or any of its children, is still there. */
export function isGroupAlive(child: ChildProcess): boolean {
  try {
    return HAS_GROUPS && child.pid !== undefined && process.kill(-child.pid, 0);
  } catch {
    return false;
  }
}
