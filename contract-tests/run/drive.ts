import { PHASE_NAMES, type PhaseName } from '../api/phases.ts';
import { isOk } from '../log/entry.ts';
import { loadModel } from '../plan/model.ts';
import { SUMMARY } from '../plan/questions.ts';
import type { Rule } from '../rules/rule.ts';
import { tiesOf } from '../rules/rules.ts';
import type { Session } from '../session/session.ts';
import { Stop } from './asker.ts';
import { PHASES } from './phases.ts';
import { Run } from './steps.ts';

/** A rule that is not ours may judge any exchange. */
const phasesOf = (rules: readonly Pick<Rule, 'id'>[]): PhaseName[] =>
  PHASE_NAMES.filter(
    (name) => PHASES[name].isAlways || rules.some((rule) => tiesOf(rule)?.phases.includes(name) ?? true),
  );

/** What a run of these rules writes, a line each. */
export const writesFor = (rules: readonly Pick<Rule, 'id'>[]): string[] => [
  ...new Set(phasesOf(rules).flatMap((name) => PHASES[name].writes ?? [])),
];

/**
 * Sends what the rules need of the model; the run has the log. Never throws for what the target does.
 * @param observe asks what else is of interest, before bad credentials, which may lock accounts out, take what is left of the budget
 */
export async function drive(
  session: Session,
  rules: readonly Rule[],
  onPhase: (name: string) => void = () => {},
  observe: (run: Run) => Promise<void> = async () => {},
) {
  const { requests, quick, seed = 1, model = loadModel() } = session.config;
  // A budget that is given is a limit, each phase has its part of it, and what is left goes to other combinations of updates.
  const budget = requests ?? (quick ? model.budget.quick : model.budget.default);
  const run = new Run(session, budget, seed);
  const phases = phasesOf(rules);
  const sent: PhaseName[] = [];
  /** Requests on top of a budget that is given. */
  let extra: number | undefined;
  const observeOnce = async (): Promise<void> => {
    if (extra !== undefined) return;
    const [before, { limit, stopsWhenOccupied }] = [session.sent.length, run];
    [run.limit, run.stopsWhenOccupied] = [Number.POSITIVE_INFINITY, false];
    extra = 0;
    await observe(run);
    extra = session.sent.length - before;
    Object.assign(run, { limit, stopsWhenOccupied });
  };
  const spend = async (queue: readonly PhaseName[], round = 0): Promise<void> => {
    for (const [at, name] of queue.entries()) {
      if (name === 'refusals') await observeOnce();
      if (requests !== undefined)
        run.limit = limitOf(queue.slice(at), budget + (extra ?? 0) - PUT_BACK, session.sent.length);
      onPhase(name);
      run.purpose = { for: name, odd: [] };
      try {
        await run.sendSteps(PHASES[name].steps, round);
      } catch (error) {
        if (!(error instanceof Stop) || error.why === 'silent') throw error;
        if (error.why === 'occupied')
          return moveOn(run).then(() =>
            spend([...sent.splice(0).filter((each) => PHASES[each].isOfRecording), ...queue.slice(at)], round),
          );
      }
      sent.push(name);
    }
  };
  try {
    run.stopsWhenOccupied = run.recordings.length > 1;
    await spend(phases);
    await observeOnce();
    const more = phases.filter((name) => name === 'updates');
    for (let round = 1; requests !== undefined && run.isLong && round <= MAX_ROUNDS; round += 1) {
      if (session.sent.length >= budget + (extra ?? 0) - PUT_BACK) break;
      await spend(more, round);
    }
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
  }
  run.forgetOutage();
  run.limit = Number.POSITIVE_INFINITY;
  run.stopsWhenOccupied = false;
  return run;
}

/** Where another run writes the recording: the other one takes its place, if admin may update it. */
async function moveOn(run: Run): Promise<void> {
  const { session } = run;
  run.stopsWhenOccupied = false;
  if (session.sent.length >= run.limit) return;
  const asked = { for: 'whether admin may update the other recording', odd: ['caller'] };
  const entry = await run.update(session.otherRecording, 'admin.jwt', { summary: SUMMARY }, asked);
  if (!entry || !isOk(entry) || session.otherRecording.isShared) return;
  session.moveOn();
}

/** Requests at the end, by which titles are put back. */
const PUT_BACK = 2;
/** Rounds of updates that a large budget pays for. */
const MAX_ROUNDS = 10;

/** How many requests may have been sent after the first of these phases: each has its part of what is left. */
function limitOf(phases: readonly PhaseName[], budget: number, sent: number): number {
  const [share = 0, ...others] = phases.map((name) => PHASES[name].share);
  const shares = others.reduce((sum, each) => sum + each, share);
  return share === 0 ? Number.POSITIVE_INFINITY : sent + Math.ceil((Math.max(0, budget - sent) * share) / shares);
}
