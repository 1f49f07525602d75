/** Titles that are not stored the way they were sent. */
import type { Context, Hooks } from '../hooks.ts';
import { defect } from './row.ts';
import * as says from './statements.ts';

/** Stores another title than the one sent. */
function titled(change: (title: string, context: Context) => string): Hooks {
  return {
    changes: (changes, context) =>
      changes.title === undefined ? changes : { ...changes, title: change(changes.title, context) },
  };
}

/** Does not store the title in certain updates. */
function dropped(when: (context: Context) => boolean): Hooks {
  return {
    changes(changes, context) {
      const { title: _title, ...rest } = changes;
      return when(context) ? rest : changes;
    },
  };
}

export const updateTitleDefects = [
  defect(
    'title-spaces-collapsed',
    'conditional',
    says.WRITABLE,
    'Runs of white space in a title become one space',
    titled((title) => title.replace(/\s+/g, ' ')),
  ),
  defect(
    'title-backslash-lost',
    'conditional',
    says.WRITABLE,
    'Backslashes of a title vanish (escaped once too often)',
    titled((title) => title.replaceAll('\\', '')),
  ),
  defect(
    'title-empty-ignored',
    'conditional',
    says.ANY_OF,
    'An empty title counts as not sent',
    dropped(({ update }) => update?.body.title === ''),
  ),
  defect(
    'title-lost-with-long-summary',
    'conditional',
    says.WRITABLE,
    'The title is not stored when the summary sent along is longer than 255 characters',
    dropped(({ update }) => (update?.body.summary?.length ?? 0) > 255),
  ),
  defect(
    'title-lost-with-both-links',
    'conditional',
    says.WRITABLE,
    'The title is not stored when both knowledge-base links are sent along',
    dropped(({ update }) => update?.body.kb_folder_id !== undefined && update.body.kb_document_id !== undefined),
  ),
  defect(
    'title-set-once-a-caller-alternates',
    'stateful',
    says.UPDATES,
    'A title is not stored when another user updated that recording before (stale version, silently skipped)',
    dropped(({ world, update, caller }) => {
      const last = world.memory.get<string>(`by:${update?.before.id}`);
      world.memory.set(`by:${update?.before.id}`, caller?.user.id);
      return last !== undefined && last !== caller?.user.id;
    }),
  ),
  defect('title-number-like', 'conditional', says.TITLE, 'A title of digits only is answered as a number', {
    recordingBody: (body) => (/^[0-9]+$/.test(String(body.title)) ? { ...body, title: Number(body.title) } : body),
  }),
];
