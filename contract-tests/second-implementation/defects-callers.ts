/** What can go wrong for some callers only: with a PAT, or with the JWT of the login. */
import { type Defect, defect, type Hooks } from './hooks.ts';
import { type Call, isObject, type JsonObject, type OperationId } from './http.ts';
import type { Recording } from './store.ts';
import type { Origin } from './tokens.ts';

const PROTECTED = ['update', 'keys', 'scopes'] as const satisfies readonly OperationId[];

/** How the caller of each call got in. */
const origins = new WeakMap<Call, Origin>();
const noteOrigin: Hooks = {
  principal: (found, _token, call) => {
    if (found) origins.set(call, found.origin);
    return found;
  },
};
const isByPat = (call: Call): boolean => origins.get(call) === 'pat';

/** Hooks for calls with a PAT. */
const byPat = (hooks: Hooks): Hooks => ({ ...noteOrigin, ...hooks });

/** Changes the recording after an update with a PAT. */
const afterUpdate = (change: (recording: Recording, previous: Recording, sent: JsonObject) => void): Hooks =>
  byPat({
    takesUnknown: true,
    updated: (recording, previous, sent, call) => {
      if (isByPat(call)) change(recording, previous, sent);
    },
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
  defect('pat-title-not-written', ['REC-22'], 'An update with a PAT leaves the title as it was.', {
    ...afterUpdate((recording, previous) => {
      recording.title = previous.title;
    }),
  }),
  defect('pat-title-not-kept', ['REC-23'], 'The title of an update with a PAT is answered, and forgotten.', {
    ...afterUpdate((recording, previous) => {
      recording.title = previous.title;
    }),
    reply: (reply, call) => {
      const sent: unknown = call.op === 'update' && isByPat(call) ? JSON.parse(call.text) : undefined;
      if (!isObject(sent) || !isObject(reply.body) || sent.title === undefined) return reply;
      return { ...reply, body: { ...reply.body, title: sent.title } };
    },
  }),
  defect('pat-sees-all-tenants', ['KEY-17'], 'The API keys of all tenants are listed to a PAT.', {
    ...byPat({ keys: (found, _filters, call) => (isByPat(call) ? [...call.app.store.keys] : found) }),
  }),
  defect('pat-provider-ignored', ['KEY-15'], 'The provider filter does nothing for a PAT.', {
    ...byPat({
      keys: (found, { status }, call) =>
        isByPat(call)
          ? call.app.store.keys.filter((key) => key.tenantId === call.param && (!status || key.status === status))
          : found,
    }),
  }),
  defect('pat-no-flag', ['SCO-03'], 'A PAT is not told whether its user is an administrator.', {
    ...byPat({
      reply: (reply, call) =>
        call.op === 'scopes' && isByPat(call) && isObject(reply.body)
          ? { ...reply, body: { ...reply.body, administrator: undefined } }
          : reply,
    }),
  }),
  defect('pat-no-scopes', ['SCO-02'], 'A PAT is not told which scopes are available.', {
    ...byPat({
      reply: (reply, call) =>
        call.op === 'scopes' && isByPat(call) && isObject(reply.body)
          ? { ...reply, body: { ...reply.body, data: undefined } }
          : reply,
    }),
  }),
  ...PROTECTED.map((operation) =>
    defect(`login-refused-on-${operation}`, ['AUT-08'], `The operation ${operation} refuses the JWT of the login.`, {
      ...refusesLogin('admin', operation),
    }),
  ),
  defect(
    'login-refused-of-member',
    ['AUT-08'],
    'Protected operations refuse the JWT of the login of others than administrators.',
    {
      ...refusesLogin('member'),
    },
  ),
  defect('login-of-somebody-else', ['AUT-08'], 'The login yields a JWT of another user.', {
    reply: (reply, { app, op }) =>
      op === 'login' && isObject(reply.body)
        ? { ...reply, body: { ...reply.body, accessToken: app.tokens.open(app.store.member, 'login').accessToken } }
        : reply,
  }),
] as const satisfies readonly Defect[];
