import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { Calls } from './calls.ts';
import { type PrimaryAnswers, type WorkerAnswers, workerVariable } from './protocol.ts';
import { passWholeLines } from './whole-lines.ts';

/** How a worker's process ended: its exit code or signal. */
export type Ending = number | NodeJS.Signals;

/** What to run as a worker: the command line of this process, as a rule. */
export interface WorkerCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The primary's side of a worker's process. */
export class WorkerProcess {
  readonly calls: Calls<WorkerAnswers>;
  readonly ended: Promise<Ending>;
  /** Since when it takes requests, on the machine's clock. */
  readyAt: number | undefined;
  private readonly child: ChildProcess;
  private isShown = false;
  private readonly printed: { readonly to: NodeJS.WriteStream; readonly lines: string }[] = [];
  private announce: () => void = () => {};
  /** Resolves once it takes requests. */
  readonly readiness = new Promise<void>((resolve) => {
    this.announce = resolve;
  });

  /** @param answers what the primary answers to it */
  constructor({ file, args, env }: WorkerCommand, answers: PrimaryAnswers) {
    this.child = fork(file, args, {
      env: { ...env, [workerVariable]: '1' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    passWholeLines(this.child.stdout, (lines) => this.print(process.stdout, lines));
    passWholeLines(this.child.stderr, (lines) => this.print(process.stderr, lines));
    this.calls = new Calls<WorkerAnswers>(this.child, answers);
    this.ended = new Promise((resolve) => {
      // Once all that it printed was read.
      this.child.once('close', (code, signal) => resolve(signal ?? code ?? 0));
    });
    // Nothing is asked of one whose channel is closed.
    this.child.once('disconnect', () => this.calls.end('the worker has ended'));
    // A message that could not be sent is told to its sender.
    this.child.on('error', () => {});
  }

  get isReady(): boolean {
    return this.readyAt !== undefined;
  }

  /** Takes requests from now on. */
  markReady(): void {
    this.readyAt = Date.now();
    this.announce();
  }

  /** Hands a connection to it, once it takes requests. */
  hand(socket: Socket, bytes: Uint8Array): void {
    if (this.isReady) this.calls.hand(socket, bytes);
    else void this.readiness.then(() => this.calls.hand(socket, bytes));
  }

  /** Passes on what it prints, from its first line. */
  show(): void {
    this.isShown = true;
    for (const { to, lines } of this.printed.splice(0)) to.write(lines);
  }

  /** Ends it without asking. */
  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** What is not shown yet is kept. */
  private readonly print = (to: NodeJS.WriteStream, lines: string): void => {
    if (this.isShown) to.write(lines);
    else this.printed.push({ to, lines });
  };
}
