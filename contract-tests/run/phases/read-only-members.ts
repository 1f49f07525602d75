import { READ_ONLY_FIELDS } from '../../api/records.ts';
import { isContentRefused, isOk, statusOf } from '../../log/entry.ts';
import type { Session } from '../../session/session.ts';
import type { JsonObject } from '../../values/json.ts';
import type { Caller } from '../asker.ts';
import { otherValues } from '../read-only-values.ts';
import { lastRecord } from './look.ts';
import { isLong, isQuick, type Run, SUMMARY, titled } from './phase.ts';
import { type Known, send } from './updating.ts';

/** All read-only fields at once, with each candidate value and null; in halves if the target refuses that. */
export async function rounds(run: Run, recording: Session['recording'], known: Known): Promise<void> {
  const record = lastRecord(run, recording);
  if (!record) return;
  const values: [string, unknown[]][] = [];
  for (const field of Object.keys(READ_ONLY_FIELDS))
    values.push([field, await otherValues(field, record, run.session)]);
  const written = (all: unknown[]): unknown[] => all.filter((value) => value !== null);
  const most = Math.max(...values.map(([, all]) => written(all).length));
  const groups = Array.from({ length: most }, (_, round) =>
    values.map(([field, all]): [string, unknown] => [field, written(all)[round] ?? written(all)[0]]),
  );
  const empty = values.filter(([, all]) => all.includes(null)).map(([field]): [string, unknown] => [field, null]);
  const sendGroup = async (
    group: readonly [string, unknown][],
    company: JsonObject,
    caller: Caller = 'admin.jwt',
  ): Promise<void> => {
    if (group.length === 0) return;
    const body = { ...company, ...Object.fromEntries(group) };
    const asked = { for: 'members that are not writable', odd: ['extra'] };
    const entry = await send(run, recording, caller, body, asked, known);
    if (!entry || isOk(entry) || group.length === 1) return;
    if (known.isStrict === undefined) {
      const [first = ''] = group.map(([field]) => field);
      const one = await send(run, recording, caller, { ...company, [first]: body[first] }, asked, known);
      known.isStrict = one !== undefined && isContentRefused(one) && statusOf(one) < 500;
    }
    if (known.isStrict) return;
    const half = Math.ceil(group.length / 2);
    await sendGroup(group.slice(0, half), company, caller);
    await sendGroup(group.slice(half), company, caller);
  };
  // If the target refuses them with other fields, each value is sent alone.
  if (known.isStrict) {
    const isPat = !isQuick(run) && (await run.asker.as('admin.pat')) !== undefined;
    for (const [place, [field, all]] of values.entries()) {
      const some = isLong(run) ? all : written(all).slice(0, 1);
      for (const [at, value] of some.entries())
        await sendGroup([[field, value]], {}, (place + at) % 2 === 1 && isPat ? 'admin.pat' : 'admin.jwt');
    }
    return;
  }
  // The title comes late: the others show what became of the title before.
  const [withTitle = [], ...others] = groups;
  const wanted = isQuick(run) ? [withTitle] : [...others, withTitle, empty];
  const by = !isQuick(run) && (await run.asker.as('admin.pat')) ? 'admin.pat' : 'admin.jwt';
  for (const group of wanted) {
    if (group === withTitle) await sendGroup(group, { title: titled(run, 'With members that are not writable') }, by);
    else await sendGroup(group, { summary: SUMMARY });
    if (known.isStrict) return rounds(run, recording, known);
  }
}
