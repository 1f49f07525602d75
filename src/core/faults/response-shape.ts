import { asNumber, asText } from '../../../contract-tests/values/json.ts';
import { inBody, inKeyList, inKeys, inRecording, inScopes, objectOf, sentOf } from './change.ts';
import { each, family } from './fault.ts';
import { apiKey, changed, grant, missing, recording, user } from './members.ts';

const nothing = (): null => null;
const secret = 'sk-live-0123456789abcdef';

export const responseShapeFaults = family('response shape', {
  ...missing,
  ...changed(grant, {
    access_token: { empty: ['is empty', () => ''] },
    refresh_token: { null: ['is null', nothing], object: ['is an object', (token) => ({ token })] },
    token_type: { capital: ['is Bearer instead of bearer', () => 'Bearer'], jwt: ['is jwt', () => 'jwt'] },
    expires_in: {
      text: ['is a string', asText],
      fraction: ['has a fraction', (seconds) => asNumber(seconds) - 0.25],
    },
    user: { 'id-only': ['is only an id', (value) => objectOf(value).id], list: ['is in an array', (value) => [value]] },
  }),
  ...changed(user, {
    id: { number: ['is a number', () => 1815] },
    email: { name: ['is a user name', (_email, { username }) => username] },
    username: { null: ['is null', nothing] },
    confirmed: { text: ['is a string', asText], number: ['is 1 or 0', asNumber] },
  }),
  ...changed(recording, {
    id: { number: ['is a number', () => 42] },
    title: { object: ['is an object by language', (en) => ({ en })] },
    filename: { null: ['is null', nothing] },
    status: {
      capitals: ['is in upper case', (status) => asText(status).toUpperCase()],
      done: ['has a fifth value, done', () => 'done'],
    },
    method: { null: ['is null', nothing] },
    quality: { number: ['is a number', () => 3] },
    language: { list: ['is an array', (language) => [language]] },
    diarization_enabled: { text: ['is a string', asText] },
    user_id: { object: ['is an object', (id) => ({ id })] },
  }),
  ...changed(apiKey, {
    id: { number: ['is a number', (_id, _key, at) => at + 1] },
    provider: { object: ['is an object', (id) => ({ id })] },
    name: { null: ['is null', nothing] },
    status: { flag: ['is a boolean', (status) => status === 'active'] },
  }),
  ...each(inBody('updateRecording'), {
    'update-empty-object REC-07: An update returns {}.': () => ({}),
    'update-wrapped REC-07: An update returns the recording nested in data.': (data) => ({ data }),
    'update-json-twice REC-07: An update returns the recording as JSON in a JSON string.': (body) =>
      JSON.stringify(body),
    'update-sent-fields-only REC-07 REC-10: An update returns only id and the fields that were sent.': (
      { id },
      { request },
    ) => ({ id, ...sentOf(request) }),
    "recording-camel-case REC-17 REC-18 REC-19 REC-20: The recording's field names are in camel case.": (body) =>
      Object.fromEntries(
        Object.entries(body).map(([name, value]) => [
          name.replaceAll(/_(.)/g, (_all, letter) => letter.toUpperCase()),
          value,
        ]),
      ),
  }),
  'language-null-after-analysis REC-16: The language is null in the response to an update of analysis.': inRecording(
    (_body, { request }) => ('analysis' in sentOf(request) ? { language: null } : undefined),
  ),
  ...each(inKeyList, {
    'keys-wrapped KEY-02: The list of API keys is nested in data.': (data) => ({ data }),
    'single-key-unlisted KEY-02: A list of one API key is returned as that key, without the array.': (keys) =>
      keys.length === 1 ? keys[0] : keys,
  }),
  ...each(inKeys, {
    'last-key-nameless KEY-05: Only the last API key of the list lacks its name.': (_key, { at }) =>
      at === 7 ? { name: undefined } : undefined,
    'filtered-keys-short KEY-06: API keys lack their status in a list filtered by provider.': (_key, { request }) =>
      request.query.provider ? { status: undefined } : undefined,
    'filtered-keys-leak KEY-08: API keys contain their secret only in a filtered list.': (_key, { request }) =>
      request.query.status ? { secret } : undefined,
    'key-secret-leaked KEY-08: Each listed API key contains its secret.': () => ({ secret }),
    'key-secret-nested KEY-08: Each listed API key contains its secret, deeply nested.': () => ({
      config: { auth: { api_key: secret } },
    }),
    'key-secret-as-name KEY-08: The name of an API key is its secret.': () => ({ name: secret }),
  }),
  ...each(inScopes, {
    'scopes-missing SCO-02: The scopes response lacks the scopes.': () => ({
      scopes: undefined,
      availableScopes: undefined,
    }),
    'scopes-no-admin-flag SCO-03 SCO-04: The scopes response lacks the administrator flag.': () => ({
      is_admin: undefined,
      isAdmin: undefined,
    }),
  }),
});
