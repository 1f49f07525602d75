/** What is right at first, or for somebody, and wrong later, under other filters, or for another caller. */
import { type Defect, defect, type Hooks } from './hooks.ts';
import { type App, type Call, isObject, type JsonObject, parseJson } from './http.ts';
import { timestamp } from './store.ts';

/** Changes the records of a list; an undefined field goes missing. */
const onKeys = (
  concerns: (call: Call) => boolean,
  change: (record: JsonObject, secret: string) => JsonObject,
): Hooks => ({
  reply(reply, call) {
    if (call.op !== 'keys' || !Array.isArray(reply.body) || !concerns(call)) return reply;
    const secretOf = ({ id }: JsonObject): string => call.app.store.keys.find((key) => key.id === id)?.secret ?? '';
    const records = reply.body.filter(isObject);
    return { ...reply, body: records.map((record) => ({ ...record, ...change(record, secretOf(record)) })) };
  },
});

const isFilteredTwice = ({ query }: Call): boolean => query.has('provider') && query.has('status');
const isByProvider = ({ query }: Call): boolean => query.has('provider') && !query.has('status');
/** Whether a call carries a personal access token. */
const isByPat = ({ app, headers }: Call): boolean =>
  headers.authorization?.startsWith(`Bearer ${app.style.patPrefix}_`) ?? false;

const onRecord = (concerns: (call: Call, sent: JsonObject) => boolean, change: JsonObject): Hooks => ({
  reply(reply, call) {
    const sent = call.op === 'update' ? parseJson(call.text) : undefined;
    if (!isObject(sent) || !isObject(reply.body) || !concerns(call, sent)) return reply;
    return { ...reply, body: { ...reply.body, ...change } };
  },
});

/** Changes the SSO answer of an identity that signed in before. */
function onLaterSignIns(change: (grant: JsonObject, app: App) => JsonObject): Hooks {
  const seen = new WeakMap<App, Set<string>>();
  return {
    reply(reply, { app, op, text }) {
      if (op !== 'sso' || !isObject(reply.body)) return reply;
      const identities = seen.get(app) ?? new Set();
      seen.set(app, identities);
      if (identities.has(text)) return { ...reply, body: { ...reply.body, ...change(reply.body, app) } };
      identities.add(text);
      return reply;
    },
  };
}

export const WHOLE_RUN_DEFECTS = [
  defect('sso-refresh-token-once', ['SSO-05'], 'Only the first sign-in of a user gives a refresh token.', {
    ...onLaterSignIns(() => ({ refresh_token: undefined })),
  }),
  defect('sso-user-once', ['SSO-09'], 'Only the first sign-in of a user shows the user.', {
    ...onLaterSignIns(() => ({ user: undefined })),
  }),
  defect('sso-created-at-of-sign-in', ['SSO-17'], 'The user was made at the time of each sign-in.', {
    ...onLaterSignIns(({ user }, app) => ({
      user: { ...(isObject(user) && user), created_at: timestamp(app.tokens.now(), app.style) },
    })),
  }),
  defect('sso-later-token-of-another', ['SSO-17'], 'Whoever signs in again gets the token of a member.', {
    ...onLaterSignIns((_grant, { tokens, store }) => ({ access_token: tokens.open(store.member, 'sso').accessToken })),
  }),
  defect('recording-owner-missing-for-pats', ['REC-18'], 'The record has no owner for whoever comes with a PAT.', {
    ...onRecord(isByPat, { user_id: undefined }),
  }),
  defect('recording-of-title-and-analysis-without-quality', ['REC-15'], 'A title with an analysis lacks the quality.', {
    ...onRecord((_call, sent) => 'title' in sent && 'analysis' in sent, { quality: undefined }),
  }),
  defect('update-by-pat-remakes', ['REC-24'], 'An update with a PAT sets created_at anew.', {
    updated(recording, _previous, _sent, call) {
      if (isByPat(call)) recording.created_at = recording.updated_at;
    },
  }),
  defect('keys-leak-under-both-filters', ['KEY-08'], 'The secret is listed under both filters only.', {
    ...onKeys(isFilteredTwice, (_record, secret) => ({ secret })),
  }),
  defect('keys-leak-of-other-tenant', ['KEY-08'], 'The secrets of another tenant than the own are listed.', {
    ...onKeys(
      ({ app, param }) => param === app.store.otherTenantId,
      (_record, secret) => ({ secret }),
    ),
  }),
  defect('keys-leak-to-pats', ['KEY-08'], 'The secret is listed to whoever comes with a PAT.', {
    ...onKeys(isByPat, (_record, secret) => ({ secret })),
  }),
  defect('keys-in-envelope-for-pats', ['KEY-02'], 'The list is inside of {items: …} for whoever comes with a PAT.', {
    reply: (reply, call) => (call.op === 'keys' && isByPat(call) ? { ...reply, body: { items: reply.body } } : reply),
  }),
  defect('keys-name-missing-under-both-filters', ['KEY-05'], 'The API keys lack name under both filters.', {
    ...onKeys(isFilteredTwice, () => ({ name: undefined })),
  }),
  defect('keys-made-when-listed', ['KEY-07'], 'The API keys were made at the time of each list.', {
    reply: (reply, { app, op }) =>
      op === 'keys' && Array.isArray(reply.body)
        ? {
            ...reply,
            body: reply.body.map((record) => ({
              ...record,
              created_at: timestamp(app.tokens.now(), app.style),
            })),
          }
        : reply,
  }),
  defect('keys-name-of-provider-filter', ['KEY-05'], 'An API key has another name in a list by provider.', {
    ...onKeys(isByProvider, ({ provider }) => ({ name: `${provider} key` })),
  }),
  defect('keys-status-of-provider-filter', ['KEY-06'], 'Every API key of a list by provider is in use.', {
    ...onKeys(isByProvider, () => ({ status: 'in use' })),
  }),
] as const satisfies readonly Defect[];
