/** Updates that are stored wrongly, somewhere else, or not for long. */
import type { Changes } from '../model.ts';
import { pause } from '../pause.ts';
import { recordingBody } from '../present.ts';
import { defect } from './row.ts';
import * as says from './statements.ts';

const REVERT_MS = 1000;

export const updateStoredDefects = [
  defect(
    'analysis-resets-title',
    'conditional',
    says.ANY_OF,
    'When analysis is sent without a title, the title becomes the file name',
    {
      saved: (record, { update }) =>
        update?.body.analysis && update.body.title === undefined ? { ...record, title: record.filename } : record,
    },
  ),
  defect(
    'member-update-lands-elsewhere',
    'stateful',
    says.RECORDING_ID,
    "An ordinary user's update is answered rightly but written to the recording updated before it",
    {
      writeId(id, { world, caller }) {
        const last = world.memory.get<string>('last-written') ?? id;
        world.memory.set('last-written', id);
        return caller?.user.admin ? id : last;
      },
      recordingBody(body, { world, update }) {
        if (!update || body.id === update.before.id) return body;
        return recordingBody({ ...update.before, ...update.changes, updatedAt: Date.now() }, world);
      },
    },
  ),
  defect(
    'title-reverts-later',
    'timed',
    says.UPDATES,
    'A second after an update the title is what it was before (cached record written back)',
    {
      saved(record, { world, update }) {
        const kept = world.memory.get<{ title: string; at: number }>(`before:${record.id}`);
        const back = kept !== undefined && Date.now() - kept.at > REVERT_MS;
        if (update?.body.title !== undefined) {
          world.memory.set(`before:${record.id}`, { title: update.before.title, at: Date.now() });
          return record;
        }
        return back ? { ...record, title: kept.title } : record;
      },
    },
  ),
  defect(
    'overlapping-updates-lose-fields',
    'concurrent',
    says.ANY_OF,
    'Overlapping updates of one recording write the whole record back: the later one undoes the title of the earlier',
    {
      async changes(changes, { update }) {
        const { title, kbFolderId, kbDocumentId, summary, analysis } = update?.before ?? {};
        await pause(60 + (changes.title === undefined ? 15 : 0));
        return { title, kbFolderId, kbDocumentId, summary, analysis, ...changes } as Changes;
      },
    },
  ),
  defect(
    'update-after-refusal-not-stored',
    'stateful',
    says.UPDATES,
    'The first update after a refused one (or during another) is answered as done but not stored',
    {
      arrival(value, { world, operation }) {
        if (operation === 'updateRecording') world.memory.set('open', (world.memory.get<number>('open') ?? 0) + 1);
        return value;
      },
      changes(changes, { world, update }) {
        const unfinished = world.memory.get<number>('open') ?? 0;
        world.memory.set('open', 0);
        if (unfinished < 2 || !update) return changes;
        world.memory.set('pretend', true);
        return {};
      },
      recordingBody(body, { world, update }) {
        if (!world.memory.get('pretend') || !update) return body;
        world.memory.set('pretend', false);
        return { ...body, ...(update.changes.title === undefined ? {} : { title: update.changes.title }) };
      },
    },
  ),
];
