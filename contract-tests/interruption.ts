import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from './report/printable.ts';
import { RunChannel } from './run-channel.ts';
import type { SessionConfig } from './session/connection.ts';
import type { Undo } from './session/disposable-recording.ts';
import { secretsOf } from './session/redaction.ts';
import type { Session } from './session/session.ts';
import { Client } from './wire/client.ts';
import { Pace } from './wire/pace.ts';
import type { NamedSecret, Secrets } from './wire/secrets.ts';
import { readOnly, requestKey } from './wire/write-guard.ts';

/**
 * For the thread that runs the checks. Reports what would have to be undone now, what stays at the target, and
 * which credentials were seen; the session is halted when the run is to end.
 */
export function announceUndo(runId: string, session: Pick<Session, 'halt' | 'onUndo' | 'leftovers' | 'secrets'>): void {
  const channel = new RunChannel(runId, ({ kind }) => {
    if (kind !== 'halt') return;
    channel.post({ kind: 'halting' });
    void session.halt().then(() => channel.post({ kind: 'halted' }));
  });
  session.onUndo((undos) => channel.post({ kind: 'undo', undos }));
  session.leftovers.onChange = (lines) => channel.post({ kind: 'left', lines });
  session.secrets.onAdd = (secrets) => channel.post({ kind: 'secrets', secrets });
}

/** Timeout for a thread that does not listen, since it is busy with an answer. */
const LISTEN_MS = 500;
/** Timeout for a request that is under way when the run is interrupted. */
const HALT_MS = 5_000;

/** How long a restoring request waits for a target that limits requests: whoever interrupts does not want to wait. */
const RESTORE_BUDGET = { waitMs: 5_000, reserveMs: 0 };

/** Exit codes of an interrupted process, as shells have them. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof EXIT_CODES;

/** Watches for the end of a run from outside. */
export interface Watch {
  /** Halts the run; resolves to what would have to be undone then. */
  halt(): Promise<Undo[]>;
  /** Says that the target is found. */
  found(): void;
  /** What the run left at the target so far, a sentence each. */
  readonly leftovers: readonly string[];
  /** Removes listeners that were added later by others: vitest's own ends the process before anything is restored. */
  removeOtherListeners(): void;
  stop(): void;
}

/** The signal listeners of all runs of this process, and what those that were called still have to do. */
const ownListeners = new Set<unknown>();
const ending: Promise<void>[] = [];

/** What is restored where, and what may be written there. */
type Place = Pick<SessionConfig, 'target' | 'loopbackOnly'>;

/**
 * Restores the title when the user interrupts the run, and ends the process. `say` reports what was done; `placeOf` gives
 * nothing until the target is found.
 */
export function undoOnInterruption(
  runId: string,
  placeOf: () => Place | undefined,
  say: (line: string) => void,
): Watch {
  const seen: NamedSecret[] = [];
  let secrets: Secrets | undefined;
  // From when the target is found: whatever this process prints then, in a crash too, is to be without them.
  const found = (): void => {
    const place = placeOf();
    if (place) secrets ??= secretsOf(place.target);
    secrets?.add(seen.splice(0));
  };
  let undos: Undo[] = [];
  let leftovers: string[] = [];
  let [halting, halted] = [(): void => {}, (): void => {}];
  const channel = new RunChannel(runId, (message) => {
    if (message.kind === 'undo') undos = message.undos;
    else if (message.kind === 'left') leftovers = message.lines;
    else if (message.kind === 'secrets') {
      seen.push(...message.secrets);
      found();
    } else if (message.kind === 'halting') halting();
    else if (message.kind === 'halted') halted();
  });
  const halt = async (): Promise<Undo[]> => {
    const ended = new Promise<void>((resolve) => {
      halted = resolve;
    });
    const listens = new Promise<boolean>((resolve) => {
      halting = () => resolve(true);
    });
    channel.post({ kind: 'halt' });
    if (await Promise.race([listens, sleep(LISTEN_MS, false)])) await Promise.race([ended, sleep(HALT_MS)]);
    return undos;
  };
  const end = async (signal: Signal): Promise<void> => {
    const own = halt().then(async (undos) => {
      const place = placeOf();
      const text = `\nInterrupted. ${place ? await restore(place, undos) : NOTHING}\n${leftAt(leftovers)}`;
      found();
      say(secrets?.scrub(text) ?? text);
    });
    ending.push(own);
    await own;
    await Promise.allSettled(ending); // the other runs of this process as well
    process.exit(EXIT_CODES[signal]);
  };
  const listeners = (['SIGINT', 'SIGTERM'] as const).map((signal) => {
    const before = process.listeners(signal);
    const listener = (): void => void end(signal);
    ownListeners.add(listener);
    process.once(signal, listener);
    return { signal, listener, before };
  });
  return {
    found,
    halt,
    get leftovers() {
      return leftovers;
    },
    removeOtherListeners() {
      for (const { signal, before } of listeners) {
        for (const other of process.listeners(signal)) {
          if (!ownListeners.has(other) && !before.includes(other)) process.off(signal, other);
        }
      }
    },
    stop() {
      channel.close();
      for (const { signal, listener } of listeners) {
        process.off(signal, listener);
        ownListeners.delete(listener);
      }
    },
  };
}

/** The lines about what a run left at the target; none where it left nothing. */
export const leftAt = (leftovers: readonly string[]): string =>
  leftovers.length === 0 ? '' : printable(`Left at the target:\n${leftovers.map((line) => `  - ${line}\n`).join('')}`);

const NOTHING = 'There was nothing to restore.';

/** Sends what restores the titles, and says how that went. */
export async function restore(place: Place, undos: readonly Undo[]): Promise<string> {
  if (undos.length === 0) return NOTHING;
  const lines: string[] = [];
  for (const undo of undos) lines.push(await restoreOne(place, undo));
  return [...new Set(lines)].join(' ');
}

async function restoreOne({ target, loopbackOnly = false }: Place, undo: Undo): Promise<string> {
  const writes = new Set([requestKey({ method: 'PATCH', path: undo.path })]);
  const client = new Client(
    target,
    { ...readOnly(), allowWrites: true, loopbackOnly, writes },
    () => {},
    new Pace({}, RESTORE_BUDGET),
  );
  try {
    const { response } = await client.send({ method: 'PATCH', ...undo }, true);
    if (response.status < 300) return 'The title of the recording was put back.';
    return `The title of the recording could not be put back: the target answered ${response.status}.`;
  } catch {
    return 'The title of the recording could not be put back: the target did not answer.';
  } finally {
    client.close();
  }
}
