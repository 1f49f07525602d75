import { isOk } from '../log/entry.ts';
import { loadModel, type OwnRequest, type Phase, type Step } from '../plan/model.ts';
import type { Rule } from '../rules/rule.ts';
import type { Session } from '../session/session.ts';
import { asText, memberOf } from '../values/json.ts';
import { requestKey } from '../wire/write-guard.ts';
import { Stop } from './asker.ts';
import { credentials, establish, etag, others, pats, reads } from './establish.ts';
import { explore } from './explore.ts';
import { forgeries } from './forgeries.ts';
import { expiry, lastSignIn, pause, refresh, signIns, useLast } from './late.ts';
import { changedLists, lists } from './lists.ts';
import { control, lookStep, remainingLones } from './read-only.ts';
import { Run, SUMMARY, searchOf } from './steps.ts';
import { updates } from './updates.ts';

/** What the model's steps name: all that is more than a request as it is written down. */
const CODE: Readonly<Record<string, (run: Run, step: Step) => Promise<unknown>>> = {
  ...{
    establish,
    credentials,
    pats,
    etag,
    others,
    lists,
    updates,
    reads,
    control,
    pause,
    refresh,
    expiry,
    forgeries,
    explore,
  },
  look: lookStep,
  members: remainingLones,
  use: useLast,
  'changed-lists': changedLists,
  'sign-ins': signIns,
  'last-sign-in': lastSignIn,
  'late-pats': pats,
  'own-requests': ownRequests,
};

type Named = Pick<Rule, 'id' | 'from'>;

/** A rule that is not ours may judge any exchange. */
const phasesOf = (rules: readonly Named[]): Phase[] =>
  loadModel().phases.filter((phase) =>
    rules.some(({ id, from }) => from !== undefined || new RegExp(phase.rules).test(id)),
  );

/** What a run of these rules writes, a line each. */
export const writesFor = (rules: readonly Named[]): string[] => [
  ...new Set(phasesOf(rules).flatMap(({ writes = [] }) => writes)),
];

/** Sends what the rules need of the model; the run has the log. Never throws for what the target does. */
export async function drive(session: Session, rules: readonly Rule[], onPhase: (name: string) => void = () => {}) {
  const { requests, quick, seed = 1, model = loadModel() } = session.config;
  // A budget that is given is a limit, each phase has its part of it, and what is left goes to other combinations of updates.
  const budget = requests ?? (quick ? model.budget.quick : model.budget.default);
  const run = new Run(session, budget, seed);
  const phases = phasesOf(rules);
  const sent: Phase[] = [];
  const spend = async (queue: readonly Phase[]): Promise<void> => {
    for (const [at, phase] of queue.entries()) {
      if (requests !== undefined) run.limit = limitOf(queue.slice(at), budget - PUT_BACK, session.sent.length);
      onPhase(phase.name);
      run.purpose = { for: phase.name, odd: [] };
      try {
        await run.sendSteps(phase.steps, CODE);
      } catch (error) {
        if (!(error instanceof Stop) || error.why === 'silent') throw error;
        if (error.why === 'occupied')
          return moveOn(run).then(() => spend([...sent.splice(0).filter(isOfRecording), ...queue.slice(at)]));
      }
      sent.push(phase);
    }
  };
  try {
    run.stopsWhenOccupied = run.recordings.length > 1;
    await spend(phases);
    const more = phases.filter(({ name }) => name === 'updates');
    const { isStrict, isInVain } = run;
    for (let round = 1; requests !== undefined && run.isLong && round <= MAX_ROUNDS; round += 1) {
      if (session.sent.length >= budget - PUT_BACK) break;
      Object.assign(run, { seed: seed + round, isStrict, isInVain });
      await spend(more);
    }
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
  }
  run.forgetOutage();
  run.limit = Number.POSITIVE_INFINITY;
  run.stopsWhenOccupied = false;
  return run;
}

const isOfRecording = ({ name, writes = [] }: Phase): boolean =>
  name !== 'establish' && writes.some((line) => line.startsWith('PATCH of each disposable recording'));

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
function limitOf(phases: readonly Phase[], budget: number, sent: number): number {
  const [{ share = 0 } = {}] = phases;
  const shares = phases.reduce((sum, phase) => sum + phase.share, 0);
  return share === 0 ? Number.POSITIVE_INFINITY : sent + Math.ceil((Math.max(0, budget - sent) * share) / shares);
}

/** Whether it may change something at the target. */
export const isWriting = ({ method, reads }: OwnRequest) => !(reads || method === 'GET' || method === 'OPTIONS');

/** The line of the plan. */
export const ownLine = ({ id, method, path }: OwnRequest): string => `${method} ${path} (request ${id} of --model)`;

/** Sends the requests that a file of `--model` names, each once by each of its callers; only rules of that team judge them. */
async function ownRequests(run: Run): Promise<void> {
  const { session } = run;
  for (const request of run.model.requests) {
    const { id, method, query, json, as } = request;
    const path = pathOf(request, session);
    const say = (why: string): unknown => run.problems.set('own', `request ${id} was not sent${why}`);
    if (path === undefined) {
      say(`: neither its params nor the target file say what ${request.path} names`);
      continue;
    }
    const key = requestKey({ method, path: path + searchOf(query ?? {}) });
    const effect = isWriting(request) ? 'lasting' : 'session';
    for (const caller of as) {
      if (caller !== 'nobody' && !(await run.as(caller))) say(` as ${caller}: the target file has no such credentials`);
      const sending = () => run.askFor({ method, path, query, json }, caller, { for: id, odd: ['request'] });
      const sent = await session.allowing(key, effect, sending);
      if (sent && isOk(sent) && isWriting(request)) session.told.add(`what ${ownLine(request)} changed`);
    }
  }
}

/** The path, with what it names filled in; undefined where something is not given. */
function pathOf({ path, params = {} }: OwnRequest, { target }: Session): string | undefined {
  const values: Record<string, unknown> = { ...target.resources, ...params };
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.some((name) => typeof memberOf(values, name) !== 'string')) return undefined;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText(memberOf(values, name))));
}
