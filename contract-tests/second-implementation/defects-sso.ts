/** What the single sign-on login can do wrong. */
import { randomUUID } from 'node:crypto';
import { type Change, changes, kindOf } from './answering.ts';
import { type Defect, defect } from './hooks.ts';
import { type App, type Call, isObject, type JsonObject, parseJson, Refusal } from './http.ts';
import { timestamp } from './store.ts';

/** In each SSO answer. */
const inAnswer = kindOf((change: Change<[answer: JsonObject, call: Call]>) => changes('sso', change));

/** In the user inside of each SSO answer. */
const inUser = kindOf((change: Change<[user: JsonObject, call: Call]>) =>
  changes('sso', ({ user }, call) =>
    isObject(user) ? { user: { ...user, ...(typeof change === 'function' ? change(user, call) : change) } } : {},
  ),
);

/** In the answers to everybody but the administrator. */
const inOthersAnswer = kindOf((change: (answer: JsonObject, call: Call) => JsonObject) =>
  changes('sso', (answer, call) => {
    const { user } = answer;
    return isObject(user) && user.id !== call.app.store.admin.id ? change(answer, call) : {};
  }),
);

/** In the answers to an identity that signed in before. */
const inLaterAnswers = kindOf((change: (answer: JsonObject, app: App) => JsonObject) => {
  const seen = new WeakMap<App, Set<string>>();
  return changes('sso', (answer, { app, text }) => {
    const identities = seen.get(app) ?? new Set();
    seen.set(app, identities);
    if (identities.has(text)) return change(answer, app);
    identities.add(text);
    return {};
  });
});

const refusing = kindOf((check: (call: Call) => void) => ({
  before: (call) => (call.op === 'sso' ? check(call) : undefined),
}));

/** Hands out a token that works as well, and is not a JWT. */
function opaque({ access_token }: JsonObject, { app }: Call): JsonObject {
  const token = randomUUID();
  app.tokens.aliases.set(token, String(access_token));
  return { access_token: token };
}

const USER_FIELDS = [
  ['id', 'SSO-10'],
  ['email', 'SSO-11'],
  ['username', 'SSO-12'],
  ['confirmed', 'SSO-13'],
  ['created_at', 'SSO-14'],
] as const;

export const SSO_DEFECTS = [
  ...USER_FIELDS.map(([field, requirement]) =>
    inUser(`sso-user-${field}-missing`, [requirement], `The user lacks ${field}.`, { [field]: undefined }),
  ),
  refusing(
    'sso-demands-authorization',
    ['SSO-01'],
    'SSO refuses a request without an Authorization header.',
    (call) => {
      if (!call.headers.authorization) throw new Refusal(401, 'client credentials are missing');
    },
  ),
  refusing('sso-demands-form', ['SSO-02', 'GEN-02'], 'SSO accepts form fields only and refuses JSON.', (call) => {
    if (!call.headers['content-type']?.includes('x-www-form-urlencoded')) throw new Refusal(415, 'send a form');
  }),
  refusing('sso-demands-more-claims', ['SSO-02'], 'SSO requires a claim that is not documented.', ({ text }) => {
    const sent = parseJson(text);
    if (!isObject(sent) || typeof sent.preferred_username !== 'string') {
      throw new Refusal(422, 'preferred_username is missing');
    }
  }),
  inAnswer('sso-access-token-renamed', ['SSO-03'], 'The access token is called accessToken.', ({ access_token }) => ({
    access_token: undefined,
    accessToken: access_token,
  })),
  inAnswer('sso-access-token-opaque', ['SSO-04'], 'The access token works but is not a JWT.', opaque),
  defect('sso-access-token-refused', ['SSO-15'], 'Protected operations refuse the access token of the SSO answer.', {
    principal: (found) => (found?.origin === 'sso' ? undefined : found),
  }),
  inAnswer('sso-refresh-token-missing', ['SSO-05'], 'The answer has no refresh token.', { refresh_token: undefined }),
  inAnswer('sso-refresh-token-null', ['SSO-05'], 'The refresh token is null.', { refresh_token: null }),
  inAnswer('sso-token-type-capitalised', ['SSO-06'], 'The token type is Bearer, not bearer.', { token_type: 'Bearer' }),
  inAnswer('sso-token-type-missing', ['SSO-06'], 'The SSO answer has no token type.', { token_type: undefined }),
  inAnswer('sso-expires-in-string', ['SSO-07'], 'expires_in is a string of digits.', ({ expires_in }) => ({
    expires_in: String(expires_in),
  })),
  inAnswer('sso-expires-in-fraction', ['SSO-07'], 'expires_in is not a whole number.', ({ expires_in }) => ({
    expires_in: Number(expires_in) - 0.25,
  })),
  inAnswer('sso-expires-in-milliseconds', ['SSO-08'], 'expires_in is in milliseconds.', ({ expires_in }) => ({
    expires_in: Number(expires_in) * 1000,
  })),
  inAnswer('sso-expires-in-disagrees', ['SSO-08'], 'expires_in is four times the JWT lifetime.', ({ expires_in }) => ({
    expires_in: Number(expires_in) * 4,
  })),
  inAnswer('sso-user-missing', ['SSO-09'], 'The SSO answer has no user.', { user: undefined }),
  inAnswer('sso-user-is-id', ['SSO-09'], 'The user is only an id.', ({ user }) => ({
    user: isObject(user) ? user.id : user,
  })),
  inUser('sso-user-id-number', ['SSO-10'], 'The user id is a number.', ({ id }) => ({ id: Number(id) })),
  inUser('sso-user-email-invalid', ['SSO-11'], 'The email of the user is not an address.', ({ username }) => ({
    email: username,
  })),
  inUser('sso-user-username-null', ['SSO-12'], 'The user name is null.', { username: null }),
  inUser('sso-user-confirmed-string', ['SSO-13'], 'confirmed is a string.', ({ confirmed }) => ({
    confirmed: String(confirmed),
  })),
  inUser('sso-user-created-at-epoch', ['SSO-14'], 'The creation time of the user is in seconds since 1970.', {
    created_at: 1_772_000_000,
  }),
  inUser('sso-user-created-at-local', ['SSO-14'], 'The creation time of the user is in German notation.', {
    created_at: '01.03.2026 10:00',
  }),
  inOthersAnswer('sso-user-of-others-without-email', ['SSO-11'], 'Non-administrators have no email.', ({ user }) => ({
    user: { ...(isObject(user) && user), email: null },
  })),
  inOthersAnswer(
    'sso-user-of-others-created-at-date',
    ['SSO-14'],
    'The creation time of non-administrators is a date.',
    ({ user }) => ({ user: { ...(isObject(user) && user), created_at: '2026-03-01' } }),
  ),
  inOthersAnswer(
    'sso-access-token-of-others-opaque',
    ['SSO-04'],
    'The access token of non-administrators works but is not a JWT.',
    opaque,
  ),
  inOthersAnswer(
    'sso-expires-in-of-others-minutes',
    ['SSO-08'],
    'expires_in is in minutes for non-administrators.',
    ({ expires_in }) => ({ expires_in: Math.round(Number(expires_in) / 60) }),
  ),
  inUser('sso-same-user-for-all', ['SSO-16'], 'The answer shows the same user for every identity.', (_user, call) => {
    const { id, email, username, confirmed, created_at } = call.app.store.admin;
    return { id, email, username, confirmed, created_at };
  }),
  inUser('sso-new-user-at-each-login', ['SSO-17'], 'An identity is another user at every login.', (_user, { app }) => ({
    id: app.store.newId('user'),
  })),
  inLaterAnswers('sso-refresh-token-once', ['SSO-05'], 'Only the first sign-in returns a refresh token.', () => ({
    refresh_token: undefined,
  })),
  inLaterAnswers('sso-user-once', ['SSO-09'], 'Only the first sign-in of a user shows the user.', () => ({
    user: undefined,
  })),
  inLaterAnswers('sso-created-at-of-sign-in', ['SSO-17'], 'A user is created at each sign-in.', ({ user }, app) => ({
    user: { ...(isObject(user) && user), created_at: timestamp(app.tokens.now(), app.style) },
  })),
  inLaterAnswers(
    'sso-later-token-of-another',
    ['SSO-17'],
    'Later sign-ins return the token of a member.',
    (_answer, { tokens, store }) => ({ access_token: tokens.open(store.member, 'sso').accessToken }),
  ),
] as const satisfies readonly Defect[];
