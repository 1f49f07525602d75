import type { Actor } from '../../model.ts';
import { together } from '../overlapping.ts';
import { isQuick, mild, type Run, scopesOf } from './phase.ts';

/**
 * Makes a PAT of admin, then one more of each actor at the same time, and uses each. Where the target file gives one, it comes
 * late, since a new PAT may end those before it: how many a user may have is not shown.
 * @returns the callers whose PATs were used
 */
export async function makePats(run: Run, isLate = false): Promise<ReadonlySet<string>> {
  const { asker, session } = run;
  const used = new Set<string>();
  const isGiven = session.credentials('admin').pat !== undefined;
  if (isGiven !== isLate || isQuick(run) || !session.config.allowWrites) return used;
  const path = await asker.findScopes();
  const use = async (actor: Actor, token: string | undefined, odd: readonly string[] = []): Promise<void> => {
    if (token === undefined || path === undefined) return;
    used.add(`${actor}.pat`);
    const headers = { Authorization: `Bearer ${token}` };
    await asker.ask({ method: 'GET', path, headers }, { for: 'a PAT that was made', odd });
  };
  const made = await asker.attempt('admin.pat', () => session.pats.made('admin'));
  await use('admin', made);
  // A new PAT may end an older PAT, and no other token.
  if (made !== undefined) await scopesOf(run, 'admin.jwt', mild('after a PAT was made'));
  const others = (await asker.attempt('admin.pat', () => session.pats.others())) ?? [];
  const requests = others.map(({ request }) => request);
  const asked = { for: 'PATs at the same time', odd: ['body'] };
  const tokens: [Actor, string | undefined][] = [];
  for (const entry of await together(asker, requests, asked)) {
    const maker = others.find(({ request }) => JSON.stringify(request.json) === entry.answer.request.body);
    if (maker) tokens.push([maker.actor, session.pats.noteOther(maker.actor, entry.answer)]);
  }
  for (const [actor, token] of tokens) await use(actor, token);
  // The document does not say how many PATs a user may have.
  if (tokens.length > 0) await use('admin', made, ['older']);
  return used;
}
