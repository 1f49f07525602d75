import { namedActors } from '../../api/named-actors.ts';
import { isOk } from '../../log/entry.ts';
import { distinct, listedKeys } from '../../rules/documented.ts';
import type { Caller } from '../asker.ts';
import { isLong, isQuick, knownKeys, list, mild, type Run, scopesOf } from './phase.ts';

/** Administrators of other tenants whom a run asks as, unless its budget is a large one. */
const MOST = 1;

/** Signs in as people of other tenants: their lists must hold their tenant's keys only. */
export async function others(run: Run): Promise<void> {
  const { asker, session } = run;
  const all = Object.entries(namedActors(session.target.actors)).filter(([name]) => name.startsWith('others.'));
  for (const [name, { role, sso, tenantId } = {}] of isLong(run) ? all : all.slice(0, MOST)) {
    const caller = `${name}.jwt` as Caller;
    if (sso) await asker.attempt(`${name}.sso`, () => session.signIn.sso(name as `others.${number}`));
    if (!(await asker.as(caller))) continue;
    await scopesOf(run, caller, mild('another tenant'));
    if (isQuick(run) || tenantId === undefined) continue;
    // The document says only that administrators may list.
    const asked = role === 'admin' ? mild('another tenant') : { for: 'another tenant', odd: ['caller'] };
    const whole = await list(run, caller, [], asked, tenantId);
    // Right after our list: a cache may not distinguish tenants.
    const ours = distinct(knownKeys(run), 'provider');
    const theirs = whole && isOk(whole) ? distinct(listedKeys(whole), 'provider') : [];
    const provider = theirs.find((each) => ours.includes(each)) ?? theirs[0];
    if (provider !== undefined) {
      if (ours.includes(provider)) await list(run, 'admin.jwt', [['provider', provider]]);
      await list(run, caller, [['provider', provider]], asked, tenantId);
    }
    await list(run, caller, [], { for: 'our tenant by somebody of another one', odd: ['tenant', 'caller'] });
  }
}
