import { SSO_PATH } from '../../api/operations.ts';
import { unknownIdentity, userOfUnknown } from '../../api/unknown-identity.ts';
import { isOk, jsonIn } from '../../log/entry.ts';
import type { Actor } from '../../model.ts';
import { loadModel } from '../../plan/model.ts';
import { isObject } from '../../values/json.ts';
import { isLong, isQuick, mild, type Run } from './phase.ts';

/** Sign-ins with unknown identities, followed by valid ones. */
export async function strangers(run: Run): Promise<void> {
  const { asker, session } = run;
  const { sso } = session.credentials('admin');
  if (!sso) return;
  const control = async (actor: Actor) => {
    if (!session.credentials(actor).sso) return;
    await asker.attempt(`${actor}.sso`, async () => {
      // The same media type as without a charset, and what most clients accept.
      const headers = { 'Content-Type': 'application/json; charset=utf-8', Accept: '*/*' };
      const request = { ...session.signIn.request(actor, 'sso'), headers };
      const entry = await asker.ask(request, mild('control after unknown identities'));
      if (entry) session.signIn.noted(actor, 'sso', entry.answer);
    });
  };
  const signIn = (claims: unknown, odd: readonly string[], what: string) =>
    asker.ask({ method: 'POST', path: SSO_PATH, json: claims }, { for: what, odd });
  if (session.config.allowWrites && !isQuick(run)) {
    const unknown = unknownIdentity(sso);
    for (const { id, claims, why, rare } of loadModel().strangers) {
      if (rare && !isLong(run)) continue;
      asker.covered.add(`strangers.${id}`);
      const given: Record<string, string | undefined> = {
        ...unknown,
        ...(claims.oid === 'admin' ? { oid: sso.oid } : {}),
        ...(claims.upn === 'upper' ? { upn: String(sso.upn ?? '').toUpperCase() } : {}),
        tid: sso.tid,
      };
      const json = Object.fromEntries(
        Object.entries(given).filter(([name]) => name in claims || !['oid', 'tid', 'upn'].includes(name)),
      );
      const entry = await signIn(json, ['identity'], `${id}: ${why}`);
      const grant = entry && isOk(entry) ? jsonIn(entry) : undefined;
      if (isObject(grant) && (claims.oid === 'new' || claims.oid === 'same'))
        session.leftovers.add(userOfUnknown(unknown.upn));
      // A valid sign-in right after the refusal shows what the refusal leaves behind.
      if (claims.oid === 'new') await control('member');
    }
  }
  await withOtherToken(run);
  await control('admin');
}

/** Member signs in with admin's token in the header: the claims say who it is, and a service may refuse the header. */
async function withOtherToken(run: Run): Promise<void> {
  const { asker, session } = run;
  const headers = await asker.as('admin.jwt');
  if (!headers || !session.credentials('member').sso || isQuick(run)) return;
  const asked = { for: "claims of member with admin's token", odd: ['credentials'] };
  const entry = await asker.ask({ ...session.signIn.request('member', 'sso'), headers }, asked);
  if (entry && isOk(entry)) session.signIn.noted('member', 'sso', entry.answer);
}
