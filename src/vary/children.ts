import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { HAS_GROUPS, signalGroup } from '../../contract-tests/commands/signals.ts';
import { UsageError } from '../../contract-tests/errors.ts';

export interface CommandEnd {
  /** Exit code, or name of the signal. */
  readonly code: number | string;
  /** It took longer than allowed and was ended. */
  readonly isTimeout: boolean;
}

/** Milliseconds between the request to end and the end by force: runners end their browsers and web servers first. */
const graceMs = 5000;

/** The commands under way, each with its children. */
export class Children {
  private readonly running = new Set<ChildProcess>();
  private isStopped = false;

  /** Runs a command to its end, with what it left in the background; `log` gets its output. Throws UsageError where it cannot be started. */
  async run(command: readonly string[], env: NodeJS.ProcessEnv, log: string, timeoutMs: number): Promise<CommandEnd> {
    const [file = '', ...words] = command;
    const output = openSync(log, 'a');
    let timer: NodeJS.Timeout | undefined;
    try {
      const child = spawn(file, words, { env, stdio: ['ignore', output, output], detached: HAS_GROUPS });
      this.running.add(child);
      let isTimeout = false;
      timer = setTimeout(() => {
        isTimeout = true;
        this.end(child);
      }, timeoutMs);
      if (this.isStopped) this.end(child);
      const code = await new Promise<number | string>((resolve, reject) => {
        child.once('error', ({ message }) =>
          reject(new UsageError(`${command.join(' ')} cannot be started: ${message}.`)),
        );
        child.once('exit', (status, signal) => resolve(status ?? signal ?? 'unknown'));
      });
      if (isTimeout || this.isStopped) await groupEnds(child);
      signalGroup(child, 'SIGKILL');
      this.running.delete(child);
      return { code, isTimeout };
    } finally {
      clearTimeout(timer);
      closeSync(output);
    }
  }

  /** Ends all commands; none starts any more. */
  stop(): void {
    this.isStopped = true;
    for (const child of this.running) this.end(child);
  }

  /** Like Ctrl+C in a terminal, for which runners stop what they started. */
  private end(child: ChildProcess): void {
    signalGroup(child, 'SIGINT');
    // Only while it runs: the number of an ended group may be another's.
    setTimeout(() => this.running.has(child) && signalGroup(child, 'SIGKILL'), graceMs).unref();
  }
}

/** Waits for the children of a command that has ended, as long as they may take. */
async function groupEnds(child: ChildProcess): Promise<void> {
  for (let waited = 0; waited < graceMs && signalGroup(child, 0); waited += 50) await sleep(50);
}
