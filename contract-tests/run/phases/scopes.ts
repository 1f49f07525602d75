import { isOk } from '../../log/entry.ts';
import { valuesOf } from '../../plan/model.ts';
import { isSuccess } from '../../values/answer.ts';
import type { Caller } from '../asker.ts';
import { makePats } from './pats.ts';
import { isLong, isQuick, mild, modelOf, type Run, scopesOf } from './phase.ts';

/** The scopes of every caller that could be established. */
export async function scopes(run: Run): Promise<void> {
  const used = await makePats(run);
  for (const { id } of valuesOf(modelOf(run).scopes, 'caller', isLong(run))) {
    const { asker, session } = run;
    if (isQuick(run) && !/^member\.jwt|admin\./.test(id)) continue;
    if (await asker.as(id as Caller)) asker.covered.add(`scopes.caller.${id}`);
    // Asked when it was established, or made.
    if (id === 'admin.jwt' || used.has(id)) continue;
    // What the making of PATs asks as well is asked once.
    if (id === 'member.jwt' && (await asker.as(id)) && (await asker.findScopes()) !== undefined) {
      const answer = await asker.attempt('member.scopes', () => session.scopes.of('member'));
      if (answer && isSuccess(answer)) continue;
    }
    await scopesOf(run, id as Caller, mild('scopes'));
  }
  await withEtagOfAnother(run);
}

/** Asks as member with the ETag of admin's answer, where member's own answer has the same one. */
async function withEtagOfAnother(run: Run): Promise<void> {
  const etagTo = (who: string): string | undefined =>
    run.asker.log.entries.find((entry) => entry.operation === 'scopes' && isOk(entry) && entry.credential.who === who)
      ?.answer.response.headers.etag;
  const etag = etagTo('admin');
  if (etag === undefined || etag !== etagTo('member')) return;
  const asked = { for: "scopes with another caller's ETag", odd: ['condition'] };
  await scopesOf(run, 'member.jwt', asked, { 'If-None-Match': etag });
}
