import { ACTORS } from '../../model.ts';
import { list, type Run, recordingsOf, scopesOf } from './phase.ts';

/** Signs in, finds the recording as it is, and the path of the token scopes: what cannot be established is not planned for. */
export async function establish(run: Run): Promise<void> {
  const { asker, session } = run;
  for (const actor of ACTORS) {
    const { sso } = session.credentials(actor);
    if (sso) await asker.attempt(`${actor}.sso`, () => session.signIn.sso(actor));
    await asker.as(`${actor}.jwt`);
  }
  for (const recording of recordingsOf(run)) {
    const original = session.config.allowWrites
      ? await asker.attempt('recording', () => recording.original())
      : undefined;
    if (original) break;
  }
  await list(run, 'admin.jwt');
  await scopesOf(run, 'admin.jwt');
}
