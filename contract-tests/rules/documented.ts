import { isProtected, OPERATIONS } from '../api/operations.ts';
import { isRecording } from '../api/records.ts';
import { type Entry, isOk, jsonIn, sentObject, sentOf } from '../log/entry.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { holdsField } from './fields.ts';
import { isOdd } from './rule.ts';

/** Which requests the document describes, and how messages name them. */

export const FILTERS = ['provider', 'status'];

/** An update as 4.2 shows it: writable fields of their formats, at least one. */
export function isUpdate(entry: Entry): boolean {
  const sent = Object.entries(sentObject(entry));
  const isWritable = sent.every(([field, value]) => holdsField('RecordingUpdate', field, value));
  return entry.operation === 'recording' && sent.length > 0 && isWritable;
}

/** A sign-in as 4.1 shows it: claims that are strings. */
export function isSignIn(entry: Entry): boolean {
  const claims = Object.entries(sentObject(entry)).filter(([name]) => ['oid', 'tid', 'upn'].includes(name));
  return entry.operation === 'sso' && claims.length > 0 && claims.every(([, value]) => typeof value === 'string');
}

/** The filters of a list; undefined where the query has what 4.3 does not show, such as a filter without a value. */
export function filtersOf({ query }: Entry): Record<string, string> | undefined {
  const filters = Object.fromEntries(query);
  const isKnown =
    query.every(([name, value]) => FILTERS.includes(name) && value !== '') &&
    Object.keys(filters).length === query.length;
  return isKnown ? filters : undefined;
}

export const fieldsSent = (entry: Entry): string => Object.keys(sentObject(entry)).toSorted().join(', ');

export function isList(entry: Entry): boolean {
  const json = jsonIn(entry);
  return Array.isArray(json) && json.every(isObject);
}

export function listedKeys(entry: Entry): JsonObject[] {
  const json = jsonIn(entry);
  return Array.isArray(json) ? json.filter(isObject) : [];
}

/** The recording that a success answered. */
export function recordOf(entry: Entry | undefined): JsonObject | undefined {
  const record = entry && isOk(entry) ? jsonIn(entry) : undefined;
  return isRecording(record) ? record : undefined;
}

/** Whether a success answered a request that the document describes, so that the answer must be as documented. */
export function isDocumented(entry: Entry): boolean {
  if (!isOk(entry) || !entry.hasBody || !entry.hasRequestBody || entry.credential.kind === 'masked') return false;
  // A browser that opens the path asks for a page.
  if (/html/i.test(entry.answer.request.headers.Accept ?? '') && jsonIn(entry) === undefined) return false;
  // What is answered to bad credentials is another rule's finding.
  if (isProtected(entry.operation) && entry.credential.flaw) return false;
  const { operation } = entry;
  if (operation === 'sso') return isSignIn(entry);
  // With other members in the body too: what answers a recording says how it is.
  if (operation === 'recording') return isUpdate(entry) || (isObject(sentOf(entry)) && isRecording(jsonIn(entry)));
  if (operation !== 'api-keys') return operation !== undefined;
  // How another tenant is refused is not shown, and may be a success without a list.
  return filtersOf(entry) !== undefined && (!entry.asked?.odd.includes('tenant') || listedKeys(entry).length > 0);
}

/** Whether the media type of the request has a parameter: application/json is documented without one. */
export const hasParameters = ({ answer }: Entry): boolean => /;/.test(answer.request.headers['Content-Type'] ?? '');

/** Whether a plan asks what a conforming target must accept; of traffic of others nothing says so. */
export const isMild = (entry: Entry): boolean => entry.asked !== undefined && !isOdd(entry);

/** `PATCH /v1/… (title, summary) with a PAT`: the request, without values. */
export function describeSent(entry: Entry): string {
  const { operation, query, credential, answer } = entry;
  const name = operation ? OPERATIONS[operation].name : `${answer.request.method} ${entry.path}`;
  const names = [...query.map(([field]) => field), ...Object.keys(sentObject(entry))].slice(0, 8).join(', ');
  const as = /^(?!admin$)\w{1,30}$/.test(credential.who ?? '') ? ` as ${credential.who}` : '';
  return `${name}${names && ` (${names})`}${credential.kind === 'pat' ? ' with a PAT' : ''}${as}`;
}
