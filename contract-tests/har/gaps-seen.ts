import { LOGIN_PATH, type OperationId, SSO_PATH } from '../api/operations.ts';
import { fieldsOf, type RecordName } from '../api/records.ts';
import { partsOfPat } from '../api/token-forms.ts';
import { findPats } from '../api/tokens-in-answers.ts';
import type { Entry } from '../log/entry.ts';
import { bearerOf } from '../log/log.ts';
import { Recent } from '../log/recent.ts';
import { extrasIn, formOf, type SeenRecord } from '../probes/answers.ts';
import type { RefusalSample } from '../probes/error-samples.ts';
import { learnErrors } from '../probes/error-shape.ts';
import { grantShape } from '../probes/grant-shape.ts';
import { patShape } from '../probes/pat-shape.ts';
import { Undetermined } from '../probes/probe.ts';
import { limitOf } from '../probes/rate-limits.ts';
import { isRefusedAsInvalid } from '../probes/requests.ts';
import { type ScopesAnswer, scopesShape } from '../probes/scope-shape.ts';
import { answerFor } from '../probes/shape-learner.ts';
import { loginShape } from '../probes/sign-in.ts';
import { lifetimeIn, scopeNames } from '../probes/tokens.ts';
import { isExchanged, refreshTokenIn } from '../session/refreshing.ts';
import { type Answer, isSuccess, jsonOf } from '../values/answer.ts';
import { isObject, type JsonObject, parseJson } from '../values/json.ts';

/** Entries that are named as evidence; and what is learned from, of each kind. */
const EVIDENCE = 3;
const SAMPLES = 10;
const RECORDS_KEPT = 200;
/** Refresh tokens and recordings that are remembered. */
const REMEMBERED = 10_000;

const GRANT = ['access_token', 'refresh_token', 'token_type', 'expires_in'];
const SUCCESS_CODES: Partial<Record<OperationId, string>> = { sso: 'ssoLogin', login: 'login', pat: 'createApiToken' };

/** What was observed of a gap: several values contradict each other. */
export interface Observation {
  values: unknown[];
  entries: Answer[];
  /** Why there is no value although exchanges were seen. */
  why?: string;
}

interface Sample<T> {
  value: T;
  answer: Answer;
}

/** What the exchanges of a recording show of the gaps, as far as they show it without a request made for that. */
export class GapsSeen {
  readonly #notes = new Map<string, Map<string, { value: unknown; entries: Answer[] }>>();
  readonly #unclear = new Map<string, string>();
  readonly #codes: Record<string, number> = {};
  readonly #refusals: RefusalSample[] = [];
  readonly #scopes: Sample<ScopesAnswer>[] = [];
  readonly #records: Sample<SeenRecord>[] = [];
  readonly #limits: Answer[] = [];
  /** The refresh tokens that were handed out; the answer of those that were exchanged. */
  readonly #refresh = new Recent<string, Answer | undefined>(REMEMBERED);
  /** When each recording was changed last, as it says itself, and its status: processing changes it, too. */
  readonly #changed = new Recent<string, { changed: unknown; status: unknown }>(REMEMBERED);

  see(seen: Entry): void {
    const { operation, answer, path } = seen;
    const json = jsonOf(answer);
    if (operation === 'sso' || operation === 'login' || operation === 'pat') this.#seeCreation(operation, seen, json);
    else if (operation === 'recording') this.#seeUpdate(seen, json);
    else if (operation === 'scopes') this.#seeScopes(seen, json);
    else if (operation === undefined) this.#seeElsewhere(seen);
    if (operation === 'api-keys' && isSuccess(answer) && Array.isArray(json))
      for (const key of json.filter(isObject)) this.#seeRecord('TenantApiKey', key, answer);
    if (operation !== undefined) this.#seeRequest(seen);
    if (operation === 'api-keys' || operation === 'scopes' || operation === 'recording') this.#seeRefusal(seen);
    if (this.#limits.length < RECORDS_KEPT && isSuccess(answer)) this.#limits.push(answer);
    const refresh = isSuccess(answer) && path !== '' ? refreshTokenIn(answer) : undefined;
    if (refresh !== undefined && !this.#refresh.has(refresh)) this.#refresh.set(refresh, undefined);
  }

  of(gap: string): Observation {
    try {
      const found = [...(this.#notes.get(gap)?.values() ?? []), ...this.#together(gap)];
      const why = this.#unclear.get(gap);
      const observation = {
        values: found.map(({ value }) => value),
        entries: found.flatMap(({ entries }) => entries).slice(0, 2 * EVIDENCE),
      };
      return why === undefined ? observation : { ...observation, why };
    } catch (error) {
      if (error instanceof Undetermined) return { values: [], entries: [], why: error.message };
      throw error;
    }
  }

  /** What many exchanges show only together. */
  #together(gap: string): { value: unknown; entries: Answer[] }[] {
    const evidence = (samples: readonly { answer: Answer }[]) => samples.slice(0, EVIDENCE).map(({ answer }) => answer);
    if (gap === 'error-body' && this.#refusals.length > 0) {
      const kinds = [...new Set(this.#refusals.map(({ kind }) => kind))];
      const first = kinds.flatMap((kind) => this.#refusals.find((sample) => sample.kind === kind) ?? []);
      return [{ value: answerFor('error-body', learnErrors(this.#refusals)), entries: evidence(first) }];
    }
    if (gap === 'scopes-response' && this.#scopes.length > 0)
      return [{ value: scopesShape(this.#scopes.map(({ value }) => value)), entries: evidence(this.#scopes) }];
    if (gap === 'extra-fields' && this.#records.length > 0)
      return [{ value: extrasIn(this.#records.map(({ value }) => value)), entries: evidence(this.#records) }];
    // A limit that no header states is none that a recording shows.
    const limit = gap === 'rate-limit' ? limitOf(this.#limits) : undefined;
    return limit === undefined ? [] : [{ value: limit, entries: this.#limits.slice(0, 1) }];
  }

  #seeCreation(operation: 'sso' | 'login' | 'pat', { answer }: Entry, json: unknown): void {
    if (!isSuccess(answer) || !isObject(json)) return;
    const sent = parseJson(answer.request.body ?? '');
    this.#codes[SUCCESS_CODES[operation] ?? ''] ??= answer.response.status;
    this.#note('success-codes', this.#codes, answer, 'all');
    if (isObject(json.user)) this.#seeRecord('User', json.user, answer);
    if (operation === 'sso') {
      this.#seeRecord('TokenGrant', json, answer);
      if (Number.isInteger(json.expires_in)) this.#note('access-token-lifetime', json.expires_in, answer);
    } else if (operation === 'login') {
      const user = isObject(json.user) ? json.user : undefined;
      if (isObject(sent)) this.#try('login-request', answer, () => loginShape(sent as Record<string, string>, user));
      this.#try('login-response', answer, () => grantShape('login-response', json, [['as-sso', [...GRANT, 'user']]]));
    } else {
      const head = partsOfPat(findPats(answer)[0])?.head;
      if (head !== undefined) this.#note('pat-prefix', head.slice(0, head.lastIndexOf('_')), answer);
      this.#try('pat-create-response', answer, () => patShape(json, isObject(sent) ? sent : {}));
      this.#try('pat-lifetime', answer, () => lifetimeIn(json));
    }
  }

  /** What becomes of unusual updates: what was sent beside them would blur why one is refused. */
  #seeUpdate(entry: Entry, json: unknown): void {
    const { answer, path } = entry;
    const sent = parseJson(answer.request.body ?? '');
    if (isObject(json) && isSuccess(answer)) this.#seeRecord('Recording', json, answer);
    if (!isObject(sent)) return;
    const isRefused = isRefusedAsInvalid(answer);
    const names = Object.keys(sent);
    const changed = isObject(json) ? json.updated_at : undefined;
    const before = this.#changed.get(path);
    if (names.length === 0 && isRefused) this.#note('empty-update', 'refuse', answer);
    if (changed !== undefined && isObject(json) && isSuccess(answer)) {
      // The same time may be of another moment, where it is written in whole seconds.
      const isTouched = before !== undefined && before.changed !== changed && before.status === json.status;
      if (names.length === 0 && isTouched) this.#note('empty-update', 'accept', answer);
      this.#changed.set(path, { changed, status: json.status });
    }
    const isUnknown = (name: string): boolean => !Object.hasOwn(fieldsOf('Recording'), name) && !updatable.has(name);
    if (names.some(isUnknown) && isSuccess(answer)) this.#note('unknown-field', 'ignore', answer);
    if (names.length === 1 && typeof sent.title === 'number') {
      if (isRefused) this.#note('wrong-type', 'refuse', answer);
      if (isObject(json) && json.title === String(sent.title)) this.#note('wrong-type', 'coerce', answer);
    }
    if (names.length === 1 && 'analysis' in sent && !isObject(sent.analysis) && isRefused)
      this.#note('validation-status', answer.response.status, answer);
    if (answer.response.status === 404 && this.#issuedTo(entry) === true)
      this.#note('unknown-recording-status', 404, answer);
  }

  #seeScopes(entry: Entry, json: unknown): void {
    const { answer, path } = entry;
    if (!isSuccess(answer)) return;
    this.#note('scopes-path', path, answer);
    const isAdmin = this.#issuedTo(entry);
    if (isAdmin === undefined || !isObject(json)) return;
    if (this.#scopes.filter(({ value }) => value.isAdmin === isAdmin).length < SAMPLES)
      this.#scopes.push({ value: { body: json, isAdmin }, answer });
    const names = isAdmin ? [...new Set(scopeNames(json))].toSorted() : [];
    if (names.length > 0) this.#note('scope-values', names, answer);
  }

  /** The exchange of a refresh token, and methods that a documented path does not have. */
  #seeElsewhere({ answer, path }: Entry): void {
    const { method, body = '' } = answer.request;
    const { status } = answer.response;
    if (method === 'GET' && (path === SSO_PATH || path === LOGIN_PATH) && [404, 405].includes(status))
      this.#note('method-status', status, answer);
    if (method !== 'POST') return;
    const sent = parseJson(body);
    const members = isObject(sent) ? Object.entries(sent) : [];
    const bearer = bearerOf(answer);
    const [name, token] = members.length === 1 ? (members[0] ?? []) : ['', bearer];
    if (typeof token !== 'string' || !this.#refresh.has(token)) return;
    const before = this.#refresh.get(token);
    if (isExchanged(answer)) {
      this.#note('refresh-path', path, answer);
      const form = name === '' ? 'bearer-header' : { template: { [name as string]: '${refreshToken}' } };
      this.#note('refresh-request', typeof form === 'string' ? form : answerFor('refresh-request', form), answer);
      const grant = jsonOf(answer);
      if (isObject(grant))
        this.#try('refresh-response', answer, () =>
          grantShape('refresh-response', grant, [
            ['as-sso', [...GRANT, 'user']],
            ['tokens', GRANT],
          ]),
        );
      if (before) this.#note('refresh-rotation', 'reuse', answer);
      this.#refresh.set(token, answer);
    } else if (before && status < 500) {
      const next = refreshTokenIn(before);
      if (next !== undefined && next !== token) this.#note('refresh-rotation', 'rotate', answer);
    }
  }

  /** Requests that say by themselves what is wrong with them. */
  #seeRequest({ operation, answer }: Entry): void {
    const { headers, body } = answer.request;
    const { status } = answer.response;
    const type = headers['Content-Type'] ?? '';
    if (status === 415 && body !== undefined && !/json/i.test(type)) this.#note('media-type-status', status, answer);
    const isOpen = operation === 'sso' || operation === 'login';
    if (isOpen && status >= 400 && status < 500 && /json/i.test(type) && body && parseJson(body) === undefined)
      this.#note('malformed-json-status', status, answer);
    const sent = operation === 'sso' ? parseJson(body ?? '') : undefined;
    const isOfWrongType = isObject(sent) && Object.values(sent).some((claim) => typeof claim === 'number');
    if (isOfWrongType && status >= 400 && status < 500) this.#note('validation-status', status, answer);
  }

  #seeRefusal(entry: Entry): void {
    const { operation, answer } = entry;
    const { status } = answer.response;
    if (status !== 401 && status !== 403) return;
    const { kind, token } = entry.credential;
    const isMissing = token === undefined && answer.request.headers.Authorization === undefined;
    // Of a token that looks good only that of somebody who is no administrator shows why it was refused.
    const isForbidden = operation === 'api-keys' && this.#issuedTo(entry) === false;
    const name = isMissing ? 'missing-credentials' : kind === 'garbage' ? 'invalid-credentials' : 'forbidden';
    if (name === 'forbidden' && !isForbidden) return;
    this.#note(`${name}-status`, status, answer);
    if (this.#refusals.filter((sample) => sample.kind === name).length < SAMPLES)
      this.#refusals.push({ kind: name, answer, fields: [] });
  }

  /** Whether the caller is an administrator, by the sign-in that gave the token; undefined where no answer shows it. */
  #issuedTo({ credential: { issued } }: Entry): boolean | undefined {
    const grant = issued && jsonOf(issued.answer);
    const user = isObject(grant) && isObject(grant.user) ? grant.user : {};
    return typeof user.administrator === 'boolean' ? user.administrator : undefined;
  }

  #seeRecord(type: RecordName, record: JsonObject, answer: Answer): void {
    if (this.#records.length < RECORDS_KEPT) this.#records.push({ value: { type, record }, answer });
    for (const time of [record.created_at, record.updated_at]) {
      const form = typeof time === 'string' ? formOf(time) : undefined;
      if (form !== undefined) this.#note('timestamp-form', form, answer);
    }
  }

  /** Notes what an exchange shows, or why it does not. */
  #try(gap: string, answer: Answer, read: () => unknown): void {
    try {
      const value = read();
      if (value !== undefined) this.#note(gap, value, answer);
    } catch (error) {
      if (!(error instanceof Undetermined)) throw error;
      this.#unclear.set(gap, error.message);
    }
  }

  #note(gap: string, value: unknown, answer: Answer, key = JSON.stringify(value)): void {
    const values = this.#notes.get(gap) ?? new Map<string, { value: unknown; entries: Answer[] }>();
    this.#notes.set(gap, values);
    const same = values.get(key) ?? { value, entries: [] };
    values.set(key, { value, entries: [...same.entries, answer].slice(0, EVIDENCE) });
  }
}

/** The fields that an update may have and a recording does not show. */
const updatable = new Set(['summary', 'analysis', 'kb_folder_id', 'kb_document_id']);
