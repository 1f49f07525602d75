import { namedActors } from '../../api/named-actors.ts';
import { distinct } from '../../rules/listed-keys.ts';
import type { Caller } from '../asker.ts';
import { isLong, isQuick, knownKeys, list, mild, type Run, scopesOf } from './phase.ts';

/** Administrators of other tenants whom a run asks as, unless its budget is a large one. */
const MOST = 1;

/** Administrators and members of other tenants: what they are told is of their tenant, and they see nothing of ours. */
export async function others(run: Run): Promise<void> {
  const { asker, session } = run;
  const all = Object.entries(namedActors(session.target.actors)).filter(([name]) => name.startsWith('others.'));
  for (const [name, { role, sso, tenantId } = {}] of isLong(run) ? all : all.slice(0, MOST)) {
    const caller = `${name}.jwt` as Caller;
    if (sso) await asker.attempt(`${name}.sso`, () => session.signIn.sso(name as `others.${number}`));
    if (!(await asker.as(caller))) continue;
    await scopesOf(run, caller, mild('another tenant'));
    if (isQuick(run) || tenantId === undefined) continue;
    // Who may list is not shown for anybody but administrators.
    const asked = role === 'admin' ? mild('another tenant') : { for: 'another tenant', odd: ['caller'] };
    // Right after ours, since a cache may forget whose a list is.
    const [provider] = distinct(knownKeys(run), 'provider');
    await list(run, 'admin.jwt', provider === undefined ? [] : [['provider', provider]]);
    await list(run, caller, provider === undefined ? [] : [['provider', provider]], asked, tenantId);
    await list(run, caller, [], asked, tenantId);
    await list(run, caller, [], { for: 'our tenant by somebody of another one', odd: ['tenant', 'caller'] });
  }
}
