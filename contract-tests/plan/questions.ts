import type { IDENTIFIERS } from '../api/identifiers.ts';
import { LAX_FORM_NAMES, type LaxForm } from '../api/lax-forms.ts';
import type { Method, OperationId } from '../api/operations.ts';
import type { TargetField } from '../api/target-fields.ts';
import type { Actor } from '../model.ts';

/** What is asked of the gaps where the log does not show it yet. */

export const SUMMARY = 'Summary by the contract suite.';
export const UNKNOWN_SCOPE = 'no_such_scope_probe';
export const UNKNOWN_FIELD = { no_such_field_probe: 'x' };

/** How sign-ins and exchanges of refresh tokens refuse invalid credentials: apart from tokens that operations refuse. */
export const REFUSED_SIGN_IN = 'refused-sign-in';

/** A request by which its answers are found in a log: an operation, another path, or what helpers of the session send. */
export interface QuestionRow {
  of?: OperationId;
  path?: string;
  method?: Method;
  /** Whose credentials, by default admin's where they are needed. */
  as?: 'admin' | 'member' | 'nobody' | 'garbage';
  query?: Record<string, string>;
  /** A filter that is sent twice, with two values that listed keys have. */
  twice?: 'provider' | 'status';
  /** Its header Accept, where it is not the usual one; none where it is empty. */
  accept?: string;
  /** The body; claims and login are those of the target file, an unknown user is one of admin's directory. */
  json?: unknown;
  /** A body that need not be JSON, and its media type. */
  text?: string;
  type?: string;
  /** Which recording or tenant, where it is not the one that the target file names first. */
  id?: keyof typeof IDENTIFIERS | 'other';
  /** Its path has a slash at the end. */
  hasSlash?: true;
  /** Only a run that learns asks it; others read what they see of it. */
  learns?: true;
  /** It may change something, as every PATCH does. */
  writes?: true;
  /** The line of the plan, else made of the request; a note is added to that. */
  says?: string;
  note?: string;
  needs?: readonly TargetField[];
  /** The kind of error that it meets, and what such an error may name. */
  refusal?: string;
  fields?: readonly string[];
  /** Other exchanges that answer it. */
  also?: Meant;
  /** The same in a recording, which holds no requests that were made for it. */
  recorded?: Meant;
}

/** What exchanges have in common: of each property a value, or several (SAID in contract-tests/readers/questions.ts). */
export type Meant = Readonly<Record<string, unknown>>;

/** `admin.jwt`, `member.pat`: an actor of the target file with a kind of credential. */
export type Caller = `${Actor}.${'jwt' | 'login' | 'pat'}`;

const ROWS = {
  sso: { of: 'sso', json: 'claims of admin', recorded: { of: 'sso', status: [200, 201] } },
  'sso-without-oid': { of: 'sso', json: 'claims of admin without oid', writes: true, note: 'may make a user' },
  'sso-without-tid': { of: 'sso', json: 'claims of admin without tid', writes: true, note: 'may make a user' },
  'sso-without-upn': { of: 'sso', json: 'claims of admin without upn', writes: true, note: 'may make a user' },
  'sso-unknown': {
    of: 'sso',
    json: 'claims of an unknown user',
    writes: true,
    refusal: REFUSED_SIGN_IN,
    note: 'may make a user, at most one ever',
  },
  'sso-unknown-directory': {
    of: 'sso',
    json: 'claims of an unknown directory',
    writes: true,
    learns: true,
    note: 'may make a user, at most one ever',
  },
  'sso-no-body': { of: 'sso', needs: [] },
  'sso-unknown-field': { of: 'sso', json: 'claims of admin and an unknown field', writes: true, learns: true },
  'login-unknown-field': { of: 'login', json: 'login of admin and an unknown field', learns: true },
  'sso-options': { of: 'sso', method: 'OPTIONS', needs: [] },
  login: { of: 'login', json: 'login of admin', recorded: { of: 'login', status: [200, 201] } },
  refresh: {
    says: 'POST of a fresh refresh token to the likely paths, in each form, until one succeeds',
    needs: ['actors.admin.sso'],
    also: { refresh: 'first' },
  },
  'refresh-again': {
    says: 'POST of the refresh token that was exchanged already',
    needs: ['actors.admin.sso'],
    refusal: REFUSED_SIGN_IN,
    also: { refresh: 'again' },
  },
  'earlier-session': {
    says: 'GET of the token scopes with the access token of a sign-in, after another sign-in of the same user',
    needs: ['actors.admin'],
    also: { of: 'scopes', session: ['kept', 'ended'] },
  },
  'earlier-pat': {
    says: 'GET of the token scopes with a PAT, after POST /v1/api-tokens for another one of the same user',
    needs: ['actors.admin'],
    writes: true,
    also: { of: ['scopes', 'api-keys'], pat: ['kept', 'ended'] },
  },
  pat: {
    says: 'POST /v1/api-tokens, once a run: with {}, {name}, {name, scopes} until one succeeds',
    needs: ['actors.admin'],
    writes: true,
    also: { of: 'pat', as: 'admin' },
    recorded: { of: 'pat' },
  },
  'pat-unknown-scope': {
    says: 'POST /v1/api-tokens for one more PAT, with a scope that does not exist',
    needs: ['actors.admin'],
    writes: true,
    learns: true,
    also: { of: 'pat', as: 'admin', sends: 'unknown scope' },
  },
  'pat-known-scopes': {
    says: 'the same with scopes that exist, where that is refused',
    needs: ['actors.admin'],
    writes: true,
    learns: true,
    also: { of: 'pat', as: 'admin', status: 'ok', sends: 'known scopes' },
  },
  'pat-unknown-field': {
    says: 'POST /v1/api-tokens for another PAT, with an unknown field, and without it where that is refused',
    needs: ['actors.admin'],
    writes: true,
    learns: true,
    also: { of: 'pat', as: 'admin', sends: 'no_such_field_probe string' },
  },
  scopes: { of: 'scopes', also: { of: 'scopes', query: 'none', flawed: false } },
  'scopes-as-member': { of: 'scopes', as: 'member' },
  'scopes-as-nobody': { of: 'scopes', as: 'nobody' },
  'scopes-as-garbage': { of: 'scopes', as: 'garbage' },
  keys: { of: 'api-keys', recorded: { of: 'api-keys', status: 200, flawed: false } },
  'keys-no-provider-as-nobody': { of: 'api-keys', query: { provider: 'nonesuch' }, as: 'nobody' },
  // A page with the parameter that is answered says that it is ignored, on any page.
  'keys-unknown-parameter': {
    of: 'api-keys',
    query: { no_such_parameter_probe: '1' },
    also: { of: 'api-keys', status: 200, as: 'admin', query: 'no_such_parameter_probe' },
  },
  'keys-empty-provider': { of: 'api-keys', query: { provider: '' }, learns: true },
  'keys-empty-status': { of: 'api-keys', query: { status: '' }, learns: true },
  'keys-two-providers': { of: 'api-keys', twice: 'provider', learns: true },
  'keys-two-statuses': { of: 'api-keys', twice: 'status', learns: true },
  'keys-first-page': { of: 'api-keys', query: { limit: '1', offset: '0' } },
  'keys-later-page': { of: 'api-keys', query: { limit: '1', offset: '1' } },
  'keys-later-page-unknown': { of: 'api-keys', query: { limit: '1', offset: '1', no_such_parameter_probe: '1' } },
  'keys-with-slash': { of: 'api-keys', hasSlash: true, learns: true, note: 'with a slash at the end of the path' },
  'keys-other-tenant': { of: 'api-keys', id: 'other', says: 'GET of the API keys of resources.otherTenantId' },
  update: { of: 'recording', json: { summary: SUMMARY }, also: { of: 'recording', status: 'ok', usual: true } },
  'update-empty': {
    of: 'recording',
    json: {},
    note: 'where it shows no new time, once more a second later',
    also: { of: 'recording', usual: true, size: 0 },
  },
  // Who sends it does not matter, nor to which recording.
  'update-unknown-field': {
    of: 'recording',
    json: { summary: SUMMARY, ...UNKNOWN_FIELD },
    also: { of: 'recording', status: 200, sends: 'unknown field' },
  },
  'update-number': {
    of: 'recording',
    json: { title: 12345 },
    note: 'the title is put back',
    also: { of: 'recording', usual: true, size: 1, sends: 'title number' },
  },
  'update-empty-title': {
    of: 'recording',
    json: { title: '' },
    learns: true,
    note: 'the title is put back',
    also: { of: 'recording', usual: true, size: [1, 2], sends: 'empty title' },
  },
  'update-null': {
    of: 'recording',
    json: { summary: null },
    also: { of: 'recording', usual: true, size: 1, sends: 'summary null' },
  },
  'update-null-title': { of: 'recording', json: { title: null }, note: 'the title is put back' },
  'update-unknown-key': {
    of: 'recording',
    json: { analysis: { no_such_key_probe: { nested: [1] } } },
    also: { of: 'recording', status: 200, sends: 'unknown key' },
  },
  'update-known-keys': {
    of: 'recording',
    json: { analysis: { key_topics: ['topic'], action_items: ['item'] } },
    also: { of: 'recording', status: 'ok', usual: true, sends: 'known keys' },
  },
  'update-with-slash': {
    of: 'recording',
    json: { summary: SUMMARY },
    hasSlash: true,
    learns: true,
    note: 'with a slash at the end of the path',
  },
  'update-unknown-folder': {
    of: 'recording',
    json: { kb_folder_id: '3c9e0a71-5b2d-4f86-9e17-d20b64a8c513' },
    learns: true,
  },
  'update-no-body': { of: 'recording', learns: true, note: 'without a body' },
  'update-text-as-nobody': { of: 'recording', json: { analysis: 'not an object' }, as: 'nobody' },
  'update-as-member': {
    of: 'recording',
    json: { summary: SUMMARY },
    as: 'member',
    also: { of: 'recording', as: 'member', resource: 'own', form: 'object' },
  },
  'update-unknown-as-member': {
    of: 'recording',
    json: { summary: SUMMARY },
    id: 'made-up',
    as: 'member',
    says: 'PATCH of a recording with a made-up id as member',
  },
  'update-other': {
    of: 'recording',
    json: { summary: SUMMARY },
    id: 'other',
    learns: true,
    says: 'PATCH of resources.otherRecordingId with a summary',
    also: { of: 'recording', as: 'admin', resource: 'other', form: 'object' },
  },
  'update-other-as-member': {
    of: 'recording',
    json: { summary: SUMMARY },
    id: 'other',
    as: 'member',
    learns: true,
    says: 'PATCH of resources.otherRecordingId with a summary, as member',
    also: { of: 'recording', as: 'member', resource: 'other', form: 'object' },
  },
  // Refusals, in the order in which the shape of error bodies is read from them.
  'unknown-path': {
    path: '/v1/7d0d4a52-5f2c-4b1e-9c1d-0e6f8a3b2c4d',
    says: 'GET of an unknown path',
    needs: ['actors.admin'],
    refusal: 'unknown-path',
  },
  'sso-get': {
    of: 'sso',
    method: 'GET',
    needs: [],
    refusal: 'method',
    recorded: { method: 'GET', path: ['/v1/auth/sso', '/v1/auth/login'], status: [404, 405] },
  },
  // Others than the sign-in may have a GET that the document does not show.
  'login-get': { of: 'login', method: 'GET', needs: [], learns: true },
  'pat-get': { of: 'pat', method: 'GET', learns: true },
  'recording-get': { of: 'recording', method: 'GET', learns: true },
  'sso-malformed': {
    of: 'sso',
    text: '{"oid": "',
    type: 'application/json',
    needs: [],
    refusal: 'malformed-json',
    fields: ['oid', 'tid', 'upn'],
    recorded: { of: ['sso', 'login'], form: 'malformed', status: 'refused' },
  },
  'sso-as-text': {
    of: 'sso',
    text: 'claims of admin',
    type: 'text/plain',
    refusal: 'media-type',
    fields: ['oid', 'tid', 'upn'],
    recorded: { of: ['sso', 'login', 'pat', 'api-keys', 'scopes'], form: 'other', status: 415 },
  },
  'login-as-text': {
    of: 'login',
    text: 'login of admin',
    type: 'text/plain',
    learns: true,
  },
  'login-unknown': { of: 'login', json: 'login of an unknown user', learns: true, refusal: REFUSED_SIGN_IN },
  'login-no-body': { of: 'login', learns: true, needs: [] },
  'sso-wrong-claims': {
    of: 'sso',
    json: { oid: null, tid: null, upn: null },
    writes: true,
    needs: [],
    refusal: 'validation',
    fields: ['oid', 'tid', 'upn'],
    note: 'may make a user',
    recorded: { of: 'sso', status: [400, 422], sends: ['oid null', 'oid number', 'tid number', 'upn number'] },
  },
  'sso-no-claims': { of: 'sso', json: {}, needs: [], refusal: 'validation', fields: ['oid', 'tid', 'upn'] },
  'keys-no-provider': { of: 'api-keys', query: { provider: 'nonesuch' }, refusal: 'validation', fields: ['provider'] },
  'update-text': {
    of: 'recording',
    json: { analysis: 'not an object' },
    refusal: 'validation',
    fields: ['analysis'],
    also: { of: 'recording', usual: true, size: [1, 2], sends: 'analysis string' },
  },
  'update-as-text': {
    of: 'recording',
    text: '{"analysis":"not an object"}',
    type: 'text/plain',
    refusal: 'media-type',
    recorded: { of: 'recording', form: 'other', status: 415 },
  },
  'keys-as-nobody': {
    of: 'api-keys',
    as: 'nobody',
    refusal: 'missing-credentials',
    recorded: { of: ['api-keys', 'scopes', 'recording'], status: [401, 403], as: 'nobody' },
  },
  'keys-as-garbage': {
    of: 'api-keys',
    as: 'garbage',
    refusal: 'invalid-credentials',
    also: { of: ['api-keys', 'scopes', 'recording'], status: [401, 403], as: 'garbage' },
  },
  'keys-as-garbage-any': {
    of: 'api-keys',
    as: 'garbage',
    accept: '*/*',
    says: 'GET of the API keys with a token that means nothing, and Accept: */*',
    also: { flawed: true, accept: 'any', status: 'refused' },
  },
  'keys-as-garbage-none': {
    of: 'api-keys',
    as: 'garbage',
    accept: '',
    says: 'GET of the API keys with a token that means nothing, without Accept',
    also: { flawed: true, accept: 'none', status: 'refused' },
  },
  'keys-as-member': {
    of: 'api-keys',
    as: 'member',
    refusal: 'forbidden',
    recorded: { of: 'api-keys', status: [401, 403], as: 'member' },
  },
  'keys-unknown-tenant': {
    of: 'api-keys',
    id: 'made-up',
    says: 'GET of the API keys of a tenant with a made-up id',
    refusal: 'unknown-tenant',
    // A tenant's identifier cut short names no tenant either.
    also: { of: 'api-keys', as: 'admin', odd: 'tenant', resource: 'unknown' },
  },
  'update-unknown': {
    of: 'recording',
    json: { summary: SUMMARY },
    id: 'made-up',
    says: 'PATCH of a recording with a made-up id',
    refusal: 'unknown-recording',
    // Identifiers like that of the recording, which none has.
    also: { odd: 'recording', sends: 'title string' },
    recorded: { of: 'recording', status: 404, as: 'admin' },
  },
} satisfies Record<string, QuestionRow>;

/** Other spellings of a whole token of admin's, where a list or the token scopes accept it as it is. */
const FORMS = Object.fromEntries(
  LAX_FORM_NAMES.map((form): [LaxForm, QuestionRow] => [form, { needs: ['actors.admin'], also: { spelled: form } }]),
) as Record<LaxForm, QuestionRow>;

/** Lengths of titles, the longest first: who accepts that one has no limit. */
export const TITLE_LENGTHS = [5000, 500, 255, 200, 120, 100, 60] as const;
export const titleOf = (length: (typeof TITLE_LENGTHS)[number]) => `title-of-${length}` as const;

const TITLES = Object.fromEntries(
  TITLE_LENGTHS.map((length): [string, QuestionRow] => [
    titleOf(length),
    {
      of: 'recording',
      json: { title: `${'A long title, '.repeat(length).slice(0, length - 1)}.` },
      learns: true,
      says: `PATCH of the recording with a title of ${length} characters; the title is put back`,
      also: length === TITLE_LENGTHS[0] ? { of: 'recording', usual: true, size: 1, sends: 'long title' } : undefined,
    },
  ]),
) as Record<ReturnType<typeof titleOf>, QuestionRow>;

export type Question = keyof typeof ROWS | LaxForm | keyof typeof TITLES;
export const QUESTIONS: Readonly<Record<Question, QuestionRow>> = { ...ROWS, ...FORMS, ...TITLES };
