import { family } from './fault.ts';
import type { Body } from './hooks.ts';
import { idsAs, inZone, numeric, opaque, saying, timesAs } from './rewriting.ts';
import {
  backwards,
  clockAhead,
  isRecord,
  more,
  processing,
  refusingTitles,
  rotating,
  tokensWith,
} from './variation-hooks.ts';
import { wireVariations } from './wire-variations.ts';

/** Other ways to do what the document says: they break nothing, so no check may complain. */
export const variations = family('variation', [
  ...wireVariations,
  [
    'extra-fields',
    [],
    'Every object has more fields than the document shows.',
    saying((value) => (isRecord(value) ? { ...more, ...value } : value)),
  ],
  [
    'members-reversed',
    [],
    'Objects have their members in the opposite order.',
    saying((value) => (isRecord(value) ? Object.fromEntries(Object.entries(value).reverse()) : value)),
  ],
  ['lists-reversed', [], 'Lists are in the opposite order.', saying(backwards)],
  ['lists-rotating', [], 'The list of API keys is in another order each time.', rotating()],
  [
    'times-offset-micros',
    [],
    'Times have the offset +02:00 and microseconds.',
    timesAs((time) => inZone(time, 120, '.123456'.replace('123', String(time % 1000).padStart(3, '0')))),
  ],
  [
    'times-west-seconds',
    [],
    'Times have the offset -05:30 and whole seconds.',
    timesAs((time) => inZone(time, -330, '')),
  ],
  ['times-local', [], 'Times have no offset.', timesAs((time) => new Date(time).toISOString().slice(0, 19))],
  ['ids-opaque', [], 'Ids say nothing, and have capitals, - and _ in them.', idsAs(opaque)],
  ['ids-numeric', [], 'Ids look like very long numbers.', idsAs(numeric)],
  ['empty-tenant', [], 'The tenant has no API keys.', { bodies: { listTenantApiKeys: () => [] } }],
  [
    'one-key',
    [],
    'The tenant has one API key.',
    { bodies: { listTenantApiKeys: (keys) => (keys as unknown as Body[]).filter(({ id }) => id === 'key_a1') } },
  ],
  ['clock-ahead', [], "The service's clock is ten minutes ahead.", clockAhead(10)],
  ['clock-behind', [], "The service's clock is ten minutes behind.", clockAhead(-10)],
  ['jwt-without-start', [], 'Access tokens state their end only.', tokensWith(({ sub, exp }) => ({ sub, exp }))],
  [
    'jwt-rich',
    [],
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
    [],
    'updated_at does not move with updates.',
    { bodies: { updateRecording: (body) => ({ ...body, updated_at: body.created_at }) } },
  ],
  ['in-processing', [], 'The recording is still processed, and moves on by itself.', processing()],
  [
    'titles-short',
    [],
    'Titles of more than 100 characters are refused.',
    refusingTitles((title) => title.length > 100),
  ],
  [
    'titles-plain',
    [],
    'Titles with anything but letters, digits and single spaces are refused.',
    refusingTitles((title) => !/^[A-Za-z0-9]+( [A-Za-z0-9]+)*$/.test(title)),
  ],
  [
    'login-of-its-own',
    [],
    'The password login answers in a shape of its own.',
    { bodies: { login: ({ access_token, ...rest }) => ({ data: { jwt: access_token, ...rest } }) } },
  ],
  [
    'pat-of-its-own',
    [],
    'The creation of a PAT answers in a shape of its own.',
    { bodies: { createApiToken: ({ token, ...rest }) => ({ data: { ...rest, plainTextToken: token } }) } },
  ],
  [
    'scopes-of-their-own',
    [],
    'The token scopes are answered in a shape of its own.',
    {
      bodies: {
        listTokenScopes: ({ scopes, is_admin }) => ({
          data: {
            permissions: (scopes as string[]).map((key) => ({ key, label: key })),
            account: { role: is_admin ? 'administrator' : 'user' },
          },
        }),
      },
    },
  ],
]);
