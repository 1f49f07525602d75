/** What can go wrong for some callers only: with a PAT, or with the JWT of the login. */
import { changes, isByPat, only, sentBy } from './answering.ts';
import { PROTECTED } from './defects-access.ts';
import { type Defect, defect, type Hooks } from './hooks.ts';
import type { JsonObject } from './http.ts';
import type { OperationId } from './server.ts';
import type { Recording } from './store.ts';

/** Changes the recording after an update with a PAT. */
const afterUpdate = (change: (recording: Recording, previous: Recording, sent: JsonObject) => void): Hooks => ({
  ignoresUnknown: true,
  updated: (recording, previous, sent, call) => {
    if (isByPat(call)) change(recording, previous, sent);
  },
});

/** Leaves the title of an update with a PAT as it was. */
const withoutTitle = afterUpdate((recording, previous) => {
  recording.title = previous.title;
});

/** Refuses the JWT of the login of one user. */
const refusesLogin = (who: 'admin' | 'member', op?: OperationId): Hooks => ({
  principal: (found, _token, { app, op: asked }) =>
    found?.origin === 'login' && found.user === app.store[who] && (op ?? asked) === asked ? undefined : found,
});

export const CALLER_DEFECTS = [
  defect('pat-writes-filename', ['REC-31'], 'An update with a PAT can change filename.', {
    ...afterUpdate((recording, _previous, { filename }) => {
      if (typeof filename === 'string') recording.filename = filename;
    }),
  }),
  defect('pat-writes-user_id', ['REC-37'], 'An update with a PAT can change user_id.', {
    ...afterUpdate((recording, _previous, { user_id }) => {
      if (typeof user_id === 'string') recording.user_id = user_id;
    }),
  }),
  defect('update-by-pat-remakes', ['REC-24'], 'An update with a PAT sets created_at anew.', {
    ...afterUpdate((recording) => {
      recording.created_at = recording.updated_at;
    }),
  }),
  defect('pat-title-not-written', ['REC-22'], 'An update with a PAT leaves the title as it was.', withoutTitle),
  defect('pat-title-not-kept', ['REC-23'], 'The title of an update with a PAT is answered, and forgotten.', {
    ...withoutTitle,
    ...only(
      isByPat,
      changes('update', ({ title }, call) => ({ title: sentBy(call)?.title ?? title })),
    ),
  }),
  defect('pat-sees-all-tenants', ['KEY-17'], 'The API keys of all tenants are listed to a PAT.', {
    keys: (found, _filters, call) => (isByPat(call) ? [...call.app.store.keys] : found),
  }),
  defect('pat-provider-ignored', ['KEY-11', 'KEY-15'], 'The provider filter does nothing for a PAT.', {
    keys: (found, { status }, call) =>
      isByPat(call)
        ? call.app.store.keys.filter((key) => key.tenantId === call.param && (!status || key.status === status))
        : found,
  }),
  ...PROTECTED.map((operation) =>
    defect(
      `login-refused-on-${operation}`,
      ['AUT-08'],
      `The operation ${operation} refuses the JWT of the login.`,
      refusesLogin('admin', operation),
    ),
  ),
  defect(
    'login-refused-of-member',
    ['AUT-08'],
    'Protected operations refuse the login JWT of non-administrators.',
    refusesLogin('member'),
  ),
  defect('login-of-somebody-else', ['AUT-08'], 'The login returns a JWT of another user.', {
    ...changes('login', (_answer, { app }) => ({
      accessToken: app.tokens.open(app.store.member, 'login').accessToken,
    })),
  }),
] as const satisfies readonly Defect[];
