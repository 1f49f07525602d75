import { replayOptions } from '../commands/build-report.ts';
import type { RunInput } from '../commands/run-input.ts';
import { TransportError } from '../errors.ts';
import type { Report } from '../model.ts';
import { count, showDuration } from '../report/text.ts';
import { inSequence } from '../run/sequence.ts';
import type { Session } from '../session/session.ts';
import { atTarget } from './at-target.ts';
import { closing, cut, type KnownFinding, shownIn, stagesOf, unjudgedIn } from './finding.ts';
import type { Fresh } from './fresh.ts';
import type { ReplayOptions } from './options.ts';
import type { Interaction } from './recording.ts';
import { Replay } from './replay.ts';
import { type Ran, replayReport } from './report.ts';

interface Sought extends Pick<Ran, 'recording' | 'rules' | 'gating' | 'startedAt'> {
  id: string;
  finding: KnownFinding;
}

type Trial = Awaited<ReturnType<FindingReplay['send']>>;

/** Milliseconds after which a recording is not cut further. */
const LONGEST_CUT = 60_000;
/** Trials at the end, which say how reliably the few exchanges show the finding. */
const LAST_TRIALS = 3;
/** As many of the larger choices are tried where the smallest one does not always show it. */
const MOST_LARGER = 3;

/** Sends what a finding of a run needs, and says whether it shows again. */
export class FindingReplay {
  readonly #close;
  #trials = 0;
  /** Whether no other finding of the check counts. */
  #isExact = true;
  /** The latest one that showed the finding; before there is one, the latest. */
  #best: Trial | undefined;

  constructor(
    private readonly sought: Sought,
    private readonly input: RunInput,
    private readonly options: ReplayOptions,
  ) {
    this.#close = closing(sought.recording.interactions);
  }

  /** At the target, where more is sent as long as it does not show. */
  once(): Promise<Report> {
    const { recording, finding } = this.sought;
    const run = async (session: Session, isMock: boolean): Promise<Report> => {
      for (const stage of stagesOf(recording, finding, this.#close, false))
        if ((await this.send(session, isMock, stage)).check) break;
      if (this.#best) this.#best.check ??= shownIn(session.builder.log, finding, !finding.isAnyOfCheck);
      await session.finish();
      return this.#report([]);
    };
    return atTarget(this.input, run, this.options.isCommand);
  }

  /** At fresh deployments: cuts the recording to the few interactions that show it. */
  async cut(fresh: () => Promise<Fresh>): Promise<Report> {
    const { recording, finding } = this.sought;
    const begin = performance.now();
    let whole: Interaction[] | undefined;
    const attempt = (some: Interaction[]): Promise<boolean> =>
      this.#try(fresh, some).catch((error: unknown) => {
        // Once it has shown, one start that fails ends nothing.
        if (whole && error instanceof TransportError) return false;
        throw error;
      });
    /** The choices that showed it, the smallest one first. */
    const shown: Interaction[][] = [];
    const shows = async (some: Interaction[]): Promise<boolean> => {
      const isShown = (await attempt(some)) && (await attempt(some));
      if (isShown) this.options.onShown?.(some.length);
      if (isShown) shown.unshift(some);
      return isShown;
    };
    const stages = stagesOf(recording, finding, this.#close, true);
    for (const isExact of finding.isAnyOfCheck ? [true, false] : [true])
      for (const stage of stages) {
        if (whole) break;
        this.#isExact = isExact;
        if (await shows(stage)) whole = stage;
      }
    if (!whole) return this.#report([`Two of two trials did not show it, in ${count(this.#trials, 'trial')}.`]);
    const found = performance.now();
    await cut(whole, this.#close, shows, () => performance.now() - found > LONGEST_CUT);
    let again = 0;
    for (const few of shown.slice(0, 1 + MOST_LARGER)) {
      again = 0;
      for (let nth = 0; nth < LAST_TRIALS; nth += 1) if (await attempt(few)) again += 1;
      if (again === LAST_TRIALS) break;
    }
    const took = `${count(this.#trials, 'trial')} (${showDuration(performance.now() - begin)})`;
    const sizes = `Cut from ${recording.interactions.length} to ${this.#best?.replayed.length} in ${took}`;
    return this.#report([`${sizes}; these show it in ${again} of ${LAST_TRIALS} trials.`]);
  }

  async #try(fresh: () => Promise<Fresh>, some: Interaction[]): Promise<boolean> {
    const { target, stop } = await fresh();
    const run = async (session: Session, isMock: boolean) => {
      try {
        return await this.send(session, isMock, some, true);
      } finally {
        await session.tearDown();
      }
    };
    try {
      return (await atTarget({ ...this.input, target }, run)).check !== undefined;
    } finally {
      await stop();
    }
  }

  private async send(session: Session, isMock: boolean, interactions: Interaction[], isFresh = false) {
    const { recording, finding } = this.sought;
    this.#trials += 1;
    if (this.#trials === 1) this.options.onStart?.(recording.interactions.length, session.target);
    const { isPaced } = this.options;
    const replay = new Replay(session, { ...recording, interactions }, { isPaced, isMock, isFresh });
    const replayed = await replay.run();
    // That of the session knows for what each request was sent, as that of the recorded run did.
    const { log } = session.builder;
    const trial = { replayed, log, session, overlaps: replay.overlaps, check: shownIn(log, finding, this.#isExact) };
    if (trial.check || !this.#best?.check) this.#best = trial;
    return trial;
  }

  /** The options that send these few again. */
  get #again(): string[] {
    const { fresh, isPaced } = this.options;
    return [
      ...(fresh ? ['--fresh', 'COMMAND'] : []),
      ...replayOptions(this.input),
      ...(isPaced ? ['--pace', '1'] : []),
    ];
  }

  async #report(notes: readonly string[]): Promise<Report> {
    if (!this.#best) throw new Error('nothing was tried');
    const { check, ...trial } = this.#best;
    const { session, log } = trial;
    const sorted = log.entries.toSorted((a, b) => a.begin - b.begin);
    const file = await this.options.onEnd?.(sorted, session.target, check ? [check] : []);
    const decisive = check?.exchanges.find((each) => each.decisive)?.request;
    const exchanges = inSequence(sorted, log).map((each) =>
      each.request === decisive ? { ...each, decisive: true as const } : each,
    );
    // These are all that it depends on.
    const shown = check && { ...check, exchanges, dependsOn: [] };
    const { id, finding } = this.sought;
    const unjudged = check ? undefined : unjudgedIn(log, finding);
    return replayReport({
      ...this.sought,
      ...trial,
      finding: { id, fingerprint: finding.fingerprint, check: shown, unjudged, notes, file, options: this.#again },
    });
  }
}
