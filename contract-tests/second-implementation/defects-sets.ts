/** What an update can do wrong with some sets of fields only, and right with all others. */
import { refusing } from './defects-update.ts';
import { type Defect, defect } from './hooks.ts';
import { type JsonObject, Refusal } from './http.ts';

const is = (sent: JsonObject, ...fields: string[]): boolean =>
  Object.keys(sent).sort().join() === fields.toSorted().join();
const has = (sent: JsonObject, ...fields: string[]): boolean => fields.every((field) => field in sent);

export const SET_DEFECTS = [
  refusing('update-refuses-title-with-analysis', ['REC-06'], 'An update of title and analysis is refused.', (sent) =>
    is(sent, 'title', 'analysis'),
  ),
  refusing(
    'update-refuses-folder-with-document',
    ['REC-06'],
    'An update of folder and document without a title is refused.',
    (sent) => has(sent, 'kb_folder_id', 'kb_document_id') && !has(sent, 'title'),
  ),
  refusing('update-refuses-three', ['REC-06'], 'An update of title, folder and summary is refused.', (sent) =>
    is(sent, 'title', 'kb_folder_id', 'summary'),
  ),
  refusing('update-refuses-four', ['REC-06'], 'An update of four fields is refused.', (sent) => {
    return Object.keys(sent).length === 4;
  }),
  defect('update-fails-summary-with-analysis', ['REC-06'], 'Summary and analysis without title and folder fail.', {
    checkUpdate: (sent) => {
      if (has(sent, 'summary', 'analysis') && !has(sent, 'title') && !has(sent, 'kb_folder_id'))
        throw new Refusal(500, 'not with these fields');
    },
  }),
] as const satisfies readonly Defect[];
