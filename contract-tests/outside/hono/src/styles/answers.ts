import { STATUS_CODES } from 'node:http';
import { after, counter } from '../advice.ts';
import type { Hooks } from '../hooks.ts';
import type { Style } from './style.ts';

const extraFields = (): Hooks => ({
  grant: after<'grant'>((grant) => ({
    ...grant,
    scope: 'openid profile',
    refresh_expires_in: 1_209_600,
    session: { mfa: false },
  })),
  showUser: after<'showUser'>((user) => ({ avatar_url: null, locale: 'nb-NO', ...user, roles: [] })),
  showRecording: after<'showRecording'>((view, { recording }) => ({
    ...view,
    duration_seconds: 1834.2,
    tags: [],
    summary: recording.summary ?? null,
    analysis: recording.analysis ?? null,
    kb_folder_id: recording.kbFolderId ?? null,
    kb_document_id: recording.kbDocumentId ?? null,
    _links: { self: `/v1/echo/recordings/${recording.id}` },
  })),
  showKey: after<'showKey'>((view) => ({ ...view, last_used_at: null, created_by: 'system', rotation_days: 90 })),
  scopes: after<'scopes'>((answer) => ({ ...answer, total: answer.scopes.length })),
});

/** No promised order: newest first, then rotated by one more at every request. */
const unordered = (): Hooks => {
  const request = counter();
  return {
    showKeys: async ({ views }) => {
      const newestFirst = views.toReversed();
      const turn = newestFirst.length === 0 ? 0 : request() % newestFirst.length;
      return [...newestFirst.slice(turn), ...newestFirst.slice(0, turn)];
    },
  };
};

export const answerStyles: Style[] = [
  {
    id: 'whole-second-timestamps',
    description: 'times without a fraction, on a clock two minutes ahead',
    settings: { timestamp: (ms) => new Date(ms + 120_000).toISOString().replace(/\.\d+Z/, 'Z') },
  },
  {
    id: 'extra-fields',
    description: 'further fields in every answer, among them the written ones of a recording',
    hooks: extraFields,
  },
  { id: 'unordered-keys', description: 'API keys newest first and rotated at every request', hooks: unordered },
  {
    id: 'problem-json',
    description: 'errors as application/problem+json',
    settings: {
      problemType: 'application/problem+json',
      problem: (status, message) => ({ type: 'about:blank', title: STATUS_CODES[status], status, detail: message }),
    },
  },
];
