import { partsOfPat } from '../session/token-forms.ts';
import { jsonOf } from '../wire/answers.ts';
import { findStrings } from '../wire/json.ts';
import { type Probe, Undetermined } from './probe.ts';

/** What stands before the token's id (part 5). */
export const patPrefix: Probe = {
  gap: 'pat-prefix',
  sends: 'POST /v1/api-tokens, the one creation of the run, unless the target file gives a PAT',
  writes: true,
  needs: ['actors.admin'],
  async observe(session) {
    const { token } = await session.pats.of('admin');
    const head = partsOfPat(token)?.head.slice(0, -1) ?? '';
    const parts = head.split('_');
    if (parts.length === 2) return parts[0];
    // With more than one underscore only the id, where the creation answers it, tells where the prefix ends.
    const ids = session.credentials('admin').pat ? [] : findStrings(jsonOf(await session.pats.created('admin')));
    const id = ids.find(({ path, value }) => path.at(-1) === 'id' && head.endsWith(`_${value}`))?.value;
    if (id !== undefined) return head.slice(0, -id.length - 1);
    throw new Undetermined('the PAT has more than one underscore before its secret');
  },
};
