/** What the single sign-on login can do wrong. */
import { randomUUID } from 'node:crypto';
import { type Defect, defect, type Hooks } from './hooks.ts';
import { type Call, isObject, type JsonObject, parseJson, Refusal } from './http.ts';

/** Changes the SSO answer; an undefined field goes missing. */
function onAnswer(change: (answer: JsonObject, call: Call) => JsonObject): Hooks {
  return {
    reply: (reply, call) =>
      call.op === 'sso' && isObject(reply.body)
        ? { ...reply, body: { ...reply.body, ...change(reply.body, call) } }
        : reply,
  };
}

/** Changes the user inside the SSO answer. */
function onUser(change: (user: JsonObject, call: Call) => JsonObject): Hooks {
  return onAnswer(({ user }, call) => (isObject(user) ? { user: { ...user, ...change(user, call) } } : {}));
}

/** The same for everybody but the administrator. */
function onOthers(change: (answer: JsonObject, call: Call) => JsonObject): Hooks {
  return onAnswer((answer, call) => {
    const { user } = answer;
    return isObject(user) && user.id !== call.app.store.admin.id ? change(answer, call) : {};
  });
}

function onRequest(check: (call: Call) => void): Hooks {
  return { before: (call) => (call.op === 'sso' ? check(call) : undefined) };
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
    defect(
      `sso-user-${field}-missing`,
      [requirement],
      `The user lacks ${field}.`,
      onUser(() => ({ [field]: undefined })),
    ),
  ),
  defect(
    'sso-demands-authorization',
    ['SSO-01'],
    'The SSO login refuses a request without an Authorization header.',
    onRequest(({ headers }) => {
      if (!headers.authorization) throw new Refusal(401, 'client credentials are missing');
    }),
  ),
  defect(
    'sso-demands-form',
    ['SSO-02', 'GEN-02'],
    'The SSO login takes form fields only and refuses JSON.',
    onRequest(({ headers }) => {
      if (!headers['content-type']?.includes('x-www-form-urlencoded')) throw new Refusal(415, 'send a form');
    }),
  ),
  defect(
    'sso-demands-more-claims',
    ['SSO-02'],
    'The SSO login demands a claim that is not documented.',
    onRequest(({ text }) => {
      const sent = parseJson(text);
      if (!isObject(sent) || typeof sent.preferred_username !== 'string') {
        throw new Refusal(422, 'preferred_username is missing');
      }
    }),
  ),
  defect(
    'sso-access-token-renamed',
    ['SSO-03'],
    'The access token is called accessToken.',
    onAnswer(({ access_token }) => ({ access_token: undefined, accessToken: access_token })),
  ),
  defect(
    'sso-access-token-opaque',
    ['SSO-04'],
    'The access token works but is no JWT.',
    onAnswer(({ access_token }, { app }) => {
      const opaque = randomUUID();
      app.tokens.aliases.set(opaque, String(access_token));
      return { access_token: opaque };
    }),
  ),
  defect('sso-access-token-refused', ['SSO-15'], 'Protected operations refuse the access token of the SSO answer.', {
    principal: (found) => (found?.origin === 'sso' ? undefined : found),
  }),
  defect(
    'sso-refresh-token-missing',
    ['SSO-05'],
    'The SSO answer has no refresh token.',
    onAnswer(() => ({ refresh_token: undefined })),
  ),
  defect(
    'sso-refresh-token-null',
    ['SSO-05'],
    'The refresh token is null.',
    onAnswer(() => ({ refresh_token: null })),
  ),
  defect(
    'sso-token-type-capitalised',
    ['SSO-06'],
    'The token type is Bearer, not bearer.',
    onAnswer(() => ({ token_type: 'Bearer' })),
  ),
  defect(
    'sso-token-type-missing',
    ['SSO-06'],
    'The SSO answer has no token type.',
    onAnswer(() => ({ token_type: undefined })),
  ),
  defect(
    'sso-expires-in-string',
    ['SSO-07'],
    'expires_in is a string of digits.',
    onAnswer(({ expires_in }) => ({ expires_in: String(expires_in) })),
  ),
  defect(
    'sso-expires-in-fraction',
    ['SSO-07'],
    'expires_in is not a whole number.',
    onAnswer(({ expires_in }) => ({ expires_in: Number(expires_in) - 0.25 })),
  ),
  defect(
    'sso-expires-in-milliseconds',
    ['SSO-08'],
    'expires_in counts milliseconds.',
    onAnswer(({ expires_in }) => ({ expires_in: Number(expires_in) * 1000 })),
  ),
  defect(
    'sso-expires-in-disagrees',
    ['SSO-08'],
    'expires_in says four times the lifetime that the JWT states.',
    onAnswer(({ expires_in }) => ({ expires_in: Number(expires_in) * 4 })),
  ),
  defect(
    'sso-user-missing',
    ['SSO-09'],
    'The SSO answer has no user.',
    onAnswer(() => ({ user: undefined })),
  ),
  defect(
    'sso-user-is-id',
    ['SSO-09'],
    'The user is only an id.',
    onAnswer(({ user }) => ({ user: isObject(user) ? user.id : user })),
  ),
  defect(
    'sso-user-id-number',
    ['SSO-10'],
    'The user id is a number.',
    onUser(({ id }) => ({ id: Number(id) })),
  ),
  defect(
    'sso-user-email-invalid',
    ['SSO-11'],
    'The user e-mail is no e-mail address.',
    onUser(({ username }) => ({ email: username })),
  ),
  defect(
    'sso-user-username-null',
    ['SSO-12'],
    'The user name is null.',
    onUser(() => ({ username: null })),
  ),
  defect(
    'sso-user-confirmed-string',
    ['SSO-13'],
    'confirmed is a string.',
    onUser(({ confirmed }) => ({ confirmed: String(confirmed) })),
  ),
  defect(
    'sso-user-created-at-epoch',
    ['SSO-14'],
    'The creation time of the user counts seconds.',
    onUser(() => ({ created_at: 1_772_000_000 })),
  ),
  defect(
    'sso-user-created-at-local',
    ['SSO-14'],
    'The creation time of the user is written in the German way.',
    onUser(() => ({ created_at: '01.03.2026 10:00' })),
  ),
  defect(
    'sso-user-of-others-without-email',
    ['SSO-11'],
    'Users who are no administrators have no e-mail address.',
    onOthers(({ user }) => ({ user: { ...(isObject(user) && user), email: null } })),
  ),
  defect(
    'sso-user-of-others-created-at-date',
    ['SSO-14'],
    'The creation time of users who are no administrators is a date.',
    onOthers(({ user }) => ({ user: { ...(isObject(user) && user), created_at: '2026-03-01' } })),
  ),
  defect(
    'sso-access-token-of-others-opaque',
    ['SSO-04'],
    'The access token of users who are no administrators works but is no JWT.',
    onOthers(({ access_token }, { app }) => {
      const opaque = randomUUID();
      app.tokens.aliases.set(opaque, String(access_token));
      return { access_token: opaque };
    }),
  ),
  defect(
    'sso-expires-in-of-others-minutes',
    ['SSO-08'],
    'expires_in counts minutes for users who are no administrators.',
    onOthers(({ expires_in }) => ({ expires_in: Math.round(Number(expires_in) / 60) })),
  ),
  defect(
    'sso-same-user-for-all',
    ['SSO-16'],
    'The answer shows the same user for every identity.',
    onUser((_user, { app: { store } }) => {
      const { id, email, username, confirmed, created_at } = store.admin;
      return { id, email, username, confirmed, created_at };
    }),
  ),
  defect(
    'sso-new-user-at-each-login',
    ['SSO-17'],
    'The same identity is another user at every login.',
    onUser((_user, { app }) => ({ id: app.store.newId('user') })),
  ),
] as const satisfies readonly Defect[];
