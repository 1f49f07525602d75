import { interruptible } from '../commands/interruption.ts';
import { whilePrepared } from '../commands/preparation.ts';
import { planRun, type RunInput } from '../commands/run-input.ts';
import { TransportError } from '../errors.ts';
import type { Entry } from '../log/entry.ts';
import type { CheckResult, Report } from '../model.ts';
import { count, showDuration } from '../report/text.ts';
import type { Rule } from '../rules/rule.ts';
import { allRules } from '../rules/rules.ts';
import { inSequence } from '../run/sequence.ts';
import { isMock } from '../session/discover.ts';
import { Session } from '../session/session.ts';
import type { Target } from '../session/target-file.ts';
import { closing, cut, findingOf, shownIn, stagesOf } from './finding.ts';
import { startFresh } from './fresh.ts';
import { type Interaction, type Recording, readRecording } from './recording.ts';
import { Replay } from './replay.ts';
import { type Gating, readKnown, replayReport } from './report.ts';

export interface ReplayOptions extends Gating {
  isPaced: boolean;
  /** The finding of a run that is looked for; of what was recorded, only what it needs is sent. */
  finding?: string | undefined;
  /** The command that starts the deployment afresh, or what does so in this process: the recording is cut to the few exchanges that show the finding. */
  fresh?: string | typeof startFresh | undefined;
  /** Whether SIGINT and SIGTERM end this process, once the titles are put back. */
  isCommand?: boolean;
  onStart?: (interactions: number, target: Target) => void;
  /** Of how many interactions the finding was shown, while the recording is cut. */
  onShown?: (interactions: number) => void;
  onEnd?: (entries: readonly Entry[], target: Target, checks: readonly CheckResult[]) => unknown;
}

/** Sends a recording again at a target. Throws UsageError for what cannot be used, TransportError where nothing answers. */
export async function replayHar(file: string, input: RunInput, options: ReplayOptions): Promise<Report> {
  const startedAt = new Date();
  const recording = await readRecording(file);
  readKnown(options.baseline);
  if (options.finding !== undefined)
    return replayFinding(recording, options.finding, { file, input, options, startedAt });
  return atTarget(input, options.isCommand, async (session, mock) => {
    options.onStart?.(recording.interactions.length, session.target);
    const replay = new Replay(session, recording, { isPaced: options.isPaced, isMock: mock });
    const replayed = await replay.run();
    await session.finish();
    await options.onEnd?.(session.entries, session.target, []);
    const { log } = replay.builder;
    return replayReport({
      replayed,
      recording,
      rules: rulesOf(input),
      session,
      log,
      gating: options,
      startedAt,
      overlaps: replay.overlaps,
    });
  });
}

function atTarget<T>(
  input: RunInput,
  isCommand: boolean | undefined,
  work: (session: Session, isMock: boolean) => Promise<T>,
): Promise<T> {
  return whilePrepared(input, async (ready) => {
    const plan = await planRun(ready);
    const mock = await isMock(plan.target, plan.pace);
    if (!mock && plan.target.actors === undefined)
      throw new TransportError(
        `${plan.target.baseUrl} does not describe itself: name actors and resources in a target file (--target)`,
      );
    const session = new Session(plan);
    const run = () => work(session, mock);
    try {
      return await (isCommand ? interruptible(session, run) : run());
    } finally {
      session.client.close();
    }
  });
}

const rulesOf = ({ rules = [] }: RunInput): Rule[] => [...allRules, ...rules];

/** Milliseconds for cutting a recording. */
const LONGEST_CUT = 60_000;

interface Asked {
  file: string;
  input: RunInput;
  options: ReplayOptions;
  startedAt: Date;
}

/** Sends what a finding needs, and says whether it shows again; at fresh deployments, also which few exchanges suffice. */
async function replayFinding(recording: Recording, id: string, { file, input, options, startedAt }: Asked) {
  const { isPaced, isCommand, fresh, onStart, onShown, onEnd } = options;
  const rules = rulesOf(input);
  const finding = findingOf(recording, id, rules, file);
  const close = closing(recording.interactions);
  const stages = stagesOf(recording, finding, close);
  const send = async (session: Session, isMock: boolean, interactions: Interaction[]) => {
    const replay = new Replay(
      session,
      { ...recording, interactions },
      { isPaced, isMock, isFresh: fresh !== undefined },
    );
    const replayed = await replay.run();
    // That of the session knows for what each request was sent, as that of the recorded run did.
    const { log } = session.builder;
    return { replayed, log, session, overlaps: replay.overlaps, check: shownIn(log, finding) };
  };
  type Trial = Awaited<ReturnType<typeof send>>;
  const report = async ({ check, ...trial }: Trial, notes: string[]): Promise<Report> => {
    const { session, log } = trial;
    await onEnd?.(log.entries, session.target, check ? [check] : []);
    const decisive = check?.exchanges.find((each) => each.decisive)?.request;
    const sorted = log.entries.toSorted((a, b) => a.begin - b.begin);
    const exchanges = inSequence(sorted, log).map((each) =>
      each.request === decisive ? { ...each, decisive: true as const } : each,
    );
    // These are all that it depends on.
    const shown = check && { ...check, exchanges, dependsOn: [] };
    return replayReport({
      ...trial,
      recording,
      rules,
      gating: options,
      startedAt,
      finding: { id, check: shown, notes },
    });
  };
  if (fresh === undefined)
    return atTarget(input, isCommand, async (session, isMock) => {
      onStart?.(recording.interactions.length, session.target);
      let trial: Trial | undefined;
      for (const stage of stages) {
        trial = await send(session, isMock, stage);
        if (trial.check) break;
      }
      await session.finish();
      return report(trial as Trial, []);
    });

  let trials = 0;
  let last: Trial | undefined;
  const start = typeof fresh === 'string' ? startFresh : fresh;
  const tryOnce = async (interactions: Interaction[]): Promise<boolean> => {
    trials += 1;
    const server = await start(typeof fresh === 'string' ? fresh : '', { ...input, target: undefined });
    try {
      const own = { ...input, target: server.target };
      const trial = await atTarget(own, false, (session, isMock) => {
        if (trials === 1) onStart?.(recording.interactions.length, session.target);
        return send(session, isMock, interactions);
      });
      if (trial.check || !last?.check) last = trial;
      return trial.check !== undefined;
    } finally {
      await server.stop();
    }
  };
  const shows = async (some: Interaction[]): Promise<boolean> => {
    const isShown = (await tryOnce(some)) && (await tryOnce(some));
    if (isShown) onShown?.(some.length);
    return isShown;
  };
  const deadline = performance.now() + LONGEST_CUT;
  let whole: Interaction[] | undefined;
  for (const stage of stages) if (!whole && (await shows(stage))) whole = stage;
  const few = whole && (await cut(whole, close, shows, () => performance.now() > deadline));
  const used = trials;
  let again = 0;
  for (let nth = 0; few && nth < 3; nth += 1) if (await tryOnce(few)) again += 1;
  const took = `in ${count(used, 'trial')} (${showDuration(performance.now() - deadline + LONGEST_CUT)})`;
  const notes = few
    ? [`Cut from ${recording.interactions.length} to ${few.length} ${took}; these show it in ${again} of 3 trials.`]
    : [`It was not shown by two of two trials, ${took}.`];
  return report(last as unknown as Trial, notes);
}
