import { OPERATIONS, SSO_PATH } from '../api/operations.ts';
import { isOk } from '../log/entry.ts';
import type { Rule } from '../rules/rule.ts';
import type { Session } from '../session/session.ts';
import { Asker, Occupied, Silent, Spent } from './asker.ts';
import { establish } from './phases/establish.ts';
import { type Exploration, explore } from './phases/explore.ts';
import { identifiers } from './phases/identifiers.ts';
import { late } from './phases/late.ts';
import { lists } from './phases/lists.ts';
import { loneFields, remainingLones } from './phases/look.ts';
import { others } from './phases/others.ts';
import { overlaps } from './phases/overlaps.ts';
import { ownRequests } from './phases/own-requests.ts';
import { isLong, isQuick, modelOf, type Run, recordingsOf, SUMMARY, update } from './phases/phase.ts';
import { reads } from './phases/reads.ts';
import { refusals } from './phases/refusals.ts';
import { scopes } from './phases/scopes.ts';
import { strangers } from './phases/strangers.ts';
import { updates } from './phases/updates.ts';

/** A part of a run: harmless ones come first, and what may lock a caller out comes last. */
interface Phase {
  name: string;
  /** The rules that it serves, by their names. */
  of: RegExp;
  /** Requests that it usually sends: its part of a budget that is given; 0 where it must not be cut short. */
  share: number;
  /** What it sends that may change the target, a line each. */
  writes?: readonly string[];
  send(run: Run): Promise<void>;
}

const MAKES_PATS = `${OPERATIONS.pat.name}, twice for admin and once for member`;
const UPDATE = 'PATCH of each disposable recording';
const PHASES: readonly Phase[] = [
  {
    name: 'establish',
    share: 0,
    of: /./,
    writes: [`${UPDATE}, to find its title: nothing, else kb_document_id, summary, kb_folder_id or analysis`],
    send: establish,
  },
  { name: 'scopes', share: 10, of: /scopes|pat-|login-|later/, writes: [MAKES_PATS], send: scopes },
  { name: 'others', share: 6, of: /keys|scopes|sso-/, send: others },
  { name: 'lists', share: 33, of: /keys|pat-api|auth-accepts|login-accepted/, writes: [MAKES_PATS], send: lists },
  {
    name: 'updates',
    share: 62,
    of: /recording|pat-update|refused-update/,
    writes: [
      MAKES_PATS,
      `${UPDATE}, by each caller: title (put back afterwards), kb_folder_id, kb_document_id, summary, analysis, alone and together`,
      `${UPDATE}: every field that is not writable, in several spellings, none of which must be written`,
    ],
    send: updates,
  },
  {
    name: 'identifiers',
    share: 8,
    of: /recording-(title|others|addressed)|refused-update/,
    writes: ['PATCH of recordings with identifiers like that of the disposable one: title, none of which should exist'],
    send: identifiers,
  },
  {
    name: 'overlaps',
    share: 17,
    of: /overlapping|of-each-caller|title-(kept|exact)|later-ones/,
    writes: [`${UPDATE}, two at a time: title (put back afterwards), summary`],
    send: overlaps,
  },
  {
    name: 'reads',
    share: 0,
    of: /^recording-carried$/,
    writes: [`${UPDATE}, where the target file names reads: every writable field alone (put back afterwards)`],
    send: reads,
  },
  {
    name: 'strangers',
    share: 7,
    of: /^sso-/,
    writes: [
      `POST ${SSO_PATH} with claims of an unknown identity, and with admin's upn in capitals: a target that makes users on sign-in keeps them`,
    ],
    send: strangers,
  },
  {
    name: 'late',
    share: 15,
    of: /after-a-pause|later|refresh|expired|title-kept|identity/,
    writes: [`${UPDATE}: summary, after a pause, and with a token whose lifetime is over`],
    send: late,
  },
  {
    name: 'refusals',
    share: 48,
    of: /^auth-(?!accepts|expired)|refused-update/,
    writes: [`${UPDATE}: title, in requests that must be refused (put back if one is not), and summary`],
    send: refusals,
  },
];

type Sent = Pick<Phase, 'name' | 'share' | 'writes' | 'send'>;

type Named = Pick<Rule, 'id' | 'from'>;

/** A rule that is not ours may judge any exchange. */
const phasesOf = (rules: readonly Named[]): Phase[] =>
  PHASES.filter(({ of }) => rules.some(({ id, from }) => from !== undefined || of.test(id)));

/** The names of the phases that the chosen rules need. */
export const phasesFor = (rules: readonly Named[]): string[] => phasesOf(rules).map(({ name }) => name);

/** What a run of these rules writes, a line each. */
export const writesFor = (rules: readonly Named[]): string[] => [
  ...new Set(phasesOf(rules).flatMap(({ writes = [] }) => writes)),
];

/** What a caller decides of a run. */
export interface DriveOptions {
  /** How large a plan is sent. */
  budget: number;
  /** The run stops there, each phase at its part; what is left goes to other combinations of updates. */
  isLimit: boolean;
  seed: number;
  exploration?: Exploration;
  onPhase?: (name: string) => void;
}

/** Sends what the rules need of the model, within the budget; the asker has the log. Never throws for what the target does. */
export async function drive(
  session: Session,
  rules: readonly Rule[],
  { onPhase, exploration, isLimit, ...options }: DriveOptions,
): Promise<Asker> {
  const asker = new Asker(session);
  const run: Run = { asker, session, editors: new Map(), lones: [], ...options };
  if (!isQuick(run)) run.lones.push(...loneFields());
  const phases: Sent[] = phasesOf(rules);
  if (modelOf(run).requests.length > 0) phases.splice(OWN_AT, 0, { name: 'own', share: 0, send: ownRequests });
  if (exploration) phases.push({ name: 'explore', share: 0, send: () => explore(run, exploration) });
  const sent: Sent[] = [];
  const spend = async (queue: readonly Sent[]): Promise<void> => {
    for (const [at, phase] of queue.entries()) {
      if (isLimit) asker.limit = limitOf(queue.slice(at), options.budget - PUT_BACK, session.requests.total);
      onPhase?.(phase.name);
      asker.purpose = { for: phase.name, odd: [] };
      try {
        await phase.send(run);
      } catch (error) {
        if (error instanceof Occupied)
          return moveOn(run).then(() => spend([...sent.splice(0).filter(isOfRecording), ...queue.slice(at)]));
        if (!(error instanceof Spent)) throw error;
      }
      sent.push(phase);
    }
  };
  try {
    asker.stopsWhenOccupied = recordingsOf(run).length > 1;
    await spend(phases);
    const more = phases.find(({ name }) => name === 'updates');
    if (more) await spend([{ ...more, send: remainingLones }]);
    for (let round = 1; isLimit && isLong(run) && more && round <= MAX_ROUNDS; round += 1) {
      if (session.requests.total >= options.budget - PUT_BACK) break;
      await spend([{ ...more, send: () => more.send({ ...run, seed: run.seed + round }) }]);
    }
  } catch (error) {
    if (!(error instanceof Silent)) throw error;
    asker.isStopped = true;
  }
  asker.limit = Number.POSITIVE_INFINITY;
  asker.stopsWhenOccupied = false;
  return asker;
}

const isOfRecording = ({ name, writes = [] }: Sent): boolean =>
  name !== 'establish' && writes.some((line) => line.startsWith(UPDATE));

/** Where another run writes the recording: the other one takes its place, if admin may update it. */
async function moveOn(run: Run): Promise<void> {
  const { asker, session } = run;
  asker.stopsWhenOccupied = false;
  if (session.requests.total >= asker.limit) return;
  const asked = { for: 'whether admin may update the other recording', odd: ['caller'] };
  const entry = await update(run, session.otherRecording, 'admin.jwt', { summary: SUMMARY }, asked);
  if (!entry || !isOk(entry) || session.otherRecording.isShared) return;
  session.moveOn();
  if (!isQuick(run)) run.lones.splice(0, run.lones.length, ...loneFields());
}

/** Where the requests of `--model` come among the phases: before what may lock a caller out. */
const OWN_AT = -2;
/** Requests at the end, by which titles are put back. */
const PUT_BACK = 2;
/** Rounds of updates that a large budget pays for. */
const MAX_ROUNDS = 10;

/** How many requests may have been sent after the first of these phases: each has its part of what is left. */
function limitOf(phases: readonly Pick<Phase, 'share'>[], budget: number, sent: number): number {
  const left = Math.max(0, budget - sent);
  const [first] = phases;
  const shares = phases.reduce((sum, { share }) => sum + share, 0);
  return first?.share === 0
    ? Number.POSITIVE_INFINITY
    : sent + Math.ceil((left * (first?.share ?? 0)) / Math.max(1, shares));
}
