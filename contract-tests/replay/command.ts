import { interruptible } from '../commands/interruption.ts';
import { whilePrepared } from '../commands/preparation.ts';
import { planRun, type RunInput } from '../commands/run-input.ts';
import { TransportError } from '../errors.ts';
import type { Entry } from '../log/entry.ts';
import type { Report } from '../model.ts';
import { isMock } from '../session/discover.ts';
import { Session } from '../session/session.ts';
import type { Target } from '../session/target-file.ts';
import { readRecording } from './recording.ts';
import { Replay } from './replay.ts';
import { type Gating, readKnown, replayReport } from './report.ts';

export interface ReplayOptions extends Gating {
  isPaced: boolean;
  /** Whether SIGINT and SIGTERM end this process, once the titles are put back. */
  isCommand?: boolean;
  onStart?: (interactions: number, target: Target) => void;
  onEnd?: (entries: readonly Entry[], target: Target) => void | Promise<void>;
}

/** Sends a recording again at a target. Throws UsageError for what cannot be used, TransportError where nothing answers. */
export async function replayHar(file: string, input: RunInput, options: ReplayOptions): Promise<Report> {
  const startedAt = new Date();
  const recording = await readRecording(file);
  readKnown(options.baseline);
  return whilePrepared(input, async (ready) => {
    const plan = await planRun(ready);
    const mock = await isMock(plan.target, plan.pace);
    if (!mock && plan.target.actors === undefined)
      throw new TransportError(
        `${plan.target.baseUrl} does not describe itself: name actors and resources in a target file (--target)`,
      );
    options.onStart?.(recording.interactions.length, plan.target);
    const session = new Session(plan);
    const replay = new Replay(session, recording, { isPaced: options.isPaced, isMock: mock });
    const run = async (): Promise<Report> => {
      const replayed = await replay.run();
      await session.finish();
      await options.onEnd?.(session.entries, plan.target);
      const { log } = replay.builder;
      return replayReport({ replayed, recording, session, log, gating: options, startedAt, overlaps: replay.overlaps });
    };
    try {
      return await (options.isCommand ? interruptible(session, run) : run());
    } finally {
      session.client.close();
    }
  });
}
