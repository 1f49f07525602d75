import type { RunInput } from '../commands/run-input.ts';
import type { Report } from '../model.ts';
import { allRules } from '../rules/rules.ts';
import { atTarget } from './at-target.ts';
import { findingOf } from './finding.ts';
import { FindingReplay } from './finding-replay.ts';
import type { ReplayOptions } from './options.ts';
import { readRecording } from './recording.ts';
import { Replay } from './replay.ts';
import { readKnown, replayReport } from './report.ts';

/** Sends a recording again at a target. Throws UsageError for what cannot be used, TransportError where nothing answers. */
export async function replayHar(file: string, input: RunInput, options: ReplayOptions): Promise<Report> {
  const { isPaced, isCommand, finding: id, fresh, onStart, onEnd } = options;
  const recording = await readRecording(file);
  const rules = [...allRules, ...(input.rules ?? [])];
  const all = { recording, rules, gating: options, startedAt: new Date() };
  readKnown(options.baseline);
  if (id !== undefined) {
    const replay = new FindingReplay({ ...all, id, finding: findingOf(recording, id, rules, file) }, input, options);
    return fresh ? replay.cut(fresh) : replay.once();
  }
  return atTarget(
    input,
    async (session, isMock) => {
      onStart?.(recording.interactions.length, session.target);
      const replay = new Replay(session, recording, { isPaced, isMock });
      const replayed = await replay.run();
      await session.finish();
      await onEnd?.(session.entries, session.target, []);
      return replayReport({ ...all, replayed, session, log: replay.builder.log, overlaps: replay.overlaps });
    },
    isCommand,
  );
}
