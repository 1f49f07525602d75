import { before, counter, overlap, sleep } from '../advice.ts';
import type { Hooks } from '../hooks.ts';
import type { RecordingPatch } from '../model.ts';
import { type Defect, defect } from './defect.ts';
import { says } from './says.ts';
import { stored } from './stored.ts';

/** The title is rewritten on its way into the store. */
const title = (change: (title: string, patch: RecordingPatch) => string) => (): Hooks => ({
  update: before<'update'>((call) =>
    call.patch.title === undefined
      ? call
      : { ...call, patch: { ...call.patch, title: change(call.patch.title, call.patch) } },
  ),
});

/** The update runs without the title, which therefore stays what it was. */
const dropTitle = (patch: RecordingPatch): RecordingPatch => {
  const { title: _dropped, ...rest } = patch;
  return rest;
};

/** What is written to the title, and what is not. */
export const updateTitleDefects: Defect[] = [
  defect(
    'title-cut-at-255',
    'conditional',
    says.callerUpdates,
    'a title is cut at 255 characters',
    title((text) => text.slice(0, 255)),
  ),
  defect(
    'title-trimmed',
    'conditional',
    says.callerUpdates,
    'white space around and doubled inside a title is taken away',
    title((text) => text.trim().replace(/\s+/g, ' ')),
  ),
  defect(
    'title-normalised',
    'conditional',
    says.callerUpdates,
    'a title is normalised to NFC',
    title((text) => text.normalize('NFC')),
  ),
  defect(
    'title-escaped',
    'conditional',
    says.callerUpdates,
    'a title is escaped for HTML before it is stored',
    title((text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')),
  ),
  defect(
    'title-three-byte-column',
    'conditional',
    says.callerUpdates,
    'characters outside the basic plane become question marks, as in a three-byte column',
    title((text) => text.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')),
  ),
  defect(
    'title-lost-with-long-summary',
    'conditional',
    says.updateBody,
    'a title sent together with a summary of more than 255 characters is not stored',
    () => ({
      update: before<'update'>((call) =>
        (call.patch.summary?.length ?? 0) > 255 ? { ...call, patch: dropTitle(call.patch) } : call,
      ),
    }),
  ),
  defect(
    'fifth-update-lost',
    'stateful',
    says.callerUpdates,
    'every fifth update is answered as if done, but not stored',
    (world) => {
      const count = counter();
      return {
        async update(call, next) {
          const record = stored(world, call.id);
          const untouched = { ...record };
          const answer = await next(call);
          if (record && count() % 5 === 0) Object.assign(record, untouched);
          return answer;
        },
      };
    },
  ),
  defect(
    'member-update-lands-elsewhere',
    'conditional',
    says.callerUpdates,
    'the update of a member is answered right but written to the first recording of the store',
    (world) => ({
      async update(call, next) {
        const record = stored(world, call.id);
        const untouched = { ...record };
        const answer = await next(call);
        const [first] = world.store.recordings;
        if (call.principal.user.role === 'member' && record && first && first !== record) {
          Object.assign(record, untouched);
          if (call.patch.title !== undefined) first.title = call.patch.title;
        }
        return answer;
      },
    }),
  ),
  defect(
    'title-reverts',
    'timed',
    says.callerUpdates,
    'a title lives in a cache that is lost after a second; then the old title is back',
    (world) => ({
      async update(call, next) {
        const old = stored(world, call.id)?.title;
        const answer = await next(call);
        if (call.patch.title !== undefined && old !== undefined) {
          void sleep(1000).then(() => {
            const record = stored(world, call.id);
            if (record && record.title === call.patch.title) record.title = old;
          });
        }
        return answer;
      },
    }),
  ),
  defect(
    'quick-updates-dropped',
    'timed',
    says.callerUpdates,
    'an update within 300 ms of another one to the same recording is answered with the record as it was',
    () => {
      const times = new Map<string, number>();
      return {
        async update(call, next) {
          const quick = Date.now() - (times.get(call.id) ?? 0) < 300;
          times.set(call.id, Date.now());
          return next(quick ? { ...call, patch: {} } : call);
        },
      };
    },
  ),
  defect(
    'overlap-loses-update',
    'concurrent',
    says.callerUpdates,
    'an update writes the whole record it read before: overlapping ones undo each other',
    (world) =>
      ({
        async update(call, next) {
          const read = stored(world, call.id)?.title;
          await overlap();
          return next(
            call.patch.title === undefined && read !== undefined
              ? { ...call, patch: { ...call.patch, title: read } }
              : call,
          );
        },
      }) satisfies Hooks,
  ),
];
