/** What an update can do wrong with some sets of fields only, and right with all others. */
import { type Defect, defect, type Hooks } from './hooks.ts';
import { isObject, type JsonObject, parseJson, Refusal } from './http.ts';

const is = (sent: JsonObject, ...fields: string[]): boolean =>
  Object.keys(sent).sort().join() === fields.toSorted().join();
const has = (sent: JsonObject, ...fields: string[]): boolean => fields.every((field) => field in sent);

const refuseWhen = (unfit: (sent: JsonObject) => boolean, status = 422): Hooks => ({
  checkUpdate: (sent) => {
    if (unfit(sent)) throw new Refusal(status, 'not with these fields');
  },
});

/** Answers otherwise where these fields were sent. */
const answerWhen = (meant: (sent: JsonObject) => boolean, answer: (record: JsonObject) => unknown): Hooks => ({
  reply: (reply, call) => {
    const sent = parseJson(call.text);
    if (call.op !== 'update' || !isObject(reply.body) || !isObject(sent) || !meant(sent)) return reply;
    const body = answer(reply.body);
    return body === undefined ? { status: 204 } : { ...reply, body };
  },
});

export const SET_DEFECTS = [
  defect(
    'update-refuses-title-with-analysis',
    ['REC-06'],
    'An update of title and analysis is refused.',
    refuseWhen((sent) => is(sent, 'title', 'analysis')),
  ),
  defect(
    'update-refuses-folder-with-document',
    ['REC-06'],
    'An update of folder and document without a title is refused.',
    refuseWhen((sent) => has(sent, 'kb_folder_id', 'kb_document_id') && !has(sent, 'title')),
  ),
  defect(
    'update-refuses-three',
    ['REC-06'],
    'An update of title, folder and summary is refused.',
    refuseWhen((sent) => is(sent, 'title', 'kb_folder_id', 'summary')),
  ),
  defect(
    'update-refuses-four',
    ['REC-06'],
    'An update of four fields is refused.',
    refuseWhen((sent) => Object.keys(sent).length === 4),
  ),
  defect(
    'update-fails-summary-with-analysis',
    ['REC-06'],
    'An update of summary and analysis without title and folder fails.',
    refuseWhen((sent) => has(sent, 'summary', 'analysis') && !has(sent, 'title') && !has(sent, 'kb_folder_id'), 500),
  ),
  defect(
    'recording-partial-for-one-field',
    ['REC-07'],
    'The update of one field answers id, title and updated_at only.',
    answerWhen(
      (sent) => Object.keys(sent).length === 1 && !has(sent, 'title'),
      ({ id, title, updated_at }) => ({ id, title, updated_at }),
    ),
  ),
  defect(
    'recording-no-content-for-analysis',
    ['REC-07'],
    'The update of the analysis answers 204 without a body.',
    answerWhen(
      (sent) => is(sent, 'analysis'),
      () => undefined,
    ),
  ),
  defect(
    'recording-null-for-folder',
    ['REC-07'],
    'The update of the folder answers null.',
    answerWhen(
      (sent) => is(sent, 'kb_folder_id'),
      () => null,
    ),
  ),
  defect(
    'recording-language-missing-for-two-fields',
    ['REC-16'],
    'The recording answered to title and summary lacks language.',
    answerWhen(
      (sent) => is(sent, 'title', 'summary'),
      ({ language, ...record }) => record,
    ),
  ),
] as const satisfies readonly Defect[];
