import { type Question, TITLE_LENGTHS, titleOf } from './questions.ts';

type Members = readonly (readonly [placeholder: string, holds: string, name?: string])[];

/** What shows the answer to a gap: the status of these questions, or what a reader makes of them (contract-tests/readers). */
export interface GapRow {
  /** A request that must be accepted, else the others say nothing. */
  after?: Question;
  asks?: readonly Question[];
  /** Those that are asked as well where they can be; `refusals` are all that have a refusal. */
  may?: readonly Question[] | 'refusals';
  /** An answer that is not the assumed one counts only where it is shown twice. */
  repeats?: true;
  /** By question, the answer to the gap for each kind of its answers (ok, a status, like another question), the first that fits. */
  shows?: Readonly<Partial<Record<Question, readonly (readonly [kind: string, answer: string])[]>>>;
  /** What members of a body stand for: the placeholder, what it holds, and the pattern of its name; `main` must be there. */
  members?: Members;
  main?: string;
}

const GRANT: Members = [
  ['expiresIn', 'number', 'expires?_?in|lifetime|ttl'],
  ['user', 'user'],
  ['refreshToken', 'text', 'refresh'],
  ['accessToken', 'jwt'],
  ['accessToken', 'text', '^(access_?)?token$'],
  ['expiresAt', 'time', 'expires'],
  ['itself', 'word', 'type|kind|scope'],
];

const listedAs = (question: Question, kinds: readonly (readonly [string, string])[]): GapRow => ({
  after: 'keys',
  asks: [question],
  repeats: true,
  shows: { [question]: kinds },
});
const EMPTY = [
  ['empty', 'empty'],
  ['listed', 'ignore'],
  ['invalid', 'refuse'],
] as const;
const REPEATED = [
  ['empty', 'empty'],
  ['of the first', 'first'],
  ['of the last', 'last'],
  ['of both', 'any'],
  ['invalid', 'refuse'],
] as const;

export const GAP_ROWS: Readonly<Record<string, GapRow>> = {
  'sso-required-claims': {
    after: 'sso',
    asks: ['sso-without-oid', 'sso-without-tid', 'sso-without-upn'],
    repeats: true,
  },
  // 403 is "not permitted" only where bad credentials get another status.
  'sso-unknown-identity': {
    after: 'sso',
    asks: ['sso-unknown'],
    may: ['keys-as-garbage'],
    repeats: true,
    shows: {
      'sso-unknown': [
        ['ok', 'provision'],
        ['like keys-as-garbage', 'refuse'],
        ['403', 'forbid'],
        ['refused', 'refuse'],
      ],
    },
  },
  'sso-unknown-directory': {
    after: 'sso',
    asks: ['sso-unknown-directory'],
    may: ['sso-unknown', 'keys-as-garbage'],
    repeats: true,
    shows: {
      'sso-unknown-directory': [
        ['like sso-unknown', 'same'],
        ['like keys-as-garbage', 'refuse'],
        ['403', 'forbid'],
        ['404', 'not-found'],
        ['invalid', 'invalid'],
      ],
    },
  },
  'login-request': {
    asks: ['login'],
    repeats: true,
    members: [
      ['password', 'text', 'pass|secret|pin$'],
      ['email', 'text with @'],
      ['username', 'text', 'user|login|name|account|identifier'],
      ['any', 'text'],
    ],
  },
  'login-response': {
    asks: ['login'],
    main: 'accessToken',
    members: GRANT,
  },
  'refresh-path': { asks: ['refresh'] },
  'refresh-request': { asks: ['refresh'] },
  'refresh-response': {
    asks: ['refresh'],
    main: 'accessToken',
    members: GRANT,
  },
  'refresh-rotation': { asks: ['refresh', 'refresh-again'] },
  'access-token-lifetime': { asks: ['sso'], repeats: true },
  'concurrent-sessions': {
    asks: ['earlier-session'],
    repeats: true,
    shows: {
      'earlier-session': [
        ['ok', 'keep'],
        ['401', 'end-the-earlier'],
      ],
    },
  },
  'several-pats': {
    asks: ['earlier-pat'],
    shows: {
      'earlier-pat': [
        ['ok', 'keep'],
        ['401', 'end-the-earlier'],
      ],
    },
  },
  'pat-create-request': {
    asks: ['pat'],
    members: [
      ['scopes', 'list'],
      ['days', 'number'],
      ['name', 'text'],
    ],
  },
  'pat-create-response': {
    asks: ['pat'],
    main: 'token',
    members: [
      ['expiresAt', 'time or null', 'expires'],
      ['scopes', 'list', 'scope|abilit|permission'],
      ['token', 'pat'],
      ['name', 'name of the suite'],
      ['name', 'text', '^(name|label|title|description)$'],
      ['createdAt', 'time', 'created|updated|issued'],
      ['id', 'text', '^(id|token_?id|key_?id)$'],
      ['text', 'text'],
      ['number', 'number'],
    ],
  },
  'pat-prefix': { asks: ['pat'] },
  'pat-lifetime': { asks: ['pat'] },
  'unknown-scope': { asks: ['pat-unknown-scope'], may: ['pat-known-scopes'] },
  'scopes-path': { after: 'scopes' },
  'scopes-response': { after: 'scopes', may: ['scopes-as-member'] },
  'scope-values': { after: 'scopes' },
  'empty-update': { after: 'update', asks: ['update-empty'] },
  'unknown-field': {
    after: 'update',
    asks: ['update-unknown-field'],
    may: ['sso-unknown-field', 'login-unknown-field', 'pat-unknown-field'],
    shows: {
      'update-unknown-field': [
        ['ok', 'ignore'],
        ['invalid', 'refuse'],
      ],
    },
    repeats: true,
  },
  'empty-title': {
    after: 'update',
    asks: ['update-empty-title'],
    repeats: true,
    shows: {
      'update-empty-title': [
        ['ok', 'accept'],
        ['invalid', 'refuse'],
      ],
    },
  },
  'title-length': { after: 'update', asks: TITLE_LENGTHS.map(titleOf) },
  'unknown-kb-id': {
    after: 'update',
    asks: ['update-unknown-folder'],
    repeats: true,
    shows: {
      'update-unknown-folder': [
        ['ok', 'accept'],
        ['404', 'not-found'],
        ['invalid', 'refuse'],
      ],
    },
  },
  'wrong-type': {
    after: 'update',
    asks: ['update-number'],
    shows: {
      'update-number': [
        ['invalid', 'refuse'],
        ['title as sent', 'coerce'],
      ],
    },
  },
  // Nothing reads the summary back, and answers have the title.
  'null-field': {
    after: 'update',
    asks: ['update-null'],
    may: ['update-null-title'],
    shows: {
      'update-null': [['invalid', 'refuse']],
      'update-null-title': [
        ['title', 'ignore'],
        ['ok', 'clear'],
        ['invalid', 'clear'],
      ],
    },
  },
  'analysis-structure': {
    after: 'update',
    asks: ['update-unknown-key'],
    may: ['update-known-keys'],
    shows: { 'update-unknown-key': [['ok', 'any-object']], 'update-known-keys': [['ok', 'known-keys']] },
  },
  'unknown-recording-status': { after: 'update', asks: ['update-unknown'], repeats: true },
  'foreign-recording': {
    after: 'update',
    asks: ['update-as-member'],
    may: [
      'update-unknown',
      'update-unknown-as-member',
      'update-other',
      'update-other-as-member',
      'keys-as-member',
      'scopes-as-member',
    ],
    repeats: true,
  },
  'provider-values': { after: 'keys' },
  'key-status-values': { after: 'keys' },
  'unknown-provider-filter': {
    after: 'keys',
    asks: ['keys-no-provider'],
    shows: {
      'keys-no-provider': [
        ['empty', 'empty'],
        ['listed', 'ignore'],
        ['invalid', 'refuse'],
      ],
    },
  },
  ...Object.fromEntries(
    [
      ['provider', 'providers'],
      ['status', 'statuses'],
    ].flatMap(([filter, several]): [string, GapRow][] => [
      [`empty-${filter}-filter`, listedAs(`keys-empty-${filter}` as Question, EMPTY)],
      [`repeated-${filter}-filter`, listedAs(`keys-two-${several}` as Question, REPEATED)],
    ]),
  ),
  'admin-access': {
    after: 'keys',
    asks: ['keys-as-member'],
    may: ['scopes-as-member'],
    shows: {
      'keys-as-member': [
        ['empty', 'members'],
        ['listed', 'members'],
        ['refused to member', 'administrators'],
      ],
    },
  },
  'unknown-tenant': {
    after: 'keys',
    asks: ['keys-unknown-tenant'],
    may: ['keys-as-member', 'scopes-as-member'],
    shows: {
      'keys-unknown-tenant': [
        ['empty', 'empty'],
        ['404', 'not-found'],
        ['forbidden', 'forbidden'],
      ],
    },
  },
  // An empty list says neither that the tenant is hidden nor that it may be seen.
  'foreign-tenant': {
    after: 'keys',
    asks: ['keys-other-tenant'],
    may: ['keys-as-member', 'scopes-as-member'],
    shows: {
      'keys-other-tenant': [
        ['listed', 'visible'],
        ['404', 'not-found'],
        ['forbidden', 'forbidden'],
      ],
    },
  },
  pagination: {
    after: 'keys',
    asks: ['keys-later-page-unknown'],
    may: ['keys-later-page', 'keys-first-page', 'keys-unknown-parameter'],
  },
  'error-body': { may: 'refusals' },
  'error-codes': { may: 'refusals' },
  'error-precedence': {
    asks: ['keys-as-nobody', 'keys-no-provider'],
    may: ['keys-no-provider-as-nobody', 'update-text', 'update-text-as-nobody'],
    repeats: true,
  },
  'error-accept': { asks: ['keys-as-garbage', 'keys-as-garbage-any', 'keys-as-garbage-none'] },
  'missing-credentials-status': { asks: ['keys-as-nobody'], may: ['scopes-as-nobody'], repeats: true },
  'invalid-credentials-status': { asks: ['keys-as-garbage'], may: ['scopes-as-garbage'], repeats: true },
  'forbidden-status': { after: 'keys', asks: ['keys-as-member'], may: ['scopes-as-member', 'keys-other-tenant'] },
  'validation-status': { asks: ['sso-wrong-claims'], may: ['update-text', 'keys-no-provider'], repeats: true },
  'malformed-json-status': { asks: ['sso-malformed'], repeats: true },
  'media-type-status': {
    after: 'sso',
    asks: ['sso-as-text'],
    may: ['sso-no-body', 'update-as-text', 'update-text', 'update-no-body', 'login-as-text', 'login-no-body'],
    repeats: true,
  },
  'method-status': { asks: ['sso-get'], may: ['login-get', 'pat-get', 'recording-get'], repeats: true },
  'options-requests': {
    asks: ['sso-options'],
    may: ['sso-get'],
    repeats: true,
    shows: {
      'sso-options': [
        ['204', 'allow'],
        ['200', 'allow-200'],
        ['like sso-get', 'refuse'],
      ],
    },
  },
  'missing-body': {
    asks: ['sso-no-body'],
    may: ['update-no-body', 'sso-no-claims', 'sso-wrong-claims', 'sso-as-text'],
    repeats: true,
    shows: {
      'sso-no-body': [
        ['like sso-no-claims', 'validation'],
        ['like sso-wrong-claims', 'validation'],
        ['like sso-as-text', 'media-type'],
      ],
    },
  },
  'unknown-path-status': { asks: ['unknown-path'], repeats: true },
  'trailing-slash': {
    after: 'keys',
    asks: ['keys-with-slash'],
    may: ['update-with-slash', 'unknown-path'],
    repeats: true,
  },
  'unknown-query': {
    after: 'keys',
    asks: ['keys-unknown-parameter'],
    repeats: true,
    shows: {
      'keys-unknown-parameter': [
        ['ok', 'ignore'],
        ['invalid', 'refuse'],
      ],
    },
  },
  'success-codes': { asks: ['sso', 'pat'], may: ['scopes', 'keys', 'update'] },
  'timestamp-form': { may: ['sso', 'keys', 'update'] },
  'extra-fields': { may: ['sso', 'keys', 'update'] },
  'rate-limit': { asks: ['keys', 'scopes'] },
  // Where a form cannot be sent, nothing is said of it.
  'lax-tokens': {
    asks: [
      'lower-case-scheme',
      'more-blanks',
      'jwt-with-padding',
      'jwt-in-other-base64',
      'jwt-with-a-part-more',
      'pat-without-prefix',
      'pat-with-another-prefix',
      'pat-with-a-part-more',
    ],
  },
};
