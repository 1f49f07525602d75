import { BroadcastChannel } from 'node:worker_threads';
import type { SessionConfig } from './session/connection.ts';
import type { Undo } from './session/disposable-recording.ts';
import type { NamedSecret } from './wire/secrets.ts';

/** What a run begins with, as the thread that runs the checks is told. */
export interface Begin {
  session: SessionConfig;
  /** Whether the target's own clock passes what the suite would wait for. */
  passesTime: boolean;
}

/** What the thread that waits for a run and the one that runs its checks tell each other. */
type Message =
  /** The checks are loaded; answered by `begin`, without one where there is no target. */
  | { kind: 'ready' }
  | { kind: 'begin'; begin?: Begin }
  /** Milliseconds to pass on the target's clock; answered by `passed` once they have. */
  | { kind: 'pass'; id: number; milliseconds: number }
  | { kind: 'passed'; id: number }
  | { kind: 'undo'; undos: Undo[] }
  | { kind: 'left'; lines: string[] }
  | { kind: 'secrets'; secrets: readonly NamedSecret[] }
  | { kind: 'halt' | 'halting' | 'halted' };

/** A channel of one run: runs of the same process must not undo, or halt, each other. */
export class RunChannel {
  readonly #channel: BroadcastChannel;

  constructor(runId: string, receive: (message: Message) => void) {
    this.#channel = new BroadcastChannel(`platform-mock:run:${runId}`);
    this.#channel.unref();
    this.#channel.onmessage = (event) => receive((event as { data: Message }).data);
  }

  post(message: Message): void {
    this.#channel.postMessage(message);
  }

  close(): void {
    this.#channel.close();
  }
}

/** For the thread that runs the checks: resolves once the target is found, to nothing where it is not. */
export async function awaitBegin(runId: string): Promise<Begin | undefined> {
  let channel: RunChannel | undefined;
  const begin = await new Promise<Begin | undefined>((resolve) => {
    channel = new RunChannel(runId, (message) => {
      if (message.kind === 'begin') resolve(message.begin);
    });
    channel.post({ kind: 'ready' });
  });
  channel?.close();
  return begin;
}

/** For the thread that runs the checks: lets time pass on the clock of a target that the waiting thread has started. */
export function passTime(runId: string): (milliseconds: number) => Promise<void> {
  const passing = new Map<number, () => void>();
  const channel = new RunChannel(runId, (message) => {
    if (message.kind === 'passed') passing.get(message.id)?.();
  });
  let last = 0;
  return (milliseconds) =>
    new Promise((resolve) => {
      const id = ++last;
      passing.set(id, resolve);
      channel.post({ kind: 'pass', id, milliseconds });
    });
}

/** What the waiting thread knows once the target is found. */
export interface Beginning {
  session: SessionConfig;
  /** Lets milliseconds pass on the clock of a target of ours, which then need not be waited for. */
  pass?: ((milliseconds: number) => Promise<void>) | undefined;
}

/** For the thread that waits: answers what the other one asks, until the channel is closed. */
export function answerRun(runId: string, begun: () => Promise<Beginning>): RunChannel {
  const channel: RunChannel = new RunChannel(runId, async (message) => {
    if (message.kind === 'ready') {
      const { session, pass } = await begun().catch(() => ({ session: undefined, pass: undefined }));
      channel.post({ kind: 'begin', ...(session ? { begin: { session, passesTime: pass !== undefined } } : {}) });
    } else if (message.kind === 'pass') {
      await (await begun()).pass?.(message.milliseconds);
      channel.post({ kind: 'passed', id: message.id });
    }
  });
  return channel;
}
