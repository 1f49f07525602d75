import { isObject } from '../spec/document.ts';
import { inBody, inKeyList, inRecording } from './bodies.ts';
import { type ConformingRow, conformingFamily } from './fault.ts';
import { refusingUpdate } from './request-handling.ts';
import { idsAs, inZone, mappingJson, numeric, opaque, timesAs } from './rewriting.ts';
import { singlePat, singleSession } from './token-lives.ts';
import {
  clockAhead,
  processing,
  reversed,
  rotating,
  showingWritten,
  tokensWith,
  undocumented,
} from './variation-hooks.ts';
import { wireVariations } from './wire-variations.ts';

/** Other conforming implementations: they violate no requirement, so no check may fail. */
export const variations = conformingFamily('variation', [
  ...wireVariations,
  [
    'extra-fields',
    'Every object has undocumented fields.',
    mappingJson((value) => (isObject(value) ? { ...undocumented, ...value } : value)),
  ],
  [
    'members-reversed',
    'The members of objects are in reverse order.',
    mappingJson((value) => (isObject(value) ? Object.fromEntries(Object.entries(value).reverse()) : value)),
  ],
  ['lists-reversed', 'Lists are in reverse order.', mappingJson(reversed)],
  ['lists-rotating', 'The list of API keys is in a different order each time.', rotating()],
  [
    'times-offset-micros',
    'Times have the offset +02:00 and microseconds.',
    timesAs((time) => inZone(time, 120, '.123456'.replace('123', String(time % 1000).padStart(3, '0')))),
  ],
  ['times-west-seconds', 'Times have the offset -05:30 and whole seconds.', timesAs((time) => inZone(time, -330, ''))],
  ['times-local', 'Times have no offset.', timesAs((time) => new Date(time).toISOString().slice(0, 19))],
  ['ids-opaque', 'Ids are opaque, with capital letters, - and _.', idsAs(opaque)],
  ['ids-numeric', 'Ids are very long digit strings.', idsAs(numeric)],
  ['empty-tenant', 'The tenant has no API keys.', inKeyList(() => [])],
  ['one-key', 'The tenant has one API key.', inKeyList((keys) => keys.filter(({ id }) => id === 'key_a1'))],
  ['clock-ahead', "The service's clock is ten minutes ahead.", clockAhead(10)],
  ['clock-behind', "The service's clock is ten minutes behind.", clockAhead(-10)],
  ['jwt-without-start', 'Access tokens have no iat.', tokensWith(({ sub, exp }) => ({ sub, exp }))],
  [
    'jwt-rich',
    'Access tokens have a key id and more claims.',
    tokensWith(
      (old) => ({
        ...old,
        iss: 'https://login.example.test',
        aud: ['api'],
        nbf: old.iat,
        roles: ['admin'],
        name: 'Añ',
      }),
      { kid: '2026-1' },
    ),
  ],
  [
    'updated-at-stays',
    'updated_at does not change with updates.',
    inRecording(({ created_at }) => ({ updated_at: created_at })),
  ],
  ['single-pat', 'A new PAT replaces the ones that its user had before.', singlePat()],
  ['single-session', 'Signing in ends the session that the user had before.', singleSession()],
  ['in-processing', 'The recording is still being processed; its status advances.', processing()],
  ...Object.entries({ 'titles-short': 50, 'titles-to-120': 120, 'titles-to-255': 255 }).map(
    ([id, most]): ConformingRow => [
      id,
      `Titles of more than ${most} characters are refused.`,
      refusingUpdate(({ title }) => typeof title === 'string' && title.length > most),
    ],
  ),
  [
    'titles-plain',
    'Titles with characters other than letters, digits and single spaces are refused.',
    refusingUpdate(({ title }) => typeof title === 'string' && !/^[A-Za-z0-9]+( [A-Za-z0-9]+)*$/.test(title)),
  ],
  [
    'summaries-short',
    'Summaries of more than 200 characters are refused.',
    refusingUpdate(({ summary }) => typeof summary === 'string' && summary.length > 200),
  ],
  [
    'kb-ids-looked-up',
    'Identifiers that the knowledge base does not have are refused.',
    refusingUpdate((sent) => ['kb_folder_id', 'kb_document_id'].some((name) => name in sent)),
  ],
  [
    'analysis-of-its-own',
    'An analysis without a version is refused.',
    refusingUpdate(({ analysis }) => isObject(analysis) && !('version' in analysis)),
  ],
  ['written-shown', 'A recording shows what was written to it, as a relational database keeps it.', showingWritten()],
  [
    'login-of-its-own',
    'The password login has a response shape of its own.',
    inBody('login', ({ access_token, ...rest }) => ({ data: { jwt: access_token, ...rest } })),
  ],
  [
    'pat-of-its-own',
    'The creation of a PAT has a response shape of its own.',
    inBody('createApiToken', ({ token, ...rest }) => ({ data: { ...rest, plainTextToken: token } })),
  ],
  [
    'scopes-of-their-own',
    'The token scopes have a response shape of their own.',
    inBody('listTokenScopes', ({ scopes, is_admin }) => ({
      data: {
        permissions: (scopes as string[]).map((key) => ({ key, label: key })),
        account: { role: is_admin ? 'administrator' : 'user' },
      },
    })),
  ],
]);
