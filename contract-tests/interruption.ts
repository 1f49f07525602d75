import { setTimeout as sleep } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import type { JsonObject } from './checks/formats.ts';
import { Client } from './target/client.ts';
import type { Target } from './target/target-file.ts';

/** The request that puts the recording's title back; there is one while a check has written another title. */
export interface Undo {
  path: string;
  json: JsonObject;
  headers: Record<string, string>;
}

const CHANNEL = 'platform-mock:undo';

/** What the thread that waits for the run and the one that runs the checks tell each other. */
type Message = { kind: 'undo'; undo: Undo | undefined } | { kind: 'halt' } | { kind: 'halted' };

/**
 * For the thread that runs the checks. Tells what would have to be undone now; `halt` is called when the run is to end,
 * and resolves once no request is under way and none will be sent.
 */
export function announceUndo(halt: () => Promise<void>): (undo: Undo | undefined) => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  const post = (message: Message): void => channel.postMessage(message);
  channel.onmessage = (event) => {
    if ((event as { data: Message }).data.kind === 'halt') void halt().then(() => post({ kind: 'halted' }));
  };
  return (undo) => post({ kind: 'undo', undo });
}

/** As long is waited for a request that is under way when the run is interrupted. */
const HALT_MS = 5_000;

/** How a run was ended from outside, as a shell says it. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Watches for the end of a run from outside. */
export interface Watch {
  /** Makes this watch the only one: vitest's own ends the process before anything can be put back. */
  beTheOnlyOne(): void;
  stop(): void;
}

/** Puts the title back when the user interrupts the run, and ends the process. `say` tells what was done. */
export function undoOnInterruption(target: Target, say: (line: string) => void): Watch {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  let undo: Undo | undefined;
  let halted = (): void => {};
  channel.onmessage = (event) => {
    const message = (event as { data: Message }).data;
    if (message.kind === 'undo') undo = message.undo;
    else if (message.kind === 'halted') halted();
  };
  const halt = (): Promise<unknown> => {
    const ended = new Promise<void>((resolve) => {
      halted = resolve;
    });
    channel.postMessage({ kind: 'halt' } satisfies Message);
    return Promise.race([ended, sleep(HALT_MS)]);
  };
  const end = async (signal: keyof typeof EXIT_CODES): Promise<void> => {
    await halt();
    say(`\nInterrupted. ${await putBack(target, undo)}\n`);
    process.exit(EXIT_CODES[signal]);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const listeners = signals.map((signal) => {
    const before = process.listeners(signal);
    const listener = (): void => void end(signal);
    process.once(signal, listener);
    return { signal, listener, before };
  });
  return {
    beTheOnlyOne() {
      for (const { signal, listener, before } of listeners) {
        for (const other of process.listeners(signal)) {
          if (other !== listener && !before.includes(other)) process.off(signal, other);
        }
      }
    },
    stop() {
      channel.close();
      for (const { signal, listener } of listeners) process.off(signal, listener);
    },
  };
}

async function putBack(target: Target, undo: Undo | undefined): Promise<string> {
  if (!undo) return 'Nothing was left to put back.';
  const client = new Client(
    target,
    { allowWrites: true, recordingPaths: new Set([undo.path]), signInPaths: new Set(), refreshPaths: new Set() },
    () => {},
  );
  try {
    const { response } = await client.send({ method: 'PATCH', ...undo });
    if (response.status < 300) return 'The title of the recording was put back.';
    return `The title of the recording could not be put back: the target answered ${response.status}.`;
  } catch {
    return 'The title of the recording could not be put back: the target did not answer.';
  }
}
