import type { Rule } from '../rules/rule.ts';
import type { Session } from '../session/session.ts';
import { Asker, Silent } from './asker.ts';
import { establish } from './phases/establish.ts';
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
const PHASES: readonly { name: string; of: RegExp; send(run: Run): Promise<void> }[] = [
  { name: 'establish', of: /./, send: establish },
  { name: 'scopes', of: /scopes|pat-|login-|later/, send: scopes },
  { name: 'lists', of: /keys|pat-api|auth-accepts|login-accepted/, send: lists },
  { name: 'updates', of: /recording|pat-update|refused-update/, send: updates },
  { name: 'identifiers', of: /recording-(title|others|addressed)|refused-update/, send: identifiers },
  { name: 'overlaps', of: /overlapping|of-each-caller|title-(kept|exact)|later-ones/, send: overlaps },
  { name: 'strangers', of: /^sso-/, send: strangers },
  { name: 'late', of: /after-a-pause|later|refresh|expired|title-kept|identity/, send: late },
  { name: 'refusals', of: /^auth-(?!accepts|expired)|refused-update/, send: refusals },
];

/** What a run sends: the phases that the chosen rules need. */
export const phasesFor = (rules: readonly Rule[]): readonly string[] =>
  PHASES.filter(({ of }) => rules.some(({ id }) => of.test(id))).map(({ name }) => name);

/** Sends what the rules need of the model, within the budget; the log is in the asker that it gives. Never throws for what the target does. */
export async function drive(
  session: Session,
  rules: readonly Rule[],
  options: { budget: number; seed: number },
  onPhase: (name: string) => void = () => {},
): Promise<Asker> {
  const asker = new Asker(session);
  const run: Run = { asker, session, ...options };
  const names = phasesFor(rules);
  try {
    for (const { name, send } of PHASES) {
      if (!names.includes(name)) continue;
      onPhase(name);
      asker.purpose = { for: name, odd: [] };
      await send(run);
    }
  } catch (error) {
    if (!(error instanceof Silent)) throw error;
  }
  return asker;
}
