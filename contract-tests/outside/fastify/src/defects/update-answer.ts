/** Update answers that are not the Recording record. */
import { BadRequest } from '../errors.ts';
import type { Json } from '../model.ts';
import { pause } from '../pause.ts';
import { defect } from './row.ts';
import * as says from './statements.ts';

export const updateAnswerDefects = [
  defect(
    'second-update-answers-first-record',
    'stateful',
    says.UPDATED_RECORD,
    "A caller's second update is answered with the record of the first",
    {
      recordingBody(body, { world, caller }) {
        const first = world.memory.keep(`first:${caller?.user.id}`, () => body);
        return world.memory.count(`updates:${caller?.user.id}`) === 2 ? first : body;
      },
    },
  ),
  defect(
    'stale-answer-every-third',
    'stateful',
    says.UPDATED_RECORD,
    'Every third update is answered with the title from before it (read from a replica)',
    {
      recordingBody: (body, { world, update }) =>
        world.memory.count('updates') % 3 === 0 ? { ...body, title: update?.before.title } : body,
    },
  ),
  defect(
    'overlapping-updates-mix-answers',
    'concurrent',
    says.UPDATED_RECORD,
    'Overlapping updates are all answered with the record written last',
    {
      async recordingBody(body, { world }) {
        world.memory.set('written', body);
        await pause(60);
        return world.memory.get<Json>('written') ?? body;
      },
    },
  ),
  defect(
    'unchanged-title-no-body',
    'conditional',
    says.UPDATED_RECORD,
    'An update to the title the recording already has answers 204',
    {
      answer: (answer, { update }) =>
        update?.body.title !== undefined && update.body.title === update.before.title
          ? { ...answer, status: 204, body: undefined }
          : answer,
    },
  ),
  defect(
    'one-in-five-lacks-language',
    'stateful',
    says.UPDATED_RECORD,
    'Every fifth update is answered without language',
    {
      recordingBody(body, { world }) {
        const { language: _language, ...rest } = body;
        return world.memory.count('updates') % 5 === 0 ? rest : body;
      },
    },
  ),
  defect('one-in-seven-fails', 'stateful', says.UPDATES, 'Every seventh update is done but answered 500', {
    answer: (answer, { world, operation }) =>
      operation === 'updateRecording' && world.memory.count('updates') % 7 === 0
        ? {
            ...answer,
            status: 500,
            body: { statusCode: 500, error: 'Internal Server Error', message: 'connection reset' },
          }
        : answer,
  }),
  defect(
    'filename-null-with-document',
    'conditional',
    says.FILENAME,
    'Once a knowledge-base document is linked, filename is null',
    {
      recordingBody: (body, { world }) =>
        world.store.recordings.get(String(body.id))?.kbDocumentId ? { ...body, filename: null } : body,
    },
  ),
  defect('quality-null-for-members', 'conditional', says.QUALITY, 'Ordinary users get quality null', {
    recordingBody: (body, { caller }) => (caller?.user.admin ? body : { ...body, quality: null }),
  }),
  defect(
    'created-at-date-only-by-pat',
    'conditional',
    says.CREATED_AT,
    'Callers with a PAT get created_at as a date without time',
    {
      recordingBody: (body, { caller }) =>
        caller?.via === 'pat' ? { ...body, created_at: String(body.created_at).slice(0, 10) } : body,
    },
  ),
  defect(
    'html-answer-for-markup-title',
    'conditional',
    says.JSON_ONLY,
    'When the title contains "<", the answer is served as text/html',
    {
      answer: (answer, { update }) =>
        update?.body.title?.includes('<')
          ? { ...answer, headers: { 'content-type': 'text/html; charset=utf-8' } }
          : answer,
    },
  ),
  defect(
    'analysis-with-objects-refused',
    'conditional',
    says.ANY_OF,
    'An analysis that holds a list of objects (action items) is refused',
    {
      changes(changes) {
        const lists = Object.values(changes.analysis ?? {}).filter(Array.isArray);
        if (lists.flat().some((item) => typeof item === 'object')) throw new BadRequest('body/analysis must be flat');
        return changes;
      },
    },
  ),
  defect(
    'title-required-after-first',
    'stateful',
    says.ANY_OF,
    'From the second update of a recording on, one without title is refused',
    {
      changes(changes, { world, update }) {
        const again = world.memory.count(`updates:${update?.before.id}`) > 1;
        if (again && update?.body.title === undefined) throw new BadRequest("body must have required property 'title'");
        return changes;
      },
    },
  ),
  defect('folder-needs-document', 'conditional', says.ANY_OF, 'kb_folder_id without kb_document_id is refused', {
    changes(changes) {
      if (changes.kbFolderId !== undefined && changes.kbDocumentId === undefined)
        throw new BadRequest('kb_document_id is missing');
      return changes;
    },
  }),
];
