import { OPERATIONS, SSO_PATH } from '../api/operations.ts';
import type { Rule } from '../rules/rule.ts';
import type { Session } from '../session/session.ts';
import { Asker, Silent } from './asker.ts';
import { establish } from './phases/establish.ts';
import { type Exploration, explore } from './phases/explore.ts';
import { identifiers } from './phases/identifiers.ts';
import { late } from './phases/late.ts';
import { lists } from './phases/lists.ts';
import { overlaps } from './phases/overlaps.ts';
import type { Run } from './phases/phase.ts';
import { refusals } from './phases/refusals.ts';
import { scopes } from './phases/scopes.ts';
import { strangers } from './phases/strangers.ts';
import { updates } from './phases/updates.ts';

/** A part of a run: harmless ones come first, and what may lock a caller out comes last. */
interface Phase {
  name: string;
  /** The rules that it serves, by their names. */
  of: RegExp;
  /** What it sends that may change the target, a line each. */
  writes?: readonly string[];
  send(run: Run): Promise<void>;
}

const MAKES_PATS = `${OPERATIONS.pat.name}, twice for admin and once for member`;
const UPDATE = 'PATCH of each disposable recording';
const PHASES: readonly Phase[] = [
  {
    name: 'establish',
    of: /./,
    writes: [`${UPDATE}, to find its title: nothing, else kb_document_id, summary, kb_folder_id or analysis`],
    send: establish,
  },
  { name: 'scopes', of: /scopes|pat-|login-|later/, writes: [MAKES_PATS], send: scopes },
  { name: 'lists', of: /keys|pat-api|auth-accepts|login-accepted/, writes: [MAKES_PATS], send: lists },
  {
    name: 'updates',
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
    of: /recording-(title|others|addressed)|refused-update/,
    writes: ['PATCH of recordings with identifiers like that of the disposable one: title, none of which should exist'],
    send: identifiers,
  },
  {
    name: 'overlaps',
    of: /overlapping|of-each-caller|title-(kept|exact)|later-ones/,
    writes: [`${UPDATE}, two at a time: title (put back afterwards), summary`],
    send: overlaps,
  },
  {
    name: 'strangers',
    of: /^sso-/,
    writes: [
      `POST ${SSO_PATH} with claims of an unknown identity, and with admin's upn in capitals: a target that makes users on sign-in keeps them`,
    ],
    send: strangers,
  },
  {
    name: 'late',
    of: /after-a-pause|later|refresh|expired|title-kept|identity/,
    writes: [`${UPDATE}: summary, after a pause, and with a token whose lifetime is over`],
    send: late,
  },
  {
    name: 'refusals',
    of: /^auth-(?!accepts|expired)|refused-update/,
    writes: [`${UPDATE}: title, in requests that must be refused (put back if one is not), and summary`],
    send: refusals,
  },
];

const phasesOf = (rules: readonly Pick<Rule, 'id'>[]): Phase[] =>
  PHASES.filter(({ of }) => rules.some(({ id }) => of.test(id)));

/** The names of the phases that the chosen rules need. */
export const phasesFor = (rules: readonly Pick<Rule, 'id'>[]): string[] => phasesOf(rules).map(({ name }) => name);

/** What a run of these rules writes, a line each. */
export const writesFor = (rules: readonly Pick<Rule, 'id'>[]): string[] => [
  ...new Set(phasesOf(rules).flatMap(({ writes = [] }) => writes)),
];

/** What a caller decides of a run. */
export interface DriveOptions {
  /** How many requests the run may send. */
  budget: number;
  seed: number;
  exploration?: Exploration;
  onPhase?: (name: string) => void;
}

/**
 * Sends what the rules need of the model, within the budget; the log is in the asker that it gives. Never throws for what
 * the target does.
 */
export async function drive(
  session: Session,
  rules: readonly Rule[],
  { onPhase, exploration, ...options }: DriveOptions,
): Promise<Asker> {
  const asker = new Asker(session);
  const run: Run = { asker, session, ...options };
  const generated = exploration ? [{ name: 'explore', send: () => explore(run, exploration) }] : [];
  try {
    for (const { name, send } of [...phasesOf(rules), ...generated]) {
      onPhase?.(name);
      asker.purpose = { for: name, odd: [] };
      await send(run);
    }
  } catch (error) {
    if (!(error instanceof Silent)) throw error;
  }
  return asker;
}
